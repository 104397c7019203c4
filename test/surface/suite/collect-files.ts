import { beforeAll, beforeEach, expect, test } from 'vitest';
import { MAX_ASSET_BYTES, MAX_HTML_BYTES, MAX_IMAGE_BYTES } from '../../../domain/design/collect/capture.ts';
import { type Agent, anAgent } from '../agents.ts';
import { aPng, assetFields, captureFields, RUNS, sha256Of, uploadForm } from '../captures.ts';
import { type Reply, send } from '../client.ts';
import type { Mount } from '../mount.ts';
import { aRun } from '../runs.ts';

/** Tests the largest files of collectors. The requests exceed those that some runtimes receive whole. */
export const collectFilesSuite = (mount: () => Mount): void => {
  let agent: Agent;
  let run: number;

  beforeAll(async () => {
    agent = await anAgent(mount().service, 'collect');
  });
  beforeEach(async () => {
    run = await aRun(mount().service, agent.id);
  });

  const upload = (what: string, fields: Record<string, string>, files: Record<string, Uint8Array>): Promise<Reply> =>
    send(mount(), 'POST', `${RUNS}/${run}/${what}`, { key: agent.key, form: uploadForm(fields, files) });

  test('an image of exactly 31,457,280 bytes is stored whole, and one byte more is 413', async () => {
    expect(MAX_IMAGE_BYTES).toBe(31_457_280);
    const image = aPng(MAX_IMAGE_BYTES);
    const kept = await upload('captures', captureFields(), { image });
    expect([kept.status, kept.body.capture?.image.size]).toEqual([201, MAX_IMAGE_BYTES]);
    const stored = await mount()
      .service.get('objects')
      .stat(`design/${sha256Of(image)}`);
    expect(stored?.size).toBe(MAX_IMAGE_BYTES);
    expect((await upload('captures', captureFields(), { image: aPng(MAX_IMAGE_BYTES + 1) })).status).toBe(413);
  });

  test('an asset and a page of exactly 10,485,760 bytes are stored, and one byte more is 413', async () => {
    expect([MAX_ASSET_BYTES, MAX_HTML_BYTES]).toEqual([10_485_760, 10_485_760]);
    for (const [size, status] of [
      [MAX_ASSET_BYTES, 201],
      [MAX_ASSET_BYTES + 1, 413],
    ] as const) {
      const bytes = Buffer.alloc(size, ' ');
      expect((await upload('assets', assetFields(bytes), { file: bytes })).status).toBe(status);
      expect((await upload('captures', captureFields(), { html: bytes })).status).toBe(status);
    }
  });
};
