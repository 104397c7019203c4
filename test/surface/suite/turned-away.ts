import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keys } from '../../../adapters/store/keys.ts';
import { allItems } from '../../../adapters/store/records.ts';
import type { Item } from '../../../adapters/store/table.ts';
import { ABILITIES } from '../../../domain/access/abilities.ts';
import type { EndpointSpec } from '../../../ports/inbound/endpoint.ts';
import { aDevice } from '../../support/builders.ts';
import { aKey, anAccount } from '../buyers.ts';
import { get } from '../client.ts';
import type { Mount, OpenMount } from '../mount.ts';
import { abilityOf, badBody, callEndpoint, SCOPED, WRITING } from '../requests.ts';
import { openShop, TOOL } from '../shop.ts';
import { withinOneMinute } from '../times.ts';

const BODIED = WRITING.filter(({ body }) => body !== undefined);
/** What an account may do that owns nothing. */
const FOR_ANYBODY = ['reportProblem'];

/** How long what was begun beside the gates gets to do its harm after the answer. */
const AFTERWARDS_MS = 25;

/** All that is kept of an account, but for when its keys were used. */
const keptOf = async (mount: Mount, account: number): Promise<Item[]> => {
  const partition = { pk: keys.account(account).pk };
  return (await Array.fromAsync(allItems(mount.service.get('table'), partition))).filter(
    ({ sk }) => !sk.startsWith('KEYS#USE#'),
  );
};

type Case = { account: number; key: string; hash: string };

/** An account whose device holds a slot, and a key that can make the endpoint write. */
const aWriter = async (mount: Mount, endpoint: EndpointSpec, { owns = true, able = true } = {}): Promise<Case> => {
  const { service } = mount;
  const account = await anAccount(service, { entitlements: owns ? [{ product_id: TOOL }] : [] });
  const abilities = able ? ABILITIES : ABILITIES.filter((ability) => ability !== abilityOf(endpoint));
  const bound = SCOPED.includes(endpoint) ? { product_id: TOOL } : {};
  const { value, key } = await aKey(service, account, { abilities, device: { device_id: 'mine' }, ...bound });
  const device = aDevice({ device_id: 'mine' });
  await service.get('devices').activate(account, TOOL, device, { used: 0, version: null });
  return { account, key: value, hash: key.hash };
};

/**
 * Reads run beside the gates, so a handler has begun when a gate says no. Whatever it was about to write must not be
 * written: the `admitted` barrier.
 */
export const turnedAwaySuite = (mount: () => Mount, open: OpenMount): void => {
  const expectUnchanged = async (
    at: Mount,
    { account, hash }: Case,
    request: () => Promise<unknown>,
  ): Promise<void> => {
    const before = [await keptOf(at, account), (await at.service.get('apiKeys').find(hash))?.id];
    await request();
    await sleep(AFTERWARDS_MS);
    expect([await keptOf(at, account), (await at.service.get('apiKeys').find(hash))?.id]).toEqual(before);
  };

  test.each(WRITING)('$method $path changes the store when nothing is in its way', async (endpoint) => {
    const writer = await aWriter(mount(), endpoint);
    const before = await keptOf(mount(), writer.account);
    expect((await callEndpoint(mount(), endpoint, { key: writer.key })).status).toBeLessThan(300);
    expect(await keptOf(mount(), writer.account)).not.toEqual(before);
  });

  describe('over the rate limit', () => {
    let tight: Mount;
    beforeAll(async () => {
      tight = await open({ perAccount: 1 });
      await openShop(tight.service);
    });
    afterAll(() => tight.close());

    test.each(WRITING)('$method $path changes nothing', async (endpoint) => {
      await withinOneMinute();
      const writer = await aWriter(tight, endpoint);
      expect((await get(tight, '/api/library', writer.key)).status).toBe(200);
      await expectUnchanged(tight, writer, async () => {
        expect((await callEndpoint(tight, endpoint, { key: writer.key })).status).toBe(429);
      });
    });
  });

  test.each(
    WRITING.filter((endpoint) => abilityOf(endpoint) !== undefined),
  )('$method $path changes nothing without the ability', async (endpoint) => {
    const writer = await aWriter(mount(), endpoint, { able: false });
    await expectUnchanged(mount(), writer, async () => {
      expect((await callEndpoint(mount(), endpoint, { key: writer.key })).status).toBe(403);
    });
  });

  test.each(
    BODIED.filter(({ id }) => !FOR_ANYBODY.includes(id)),
  )('$method $path changes nothing without an entitlement', async (endpoint) => {
    const writer = await aWriter(mount(), endpoint, { owns: false });
    await expectUnchanged(mount(), writer, async () => {
      const reply = await callEndpoint(mount(), endpoint, { key: writer.key });
      expect(reply.status >= 400 || reply.body.valid === false).toBe(true);
    });
  });

  test.each(BODIED)('$method $path changes nothing for a bad body', async (endpoint) => {
    const writer = await aWriter(mount(), endpoint);
    await expectUnchanged(mount(), writer, async () => {
      const json = badBody(endpoint, TOOL);
      expect((await callEndpoint(mount(), endpoint, { key: writer.key, json })).status).toBe(422);
    });
  });

  test('a device that signs itself out without a bound key keeps its key and its slot', async () => {
    const [endpoint] = SCOPED as [EndpointSpec];
    const writer = await aWriter(mount(), endpoint);
    const wide = (await aKey(mount().service, writer.account, { device: { device_id: 'mine' } })).value;
    await expectUnchanged(mount(), writer, async () => {
      expect((await callEndpoint(mount(), endpoint, { key: wide })).status).toBe(403);
    });
  });
};
