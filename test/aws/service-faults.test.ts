import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { examine } from '../../runtimes/doctor/doctor.ts';
import { aBuyer, type Buyer } from '../surface/buyers.ts';
import { get, post, type Reply } from '../surface/client.ts';
import { openExpressMount } from '../surface/express-mount.ts';
import type { Mount } from '../surface/mount.ts';
import { openShop, SKILL, TOOL } from '../surface/shop.ts';
import { awsEngines } from './support/engines.ts';
import { dynamodbError, dynamodbUrl, type FaultProxy, openFaultProxy, s3Url, timed } from './support/fault-proxy.ts';

/** The maximum time of a response: two failing calls in sequence, with a margin for a busy machine. */
const BOUND_MS = 7500;
const SILENCE_MS = 10_000;
const CLIENTS = 8;

/** The device limit of the shop's tool. */
const TOOL_LIMIT = 3;

/** Tests the responses to requests during and after faults of the stores. */
describe('the service during faults of DynamoDB and S3', () => {
  let dataDir: string;
  let env: Record<string, string>;
  let dynamodb: FaultProxy;
  let s3: FaultProxy;
  let mount: Mount;
  let buyer: Buyer;

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'account-service-'));
    env = { ...(await awsEngines()), DATA_DIR: dataDir };
    [dynamodb, s3] = await Promise.all([openFaultProxy(dynamodbUrl()), openFaultProxy(s3Url())]);
    vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', dynamodb.url);
    vi.stubEnv('AWS_ENDPOINT_URL_S3', s3.url);
    mount = await openExpressMount(env);
    await openShop(mount.service);
    buyer = await aBuyer(mount.service);
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await mount.close();
    await Promise.all([dynamodb.close(), s3.close()]);
    await rm(dataDir, { recursive: true });
  });

  const check = (device: string): Promise<Reply> =>
    post(mount, '/api/license/check', buyer.key, { product_id: TOOL, device_id: device });

  const inUse = async (): Promise<{ used: number; devices: string[] }> => {
    const { devices, device_list } = (await get(mount, `/api/products/${TOOL}/license`, buyer.key)).body;
    return { used: devices.used, devices: device_list.map(({ device_id }: { device_id: string }) => device_id) };
  };

  const expectUnavailable = (reply: Reply | undefined): void => {
    expect(reply?.status).toBe(503);
    expect(reply?.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  };

  test('the service answers 503 in time while the table is silent under load, and recovers by itself', async () => {
    const answers: { status: number | undefined; ms: number }[] = [];
    const admitted = new Set<string>();
    const end = Date.now() + SILENCE_MS;
    const client = async (n: number): Promise<void> => {
      for (let i = 0; Date.now() < end; i++) {
        const device = `device-${n}-${i}`;
        const { ms, value: reply } = await timed(() => check(device));
        answers.push({ status: reply?.status, ms });
        if (reply?.status === 200) admitted.add(device);
        if (reply?.status === 503) expectUnavailable(reply);
      }
    };
    dynamodb.decide = () => 'silence';
    const load = Promise.all(Array.from({ length: CLIENTS }, (_, n) => client(n)));
    expectUnavailable(await get(mount, '/healthz'));
    await sleep(end - Date.now());
    dynamodb.decide = () => 'pass';
    await load;
    expect(answers.length).toBeGreaterThanOrEqual(CLIENTS);
    for (const { status, ms } of answers) {
      expect([200, 409, 503]).toContain(status);
      expect(ms).toBeLessThan(BOUND_MS);
    }
    expect((await get(mount, '/healthz')).status).toBe(200);
    expect([200, 409]).toContain((await check('afterwards')).status);
    const { used, devices } = await inUse();
    expect(used).toBe(devices.length);
    expect(devices).toEqual(expect.arrayContaining([...admitted]));
  });

  test('the service admits exactly the device limit while every third response of the table is lost', async () => {
    let calls = 0;
    dynamodb.decide = () => (++calls % 3 === 0 ? 'lose' : 'pass');
    const replies = await Promise.all(Array.from({ length: 6 }, (_, n) => check(`device-${n}`)));
    dynamodb.decide = () => 'pass';
    const admitted = replies.flatMap(({ status }, n) => (status === 200 ? [`device-${n}`] : []));
    const { used, devices } = await inUse();
    expect([used, devices.toSorted()]).toEqual([TOOL_LIMIT, admitted]);
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(replies.length - TOOL_LIMIT);
  });

  test('the service answers 503 for a file while the bucket is silent, and sends it afterwards', async () => {
    const { key } = await aBuyer(mount.service, { product_id: SKILL });
    s3.decide = () => 'silence';
    const { ms, value } = await timed(() => get(mount, `/api/products/${SKILL}/bundle`, key));
    expectUnavailable(value);
    expect(ms).toBeLessThan(BOUND_MS);
    s3.decide = () => 'pass';
    expect((await get(mount, `/api/products/${SKILL}/bundle`, key)).status).toBe(200);
  });

  test('while all writes of the table are throttled, a known device and the library are served, and a new device is 503', async () => {
    expect((await check('mine')).status).toBe(200);
    dynamodb.decide = ({ operation }) =>
      /^(?:Put|Update|Delete|Transact)/.test(operation) ? dynamodbError('ThrottlingException') : 'pass';
    expect((await get(mount, '/healthz')).status).toBe(200);
    expect((await get(mount, '/readyz')).body).toMatchObject({ status: 'failing', table: 'failing', files: 'ok' });
    const { ms, value } = await timed(() => check('mine'));
    expect([value?.status, value?.body.valid]).toEqual([200, true]);
    expect(ms).toBeLessThan(BOUND_MS);
    expect((await get(mount, '/api/library', buyer.key)).status).toBe(200);
    expectUnavailable((await timed(() => check('new'))).value);
  });

  test('license checks and install plans work, and /healthz is 200, while the bucket is silent', async () => {
    s3.decide = () => 'silence';
    expect((await get(mount, '/healthz')).status).toBe(200);
    expect((await get(mount, '/readyz')).body).toMatchObject({ table: 'ok', files: 'failing' });
    expect((await check('mine')).status).toBe(200);
    const plan = await get(mount, `/api/products/${TOOL}/install?platform=linux-amd64`, buyer.key);
    expect(plan.status).toBe(200);
  });

  test.each([
    ['TABLE_NAME', 'no-such-table', 'The table no-such-table is unavailable: there is no such table.'],
    ['BUCKET_NAME', 'no-such-bucket', 'The bucket no-such-bucket is unavailable: there is no such bucket.'],
  ])('the doctor reports a wrong %s', async (variable, value, message) => {
    const findings = await examine({ ...env, [variable]: value }, () => mount.urls);
    expect(findings.filter(({ ok }) => !ok).map((finding) => finding.message)).toEqual([
      expect.stringContaining(message),
    ]);
  });
});
