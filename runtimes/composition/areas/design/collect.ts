import { threadedImages } from '../../../../adapters/design/pages/reading-thread.ts';
import { collectHandlers } from '../../../../adapters/pipeline/handlers/design/collect.ts';
import { StoredCollectRuns } from '../../../../adapters/store/design/collect-runs.ts';
import { StoredJobs } from '../../../../adapters/store/jobs.ts';
import { needing } from '../../../../adapters/system/loading.ts';
import { listRuns, requeueRun } from '../../../../application/design/collect/runs.ts';
import type { CollectRuns, ImageReader } from '../../../../ports/outbound/design/collect.ts';
import type { Jobs } from '../../../../ports/outbound/jobs.ts';
import { onAudited, onTable, withParts } from '../../area.ts';

const IMAGE_PACKAGES = ['@jimp/core', '@jimp/js-jpeg', '@jimp/js-png', '@jimp/plugin-resize'];

/** Reads images in a thread, which loads the codecs with its first thumbnail. */
const imageReader = (): ImageReader => {
  const images = threadedImages();
  return { ...images, thumbnail: (image) => needing('A thumbnail', IMAGE_PACKAGES, () => images.thumbnail(image)) };
};

/** Runs of collectors and their uploads. */
export const collect = withParts(collectHandlers, {
  collectRuns: onAudited<CollectRuns>(StoredCollectRuns),
  jobs: onTable<Jobs>(StoredJobs),
  imageReader,
  listRuns,
  requeueRun,
});
