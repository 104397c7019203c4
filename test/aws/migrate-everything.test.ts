import { hash } from 'node:crypto';
import { cpSync, rmSync } from 'node:fs';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compactVerify, importJWK } from 'jose';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { AuditEntry } from '../../domain/audit/entry.ts';
import { openService } from '../processes/data-dir.ts';
import { EVERY_ENTRY } from '../support/audited.ts';
import { spawnedCli as cli } from '../support/cli.ts';
import { finishMigration } from '../support/kill-migration.ts';
import { hiddenFields, PageBrowser } from '../support/page-browser.ts';
import { RUNS, runBody } from '../surface/captures.ts';
import { get, post } from '../surface/client.ts';
import { callTool } from '../surface/mcp-message.ts';
import type { Mount } from '../surface/mount.ts';
import { type Contents, contentsOf } from './migration/contents-of.ts';
import { RECORDS, wordsOfKeys } from './migration/records.ts';
import { portsOfHosts, serverOf } from './migration/server-of.ts';
import {
  aCollectRun,
  aWaitingDevice,
  DEMO,
  fillShop,
  leaveRecords,
  PRODUCT,
  pollDevice,
  refreshed,
  type Shop,
  SLUG,
  submitAlone,
  writeOnce,
} from './migration/shop.ts';
import { awsEngines } from './support/engines.ts';
import { newSecret } from './support/secrets.ts';

/* A shop moves from one machine to AWS and back. Each test continues from the previous one. */

/** The maximum time of a step on a busy machine. */
const timeout = 240_000;

type Environment = Readonly<Record<string, string>>;

let folder: string;
let ports: Environment;
let aws: Environment;
let shop: Shop;
/** A run whose job waits, and one that holds the collect lock. */
let run: number;
let held: number;
let before: Contents;
let downloaded: string;
let history: readonly AuditEntry[];

const at = (name: string): string => join(folder, name);
const machine = (name: string): Environment => ({ ...ports, DATA_DIR: at(name) });
const cloud = (): Environment => ({ ...ports, ...aws, DATA_DIR: at('functions') });
const there = (): string => `dynamodb:${aws['TABLE_NAME']},s3:${aws['BUCKET_NAME']}`;

const auditLogOf = (mount: Mount): Promise<AuditEntry[]> =>
  Array.fromAsync(mount.service.get('auditLog').list(EVERY_ENTRY));

/** The SHA-256 of the file behind a signed URL. */
const downloadOf = async (browser: PageBrowser): Promise<string> => {
  const { location } = await browser.get(`/library/download?product=${PRODUCT}&platform=darwin-arm64`);
  const file = await fetch(location as string);
  expect([file.status, new URL(location as string).search]).toEqual([200, expect.stringMatching(/signature/i)]);
  return hash('sha256', Buffer.from(await file.arrayBuffer()));
};

/** Leaves a submitted run with its unfinished job, and a run that holds the lock. */
const leaveJob = async (env: Environment, run_id: number): Promise<void> => {
  const { service, close } = await openService(env['DATA_DIR'] ?? '', env);
  held = await submitAlone(service, shop.collector, run_id);
  await close();
};

const inSeconds = (moment: number): number => Math.floor(moment / 1000);

/** Expects the same entries and objects on both sides. Only an expired entry may be missing. */
const expectSame = (target: Contents, source: Contents): void => {
  expect(target.objects).toEqual(source.objects);
  for (const [key, entry] of source.entries) {
    if ((entry.expires_at ?? Number.POSITIVE_INFINITY) > inSeconds(Date.now())) {
      expect(target.entries.get(key), key).toEqual(entry);
    }
  }
  expect([...target.entries.keys()].filter((key) => !source.entries.has(key))).toEqual([]);
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'migrate-everything-'));
  [ports, aws] = await Promise.all([portsOfHosts(), awsEngines()]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Registers the tests that a moved store answers as before. `next` numbers the pages of new captures. */
const answersAsBefore = (env: () => Environment, next: number): void => {
  let mount: Mount;
  beforeAll(async () => {
    mount = await serverOf(env());
  }, timeout);
  afterAll(async () => {
    expect(mount.faults).toEqual([]);
    await mount.close();
    await leaveJob(env(), run);
  }, timeout);

  test('a password signs in, and an earlier session stays signed in', { timeout }, async () => {
    expect((await shop.browser.get('/library')).status).toBe(200);
    const browser = new PageBrowser(mount.urls.account);
    expect((await browser.signIn(DEMO.email, DEMO.password, '/library')).location).toBe('/library');
    expect((await browser.get('/library')).status).toBe(200);
  });

  test('a sign-in that began at the shop’s own login can be finished', { timeout }, async () => {
    expect((await shop.linked.get('/sign-in/callback?state=s')).location).toBe('/library');
    expect((await shop.linked.get('/library')).status).toBe(200);
    await shop.linked.get('/sign-in/upstream?next=/library');
  });

  test('an application refreshes its tokens and calls the account MCP', { timeout }, async () => {
    const app = await refreshed(mount, shop.app);
    const library = await callTool(mount, app.access_token, 'list_library');
    expect(library.body.result.structuredContent).toMatchObject({ items: expect.any(Array) });
    shop = { ...shop, app };
  });

  test('a waiting device can be approved', { timeout }, async () => {
    const { device_code, user_code } = shop.waiting;
    const found = await shop.browser.submit(`/device?user_code=${user_code}`, '/device', { user_code });
    const fields = { decision: 'approve', device_name: 'Second laptop' };
    await shop.browser.post('/device/decide', { ...hiddenFields(found.body, '/device/decide'), ...fields });
    const { access_token } = (await (await pollDevice(mount, device_code)).json()) as { access_token: string };
    expect((await get(mount, '/api/device/entitlements', access_token)).status).toBe(200);
    shop = { ...shop, waiting: await aWaitingDevice(mount, `laptop-${next}`) };
  });

  test('an API key opens the library, and a license token verifies with the same key', { timeout }, async () => {
    expect((await get(mount, '/api/library', shop.key)).status).toBe(200);
    const { token, device, publicKey } = shop.license;
    expect(mount.licenseKey).toEqual(publicKey);
    const { body } = await post(mount, '/api/license/check', shop.key, device);
    const verifier = await importJWK(publicKey, 'EdDSA');
    for (const one of [token, body.token]) await expect(compactVerify(one, verifier)).resolves.toBeDefined();
  });

  test('a signed download gives the same bytes', { timeout }, async () => {
    expect(await downloadOf(shop.browser)).toBe(downloaded);
  });

  test('the worker does the waiting job, and the gallery shows its screen', { timeout }, async () => {
    const shown = async () => (await get(mount, `${RUNS}/${run}`, shop.collector.key)).body.run;
    await vi.waitFor(async () => expect(await shown()).toMatchObject({ state: 'replayed', error: null }), {
      timeout: 120_000,
      interval: 200,
    });
    const [card] = (await get(mount, '/api/v1/screens')).body.data;
    expect((await fetch(mount.urls.design + new URL(card.image.url).pathname)).status).toBe(200);
    const page = await fetch(`${mount.urls.design}/`, { headers: { 'accept-language': 'en' } });
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('/media/')]);
  });

  test('a design document has its versions, and a waiting review can be done', { timeout }, async () => {
    const { data } = (await get(mount, `/api/agent/docs/${SLUG}/versions`, shop.documents.reader.key)).body;
    const pending = data.find(({ state }: { state: string }) => state === 'in_review');
    expect(data.toReversed().map(({ number }: { number: number }) => number)).toEqual(
      data.map((_: object, n: number) => n + 1),
    );
    expect((await shop.documents.judge(SLUG, pending.number)).status).toBe(200);
    await shop.documents.submitted(SLUG, pending.number, `# Buttons\n\nText ${next}.\n`);
  });

  test('a request that is repeated under its Idempotency-Key gets its first response', { timeout }, async () => {
    const again = await writeOnce(mount, shop.documents.writer);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.body).toEqual(shop.written.body);
  });

  test('a ticket has its reply and its file', { timeout }, async () => {
    const shownTicket = await mount.service.get('showReport')(String(shop.ticket));
    expect(shownTicket).toMatchObject({ ok: true, value: { answers: [{ text: 'Soon.' }] } });
    const file = await mount.service.get('openReportFile')(shop.ticket, null);
    expect(file).toMatchObject({ ok: true, value: { file: { size: 50_000 } } });
  });

  test('the audit log has all its entries', { timeout }, async () => {
    const log = await auditLogOf(mount);
    expect(log.slice(-history.length)).toEqual(history);
    expect(log.length).toBeGreaterThan(history.length);
    history = log;
  });

  test('the collect lock is held by its run, which can release it', { timeout }, async () => {
    const { key } = shop.collector;
    const refused = await post(mount, RUNS, key, runBody);
    expect([refused.status, refused.body.run.id]).toEqual([409, held]);
    expect((await post(mount, `${RUNS}/${held}/fail`, key, {})).status).toBe(200);
    run = await aCollectRun(mount, shop.collector, next);
  });
};

describe('a shop on one machine', () => {
  test('the shop holds a record of every kind', { timeout }, async () => {
    const mount = await serverOf({ ...machine('source'), SAMPLE_STORE: 'always' });
    shop = await fillShop(mount);
    const first = await aCollectRun(mount, shop.collector, 1);
    await post(mount, `${RUNS}/${first}/submit`, shop.collector.key);
    const state = async () => (await get(mount, `${RUNS}/${first}`, shop.collector.key)).body.run.state;
    await vi.waitFor(async () => expect(await state()).toBe('replayed'), { timeout: 120_000, interval: 200 });
    run = await aCollectRun(mount, shop.collector, 2);
    downloaded = await downloadOf(shop.browser);
    history = await auditLogOf(mount);
    expect(mount.faults).toEqual([]);
    await mount.close();
    await leaveJob(machine('source'), run);
    const { service, close } = await openService(at('source'), machine('source'));
    await leaveRecords(service);
    await close();
    // The first backup creates the store's id.
    expect((await cli(['backup', at('backups')], machine('source'))).code).toBe(0);

    before = await contentsOf(`folder:${at('source')}`);
    const keys = [...before.entries.keys()];
    const ofKind = (key: string) => RECORDS.filter((kind) => kind.keys.test(key)).map(({ name }) => name);
    expect(keys.map((key) => [key, ofKind(key)]).filter(([, names]) => names?.length !== 1)).toEqual([]);
    expect(RECORDS.filter((kind) => !keys.some((key) => kind.keys.test(key))).map(({ name }) => name)).toEqual([]);
    const words = new Set(keys.flatMap((key) => key.split(/[# ]/)));
    // The snapshot of a small catalog is one item, without chunks.
    expect([...wordsOfKeys()].filter((word) => !words.has(word))).toEqual(['CHUNK']);
    const folders = [...before.objects.keys()].map((key) => key.split('/')[0]);
    expect(new Set(folders)).toEqual(new Set(['design', 'reports', 'sha256']));
  });
});

describe('the same shop on AWS', () => {
  test('the move copies every entry and every object', { timeout }, async () => {
    expect(await finishMigration(at('source'), there())).toBe(0);
    expectSame(await contentsOf(there()), before);
    cpSync(join(at('source'), 'keys'), join(at('functions'), 'keys'), { recursive: true });
    const keyIn = async (use: 'license' | 'artifact'): Promise<string> =>
      newSecret(await readFile(join(at('source'), 'keys', `${use}-signing.1.json`), 'utf8'));
    aws = { ...aws, LICENSE_KEY_SECRET_ARN: await keyIn('license'), ARTIFACT_KEY_SECRET_ARN: await keyIn('artifact') };
  });

  describe('after the move', () => answersAsBefore(cloud, 3));
});

describe('the same shop back on a machine', () => {
  test('the move back copies every entry and every object', { timeout }, async () => {
    before = await contentsOf(there());
    expect(await finishMigration(there(), at('back'))).toBe(0);
    expectSame(await contentsOf(`folder:${at('back')}`), before);
    cpSync(join(at('functions'), 'keys'), join(at('back'), 'keys'), { recursive: true });
  });

  describe('after the move back', () => answersAsBefore(() => machine('back'), 4));
});
