import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anAgent } from '../surface/agents.ts';
import { aCaptureKey, aPng, assetFields, captureFields, RUNS, runBody, uploadForm } from '../surface/captures.ts';
import { get, post, send } from '../surface/client.ts';
import type { LambdaMount } from './lambda-mount.ts';

const CSS = Buffer.from('main { color: #123456 }');
const STYLE = 'https://app.example.com/main.css';
const PAGES = 12;

const htmlOf = (n: number): Buffer =>
  Buffer.from(
    `<!doctype html><html lang="en"><title>Page ${n}</title><link rel="stylesheet" href="/main.css"><main><h1>Order ${n}</h1><script>alert(1)</script></main>`,
  );

const pathOf = (url: string): string => new URL(url).pathname;

/** Tests a collect run from its first request to its screens, with the worker as a function that messages wake. */
export const replaySuite = (open: () => Promise<LambdaMount>): void => {
  let mount: LambdaMount;
  let key: string;
  let run: number;

  const wake = async (event: object): Promise<unknown> => {
    const { answer, settled } = await mount.fleets.replay.invoke(JSON.stringify(event));
    settled();
    if (answer.kind !== 'result') throw new Error(`The worker answered with ${JSON.stringify(answer)}.`);
    return JSON.parse(answer.json);
  };
  const shown = async () => (await get(mount, `${RUNS}/${run}`, key)).body.run;

  beforeAll(async () => {
    mount = await open();
    ({ key } = await anAgent(mount.service, 'collect'));
    run = (await post(mount, RUNS, key, runBody)).body.run.id;
    const asset = uploadForm(assetFields(CSS, { url: STYLE }), { file: CSS });
    expect((await send(mount, 'POST', `${RUNS}/${run}/assets`, { key, form: asset })).status).toBe(201);
    const assets = JSON.stringify([{ url: STYLE, sha256: createHash('sha256').update(CSS).digest('hex') }]);
    for (let n = 1; n <= PAGES; n++) {
      const fields = { key: aCaptureKey(n), url: `https://app.example.com/orders/${n}`, assets };
      const form = uploadForm(captureFields(fields), { image: aPng(100 + n), html: htmlOf(n) });
      expect((await send(mount, 'POST', `${RUNS}/${run}/captures`, { key, form })).status).toBe(201);
    }
    expect((await post(mount, `${RUNS}/${run}/submit`, key)).status).toBe(200);
  }, 120_000);
  afterAll(async () => {
    await mount.close();
    expect(mount.faults).toEqual([]);
  });

  describe('a collect run on the functions', () => {
    test('a message wakes the worker, which makes screens from the captures and deletes the message', async () => {
      expect(await shown()).toMatchObject({ state: 'submitted' });
      const [job] = await mount.service.get('jobs').waiting(10);
      const body = JSON.stringify({ id: job?.id, kind: job?.kind, subject: job?.subject });
      expect(await wake({ Records: [{ messageId: 'one', body }] })).toEqual({ batchItemFailures: [] });
      expect(await shown()).toMatchObject({
        state: 'replayed',
        error: null,
        replay: { total: PAGES, done: PAGES, screens_added: PAGES },
      });
      const messages = mount.lines.flatMap((line) => (line.startsWith('{') ? [JSON.parse(line).msg] : []));
      expect(messages).toEqual(expect.arrayContaining(['job started', 'job done']));
    }, 120_000);

    test('a schedule wakes the worker, which finds nothing to do', async () => {
      expect(await wake({ source: 'aws.events', 'detail-type': 'Scheduled Event' })).toEqual({ batchItemFailures: [] });
    });

    test('the gallery has the screens, and the media function serves their images, pages and style sheets', async () => {
      const { data, meta } = (await get(mount, '/api/v1/screens')).body;
      expect(meta.total).toBe(PAGES);
      const [card] = data;
      for (const { url, size, type } of [card.image, card.thumbnail]) {
        const image = await fetch(mount.urls.design + pathOf(url));
        expect([image.status, image.headers.get('content-type')]).toEqual([200, type]);
        expect((await image.arrayBuffer()).byteLength).toBe(size);
      }
      const { page } = (await get(mount, `/api/v1/screens/${card.id}`)).body.data;
      const saved = await fetch(mount.urls.design + pathOf(page.url));
      const html = await saved.text();
      expect([saved.status, saved.headers.get('content-security-policy')]).toEqual([
        200,
        expect.stringMatching(/^sandbox/),
      ]);
      expect(html).toContain('Order');
      expect(html).not.toContain('alert');
      const [style] = /\/media\/[0-9a-f]{64}\.css/.exec(html) ?? [];
      const sheet = await fetch(mount.urls.design + style);
      expect([sheet.status, await sheet.text()]).toEqual([200, expect.stringContaining('#123456')]);
    });

    test('the design function shows the screens as a page', async () => {
      const page = await fetch(`${mount.urls.design}/`, { headers: { 'accept-language': 'en' } });
      expect([page.status, page.headers.get('content-type'), page.headers.get('set-cookie')]).toEqual([
        200,
        'text/html; charset=utf-8',
        null,
      ]);
      expect(await page.text()).toContain('/media/');
    });
  });
};
