import { storedDesignFiles } from '../../../adapters/pages/design-files.ts';
import { threadedPages } from '../../../adapters/pages/reading-thread.ts';
import { replayRun } from '../../../application/collect/replay-run.ts';
import type { PageReader } from '../../../ports/outbound/collect.ts';

/** The replay of collect runs, which a worker does. It needs the areas of collectors and of the gallery. */
export const replay = {
  parts: {
    designFiles: storedDesignFiles,
    pageReader: (): PageReader => threadedPages(),
    replayRun,
  },
};
