import { failRun, openRun, showRun, submitRun } from '../../../../application/design/collect/runs.ts';
import { addAsset, addCapture } from '../../../../application/design/collect/uploads.ts';
import * as designCollect from '../../../../ports/inbound/design/collect.ts';
import { handling } from '../handling.ts';

export const collectHandlers = handling(
  designCollect,
  { openRun, showRun, addAsset, addCapture, failRun, submitRun },
  (use) => ({
    openCollectRun: (call) => use.openRun(call),
    getCollectRun: (call) => use.showRun.forCollector(call),
    uploadCollectAsset: (call) => use.addAsset(call),
    uploadCollectCapture: (call) => use.addCapture(call),
    failCollectRun: (call) => use.failRun(call),
    submitCollectRun: (call) => use.submitRun(call),
  }),
);
