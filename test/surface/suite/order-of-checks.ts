import { beforeAll, describe, expect, test } from 'vitest';
import { ABILITIES } from '../../../domain/access/abilities.ts';
import { anAgent } from '../agents.ts';
import { aBuyer, aKey, aStranger, type Buyer } from '../buyers.ts';
import { callerOf } from '../callers.ts';
import { type Send, send } from '../client.ts';
import { pathOf } from '../good-requests.ts';
import type { Mount } from '../mount.ts';
import { abilityOf, badBody, callEndpoint, WRITING } from '../requests.ts';
import { OTHER, TOOL, UNKNOWN } from '../shop.ts';

const BODIED = WRITING.filter(({ body, protocol }) => body !== undefined && protocol === undefined);
const json = { 'Content-Type': 'application/json' };

/** Bodies that every endpoint refuses: malformed, too large, of a wrong type, not an object, or with invalid fields. */
const badBodies = (endpoint: (typeof BODIED)[number]): Send[] => [
  { text: '{"broken', headers: json },
  { text: `{"long": "${'x'.repeat(3 * 1024 * 1024)}"}`, headers: json },
  { text: 'plain', headers: { 'Content-Type': 'text/plain' } },
  { text: '[]', headers: json },
  { json: badBody(endpoint, TOOL) },
];

/**
 * Tests the order of checks: credential, ability, scope, existence, entitlement, input. The first failed check
 * determines the answer.
 */
export const orderOfChecksSuite = (mount: () => Mount): void => {
  let buyer: Buyer;
  let stranger: Buyer;

  beforeAll(async () => {
    buyer = await aBuyer(mount().service);
    stranger = await aStranger(mount().service);
  });

  describe.each(BODIED)('a bad body for $method $path', (endpoint) => {
    const answers = async (key: string | undefined, product: number | string = TOOL): Promise<unknown[]> => {
      const seen = new Set<unknown>();
      for (const bad of badBodies(endpoint)) {
        const reply = await send(mount(), endpoint.method, pathOf(endpoint, product), { ...bad, key });
        seen.add(reply.body.error ?? reply.status);
      }
      return [...seen];
    };

    test('a bad body without a credential is 401 missing_api_key', async () => {
      expect(await answers(undefined)).toEqual(['missing_api_key']);
    });

    test('a bad body by a caller without the ability or the role is 403 missing_api_key_ability', async () => {
      if (endpoint.access.credential === 'agent') {
        const other = await anAgent(mount().service, endpoint.access.role === 'collect' ? 'read' : 'collect');
        return expect(await answers(other.key, UNKNOWN)).toEqual(['missing_api_key_ability']);
      }
      const abilities = ABILITIES.filter((ability) => ability !== abilityOf(endpoint));
      const { account } = await aStranger(mount().service);
      const key = (await aKey(mount().service, account, { abilities, product_id: OTHER })).value;
      return expect(await answers(key, UNKNOWN)).toEqual(['missing_api_key_ability']);
    });

    test('a bad body in an allowed request is 400, 413, 415 or 422', async () => {
      const { key, product } = await callerOf(mount().service, endpoint);
      expect(await answers(key, product)).toEqual([400, 413, 415, 422]);
    });
  });

  const saveSteps = BODIED.find(({ id }) => id === 'saveSetupProgress') as (typeof BODIED)[number];

  test('a bad body for a product other than the bound key’s is 403 product_api_key_scope_required', async () => {
    const key = (await aKey(mount().service, buyer.account, { product_id: OTHER })).value;
    for (const bad of badBodies(saveSteps)) {
      const reply = await send(mount(), 'PUT', pathOf(saveSteps, TOOL), { ...bad, key });
      expect(reply.body.error).toBe('product_api_key_scope_required');
    }
  });

  test('a bad body for an unknown product is 404', async () => {
    for (const bad of badBodies(saveSteps)) {
      expect((await send(mount(), 'PUT', pathOf(saveSteps, UNKNOWN), { ...bad, key: buyer.key })).status).toBe(404);
    }
  });

  test('a bad body without an entitlement is 403 product_entitlement_required', async () => {
    for (const bad of badBodies(saveSteps)) {
      const reply = await send(mount(), 'PUT', pathOf(saveSteps, TOOL), { ...bad, key: stranger.key });
      expect(reply.body.error).toBe('product_entitlement_required');
    }
  });

  test.each([
    ['install', 'platform=windows&channel=nightly&release=x'],
    ['updates', 'platform=amiga'],
  ])('a bad query of %s is 403 without an entitlement, and 422 with one', async (last, query) => {
    const path = `/api/products/${TOOL}/${last}?${query}`;
    expect((await send(mount(), 'GET', path, { key: stranger.key })).body.error).toBe('product_entitlement_required');
    expect((await send(mount(), 'GET', path, { key: buyer.key })).status).toBe(422);
  });

  test('an endpoint without a body ignores a malformed one', async () => {
    const activate = WRITING.find(({ id }) => id === 'bulkActivate') as (typeof WRITING)[number];
    const { key } = await aBuyer(mount().service);
    const reply = await callEndpoint(mount(), activate, { key, text: '{"broken', headers: json });
    expect(reply.status).toBe(200);
  });
};
