import { ThreadedImageReader } from '../../../adapters/pages/threaded-image-reader.ts';
import { collectHandlers } from '../../../adapters/pipeline/handlers/collect.ts';
import { AddAsset } from '../../../application/collect/add-asset.ts';
import { AddCapture } from '../../../application/collect/add-capture.ts';
import { FailRun } from '../../../application/collect/fail-run.ts';
import { ListRuns } from '../../../application/collect/list-runs.ts';
import { OpenRun } from '../../../application/collect/open-run.ts';
import { RequeueRun } from '../../../application/collect/requeue-run.ts';
import { ShowRun } from '../../../application/collect/show-run.ts';
import { SubmitRun } from '../../../application/collect/submit-run.ts';
import * as designCollect from '../../../ports/inbound/design/collect.ts';
import type { ImageReader } from '../../../ports/outbound/page-reader.ts';
import { part } from '../area.ts';
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
    openRun: part(OpenRun),
    showRun: part(ShowRun),
    addAsset: part(AddAsset),
    addCapture: part(AddCapture),
    failRun: part(FailRun),
    submitRun: part(SubmitRun),
    listRuns: part(ListRuns),
    requeueRun: part(RequeueRun),
  },
  endpoints: designCollect,
  handlers: forAgents(collectHandlers),
};
