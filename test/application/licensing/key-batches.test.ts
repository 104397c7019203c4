import { describe, expect, test } from 'vitest';
import { shopKeysHandlers } from '../../../adapters/pipeline/handlers/shop/keys.ts';
import { transferGrant } from '../../../application/licensing/transfer.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { addDays } from '../../../domain/shared/instant.ts';
import { agents, keys as keysArea } from '../../../runtimes/composition/areas/access.ts';
import { erasure } from '../../../runtimes/composition/areas/accounts.ts';
import { licensing } from '../../../runtimes/composition/areas/licensing.ts';
import { anAccount } from '../../support/account-builders.ts';
import { anEntitlement, aProduct, NOW } from '../../support/builders.ts';
import type { Contents } from '../../support/contents.ts';
import { aStore } from '../../support/memory-store.ts';
import { done } from '../../support/outcomes.ts';

const permit = grantPermit();
const TERMS = { product_id: 4, access_days: 30, updates_days: null, device_limit: 3 };

/** A shop with two persons, whose product 4 has license keys, and a batch of keys. */
const aShop = async (count = 2, contents: Contents = {}) => {
  const store = await aStore([agents, keysArea, licensing, erasure, shopKeysHandlers, { parts: { transferGrant } }], {
    accounts: [anAccount(), anAccount({ id: 2, email: 'two@example.com' })],
    products: [aProduct({ id: 4, license_keys: true, device_limit: 1 }), aProduct({ id: 5 })],
    ...contents,
  });
  const { batch, keys } = done(await store.get('createKeyBatch')(permit, { ...TERMS, name: 'Reviewers', count }));
  const send = (value = '', may = true) => store.get('authenticate')(value, false, may ? permit : null);
  const redeem = (value = '', account_id = 1) => store.get('redeemKey')(permit, account_id, value);
  const held = async (account_id: number) => (await store.get('licenses').held(account_id, [4])).entitlements;
  const counts = async () => {
    const [{ unused, claimed, revoked } = { unused: 0, claimed: 0, revoked: 0 }] = await store.get('listKeyBatches')({
      limit: 9,
      after: null,
    });
    return [unused, claimed, revoked];
  };
  const revoke = (claimed = false, trial = false) =>
    store.get('revokeKeyBatch')(permit, { batch_id: batch.id, claimed, trial });
  return { store, batch, keys, send, redeem, held, counts, revoke };
};

describe('a batch of license keys', () => {
  test('a batch has as many keys as requested, and the store has none of their values', async () => {
    const { store, batch, keys } = await aShop(185);
    expect(new Set(keys).size).toBe(185);
    expect(batch).toMatchObject({ count: 185, unused: 185, claimed: 0, revoked: 0 });
    const stored = JSON.stringify(await store.entries());
    expect(keys.filter((value) => stored.includes(value))).toEqual([]);
  });

  test('a batch gives licenses of its edition, which must exist in the product', async () => {
    const editions = [
      { name: 'basic', features: [] },
      { name: 'pro', features: ['export'] },
    ];
    const { store, redeem, held } = await aShop(1, { products: [aProduct({ id: 4, license_keys: true, editions })] });
    const create = (edition: string) =>
      store.get('createKeyBatch')(permit, { ...TERMS, name: edition, count: 1, edition });
    expect(await create('max')).toMatchObject({ ok: false, message: expect.stringContaining('basic, pro') });
    done(await redeem(done(await create('pro')).keys[0]));
    expect(await held(1)).toMatchObject([{ edition: 'pro' }]);
  });

  test('a batch gets more keys in place of those whose response was lost', async () => {
    const { store, batch, keys, send, counts } = await aShop(200);
    const more = (after: number, count: number) =>
      store.get('createKeyBatch')(permit, { ...TERMS, name: 'x', count, add_to: { batch: batch.id, after } });
    const made = done(await more(130, 50));
    expect(made.batch).toMatchObject({ count: 180, unused: 180, name: 'Reviewers' });
    expect(await Promise.all([keys[129], keys[130], made.keys[0]].map(async (key) => (await send(key)).ok))).toEqual([
      true,
      false,
      true,
    ]);
    expect(await counts()).toEqual([178, 2, 0]);
    // A used key shows that its answer had come.
    expect(await more(130, 50)).toMatchObject({ ok: false, code: 'key_batch_closed' });
    expect(await more(181, 1)).toMatchObject({ ok: false, code: 'key_batch_closed' });
    const two = await Promise.all([more(180, 90), more(180, 90)]);
    expect(two.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await counts()).toEqual([268, 2, 0]);
  });

  test('a batch is refused for a product without license keys', async () => {
    const { store } = await aShop();
    const made = await store.get('createKeyBatch')(permit, { ...TERMS, product_id: 5, name: 'Five', count: 1 });
    expect(made).toMatchObject({ ok: false, code: 'product_without_keys' });
  });
});

describe('the first use of a batch key', () => {
  test('the first use by an application binds the key to an anonymous account and starts its days', async () => {
    const { store, keys, send, held, counts } = await aShop();
    store.clock.at = addDays(NOW, 400);
    const { account_id, product_id } = done(await send(keys[0]));
    expect(product_id).toBe(4);
    expect(await held(account_id)).toMatchObject([
      {
        granted_at: store.clock.at,
        access_expires_at: addDays(NOW, 430),
        updates_supported_until: null,
        device_limit: 3,
      },
    ]);
    expect(await store.get('accounts').get(account_id)).toMatchObject({
      email: `key-${account_id}`,
      password_hash: null,
    });
    expect(done(await send(keys[0])).account_id).toBe(account_id);
    expect(await counts()).toEqual([1, 1, 0]);
  });

  test('the first use waits while the caller may not change keys, and the response says how to use the key', async () => {
    const { keys, send, counts } = await aShop();
    expect(await send(keys[0], false)).toMatchObject({ ok: false, message: expect.stringContaining('redeem it') });
    expect(await counts()).toEqual([2, 0, 0]);
  });

  test('the first use happens once, however many applications and people use the key at the same time', async () => {
    const { store, keys, send, redeem, counts } = await aShop();
    const sent = await Promise.all([
      ...Array.from({ length: 8 }, () => send(keys[0])),
      redeem(keys[0]),
      redeem(keys[0], 2),
    ]);
    const owner = done(await send(keys[0])).account_id;
    expect(await counts()).toEqual([1, 1, 0]);
    expect(sent.slice(0, 8).every(({ ok }) => ok)).toBe(true);
    const licenses = (await store.entries()).filter((entry) => 'sk' in entry && entry.sk.startsWith('ENTITLEMENT#'));
    expect(licenses).toHaveLength(1);
    expect([1, 2]).toContain(owner);
    expect(sent.slice(8).filter(({ ok }) => ok)).toHaveLength(1);
  });

  test('the first use by a person binds the key to the person’s account, where it stays a license key', async () => {
    const { keys, send, redeem, held } = await aShop();
    expect(done(await redeem(` ${keys[0]} `))).toEqual({ product_id: 4, key_prefix: keys[0]?.slice(0, 14) });
    expect(done(await send(keys[0])).account_id).toBe(1);
    expect(done(await redeem(keys[0])).product_id).toBe(4);
    expect(await held(1)).toHaveLength(1);
    expect(await redeem(keys[0], 2)).toMatchObject({ ok: false, code: 'license_key_not_redeemable' });
  });

  test('an account has at most ten license keys of a product', async () => {
    const { keys, redeem, counts } = await aShop(11);
    for (const key of keys.slice(0, 10)) done(await redeem(key));
    expect(await redeem(keys[10])).toMatchObject({ ok: false, message: expect.stringContaining('10 license keys') });
    expect(await counts()).toEqual([1, 10, 0]);
  });
});

describe('a key that an application used before a person redeems it', () => {
  test('a redeemed key moves with its license and devices at once, and a worker moves the rest', async () => {
    const { store, batch, keys, send, redeem, held, counts } = await aShop();
    const first = done(await send(keys[0])).account_id;
    const { slots } = await store.get('devices').find(first, 4, null);
    const device = { device_id: 'laptop', name: null, activated_at: NOW, last_seen_at: NOW };
    await store.get('devices').activate(permit, first, 4, device as never, slots);
    done(await redeem(keys[0]));
    expect(done(await send(keys[0])).account_id).toBe(1);
    expect(await held(1)).toMatchObject([{ granted_at: NOW, account_id: 1 }]);
    expect(await held(first)).toEqual([]);
    expect((await store.get('devices').list(1, 4)).map(({ device_id }) => device_id)).toEqual(['laptop']);
    expect(done(await redeem(keys[0])).product_id).toBe(4);
    expect(await store.get('completeErasure')(permit, () => true)).toEqual([]);
    store.clock.at = addDays(NOW, 1);
    expect(await store.get('completeErasure')(permit, () => true)).toEqual([first]);
    expect(await store.get('keyBatches').claims(batch.id)).toMatchObject([{ account_id: 1 }]);
    expect(await counts()).toEqual([1, 1, 0]);
  });

  test('a key redeemed by a person stays with that person, and unknown and malformed keys are refused alike', async () => {
    const { store, redeem } = await aShop(1, { entitlements: [anEntitlement({ product_id: 4 })] });
    const { value } = done(await store.get('makeLicenseKey')(permit, { account_id: 1, product_id: 4 }));
    const refused = { ok: false, code: 'license_key_not_redeemable' };
    for (const key of [value ?? '', 'lic_0', '', 'x'.repeat(2000)]) expect(await redeem(key, 2)).toMatchObject(refused);
  });
});

test('a member of the shop can redeem a key that an application used', async () => {
  const { store, keys, send, redeem, held } = await aShop();
  done(await send(keys[0]));
  const { members, version } = await store.get('members').read();
  const member = { account_id: 1, role: 'everything', since: NOW } as never;
  expect(
    await store.get('members').change(permit, { members, version }, { before: undefined, after: member } as never),
  ).toBe(true);
  done(await redeem(keys[0]));
  expect(await held(1)).toHaveLength(1);
});

describe('the revocation of one key', () => {
  test('revoking an unused batch key by its value ends and counts it', async () => {
    const { store, keys, send, counts } = await aShop();
    const revoke = () => store.get('revokeLeakedKey')(permit, { key: `"${keys[0]}"` });
    expect(done(await revoke())).toMatchObject({ account_id: null, product_id: 4, prefix: keys[0]?.slice(0, 14) });
    expect((await send(keys[0])).ok).toBe(false);
    expect(await counts()).toEqual([1, 0, 1]);
    expect(await revoke()).toMatchObject({ code: 'key_not_found' });
  });
});

describe('the revocation of a batch', () => {
  test('the revocation of a batch takes effect as a whole, even if its process ends then', async () => {
    const { keys, send, redeem, revoke, counts } = await aShop(200);
    done(await revoke());
    expect([(await send(keys[0])).ok, (await redeem(keys[199])).ok]).toEqual([false, false]);
    expect(await counts()).toEqual([0, 0, 200]);
  });

  test('the revocation of a batch finds a license that was transferred without its key', async () => {
    const { store, keys, redeem, held, revoke } = await aShop(1, {
      entitlements: [anEntitlement({ id: 5, account_id: 1, product_id: 4 })],
    });
    done(await redeem(keys[0]));
    const [license] = (await held(1)).filter(({ id }) => id !== 5);
    const into = { from: 1, id: license?.id ?? 0, email: 'two@example.com' };
    expect(done(await store.get('transferGrant')(permit, into))).toMatchObject({ keys: 0 });
    done(await revoke(true));
    expect(await held(2)).toMatchObject([{ revoked_at: NOW }]);
    expect(await held(1)).toMatchObject([{ id: 5, revoked_at: null }]);
  });

  test('the revocation of a batch ends its unused keys, and used ones with their licenses only on request', async () => {
    const { keys, send, redeem, held, counts, revoke } = await aShop(3);
    const { account_id } = done(await send(keys[0]));
    done(await redeem(keys[1]));
    expect(done(await revoke(true, true)).claims).toHaveLength(2);
    expect(await counts()).toEqual([1, 2, 0]);
    done(await revoke());
    expect((await send(keys[2])).ok).toBe(false);
    expect((await redeem(keys[2])).ok).toBe(false);
    expect((await send(keys[0])).ok).toBe(true);
    expect(await counts()).toEqual([0, 2, 1]);
    expect(done(await revoke(true)).claims).toEqual([]);
    expect([(await send(keys[0])).ok, (await send(keys[1])).ok]).toEqual([false, false]);
    for (const id of [account_id, 1]) expect(await held(id)).toMatchObject([{ revoked_at: NOW }]);
    expect(await counts()).toEqual([0, 0, 3]);
  });

  test('the revocation of a batch finds used and redeemed keys, in any number', async () => {
    const { keys, send, redeem, held, counts, revoke } = await aShop(205);
    for (const key of keys) done(await send(key));
    done(await redeem(keys[0]));
    expect(done(await revoke(true)).claims).toHaveLength(5);
    expect(done(await revoke(true)).claims).toEqual([]);
    expect(await counts()).toEqual([0, 0, 205]);
    expect(await held(1)).toMatchObject([{ revoked_at: NOW }]);
  });

  test('during simultaneous first uses, the revocation leaves each key in use or revoked, and counted so', async () => {
    const { keys, send, counts, revoke } = await aShop(40);
    const [, ...sent] = await Promise.all([revoke(), ...keys.map((key) => send(key))]);
    const used = sent.filter(({ ok }) => ok).length;
    expect(await counts()).toEqual([0, used, 40 - used]);
    const live = await Promise.all(keys.map((key) => send(key)));
    expect(live.filter(({ ok }) => ok)).toHaveLength(used);
  });
});
