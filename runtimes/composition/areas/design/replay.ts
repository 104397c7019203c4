import { storedDesignFiles } from '../../../../adapters/design/pages/design-files.ts';
import { threadedPages } from '../../../../adapters/design/pages/reading-thread.ts';
import { replayRun } from '../../../../application/design/collect/replay-run.ts';
import type { PageReader } from '../../../../ports/outbound/design/collect.ts';

/** The replay of collect runs by a worker. It needs the areas of collectors and of the gallery. */
export const replay = {
  parts: {
    designFiles: storedDesignFiles,
    pageReader: (): PageReader => threadedPages(),
    replayRun,
  },
};
