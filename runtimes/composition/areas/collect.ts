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
import { forAgents } from './agents.ts';
import { jobs } from './jobs.ts';

/** Runs of collectors and their uploads. */
export const collect = {
  parts: {
    ...jobs.parts,
    imageReader: (): ImageReader => new ThreadedImageReader(),
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
