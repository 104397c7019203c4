import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { killServer, type ServerProcess, startServer } from '../processes/server.ts';
import { cli } from '../support/cli.ts';
import { PageBrowser } from '../support/page-browser.ts';
import { installLanguages, LANGUAGES_TIMEOUT, LanguageHarness, TESTED } from './harness.ts';

/* Each client against a real server on the sample store, through a proxy that simulates network faults. */

const PRODUCT = 4;
/** A product whose slots are sessions. */
const FLOATING = 7;
const PLATFORM = 'linux-amd64';
const DAY = 86_400_000;

type Weather = 'fair' | 'gone' | 'babble' | 'cut' | 'damage';

let folder: string;
let dataDir: string;
let server: ServerProcess;
let proxy: Server;
let weather: Weather = 'fair';
/** The ranges that clients requested of a file. */
let ranges: string[] = [];

const here = () => `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;

/** Forwards a request, and damages its response as the test configures. Plans contain the address of the proxy. */
const startProxy = (): Promise<void> => {
  proxy = createServer(async (request, response) => {
    if (weather === 'gone') return void request.socket.destroy();
    if (weather === 'babble') return void response.end('<!doctype html>Welcome to our network');
    const { host: _, connection: __, ...headers } = request.headers as Record<string, string>;
    const parts = await Array.fromAsync<Buffer>(request);
    const body = parts.length > 0 ? { body: Buffer.concat(parts) } : {};
    const answer = await fetch(server.url + request.url, { method: request.method ?? 'GET', headers, ...body });
    let bytes = Buffer.from(await answer.arrayBuffer());
    const isFile = !/^\/(api|\.well-known)\//.test(request.url ?? '');
    if (!isFile) bytes = Buffer.from(bytes.toString().replaceAll(server.url, here()));
    if (isFile) ranges.push(headers['range'] ?? 'all');
    if (isFile && weather === 'damage') bytes[bytes.length >> 1]! ^= 1;
    const kept = [...answer.headers].filter(
      ([name]) => !/^(content-(length|encoding)|transfer-encoding|connection)$/.test(name),
    );
    response.writeHead(answer.status, { ...Object.fromEntries(kept), 'content-length': bytes.length });
    if (!isFile || weather !== 'cut') return void response.end(bytes);
    weather = 'fair';
    response.write(bytes.subarray(0, bytes.length >> 1), () => setTimeout(() => request.socket.destroy(), 50));
  });
  return new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve));
};

const operator = async (...args: string[]) => {
  const ran = await cli([...args, '--json'], { DATA_DIR: dataDir });
  if (ran.code !== 0) throw new Error(ran.stderr);
  return ran.json();
};

beforeAll(async () => {
  await installLanguages();
  folder = mkdtempSync(join(tmpdir(), 'account-service-journey-'));
  dataDir = join(folder, 'data');
  server = await startServer(dataDir, { SAMPLE_STORE: 'always' });
  const exported = join(folder, 'store');
  await operator('export', exported);
  const path = join(exported, 'store.json');
  const store = JSON.parse(readFileSync(path, 'utf8'));
  const floating = store.products.find(({ id }: { id: number }) => id === FLOATING);
  Object.assign(floating, { slots: 'sessions', lease_minutes: 1, license_keys: true });
  Object.assign(
    store.products.find(({ id }: { id: number }) => id === PRODUCT),
    { trial_days: 14 },
  );
  writeFileSync(path, JSON.stringify(store));
  await operator('import', path);
  // The server sees what another process changed after at most a second.
  await pause(1100);
  await startProxy();
}, LANGUAGES_TIMEOUT);
afterAll(async () => {
  proxy.closeAllConnections();
  proxy.close();
  await killServer(server, 'SIGTERM');
  rmSync(folder, { recursive: true, force: true });
});

describe.each(TESTED)('the client in %s', (language) => {
  const open: LanguageHarness[] = [];
  let account: string;
  let grant: string;
  let key: string;

  beforeAll(async () => {
    account = `${language}@example.com`;
    key = `OLD-${randomUUID()}`;
    const csv = join(folder, `${language}.csv`);
    writeFileSync(csv, `key,email,activation_limit\n${key},${account},1\n`);
    await operator('key', 'import', csv, '--product', 'hashcheck');
    grant = String((await operator('grant', 'list', '--account', account))[0].id);
  });
  afterAll(() => Promise.all(open.map((harness) => harness.close())));

  /** A client on its own device. */
  const device = async (device_id: string, more: object = {}) => {
    const harness = new LanguageHarness(language);
    open.push(harness);
    const store = mkdtempSync(join(folder, `${language}-`));
    const options = { api: here(), issuer: server.url, product_id: PRODUCT, device_id, key, ...more };
    expect(await harness.ask({ do: 'open', options, store })).toEqual({ ok: null });
    const ask = async (line: object) => {
      const { ok, error } = await harness.ask(line);
      return error ? { error } : ok;
    };
    return { ask, store };
  };

  test('a device over the limit learns which devices hold the slots, and runs once one is released', async () => {
    const [one, two] = [await device('one'), await device('two')];
    expect(await one.ask({ do: 'check' })).toMatchObject({ state: 'licensed', error: null });
    expect(await two.ask({ do: 'check' })).toMatchObject({
      state: 'unknown',
      code: 'device_limit_reached',
      manage_url: expect.stringContaining('/devices'),
      devices: [{ device_id: 'one' }],
    });
    expect(await one.ask({ do: 'release' })).toMatchObject({ released: true });
    expect(await one.ask({ do: 'status' })).toMatchObject({ state: 'unknown', code: 'never_checked' });
    expect(await two.ask({ do: 'check' })).toMatchObject({ state: 'licensed', devices: null });
    expect(await two.ask({ do: 'release' })).toMatchObject({ released: true });
  });

  test('an unreachable or faulty server leaves a paying user running until the token ends', async () => {
    const { ask } = await device('one');
    const now = Date.now();
    const at = (days: number) => new Date(now + days * DAY).toISOString();
    expect(await ask({ do: 'check', at: at(0) })).toMatchObject({ state: 'licensed' });
    weather = 'gone';
    expect(await ask({ do: 'check', at: at(1.5) })).toMatchObject({ state: 'grace', error: { code: 'unreachable' } });
    weather = 'babble';
    expect(await ask({ do: 'check', at: at(2) })).toMatchObject({ state: 'grace', error: { code: 'broken_answer' } });
    expect(await ask({ do: 'status', at: at(15) })).toMatchObject({ state: 'expired', code: 'offline_too_long' });
    weather = 'fair';
    expect(await ask({ do: 'check', at: at(0) })).toMatchObject({ state: 'licensed', error: null });
  });

  test('a rotated server key is accepted', async () => {
    const { ask } = await device('one');
    const sign = (...args: string[]) => operator('signing-key', ...args, '--use', 'license');
    expect(await ask({ do: 'check' })).toMatchObject({ state: 'licensed' });
    const { kid } = await sign('create');
    const listed = async () =>
      ((await (await fetch(`${server.url}/.well-known/jwks.json`)).json()) as { keys: { kid: string }[] }).keys;
    await expect.poll(async () => (await listed()).some((one) => one.kid === kid)).toBe(true);
    await sign('activate', '--now');
    await expect
      .poll(() => ask({ do: 'check' }), { timeout: 30_000, interval: 500 })
      .toMatchObject({ state: 'licensed' });
    expect(await ask({ do: 'status' })).toMatchObject({ state: 'licensed', code: 'valid' });
  });

  test('a trial runs without a key until a license replaces it on the device', async () => {
    const { ask } = await device('tried', { key: null });
    expect(await ask({ do: 'start_trial' })).toMatchObject({ state: 'trial', days_left: 14, error: null });
    expect(await ask({ do: 'check' })).toMatchObject({ state: 'trial', error: null });
    const at = (days: number) => new Date(Date.now() + days * DAY).toISOString();
    expect(await ask({ do: 'status', at: at(15) })).toMatchObject({ state: 'expired', code: 'trial_ended' });
    expect(await ask({ do: 'check', at: at(0) })).toMatchObject({ state: 'trial', error: null });
    // Earlier tests may have left the only slot to this device.
    await (await device('one')).ask({ do: 'release' });
    expect(await ask({ do: 'activate', key })).toMatchObject({ state: 'licensed', days_left: null, error: null });
    expect(await ask({ do: 'check' })).toMatchObject({ state: 'licensed', error: null });
    expect(await ask({ do: 'release' })).toMatchObject({ released: true });
  });

  test('an interrupted download resumes, and a damaged one is not stored', async () => {
    const { ask, store } = await device('one');
    const to = join(store, 'files', 'hashcheck');
    const install = () => ask({ do: 'install', options: { to, platform: PLATFORM } });
    ranges = [];
    weather = 'cut';
    const done = await install();
    const { size } = statSync(to);
    expect(done).toMatchObject({ received: size });
    expect(ranges).toEqual(['all', `bytes=${size >> 1}-`]);
    const sum = createHash('sha256').update(readFileSync(to)).digest('hex');
    rmSync(to);
    weather = 'damage';
    expect(await install()).toMatchObject({ error: { code: 'wrong_sum' } });
    expect(readdirSync(join(store, 'files'))).toEqual([]);
    weather = 'fair';
    await install();
    expect(createHash('sha256').update(readFileSync(to)).digest('hex')).toBe(sum);
  });

  test('a machine that is never online runs on a file from the account page', async () => {
    const { keys } = (await (await fetch(`${server.url}/.well-known/jwks.json`)).json()) as { keys: object[] };
    const { ask } = await device('one', { keys });
    const request = String(await ask({ do: 'offline_request' }));
    const { url } = await operator('account', 'link', '--account', account);
    const link = new URL(url);
    const browser = new PageBrowser(server.account);
    await browser.submit(link.pathname + link.search, '/sign-in/link', {});
    const { body } = await browser.submit('/devices/offline', '/devices/offline', { request });
    const file = decodeURIComponent(/href="data:application\/json,([^"]*)"/.exec(body)?.[1] ?? '');
    weather = 'gone';
    expect(await ask({ do: 'activate_offline', file })).toMatchObject({ state: 'licensed', error: null });
    const at = new Date(Date.now() + 300 * DAY).toISOString();
    expect(await ask({ do: 'status', at })).toMatchObject({ state: 'licensed', check_due: false });
    weather = 'fair';
  });

  test('an update and the policy are returned', async () => {
    const { ask } = await device('one', { app_version: '0.0.1' });
    expect(await ask({ do: 'updates', choice: { platform: PLATFORM } })).toMatchObject({ update_available: true });
    expect(await ask({ do: 'policy' })).toMatchObject({ policy: { ttl_days: 14 }, version: expect.any(Number) });
  });

  test('the only session of a floating license is taken, renewed and released', async () => {
    const pasted = `OLD-${randomUUID()}`;
    const csv = join(folder, `${language}-floating.csv`);
    writeFileSync(csv, `key,email,activation_limit\n${pasted},${account},1\n`);
    await operator('key', 'import', csv, '--product', 'focus-timer');
    const options = { product_id: FLOATING, key: null };
    const [one, two] = [await device('one', options), await device('two', options)];
    const held = (await one.ask({ do: 'activate', key: pasted })) as { readonly lease_id: string };
    expect(held).toMatchObject({ state: 'licensed', lease_id: expect.any(String), error: null });
    expect(await one.ask({ do: 'lease' })).toMatchObject({ state: 'licensed', lease_id: held.lease_id });
    expect(await two.ask({ do: 'activate', key: pasted })).toMatchObject({
      code: 'session_limit_reached',
      manage_url: expect.stringContaining('/devices'),
      sessions: [{ device_id: 'one' }],
    });
    expect(await one.ask({ do: 'close' })).toMatchObject({ code: 'never_checked', error: null });
    expect(await two.ask({ do: 'check' })).toMatchObject({ state: 'licensed', error: null });
    expect(await two.ask({ do: 'release' })).toMatchObject({ released: true });
  });

  test('a refund ends the license', async () => {
    const { ask } = await device('one');
    expect(await ask({ do: 'check' })).toMatchObject({ state: 'licensed' });
    await operator('grant', 'revoke', grant, '--account', account, '--yes');
    expect(await ask({ do: 'check' })).toMatchObject({ state: 'revoked', code: 'entitlement_revoked', may_run: false });
    weather = 'gone';
    expect(await ask({ do: 'status' })).toMatchObject({ state: 'revoked', may_run: false });
    weather = 'fair';
  });
});
