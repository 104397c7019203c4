import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MemoryTable } from '../../adapters/memory/memory-table.ts';
import { ABILITIES } from '../../domain/access/abilities.ts';
import { abilityOf } from '../../domain/access/access-rule.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { keyOf } from '../../domain/access/principal.ts';
import type { EndpointSpec } from '../../ports/inbound/endpoint.ts';
import { isOfProduct } from '../../ports/inbound/endpoint.ts';
import { allEndpoints } from '../../ports/inbound/endpoints.ts';
import { anAgent } from './agents.ts';
import { aKey, anAccount } from './buyers.ts';
import { type Caller, callerOf, seatReleased } from './callers.ts';
import { get, type Reply } from './client.ts';
import { IN_MEMORY, openExpressMount } from './express-mount.ts';
import type { Mount, MountSettings } from './mount.ts';
import { Recorder, settle } from './recorded.ts';
import { badBody, CREDENTIALED, callEndpoint, ENTITLED, KEYED, OF_AGENTS, SCOPED, WRITING } from './requests.ts';
import { openShop, SKILL, TOOL } from './shop.ts';
import { withinOneMinute } from './times.ts';

/** A replay writes only with a payment provider, which a mount has not, and a test mail only for a member. */
const WRITERS = [
  ...WRITING.filter(({ id, protocol }) => protocol === undefined && id !== 'replayEvents' && id !== 'sendTestMail'),
  ...allEndpoints.filter(({ id }) => id === 'reportError' || id === 'startTrial'),
];
const BODIED = allEndpoints.filter(({ body, protocol }) => body !== undefined && protocol === undefined);
const WITH_ABILITY = [
  ...KEYED.filter((endpoint) => abilityOf(endpoint) !== undefined),
  ...OF_AGENTS.filter(({ protocol }) => protocol === undefined),
];
const OF_A_PRODUCT = allEndpoints.filter(isOfProduct);
/** Endpoints whose body names a product. */
const NAMING_A_PRODUCT = allEndpoints.filter(({ id }) => ['checkLicense', 'recordInstall', 'uploadUsage'].includes(id));

type Input = { readonly owns?: boolean; readonly able?: boolean; readonly boundTo?: number };

/** If a guard refuses the request, no write of any endpoint happens, whatever the endpoint has read meanwhile. */
describe('the write barrier', () => {
  const recorder = new Recorder();
  let mount: Mount;

  const open = async (settings: MountSettings = {}): Promise<Mount> => {
    const opened = await openExpressMount(IN_MEMORY, settings, { table: recorder.table(new MemoryTable()) });
    recorder.objects(opened.service.get('objects'));
    await openShop(opened.service);
    return opened;
  };

  beforeAll(async () => {
    mount = await open();
  });
  afterAll(async () => {
    await mount.close();
    expect(mount.faults).toEqual([]);
  });

  /**
   * A credential with which the endpoint may write, except for the input. Today's use of the key is already recorded.
   */
  const aCaller = async (at: Mount, endpoint: EndpointSpec, input: Input = {}): Promise<Caller> => {
    if (endpoint.access.credential !== 'agent') return { key: await aKeyFor(at, endpoint, input), product: TOOL };
    const caller = await callerOf(at.service, endpoint);
    const other = endpoint.access.role === 'collect' ? 'read' : 'collect';
    return input.able === false ? { ...caller, key: (await anAgent(at.service, other)).key } : caller;
  };

  const aKeyFor = async (at: Mount, endpoint: EndpointSpec, { owns = true, able = true, boundTo }: Input) => {
    const account = await anAccount(at.service, { entitlements: owns ? [{ product_id: TOOL }] : [] });
    await seatReleased(at.service, endpoint, account);
    const abilities = able ? ABILITIES : ABILITIES.filter((ability) => ability !== abilityOf(endpoint));
    const product_id = boundTo ?? (SCOPED.includes(endpoint) ? TOOL : undefined);
    const { value } = await aKey(at.service, account, { abilities, device: {}, ...(product_id && { product_id }) });
    await get(at, '/api/client-config', value);
    return value;
  };

  const revoke = async (value: string): Promise<void> => {
    const { service } = mount;
    const [account, agent] = await Promise.all([
      service.get('authenticate')(value),
      service.get('authenticateAgent')(value),
    ]);
    const key = account.ok ? keyOf(account.value) : null;
    if (key) await service.get('endApiKey')(grantPermit(), key);
    if (agent.ok) await service.get('revokeAgentToken')(grantPermit(), { token_id: agent.value.id });
  };

  /** The writes that a request caused, and its response. */
  const writesOf = async (request: () => Promise<Reply>): Promise<{ writes: string[]; status: number }> => {
    await settle();
    recorder.take();
    const { status } = await request();
    await settle();
    return { writes: recorder.take(), status };
  };

  test.each(WRITERS)('$method $path writes when every guard lets it pass', async (endpoint) => {
    const caller = await aCaller(mount, endpoint);
    const { writes, status } = await writesOf(() => callEndpoint(mount, endpoint, caller));
    expect(status).toBeLessThan(300);
    expect(writes).not.toEqual([]);
  });

  test.each(CREDENTIALED)('$method $path writes nothing without a credential', async (endpoint) => {
    expect(await writesOf(() => callEndpoint(mount, endpoint, {}))).toEqual({ writes: [], status: 401 });
  });

  test.each(CREDENTIALED)('$method $path writes nothing for a revoked credential', async (endpoint) => {
    const caller = await aCaller(mount, endpoint);
    await revoke(caller.key ?? '');
    expect(await writesOf(() => callEndpoint(mount, endpoint, caller))).toEqual({ writes: [], status: 401 });
  });

  test.each(WITH_ABILITY)('$method $path writes nothing without the ability or the role', async (endpoint) => {
    const caller = await aCaller(mount, endpoint, { able: false });
    expect(await writesOf(() => callEndpoint(mount, endpoint, caller))).toEqual({ writes: [], status: 403 });
  });

  test.each(OF_A_PRODUCT)('$method $path writes nothing with a key of another product', async (endpoint) => {
    const caller = await aCaller(mount, endpoint, { boundTo: SKILL });
    expect(await writesOf(() => callEndpoint(mount, endpoint, caller))).toEqual({ writes: [], status: 403 });
  });

  test.each(SCOPED)('$method $path writes nothing with an account-wide key', async (endpoint) => {
    const account = await anAccount(mount.service, { entitlements: [{ product_id: TOOL }] });
    const { value: key } = await aKey(mount.service, account, { abilities: ABILITIES, device: {} });
    await get(mount, '/api/client-config', key);
    expect(await writesOf(() => callEndpoint(mount, endpoint, { key }))).toEqual({ writes: [], status: 403 });
  });

  test.each(OF_A_PRODUCT)('$method $path writes nothing for an unknown product', async (endpoint) => {
    const caller = await aCaller(mount, endpoint, SCOPED.includes(endpoint) ? { boundTo: TOOL } : {});
    const { writes, status } = await writesOf(() => callEndpoint(mount, endpoint, { ...caller, product: 999_999 }));
    expect([writes, status]).toEqual([[], SCOPED.includes(endpoint) ? 403 : 404]);
  });

  test.each(ENTITLED)('$method $path writes nothing without an entitlement', async (endpoint) => {
    const caller = await aCaller(mount, endpoint, { owns: false });
    expect(await writesOf(() => callEndpoint(mount, endpoint, caller))).toEqual({ writes: [], status: 403 });
  });

  test.each(
    NAMING_A_PRODUCT,
  )('$method $path writes nothing for a product in its body without an entitlement', async (endpoint) => {
    const caller = await aCaller(mount, endpoint, { owns: false });
    expect((await writesOf(() => callEndpoint(mount, endpoint, caller))).writes).toEqual([]);
  });

  test.each(BODIED)('$method $path writes nothing for an invalid body', async (endpoint) => {
    const caller = await aCaller(mount, endpoint);
    const json = badBody(endpoint, caller.product);
    expect(await writesOf(() => callEndpoint(mount, endpoint, { ...caller, json }))).toEqual({
      writes: [],
      status: 422,
    });
  });

  test.each(BODIED)('$method $path writes nothing for a body that is not JSON', async (endpoint) => {
    const caller = await aCaller(mount, endpoint);
    const headers = { 'Content-Type': 'application/json' };
    const request = () => callEndpoint(mount, endpoint, { ...caller, text: '{', headers });
    expect(await writesOf(request)).toEqual({ writes: [], status: 400 });
  });

  describe('a request above the rate limit', () => {
    let tight: Mount;
    beforeAll(async () => {
      tight = await open({ perAccount: 1, perAgent: 1 });
    });
    afterAll(() => tight.close());

    test.each(
      CREDENTIALED,
    )('$method $path writes nothing above the rate limit, at the first refusal and the next', async (endpoint) => {
      await withinOneMinute();
      const caller = await aCaller(tight, endpoint);
      const request = () => callEndpoint(tight, endpoint, caller);
      // An earlier request records today's use of the key.
      if (endpoint.access.credential === 'agent') await request();
      expect(await writesOf(request)).toEqual({ writes: [], status: 429 });
      expect(await writesOf(request)).toEqual({ writes: [], status: 429 });
    });

    test('an error report above the limit of its IP address writes nothing', async () => {
      await withinOneMinute();
      const [endpoint] = allEndpoints.filter(({ id }) => id === 'reportError');
      const request = () => callEndpoint(tight, endpoint as EndpointSpec, {});
      let reply = await writesOf(request);
      while (reply.status === 201) reply = await writesOf(request);
      expect(reply).toEqual({ writes: [], status: 429 });
    });
  });
});
