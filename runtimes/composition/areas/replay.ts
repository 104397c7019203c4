import { StoredDesignFiles } from '../../../adapters/pages/design-files.ts';
import { ThreadedImageReader } from '../../../adapters/pages/threaded-image-reader.ts';
import { ThreadedPageReader } from '../../../adapters/pages/threaded-page-reader.ts';
import { ReplayRun } from '../../../application/collect/replay-run.ts';
import type { DesignFiles } from '../../../ports/outbound/design-files.ts';
import type { ObjectStore } from '../../../ports/outbound/object-store.ts';
import type { ImageReader, PageReader } from '../../../ports/outbound/page-reader.ts';
import { part } from '../area.ts';

/** The replay of runs, for a worker. It needs the runs of `collect` and the editor of `gallery`. */
export const replay = {
  parts: {
    designFiles: ({ objects }: { readonly objects: ObjectStore }): DesignFiles => new StoredDesignFiles({ objects }),
    pageReader: (): PageReader => new ThreadedPageReader(),
    imageReader: (): ImageReader => new ThreadedImageReader(),
    replayRun: part(ReplayRun),
  },
};
