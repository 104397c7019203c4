import { Readable } from 'node:stream';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { MemoryTable } from '../../adapters/memory/memory-table.ts';
import { StoreUnavailable, type Table } from '../../adapters/store/table.ts';
import { Contention } from '../../application/shared/contended.ts';
import { objectKeyOf } from '../../domain/delivery/object-key.ts';
import { DAY_MS } from '../../domain/shared/instant.ts';
import { allEndpoints } from '../../ports/inbound/endpoints.ts';
import type { Overrides } from '../../runtimes/composition/bootstrap.ts';
import { hostApps } from '../../runtimes/express/host-apps.ts';
import { aBuyer } from './buyers.ts';
import { callerOf } from './callers.ts';
import { get, post, type Reply } from './client.ts';
import { IN_MEMORY, openExpressMount } from './express-mount.ts';
import { failing } from './faulty.ts';
import { RELEASE } from './good-requests.ts';
import type { Mount } from './mount.ts';
import { byExpressRouter, byFetch } from './other-mounts.ts';
import { callEndpoint } from './requests.ts';
import { artifactBytes, openShop, SKILL, sha256, TOOL } from './shop.ts';

const SECRET = 'the password is 12345';

/** Tests the responses to internal faults. Only this mount lets a test replace parts of the service. */
describe('an internal fault', () => {
  let mount: Mount;
  let fault: Error | undefined;

  const openBroken = async (calls: readonly (keyof Table)[], overrides: Overrides = {}): Promise<void> => {
    fault = undefined;
    const table = failing(new MemoryTable(), calls, () => fault);
    mount = await openExpressMount(IN_MEMORY, {}, { table, ...overrides });
    await openShop(mount.service);
  };
  afterEach(() => mount.close());

  const expectTold = (reply: Reply, status: number): void => {
    expect(reply.status).toBe(status);
    expect(Object.keys(reply.body)).toEqual(['message']);
    expect(reply.text).not.toContain('12345');
    expect(reply.headers.get('cache-control')).toContain('no-store');
  };

  test('the health is 503 with Retry-After while the store is unavailable, and 200 afterwards', async () => {
    await openBroken(['ping']);
    expect((await get(mount, '/healthz')).status).toBe(200);
    fault = new StoreUnavailable(SECRET);
    const reply = await get(mount, '/healthz');
    expectTold(reply, 503);
    expect(reply.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    fault = undefined;
    expect((await get(mount, '/healthz')).status).toBe(200);
  });

  test.each([
    ['table', ['put', 'transact', 'remove', 'increment']],
    ['files', []],
  ] as const)('while writes of the %s fail, /healthz is 200, /readyz is 503 and names the part, and a known device and the library are served', async (part, calls) => {
    await openBroken(calls);
    const { key } = await aBuyer(mount.service);
    const check = (device_id: string) => post(mount, '/api/license/check', key, { product_id: TOOL, device_id });
    await check('mine');
    fault = new StoreUnavailable(SECRET);
    const objects = mount.service.get('objects');
    if (part === 'files') objects.put = () => Promise.reject(fault);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + DAY_MS });
    onTestFinished(() => void vi.useRealTimers());
    expect((await get(mount, '/healthz')).status).toBe(200);
    const [first, again] = [await get(mount, '/readyz'), await get(mount, '/readyz')];
    expect([first.status, first.headers.get('cache-control')]).toEqual([503, 'private, no-store']);
    expect(first.body).toEqual({ status: 'failing', table: 'ok', files: 'ok', [part]: 'failing' });
    expect(again.body).toEqual(first.body);
    expect(mount.faults).toEqual([fault]);
    expect((await check('mine')).body).toMatchObject({ valid: true, devices: { used: 1 } });
    expect((await get(mount, '/api/library', key)).status).toBe(200);
    const newcomer = await check('new');
    expect(newcomer.status).toBe(part === 'table' ? 503 : 200);
    if (part === 'table') expect(newcomer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  });

  test.each(allEndpoints)('$method $path is 503 with Retry-After when a read of the store fails', async (endpoint) => {
    await openBroken(['get', 'getMany', 'query', 'increment']);
    const caller = await callerOf(mount.service, endpoint, SKILL);
    fault = new StoreUnavailable(SECRET);
    const reply = await callEndpoint(mount, endpoint, caller);
    expectTold(reply, 503);
    expect(reply.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect(mount.faults).toContain(fault);
  });

  test.each([
    ['GET', 'api', '/nothing'],
    ['DELETE', 'api', '/api/library'],
    ['GET', 'api', '/.well-known/jwks.json'],
    ['GET', 'api', '/openapi.json'],
    ['GET', 'api', '/docs'],
    ['GET', 'design', '/media/none.png'],
    ['GET', 'design', '/'],
    ['GET', 'account', '/sign-in'],
    ['GET', 'account', '/nothing'],
    ['GET', 'account', '/.well-known/oauth-authorization-server'],
  ] as const)('%s of the %s host’s %s is 503 when the store can’t count it', async (method, host, path) => {
    await openBroken(['increment']);
    fault = new StoreUnavailable(SECRET);
    const { status, headers } = await fetch(mount.urls[host] + path, { method });
    expect([status, headers.get('cache-control')]).toEqual([503, expect.stringContaining('no-store')]);
    expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect(mount.faults).toContain(fault);
  });

  test('a license check is 503 when a write of the store fails, and the device takes no slot', async () => {
    await openBroken(['put', 'transact', 'remove']);
    const { key } = await aBuyer(mount.service);
    fault = new StoreUnavailable(SECRET);
    expectTold(await post(mount, '/api/license/check', key, { product_id: TOOL, device_id: 'mine' }), 503);
    fault = undefined;
    expect((await get(mount, `/api/products/${TOOL}/license`, key)).body.devices.used).toBe(0);
  });

  test('an unexpected error is 500 with the request id and no detail, and is logged', async () => {
    await openBroken(['query']);
    const { key } = await aBuyer(mount.service);
    fault = new TypeError(SECRET);
    // Uses fetch, because no endpoint declares a 500 and the suite's client would refuse it.
    const response = await fetch(`${mount.urls.api}/api/library`, {
      headers: { Authorization: `Bearer ${key}`, 'X-Request-Id': 'what-went-wrong' },
    });
    const text = await response.text();
    const { status, headers } = response;
    expectTold({ status, headers, text, body: JSON.parse(text) }, 500);
    expect(text).toContain('what-went-wrong');
    expect(headers.get('x-request-id')).toBe('what-went-wrong');
    expect(mount.faults).toEqual([fault]);
    expect(mount.requestLines()).toMatchObject([{ status: 500, endpoint: 'getLibrary', code: null }]);
    fault = undefined;
    expect((await get(mount, '/api/library', key)).status).toBe(200);
  });

  test('a license check that always loses to concurrent writers is 503', async () => {
    await openBroken([], { pauses: { before: () => Promise.resolve(), until: () => Promise.resolve() } });
    const { key } = await aBuyer(mount.service);
    const devices = mount.service.get('devices');
    devices.activate = () => Promise.resolve(false);
    const reply = await post(mount, '/api/license/check', key, { product_id: TOOL, device_id: 'mine' });
    expectTold(reply, 503);
    expect(mount.faults).toEqual([expect.any(Contention)]);
  });

  test('a refused request gets the refusal, even when its write fails', async () => {
    await openBroken(['transact']);
    const { key } = await aBuyer(mount.service, { product_id: SKILL });
    fault = new StoreUnavailable(SECRET);
    const reply = await callEndpoint(mount, saveSteps, { key, product: TOOL });
    expect(reply.body.error).toBe('product_entitlement_required');
  });

  test('a mistyped key is 401 without a read of the store', async () => {
    await openBroken(['get']);
    const { key } = await aBuyer(mount.service);
    fault = new StoreUnavailable(SECRET);
    const mistyped = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');
    expect((await get(mount, '/api/product-content.css', mistyped)).status).toBe(401);
    expectTold(await get(mount, '/api/product-content.css', key), 503);
  });

  const BYTES = artifactBytes('1.10.0', null);

  test('a file that fails halfway breaks the connection, so a client can’t take it as complete', async () => {
    await openBroken([]);
    const { key } = await aBuyer(mount.service, { product_id: SKILL });
    const objects = mount.service.get('objects');
    const info = await objects.stat(objectKeyOf(sha256(BYTES)));
    if (!info) throw new Error('The shop has no such file.');
    const half = async function* () {
      yield Buffer.from(BYTES.slice(0, BYTES.length / 2));
      throw new Error(SECRET);
    };
    objects.open = async () => ({ info, stream: Readable.from(half(), { objectMode: false }) });
    await expect(get(mount, `/api/products/${SKILL}/bundle`, key)).rejects.toThrow();
    expect(mount.faults).toHaveLength(1);
  });

  test.each([
    ['npm start', hostApps],
    ['an Express router', byExpressRouter],
    ['a fetch handler', byFetch],
  ] as const)('a header that can’t be sent is 500 by %s, is logged, and breaks nothing else', async (_, carry) => {
    fault = undefined;
    mount = await openExpressMount(IN_MEMORY, {}, {}, carry);
    await openShop(mount.service);
    const { key } = await aBuyer(mount.service, { product_id: SKILL });
    const signed = { url: 'https://files.example.com/a\nb: c', expires_at: '2027-01-01T00:00:00.000Z' };
    mount.service.get('objects').signDownload = async () => signed;
    const response = await fetch(`${mount.urls.app}/distribution/v1/releases/${RELEASE}/download`, {
      headers: { Authorization: `Bearer ${key}` },
      redirect: 'manual',
    });
    const text = await response.text();
    expectTold({ status: response.status, headers: response.headers, text, body: JSON.parse(text) }, 500);
    expect(mount.faults).toHaveLength(1);
    expect((await get(mount, '/api/library', key)).status).toBe(200);
  });

  test('a bundle whose file is missing from the object store is 404', async () => {
    await openBroken([]);
    const { key } = await aBuyer(mount.service, { product_id: SKILL });
    mount.service.get('objects').open = async () => undefined;
    expectTold(await get(mount, `/api/products/${SKILL}/bundle`, key), 404);
  });
});

const saveSteps = allEndpoints.find(({ id }) => id === 'saveSetupProgress') as (typeof allEndpoints)[number];
