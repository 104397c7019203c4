import { ThreadedImageReader } from '../../../adapters/pages/threaded-image-reader.ts';
import { collectHandlers } from '../../../adapters/pipeline/handlers/collect.ts';
import { addAsset } from '../../../application/collect/add-asset.ts';
import { addCapture } from '../../../application/collect/add-capture.ts';
import { failRun } from '../../../application/collect/fail-run.ts';
import { listRuns } from '../../../application/collect/list-runs.ts';
import { openRun } from '../../../application/collect/open-run.ts';
import { requeueRun } from '../../../application/collect/requeue-run.ts';
import { showRun } from '../../../application/collect/show-run.ts';
import { submitRun } from '../../../application/collect/submit-run.ts';
import * as designCollect from '../../../ports/inbound/design/collect.ts';
import type { ImageReader } from '../../../ports/outbound/page-reader.ts';
import { needing } from '../needing.ts';
import { forAgents } from './agents.ts';
import { jobs } from './jobs.ts';

const IMAGE_PACKAGES = ['@jimp/core', '@jimp/js-jpeg', '@jimp/js-png', '@jimp/plugin-resize'];

/** Reads images in a thread, which loads the codecs with its first thumbnail. */
const threadedImages = (reader = new ThreadedImageReader()): ImageReader => ({
  measure: (head) => reader.measure(head),
  thumbnail: (image) => needing('A thumbnail', IMAGE_PACKAGES, () => reader.thumbnail(image)),
});

/** Runs of collectors and their uploads. */
export const collect = {
  parts: {
    ...jobs.parts,
    imageReader: (): ImageReader => threadedImages(),
    openRun,
    showRun,
    addAsset,
    addCapture,
    failRun,
    submitRun,
    listRuns,
    requeueRun,
  },
  endpoints: designCollect,
  handlers: forAgents(collectHandlers),
};
