import { expect, test } from 'vitest';
import type { LambdaMount } from '../../lambda/lambda-mount.ts';
import { anAgent } from '../../surface/agents.ts';
import { aCaptureKey, aPng, captureFields, RUNS, runBody, uploadForm } from '../../surface/captures.ts';
import { get, post, send } from '../../surface/client.ts';

const PAGES = 3;

type Shape = { readonly flow: string; readonly word: string };

const collect = async (mount: LambdaMount, key: string, { flow, word }: Shape): Promise<number> => {
  const run = (await post(mount, RUNS, key, runBody)).body.run.id;
  // An agent that missed the last answer sends its capture again.
  for (const n of [1, 2, PAGES, PAGES]) {
    const meta = JSON.stringify({ title: `A ${word}`, app: 'core', flow, step: n });
    const url = `https://app.example.com/${word}/${n}`;
    // The style sheet is missing, which is a problem of the run.
    const html = Buffer.from(
      `<!doctype html><title>${word}</title><link rel="stylesheet" href="/none.css"><h1>${word}</h1>`,
    );
    const form = uploadForm(captureFields({ key: aCaptureKey(500 + n), url, meta }), { image: aPng(300 + n), html });
    expect((await send(mount, 'POST', `${RUNS}/${run}/captures`, { key, form })).status).toBeLessThan(300);
  }
  expect((await post(mount, `${RUNS}/${run}/submit`, key)).status).toBe(200);
  return run;
};

/**
 * Replays two runs of the same screens with different words and flows, so that the second run replaces the records of
 * the first.
 */
export const secondReplay = (mount: () => LambdaMount): void => {
  test('a later run of the same screens is replayed, with its problems', async () => {
    const { key } = await anAgent(mount().service, 'collect');
    for (const shape of [
      { flow: 'Buying', word: 'zucchini' },
      { flow: 'Selling', word: 'aubergine' },
    ]) {
      const run = await collect(mount(), key, shape);
      const { answer, settled } = await mount().fleets.replay.invoke(JSON.stringify({ source: 'aws.events' }));
      settled();
      expect(answer.kind).toBe('result');
      const shown = (await get(mount(), `${RUNS}/${run}`, key)).body.run;
      expect(shown).toMatchObject({ state: 'replayed', replay: { total: PAGES, done: PAGES } });
      expect(shown.problems.length).toBeGreaterThan(0);
    }
  }, 120_000);
};
