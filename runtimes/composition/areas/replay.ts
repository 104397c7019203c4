import { StoredDesignFiles } from '../../../adapters/pages/design-files.ts';
import { ThreadedPageReader } from '../../../adapters/pages/threaded-page-reader.ts';
import { replayRun } from '../../../application/collect/replay-run.ts';
import type { DesignFiles, PageReader } from '../../../ports/outbound/collect.ts';
import type { ObjectStore } from '../../../ports/outbound/object-store.ts';

/** The replay of collect runs, which a worker does. It needs the areas of collectors and of the gallery. */
export const replay = {
  parts: {
    designFiles: ({ objects }: { objects: ObjectStore }): DesignFiles => new StoredDesignFiles({ objects }),
    pageReader: (): PageReader => new ThreadedPageReader(),
    replayRun,
  },
};
