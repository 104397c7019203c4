import { beforeAll, describe, expect, test } from 'vitest';
import { ABILITIES, type Ability } from '../../../domain/access/abilities.ts';
import { hasRole, TOKEN_ROLES, type TokenRole } from '../../../domain/access/principal.ts';
import { anAgent } from '../agents.ts';
import { aBuyer, aKey, anAccount, aStranger, type Buyer } from '../buyers.ts';
import { callerOf } from '../callers.ts';
import type { Mount } from '../mount.ts';
import { abilityOf, callEndpoint, ENTITLED, KEYED, OF_A_PRODUCT, OF_AGENTS, SCOPED } from '../requests.ts';
import { BUNDLE, OTHER, TOOL, UNKNOWN } from '../shop.ts';
import { daysAgo, daysFromNow } from '../times.ts';

const NEEDING_ABILITY = KEYED.filter((endpoint) => abilityOf(endpoint) !== undefined);
const NEEDING_NONE = KEYED.filter((endpoint) => abilityOf(endpoint) === undefined);
const NOT_SCOPED = OF_A_PRODUCT.filter((endpoint) => !SCOPED.includes(endpoint));

/** Ids that name no product. */
const NO_PRODUCT = [UNKNOWN, 0, -1, '1.0', '01', '1e0', '0x1', 'tool', '99999999999999999999', '1%20', '%00', '١'];

/** Tests the abilities, the scope and the entitlements that a live key needs. */
export const permissionsSuite = (mount: () => Mount): void => {
  let buyer: Buyer;
  let stranger: Buyer;

  beforeAll(async () => {
    buyer = await aBuyer(mount().service);
    stranger = await aStranger(mount().service);
  });

  describe('the ability of a key', () => {
    const keys = new Map<Ability, string>();

    beforeAll(async () => {
      const { service } = mount();
      for (const missing of new Set(NEEDING_ABILITY.map((endpoint) => abilityOf(endpoint) as Ability))) {
        const account = await anAccount(service, { entitlements: [{ product_id: TOOL }] });
        const abilities = ABILITIES.filter((ability) => ability !== missing);
        keys.set(missing, (await aKey(service, account, { abilities })).value);
      }
    });

    test.each(
      NEEDING_ABILITY,
    )('$method $path needs the ability $access.ability, whatever product the request names', async (endpoint) => {
      const key = keys.get(abilityOf(endpoint) as Ability);
      const known = await callEndpoint(mount(), endpoint, { key });
      expect(known.status).toBe(403);
      expect(known.body).toEqual({ message: expect.any(String), error: 'missing_api_key_ability' });
      for (const product of [UNKNOWN, OTHER, 'nonsense']) {
        const unknown = await callEndpoint(mount(), endpoint, { key, product });
        expect([unknown.status, unknown.text]).toEqual([403, known.text]);
      }
    });

    test.each(NEEDING_NONE)('$method $path works with a key without abilities', async (endpoint) => {
      const { account } = await aBuyer(mount().service);
      const key = (await aKey(mount().service, account, { abilities: [] })).value;
      expect((await callEndpoint(mount(), endpoint, { key })).status).toBeLessThan(300);
    });
  });

  describe('the role of an agent', () => {
    const tokens = new Map<TokenRole, string>();

    beforeAll(async () => {
      for (const role of TOKEN_ROLES) tokens.set(role, (await anAgent(mount().service, role)).key);
    });

    test.each(
      OF_AGENTS.filter(({ access }) => access.credential === 'agent' && access.role !== undefined),
    )('$method $path needs the role $access.role, or one that includes it, whatever the request names', async (endpoint) => {
      const { role } = endpoint.access as { role: TokenRole };
      for (const [other, key] of tokens) {
        if (hasRole(other, role)) continue;
        const { product } = await callerOf(mount().service, endpoint);
        const known = await callEndpoint(mount(), endpoint, { key, product });
        expect([known.status, known.body]).toEqual([
          403,
          { message: expect.any(String), error: 'missing_api_key_ability' },
        ]);
        expect(known.body.message).toContain(role);
        const unknown = await callEndpoint(mount(), endpoint, { key, product: 'nonsense' });
        expect([unknown.status, unknown.text]).toEqual([403, known.text]);
      }
      const caller = await callerOf(mount().service, endpoint);
      expect((await callEndpoint(mount(), endpoint, caller)).status).toBeLessThan(300);
    });
  });

  describe('the scope of a key', () => {
    test.each(
      OF_A_PRODUCT,
    )('$method $path with a key bound to another product is 403, whether or not the product exists', async (endpoint) => {
      const account = await anAccount(mount().service, { entitlements: [{ product_id: TOOL }, { product_id: OTHER }] });
      const key = (await aKey(mount().service, account, { product_id: OTHER })).value;
      for (const product of [TOOL, UNKNOWN, 0, 'nonsense']) {
        const reply = await callEndpoint(mount(), endpoint, { key, product });
        expect(reply.status).toBe(403);
        expect(reply.body).toEqual({ message: expect.any(String), error: 'product_api_key_scope_required' });
      }
    });

    test.each(SCOPED)('$method $path with an account-wide key is 403', async (endpoint) => {
      for (const product of [TOOL, UNKNOWN]) {
        const reply = await callEndpoint(mount(), endpoint, { key: buyer.key, product });
        expect([reply.status, reply.body.error]).toEqual([403, 'product_api_key_scope_required']);
      }
    });
  });

  describe('an id of an unknown product', () => {
    test.each(
      NOT_SCOPED,
    )('$method $path with the id of an unknown product is 404 without an error code', async (endpoint) => {
      for (const product of NO_PRODUCT) {
        const reply = await callEndpoint(mount(), endpoint, { key: buyer.key, product });
        expect(reply.status, String(product)).toBe(404);
        expect(reply.body).toEqual({ message: expect.any(String) });
      }
    });
  });

  describe('the entitlement to a product', () => {
    test.each(ENTITLED)('$method $path without an entitlement is 403', async (endpoint) => {
      const reply = await callEndpoint(mount(), endpoint, { key: stranger.key });
      expect(reply.status).toBe(403);
      expect(reply.body).toEqual({ message: expect.any(String), error: 'product_entitlement_required' });
    });

    test.each([
      ['has ended', { access_expires_at: daysAgo(1) }],
      ['was revoked', { revoked_at: daysAgo(1) }],
      ['begins later', { granted_at: daysFromNow(1) }],
      ['is to another product', { product_id: OTHER }],
    ])('an entitlement that %s is refused like a missing one', async (_, entitlement) => {
      const { key } = await aBuyer(mount().service, entitlement);
      for (const endpoint of ENTITLED) {
        const reply = await callEndpoint(mount(), endpoint, { key });
        expect([endpoint.id, reply.status, reply.body?.error]).toEqual([
          endpoint.id,
          403,
          'product_entitlement_required',
        ]);
        const says = 'granted_at' in entitlement ? 'begins on' : 'no access';
        expect(reply.body?.message).toContain(says);
      }
    });

    test.each([
      ['a bundle with the product', { entitlements: [{ product_id: BUNDLE }] }],
      ['a subscription to it', { subscriptions: [{ product_ids: [TOOL] }] }],
      ['a subscription to a bundle with it', { subscriptions: [{ product_ids: [BUNDLE] }] }],
      ['one that ended beside one in force', { entitlements: [{ access_expires_at: daysAgo(1) }, {}] }],
    ])('access is granted by %s', async (_, holding) => {
      const key = (await aKey(mount().service, await anAccount(mount().service, holding))).value;
      for (const endpoint of ENTITLED) {
        expect((await callEndpoint(mount(), endpoint, { key })).body?.error).not.toBe('product_entitlement_required');
      }
    });

    test('an entitlement of one account gives another account no access', async () => {
      const [theirs, other] = [await aBuyer(mount().service), await aStranger(mount().service)];
      const endpoint = ENTITLED.find(({ id }) => id === 'getProductLicense') as (typeof ENTITLED)[number];
      expect((await callEndpoint(mount(), endpoint, { key: theirs.key })).status).toBe(200);
      expect((await callEndpoint(mount(), endpoint, { key: other.key })).status).toBe(403);
    });
  });
};
