import { failRun, openRun, showRun, submitRun } from '../../../../application/design/collect/runs.ts';
import { addAsset, addCapture } from '../../../../application/design/collect/uploads.ts';
import { shaped } from '../../../../application/shared/steps.ts';
import type { Capture } from '../../../../domain/design/collect/capture.ts';
import * as designCollect from '../../../../ports/inbound/design/collect.ts';
import { handling } from '../handling.ts';

/** The fields of a capture that the upload returns. */
const captureView = ({ number, key, url, viewport, lang, outcome, meta, image, html, received_at }: Capture) => {
  return { number, key, url, viewport, lang, outcome, meta, image, html, received_at };
};

/** Collect runs and their uploads. */
export const collectHandlers = handling(
  designCollect,
  { openRun, showRun, addAsset, addCapture, failRun, submitRun },
  (use) => ({
    openCollectRun: (call) => use.openRun(call),
    getCollectRun: ({ caller, params }) => use.showRun.forCollector({ agentId: caller.id, run_id: params.run }),
    uploadCollectAsset: ({ caller, params, body, files }) =>
      use.addAsset({ agentId: caller.id, run_id: params.run, asset: body, file: files.file }),
    uploadCollectCapture: ({ caller, params, body, files: { image, html } }) => {
      const named = { agentId: caller.id, run_id: params.run };
      const { image_sha256, image_size, html_sha256, html_size, ...fields } = body;
      const told = {
        image: { sha256: image_sha256, size: image_size },
        html: { sha256: html_sha256, size: html_size },
      };
      return shaped(use.addCapture({ ...named, fields, image, html, told }), (added) => ({
        ...added,
        capture: captureView(added.capture),
      }));
    },
    failCollectRun: ({ caller, params, body }) =>
      use.failRun({ agentId: caller.id, run_id: params.run, error: body.error }),
    submitCollectRun: ({ caller, params, body }) =>
      use.submitRun({ agentId: caller.id, run_id: params.run, submission: body }),
  }),
);
