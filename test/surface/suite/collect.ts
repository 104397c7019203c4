import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Agent, anAgent } from '../agents.ts';
import { aCaptureKey, aPng, assetFields, captureFields, RUNS, runBody, sha256Of, uploadForm } from '../captures.ts';
import { get, post, type Reply, send } from '../client.ts';
import type { Mount } from '../mount.ts';
import { freeLock } from '../runs.ts';

const CSS = Buffer.from('body { color: #123456 }');
const HTML = Buffer.from('<!doctype html><title>Your orders</title>');

/** Tests the runs of collectors: the lock, uploads and the ends of a run. */
export const collectSuite = (mount: () => Mount): void => {
  let agent: Agent;
  let other: Agent;
  let run: number;

  beforeAll(async () => {
    agent = await anAgent(mount().service, 'collect', 'Nightly collector');
    other = await anAgent(mount().service, 'collect', 'Second collector');
  });
  beforeEach(async () => {
    await freeLock(mount().service);
    run = (await post(mount(), RUNS, agent.key, runBody)).body.run.id;
  });

  const at = (what = ''): string => `${RUNS}/${run}${what}`;
  const capture = (fields: Record<string, string> = {}, files: Record<string, Uint8Array> = {}): Promise<Reply> =>
    send(mount(), 'POST', at('/captures'), { key: agent.key, form: uploadForm(captureFields(fields), files) });
  const asset = (fields: Record<string, string> = {}, bytes: Uint8Array = CSS): Promise<Reply> =>
    send(mount(), 'POST', at('/assets'), {
      key: agent.key,
      form: uploadForm(assetFields(bytes, fields), { file: bytes }),
    });
  const shown = async () => (await get(mount(), at(), agent.key)).body.run;
  const errorsOf = ({ status, body }: Reply) => [status, Object.keys(body.errors ?? {})];

  describe('the lock of collect runs', () => {
    test('a second run is 409 while the first collects, and the response names the first', async () => {
      for (const { key } of [agent, other]) {
        const { status, body } = await post(mount(), RUNS, key, runBody);
        const { opened_at, lease_expires_at } = await shown();
        expect([status, body.run]).toEqual([409, { id: run, agent: 'Nightly collector', opened_at, lease_expires_at }]);
      }
    });
  });

  test('a failure reason of only spaces counts as absent', async () => {
    const { body } = await post(mount(), at('/fail'), agent.key, { error: ' \n' });
    expect([body.run.state, body.run.error]).toEqual(['failed', null]);
  });

  test.each(['\u0001', '\ud83d'])('a capture key with the character %j is 422', async (character) => {
    const fields = { ...captureFields({ outcome: 'failed' }), key: character.repeat(40) };
    expect(errorsOf(await post(mount(), at('/captures'), agent.key, fields))).toEqual([422, ['key']]);
  });

  test('a capture outside the viewports and languages of its run is 422', async () => {
    const fields = captureFields({ outcome: 'failed', viewport: 'mobile' });
    expect(errorsOf(await post(mount(), at('/captures'), agent.key, fields))).toEqual([422, ['viewport']]);
  });

  test('a run for every app is opened without apps, with null and with an empty list', async () => {
    await freeLock(mount().service);
    const { apps: _, ...input } = runBody;
    expect((await post(mount(), RUNS, agent.key, input)).body.run.apps).toBeNull();
    await freeLock(mount().service);
    expect((await post(mount(), RUNS, agent.key, { ...input, apps: null })).body.run.apps).toBeNull();
    await freeLock(mount().service);
    const { id, apps } = (await post(mount(), RUNS, agent.key, { ...input, apps: [] })).body.run;
    const meta = JSON.stringify({ title: 'A lecture', app: 'lecture', flow: 'Learning', step: 1 });
    const taken = await post(mount(), `${RUNS}/${id}/captures`, agent.key, captureFields({ outcome: 'failed', meta }));
    expect([apps, taken.status], taken.text).toEqual([null, 201]);
    await freeLock(mount().service);
    expect(errorsOf(await post(mount(), RUNS, agent.key, {}))).toEqual([422, ['viewports', 'langs']]);
  });

  describe('another agent’s run', () => {
    test.each([
      ['GET', ''],
      ['POST', '/fail'],
      ['POST', '/submit'],
    ])('%s %s of another agent’s run is 404, as for an unknown run', async (method, what) => {
      for (const path of [at(what), `${RUNS}/999${what}`, `${RUNS}/nonsense${what}`]) {
        expect((await send(mount(), method, path, { key: other.key })).status).toBe(404);
      }
      expect((await shown()).state).toBe('collecting');
    });

    test('uploads to another agent’s run are 404 and not stored', async () => {
      const forms = [
        ['/assets', uploadForm(assetFields(CSS), { file: CSS })],
        ['/captures', uploadForm(captureFields(), { html: HTML })],
      ] as const;
      for (const [what, form] of forms) {
        expect((await send(mount(), 'POST', at(what), { key: other.key, form })).status).toBe(404);
      }
      expect((await shown()).uploads).toEqual({ assets: 0, captures: 0 });
    });
  });

  describe('an asset', () => {
    test('an asset is 201 with its hash and size, and a duplicate is 201 as well', async () => {
      const expected = {
        sha256: sha256Of(CSS),
        type: 'css',
        url: 'https://app.example.com/main.css',
        size: CSS.length,
      };
      expect((await asset()).body).toEqual({ asset: expected, duplicate: false });
      expect((await asset()).body).toEqual({ asset: expected, duplicate: true });
      expect((await shown()).uploads).toEqual({ assets: 1, captures: 0 });
    });

    test.each([
      ['a hash of other bytes', { sha256: 'f'.repeat(64) }, 'sha256'],
      ['no hash', { sha256: 'none' }, 'sha256'],
      ['an unknown type', { type: 'png' }, 'type'],
      ['a too long address', { url: 'u'.repeat(2001) }, 'url'],
    ])('an asset with %s is 422', async (_, fields, field) => {
      expect(errorsOf(await asset(fields))).toEqual([422, [field]]);
    });

    test('an asset without a file is 422', async () => {
      const form = uploadForm(assetFields(CSS));
      expect(errorsOf(await send(mount(), 'POST', at('/assets'), { key: agent.key, form }))).toEqual([422, ['file']]);
    });
  });

  describe('a capture', () => {
    test('a capture is 201 with its number, its facts and its files', async () => {
      const image = aPng(2000);
      const { body } = await capture({}, { image, html: HTML });
      expect(body).toMatchObject({
        replaced: false,
        capture: {
          number: 1,
          key: aCaptureKey(1),
          meta: { title: 'Your orders', app: 'core', flow: 'Buying', step: 4, patterns: [] },
          image: { sha256: sha256Of(image), size: 2000, type: 'image/png', width: 1, height: 1 },
          html: { sha256: sha256Of(HTML), size: HTML.length },
        },
      });
    });

    test.each(['failed', 'redirected'])('a capture that was %s needs no file and may come as JSON', async (outcome) => {
      const json = captureFields({ outcome, http_status: '302' });
      expect((await post(mount(), at('/captures'), agent.key, json)).status).toBe(201);
    });

    test.each([
      ['a key of 39 characters', { key: 'k'.repeat(39) }, ['key']],
      ['a key of 41 characters', { key: 'k'.repeat(41) }, ['key']],
      ['an address that runs a script', { url: 'javascript:alert(1)' }, ['url']],
      ['a final address that is no page', { final_url: ' DATA:text/html,x' }, ['final_url']],
      ['a status that is none', { http_status: '600' }, ['http_status']],
      ['meta that is no JSON', { meta: '{' }, ['meta']],
      ['meta of a wrong type', { meta: '{"flow":5}' }, ['meta.flow']],
      ['an app that the run does not collect', { meta: '{"app":"support"}' }, ['meta.app']],
      ['assets that are no array', { assets: '{}' }, ['assets']],
      ['a null among its assets', { assets: '[null]' }, ['assets.0']],
      ['an asset without a hash', { assets: '[{"url":"https://a.example"}]' }, ['assets.0.sha256']],
    ])('a capture with %s is 422', async (_, fields, names) => {
      expect(errorsOf(await capture(fields))).toEqual([422, names]);
      expect((await shown()).uploads.captures).toBe(0);
    });

    test('an image that is not a PNG or JPEG is 422', async () => {
      expect(errorsOf(await capture({}, { image: Buffer.from('GIF89a') }))).toEqual([422, ['image']]);
    });
  });

  describe('the end of a run', () => {
    test.each([
      ['without a body', {}],
      ['with an empty JSON body', { json: {} }],
      ['with an empty body that says it is JSON', { text: '', headers: { 'Content-Type': 'application/json' } }],
    ])('a run can be failed and submitted %s', async (_, body) => {
      const failed = await send(mount(), 'POST', at('/fail'), { key: agent.key, ...body });
      expect(failed.body.run).toMatchObject({ state: 'failed', error: null, lease_expires_at: null });
      run = (await post(mount(), RUNS, agent.key, runBody)).body.run.id;
      const submitted = await send(mount(), 'POST', at('/submit'), { key: agent.key, ...body });
      expect(submitted.body.run).toMatchObject({ accounts: null, build_versions: null, error: null });
    });

    test('a failure stores its reason, and a submission its accounts and builds', async () => {
      const { body } = await post(mount(), at('/fail'), agent.key, { error: 'The browser was closed.' });
      expect(body.run).toMatchObject({ state: 'failed', error: 'The browser was closed.' });
      run = (await post(mount(), RUNS, agent.key, runBody)).body.run.id;
      const told = { accounts: [{ found: false, reason: 'No such account.' }], build_versions: ['2026.11.3'] };
      expect((await post(mount(), at('/submit'), agent.key, told)).body.run).toMatchObject(told);
    });

    test.each([
      [{ accounts: [{}] }, 'accounts.0.found'],
      [{ accounts: [{ found: true, reason: 'r'.repeat(201) }] }, 'accounts.0.reason'],
      [{ build_versions: ['v'.repeat(65)] }, 'build_versions.0'],
    ])('the submission %j is 422, and the run continues', async (json, field) => {
      expect(errorsOf(await post(mount(), at('/submit'), agent.key, json))).toEqual([422, [field]]);
      expect((await shown()).state).toBe('collecting');
    });

    test.each(['fail', 'submit'])('a run that ended by %s accepts nothing more and is 409', async (end) => {
      await post(mount(), at(`/${end}`), agent.key);
      const replies = [
        await capture(),
        await asset(),
        await post(mount(), at('/fail'), agent.key),
        await post(mount(), at('/submit'), agent.key),
      ];
      for (const { status, body } of replies) expect([status, body.run.id]).toEqual([409, run]);
      expect((await shown()).uploads).toEqual({ assets: 0, captures: 0 });
    });
  });
};
