import type { AddAsset } from '../../../application/collect/add-asset.ts';
import type { AddCapture } from '../../../application/collect/add-capture.ts';
import type { FailRun } from '../../../application/collect/fail-run.ts';
import type { OpenRun } from '../../../application/collect/open-run.ts';
import type { ShowRun } from '../../../application/collect/show-run.ts';
import type { SubmitRun } from '../../../application/collect/submit-run.ts';
import type { Capture } from '../../../domain/collect/capture.ts';
import { ok } from '../../../domain/shared/outcome.ts';
import type { HandlersOf } from '../handler.ts';

export type UseCases = {
  readonly openRun: OpenRun;
  readonly showRun: ShowRun;
  readonly addAsset: AddAsset;
  readonly addCapture: AddCapture;
  readonly failRun: FailRun;
  readonly submitRun: SubmitRun;
};

export type Ids =
  | 'openCollectRun'
  | 'getCollectRun'
  | 'uploadCollectAsset'
  | 'uploadCollectCapture'
  | 'failCollectRun'
  | 'submitCollectRun';

/** The parts of a capture that its upload answers. */
const shown = ({ number, key, url, viewport, lang, outcome, meta, image, html, received_at }: Capture) => ({
  number,
  key,
  url,
  viewport,
  lang,
  outcome,
  meta,
  image,
  html,
  received_at,
});

export const collectHandlers = (use: UseCases): HandlersOf<Ids> => ({
  openCollectRun: ({ caller, body, permit }) => use.openRun({ agent: caller, wish: body, permit }),
  getCollectRun: ({ caller, params }) => use.showRun.forCollector({ agentId: caller.id, runId: params.run }),
  uploadCollectAsset: ({ caller, params, body, files, permit }) =>
    use.addAsset({ agentId: caller.id, runId: params.run, asset: body, file: files.file, permit }),
  uploadCollectCapture: async ({ caller, params, body, files: { image, html }, permit }) => {
    const named = { agentId: caller.id, runId: params.run };
    const { image_sha256, image_size, html_sha256, html_size, ...fields } = body;
    const told = {
      image: { sha256: image_sha256, size: image_size },
      html: { sha256: html_sha256, size: html_size },
    };
    const added = await use.addCapture({ ...named, fields, image, html, told, permit });
    return added.ok ? ok({ ...added.value, capture: shown(added.value.capture) }) : added;
  },
  failCollectRun: ({ caller, params, body, permit }) =>
    use.failRun({ agentId: caller.id, runId: params.run, error: body.error, permit }),
  submitCollectRun: ({ caller, params, body, permit }) =>
    use.submitRun({ agentId: caller.id, runId: params.run, submission: body, permit }),
});
