import { afterAll, beforeAll, expect, test } from 'vitest';
import { LIVE_KEY_QUOTA } from '../../domain/access/api-key.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { DEFAULT_POLICY } from '../../domain/policy/client-policy.ts';
import { anAccount } from '../support/account-builders.ts';
import { anEntitlement, aProduct } from '../support/builders.ts';
import { EMAIL, PRODUCTS } from '../support/sale-events.ts';
import {
  checkDevice,
  devicesInUse,
  type EngineEnvironment,
  openService,
  type Prepared,
  prepareDataDir,
} from './data-dir.ts';
import { type Racers, startRacers } from './racers.ts';
import { killServer, type ServerProcess, startServer } from './server.ts';
import { TEAM_PRODUCT } from './team-product.ts';

type Trial = { readonly access_expires_at: string };

const LIMIT = 5;
const DEVICES = 48;
const PROCESSES = 3;
const EACH = [0, 1, 2];

/**
 * Registers the tests that limits are exact across three processes on one store. `open` prepares the store and returns
 * the variables that select it, none for SQLite. `check` sends the license check of a device.
 */
export const limitsOverProcesses = (
  open: () => EngineEnvironment | Promise<EngineEnvironment>,
  check: typeof checkDevice = checkDevice,
): void => {
  const servers: ServerProcess[] = [];
  let env: Record<string, string>;
  let prepared: Prepared;
  let racers: Racers;

  beforeAll(async () => {
    env = (await open()) as Record<string, string>;
    prepared = await prepareDataDir(LIMIT, env);
    racers = startRacers(PROCESSES, { ...env, DATA_DIR: prepared.dataDir });
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => killServer(server, 'SIGKILL')));
    racers.stop();
    prepared.remove();
  });

  test('exactly 5 of 48 concurrent new devices pass a limit of 5 over three processes', async () => {
    await Promise.all(
      Array.from({ length: PROCESSES }, async () => servers.push(await startServer(prepared.dataDir, env))),
    );
    const replies = await Promise.all(
      Array.from({ length: DEVICES }, (_, n) =>
        check((servers[n % PROCESSES] as ServerProcess).url, prepared.key, `device-${n}`),
      ),
    );
    const statuses = replies.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(LIMIT);
    expect(statuses.filter((status) => status === 409)).toHaveLength(DEVICES - LIMIT);
    const admitted = replies.flatMap(({ status }, n) => (status === 200 ? [`device-${n}`] : []));
    for (const { url } of servers) expect((await devicesInUse(url, prepared.key)).sort()).toEqual(admitted.sort());
    const codes = await Promise.all(servers.map((server) => killServer(server, 'SIGTERM')));
    expect(codes).toEqual([0, 0, 0]);
  });

  test('exactly as many of 32 new devices pass over three processes as slots of withdrawn devices are free', async () => {
    const withdrawn = 2;
    const { service, close } = await openService(prepared.dataDir, env);
    const holders = await service.get('devices').list(1, 1);
    const revoked = holders.slice(0, withdrawn).map(({ device_id }) => ({ product_id: 1, device_id }));
    const { min_client_version, ttl_days, recheck_hours } = DEFAULT_POLICY;
    await service.get('setPolicy')(grantPermit(), { min_client_version, ttl_days, recheck_hours, revoked });
    const started = await Promise.all(Array.from({ length: PROCESSES }, () => startServer(prepared.dataDir, env)));
    servers.push(...started);
    const ids = [...revoked.map(({ device_id }) => device_id), ...Array.from({ length: 32 }, (_, n) => `late-${n}`)];
    const replies = await Promise.all(
      ids.map((id, n) => check((started[n % PROCESSES] as ServerProcess).url, prepared.key, id)),
    );
    const late = ids.filter((id, n) => id.startsWith('late') && replies[n]?.status === 200);
    expect(late).toHaveLength(withdrawn);
    const kept = holders.slice(withdrawn).map(({ device_id }) => device_id);
    const seated = (await service.get('devices').list(1, 1)).map(({ device_id }) => device_id);
    expect(seated.sort()).toEqual([...kept, ...late].sort());
    expect((await service.get('devices').find(1, 1, null)).slots.used).toBe(LIMIT);
    await close();
    await Promise.all(started.map((server) => killServer(server, 'SIGTERM')));
  });

  test('three processes that give files and release their machines simultaneously give as many as there are slots', async () => {
    const { service, close } = await openService(prepared.dataDir, env);
    for (const { device_id } of await service.get('devices').list(1, 1))
      await service.get('releaseSlots').ofProduct(grantPermit(), 1, 1, device_id);
    const files = (await racers.race<string | null>('takeFiles', EACH)).filter((id) => id !== null);
    expect(files).toHaveLength(LIMIT);
    const { slots } = await service.get('devices').find(1, 1, null);
    expect(slots.held.map(({ device_id }) => device_id).sort()).toEqual(files.sort());
    expect(slots.used).toBe(0);
    for (const id of files) await service.get('releaseSlots').ofProduct(grantPermit(), 1, 1, id, true);
    await close();
  });

  test('18 concurrent calls for one device over three processes get one trial, which is counted once', async () => {
    const { service, close } = await openService(prepared.dataDir, env);
    const product = (await service.get('catalogs').current()).products.get(1);
    const value = { ...(product ?? aProduct({ id: 1 })), trial_days: 14 };
    await service.get('catalogEditor').save(grantPermit(), { kind: 'product', value });
    const started = await Promise.all(Array.from({ length: PROCESSES }, () => startServer(prepared.dataDir, env)));
    servers.push(...started);
    const body = JSON.stringify({ product_id: 1, device_id: 'a-laptop' });
    const replies = await Promise.all(
      Array.from({ length: 18 }, (_, n) =>
        fetch(`${(started[n % PROCESSES] as ServerProcess).url}/api/license/trial`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        }),
      ),
    );
    const ends = await Promise.all(replies.map(async (reply) => ((await reply.json()) as Trial).access_expires_at));
    const { trial } = await service.get('trials').find(1, 'a-laptop', service.get('clock').now());
    expect(replies.map(({ status }) => status)).toEqual(Array(18).fill(200));
    expect(new Set(ends)).toEqual(new Set([trial?.ends_at]));
    const [month] = await service.get('trials').months(1, [trial?.started_at.slice(0, 7) ?? '']);
    expect(month).toMatchObject({ started: 1 });
    await close();
    await Promise.all(started.map((server) => killServer(server, 'SIGTERM')));
  });

  test('exactly 5 of 27 concurrent sessions run over three processes, and three on one device convert its trial once', async () => {
    const { service, close } = await openService(prepared.dataDir, env);
    const product = (await service.get('catalogs').current()).products.get(1) ?? aProduct({ id: 1 });
    const save = (value: typeof product) =>
      service.get('catalogEditor').save(grantPermit(), { kind: 'product', value });
    await save({ ...product, trial_days: 14, slots: 'sessions' });
    const before = await service.get('devices').seenVersions(1, '');
    const started = await Promise.all(Array.from({ length: PROCESSES }, () => startServer(prepared.dataDir, env)));
    servers.push(...started);
    const lease = async (device_id: string, n: number): Promise<number> => {
      const { status } = await fetch(`${(started[n % PROCESSES] as ServerProcess).url}/api/license/lease`, {
        method: 'POST',
        headers: { authorization: `Bearer ${prepared.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ product_id: 1, device_id }),
      });
      // DynamoDB Local may be too slow on a busy machine.
      return status === 503 ? lease(device_id, n) : status;
    };
    const all = (count: number, name: (n: number) => string) =>
      Promise.all(Array.from({ length: count }, (_, n) => lease(name(n), n)));
    expect(await all(3, () => 'a-laptop')).toEqual([200, 200, 200]);
    const others = await all(24, (n) => `lab-${n}`);
    expect(others.filter((status) => status === 200)).toHaveLength(LIMIT - 3);
    expect(others.filter((status) => status === 409)).toHaveLength(24 - (LIMIT - 3));
    const { trial } = await service.get('trials').find(1, 'a-laptop', service.get('clock').now());
    const [month] = await service.get('trials').months(1, [trial?.started_at.slice(0, 7) ?? '']);
    expect(month).toMatchObject({ started: 1, converted: 1 });
    expect((await service.get('devices').seenVersions(1, '')).length - before.length).toBe(LIMIT - 3 + 1);
    await save(product);
    await close();
    await Promise.all(started.map((server) => killServer(server, 'SIGTERM')));
  });

  test('exactly 3 of 15 concurrent key creations pass the quota of 3 over three processes', async () => {
    const made = await racers.race<string>('createKeys', []);
    expect(made).toHaveLength(15);
    expect(made.filter((code) => code === 'made')).toHaveLength(LIVE_KEY_QUOTA);
    expect(new Set(made)).toEqual(new Set(['made', 'key_limit_reached']));
    const { service, close } = await openService(prepared.dataDir, env);
    const listed = await service.get('listApiKeys')({ account_id: 1 });
    const bound = listed.ok ? listed.value.filter(({ product_id }) => product_id === 1) : [];
    await close();
    expect(bound).toHaveLength(LIVE_KEY_QUOTA);
  });

  test('each of 10 batch keys is bound once, however many of three processes use it simultaneously', async () => {
    const { service, close } = await openService(prepared.dataDir, env);
    const product = aProduct({ id: 1, device_limit: LIMIT, license_keys: true });
    await service.get('catalogEditor').save(grantPermit(), { kind: 'product', value: product });
    const terms = { product_id: 1, access_days: 30, updates_days: null, device_limit: null };
    const created = await service.get('createKeyBatch')(grantPermit(), { name: 'Race', count: 10, ...terms });
    const keys = created.ok ? created.value.keys : [];
    const used = await racers.race<boolean>('useKeys', Array(PROCESSES).fill(keys));
    expect(used).toEqual(Array.from({ length: PROCESSES * keys.length }, () => true));
    const [batch] = await service.get('listKeyBatches')({ limit: 1, after: null });
    expect(batch).toMatchObject({ unused: 0, claimed: 10 });
    for (const value of keys) {
      const owner = await service.get('authenticate')(value);
      const { entitlements } = await service.get('storedLicenses').held(owner.ok ? owner.value.account_id : 0, [1]);
      expect(entitlements).toHaveLength(1);
    }
    const claims = await service.get('keyBatches').claims(batch?.id ?? 0);
    expect(new Set(claims.map(({ key_id }) => key_id)).size).toBe(10);
    await close();
  });

  test('three processes that invite 24 people simultaneously give exactly the 4 free seats of a team', async () => {
    const { service, close } = await openService(prepared.dataDir, env);
    await service.get('catalogEditor').save(grantPermit(), { kind: 'product', value: TEAM_PRODUCT });
    const five = anEntitlement({ id: 900, account_id: 1, product_id: TEAM_PRODUCT.id, source_quantity: 5 });
    await service.get('grants').saveEntitlement(grantPermit(), five);
    const codes = await racers.race<string>('invite', EACH);
    expect(codes).toHaveLength(PROCESSES * 8);
    expect(codes.filter((code) => code === 'invited')).toHaveLength(4);
    expect(new Set(codes)).toEqual(new Set(['invited', 'seat_limit_reached']));
    expect((await service.get('teams').read(1, TEAM_PRODUCT.id)).team.people).toHaveLength(4);
    await close();
  });

  test('people whom one process removes while another accepts them are in the team and its places, or in neither', async () => {
    const { service, close } = await openService(prepared.dataDir, env);
    const accounts = Array.from({ length: 8 }, (_, n) => anAccount({ id: 501 + n, email: `racer-${n}@example.com` }));
    for (const account of accounts) await service.get('accounts').save(grantPermit(), account);
    const read = await service.get('teams').read(1, TEAM_PRODUCT.id);
    const invited = { role: 'member', invited_at: service.get('clock').now(), account_id: null } as const;
    const people = accounts.map(({ id, email }) => ({ id, email, ...invited }));
    await service.get('teams').change(grantPermit(), read, { team: { ...read.team, people } });
    await racers.race('changeTeam', ['accept', 'accept', 'remove']);
    const { team } = await service.get('teams').read(1, TEAM_PRODUCT.id);
    const placed = [];
    for (const { id } of accounts) if ((await service.get('accounts').get(id))?.memberships) placed.push(id);
    expect(team.people.map(({ account_id }) => account_id)).toEqual(placed);
    await close();
  });

  test('sales that three processes record twice simultaneously are recorded once', async () => {
    const { service, close } = await openService(prepared.dataDir, env);
    for (const product of PRODUCTS.map((one) => ({ ...one, id: one.id + 100 })))
      await service.get('catalogEditor').save(grantPermit(), { kind: 'product', value: product });
    const told = await racers.race<string>('recordSales', []);
    expect(told).toHaveLength(PROCESSES * 8);
    expect(told.filter((result) => !['recorded', 'updated', 'unchanged'].includes(result))).toEqual([]);
    const account = (await service.get('accounts').findByEmail(EMAIL))?.id ?? 0;
    const { entitlements, subscriptions } = await service.get('storedLicenses').held(account);
    const sold = entitlements.filter(({ product_id }) => product_id > 100 && product_id <= 100 + PRODUCTS.length);
    expect(sold.map(({ product_id, revoked_at }) => [product_id, revoked_at !== null])).toEqual([
      [101, false],
      [102, true],
    ]);
    expect(subscriptions).toMatchObject([{ product_ids: [102, 103], billing: { order_number: expect.any(String) } }]);
    expect((await service.get('storedOrders').ofAccount(account)).map(({ status }) => status).toSorted()).toEqual([
      'paid',
      'partially_refunded',
    ]);
    await close();
  });
};
