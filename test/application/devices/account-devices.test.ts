import { describe, expect, test } from 'vitest';
import { MAX_RECORD_BYTES } from '../../../application/store-document/document-files.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import type { AuditFilter } from '../../../domain/audit/entry.ts';
import { DEFAULT_POLICY, MOST_REVOKED, type Revocation } from '../../../domain/policy/client-policy.ts';
import { addDays } from '../../../domain/shared/instant.ts';
import { licensing } from '../../../runtimes/composition/areas/licensing.ts';
import { aDeviceKey, anAccount } from '../../support/account-builders.ts';
import { aDevice, anApiKey, anEntitlement, aProduct, NOW } from '../../support/builders.ts';
import { BUYERS } from '../../support/buyers.ts';
import type { Contents } from '../../support/contents.ts';
import { aStore } from '../../support/memory-store.ts';
import { done } from '../../support/outcomes.ts';
import { passed } from '../../support/permits.ts';

const permit = grantPermit();

const EVERYTHING: AuditFilter = {
  since: null,
  until: null,
  account_id: null,
  product_id: null,
  action: null,
  by: null,
  subject: null,
};

/** Account 1 owns product 1, for two devices; its laptop holds a slot and can use two keys. */
const aShop = async (contents: Contents = {}) => {
  const store = await aStore([...BUYERS, licensing], {
    accounts: [anAccount()],
    products: [aProduct({ id: 1, device_limit: 2 }), aProduct({ id: 2 })],
    entitlements: [anEntitlement()],
    keys: [aDeviceKey({ id: 1 }), aDeviceKey({ id: 2, product_id: 1 }), anApiKey({ id: 3 })],
    ...contents,
  });
  const devices = store.get('devices');
  const seat = async (device_id: string, product_id = 1, activated_at = NOW) => {
    const { slots } = await devices.find(1, product_id, device_id);
    await devices.activate(permit, 1, product_id, aDevice({ device_id, activated_at }), slots);
  };
  await seat('laptop');
  return {
    store,
    seat,
    used: async () => (await devices.used(1)).get(1)?.used,
    list: (input: Partial<{ account_id: number; product: string; limit: number; after: string }> = {}) =>
      store.get('listAccountDevices')({ account_id: 1, product: null, limit: 100, after: null, ...input }),
    release: (
      input: Partial<{
        account_id: number;
        product: string;
        device_id: string;
        revoke_keys: boolean;
        offline_too: boolean;
      }> = {},
    ) =>
      store.get('releaseAccountDevice')(permit, {
        account_id: 1,
        product: '1',
        device_id: 'laptop',
        revoke_keys: false,
        offline_too: false,
        ...input,
      }),
    withdraw: (
      input: Partial<{ account_id: number | null; product: string; device_id: string; trial: boolean }> = {},
    ) =>
      store.get('withdrawDevice')(permit, {
        account_id: null,
        product: '1',
        device_id: 'laptop',
        reason: 'It was stolen.',
        ...input,
      }),
    restore: (input: Partial<{ product: string; device_id: string }> = {}) =>
      store.get('restoreDevice')(permit, { product: '1', device_id: 'laptop', ...input }),
    check: (device_id = 'laptop') =>
      passed(
        store.get('checkLicense')({
          account_id: 1,
          scope: { product_id: null },
          key: null,
          body: { product_id: 1, bundle_id: null, device_id, app_version: null },
          locale: 'en',
        }),
        Promise.resolve(permit),
      ),
    actions: async () =>
      (await Array.fromAsync(store.get('auditLog').list(EVERYTHING)))
        .filter(({ action }) => /^(device|policy)\./.test(action))
        .map(({ action, subject_id, account_id }) => [action, subject_id, account_id]),
  };
};

describe('the devices of an account, for the operator', () => {
  test('each product that the account may use is listed with its slots and devices', async () => {
    const { list } = await aShop();
    expect(done(await list()).data).toMatchObject([
      { product_id: 1, slug: 'product-1', limit: 2, used: 1, devices: [{ device_id: 'laptop', withdrawn: false }] },
    ]);
  });

  test('a page has at most the requested number of devices and names the last one', async () => {
    const { seat, list } = await aShop();
    for (const name of ['a', 'b']) await seat(name);
    expect(done(await list({ limit: 2 }))).toMatchObject({ data: [{ used: 3 }], next_after: '1 b' });
    const second = done(await list({ limit: 2, product: 'product-1', after: '1 b' }));
    expect(second).toMatchObject({ data: [{ devices: [{ device_id: 'laptop' }] }], next_after: null });
  });

  test('a page of all products ends within its number of devices, and the next page continues with the next product', async () => {
    const both = [anEntitlement(), anEntitlement({ id: 2, product_id: 2, device_limit: null })];
    const { seat, list } = await aShop({ entitlements: both });
    for (const name of ['a', 'b', 'c']) await seat(name, 2);
    const pages: [string, string[]][][] = [];
    let page = done(await list({ limit: 1 }));
    const turn = () => pages.push(page.data.map(({ slug, devices }) => [slug, devices.map((one) => one.device_id)]));
    for (turn(); page.next_after !== null; turn()) page = done(await list({ limit: 1, after: page.next_after }));
    const seen = ['product-1 laptop', 'product-2 a', 'product-2 b', 'product-2 c'].map((one) => one.split(' '));
    expect(pages).toEqual(seen.map(([slug, device]) => [[slug, [device]]]));
  });

  test('a product with ended access is listed with no slots while devices hold some', async () => {
    const { list } = await aShop({ entitlements: [anEntitlement({ access_expires_at: addDays(NOW, -1) })] });
    expect(done(await list()).data).toMatchObject([{ product_id: 1, limit: 0, used: 1 }]);
  });

  test('an unknown account and an unknown product are refused', async () => {
    const { list } = await aShop();
    expect(await list({ account_id: 9 })).toMatchObject({ code: 'account_not_found' });
    expect(await list({ product: 'nothing' })).toMatchObject({ code: 'product_not_found' });
  });
});

describe('a device that the operator releases', () => {
  test('the slot of a released device is free, and its keys stay valid and can take a slot again', async () => {
    const { release, used, check, actions } = await aShop();
    expect(await release()).toMatchObject({ value: { device: { device_id: 'laptop' }, keys: [{ id: 2 }, { id: 1 }] } });
    expect(await used()).toBe(0);
    expect(await check()).toMatchObject({ value: { valid: true, devices: { used: 1 } } });
    expect(await actions()).toEqual([['device.released', 'laptop', 1]]);
  });

  test('the keys of a released device are revoked too if the operator says so', async () => {
    const { store, release, used } = await aShop();
    done(await release({ revoke_keys: true }));
    expect(await used()).toBe(0);
    const keys = (await store.get('apiKeys').scopes(1)).flatMap((scope) => scope.keys);
    expect(keys.filter((key) => key.revoked_at === null).map((key) => key.id)).toEqual([3]);
  });

  test('an interrupted release can be repeated to revoke the keys', async () => {
    const { release } = await aShop();
    done(await release());
    expect(await release({ revoke_keys: true })).toMatchObject({ value: { device: null, keys: [{}, {}] } });
    expect(await release({ revoke_keys: true })).toMatchObject({ code: 'device_not_found' });
  });

  test.each([
    [{ account_id: 9 }, 'account_not_found'],
    [{ product: 'nothing' }, 'product_not_found'],
    [{ product: '2' }, 'device_not_found'],
    [{ device_id: 'phone', revoke_keys: true }, 'device_not_found'],
  ])('the release of %j is refused, and nothing changes', async (input, code) => {
    const { store, release } = await aShop();
    const before = await store.entries();
    expect(await release(input)).toMatchObject({ ok: false, code, message: expect.any(String) });
    expect(await store.entries()).toEqual(before);
  });
});

describe('a device that the operator withdraws', () => {
  test('a withdrawn device is refused by license checks, and its slot is free for another device', async () => {
    const { withdraw, check, seat } = await aShop();
    await seat('desktop');
    expect(await withdraw()).toMatchObject({ value: { result: 'withdrawn', policy_version: 1, released: false } });
    expect(await check('phone')).toMatchObject({ value: { code: 'valid', devices: { used: 2 } } });
    expect(await check()).toMatchObject({ value: { code: 'device_revoked' } });
  });

  test('the account of a withdrawn device has the slot back at once if the operator names the account', async () => {
    const { withdraw, used, actions } = await aShop();
    expect(await withdraw({ account_id: 1 })).toMatchObject({ value: { released: true } });
    expect(await used()).toBe(0);
    expect(await actions()).toEqual([
      ['device.released', 'laptop', 1],
      ['device.withdrawn', 'laptop', 1],
      ['policy.created', '1', null],
    ]);
  });

  test('the audit log records the reason', async () => {
    const { store, withdraw } = await aShop();
    done(await withdraw());
    const log = await Array.fromAsync(store.get('auditLog').list({ ...EVERYTHING, action: 'device.withdrawn' }));
    expect(log).toMatchObject([{ changes: [{ field: 'reason', from: null, to: 'It was stolen.' }] }]);
  });

  test('a repeated withdrawal changes nothing, even after its slot was freed', async () => {
    const { store, withdraw } = await aShop();
    done(await withdraw({ account_id: 1 }));
    const before = await store.entries();
    expect(await withdraw({ account_id: 1 })).toMatchObject({ value: { result: 'unchanged', policy_version: 1 } });
    expect(await store.entries()).toEqual(before);
  });

  test('a trial run reports what would happen and writes nothing', async () => {
    const { store, withdraw } = await aShop();
    const before = await store.entries();
    expect(await withdraw({ account_id: 1, trial: true })).toMatchObject({ value: { released: true } });
    expect(await store.entries()).toEqual(before);
  });

  test('simultaneous withdrawals are all stored', async () => {
    const { store, withdraw } = await aShop();
    await Promise.all(Array.from({ length: 10 }, (_, n) => withdraw({ device_id: `device-${n}` })));
    expect((await store.get('policies').read()).policy).toMatchObject({ version: 10, revoked: { length: 10 } });
  });

  test.each([
    [{ account_id: 9 }, 'account_not_found'],
    [{ product: 'nothing' }, 'product_not_found'],
    [{ account_id: 1, device_id: 'phone' }, 'device_not_found'],
  ])('the withdrawal of %j is refused, and nothing changes', async (input, code) => {
    const { store, withdraw } = await aShop();
    const before = await store.entries();
    expect(await withdraw(input)).toMatchObject({ ok: false, code, message: expect.any(String) });
    expect(await store.entries()).toEqual(before);
  });

  test('a withdrawal is refused by a full policy', async () => {
    const revoked = Array.from({ length: MOST_REVOKED }, (_, n) => ({ product_id: 1, device_id: `device-${n}` }));
    const { withdraw } = await aShop({ policy: { ...DEFAULT_POLICY, revoked } });
    expect(await withdraw()).toMatchObject({ code: 'policy_is_full' });
  });

  test('a withdrawal is refused if the policy’s device ids are too long for one record', async () => {
    const revoked: Revocation[] = [];
    while (Buffer.byteLength(JSON.stringify(revoked)) < MAX_RECORD_BYTES - 900) {
      revoked.push({ product_id: 1, device_id: `${revoked.length}`.padStart(255, '한') });
    }
    const { withdraw } = await aShop({ policy: { ...DEFAULT_POLICY, revoked } });
    const messages = [await withdraw({ device_id: 'x' }), await withdraw({ device_id: '한'.repeat(255) })];
    expect(messages[0]).toMatchObject({ ok: true });
    expect(messages[1]).toMatchObject({ code: 'policy_is_full', message: expect.stringContaining('400000 bytes') });
  });
});

describe('a withdrawn device that the operator allows again', () => {
  test('a restored device takes a free slot with its next license check', async () => {
    const { withdraw, restore, check, actions } = await aShop();
    done(await withdraw({ account_id: 1 }));
    expect(await restore()).toMatchObject({ value: { slug: 'product-1', policy_version: 2 } });
    expect(await check()).toMatchObject({ value: { code: 'valid' } });
    expect((await actions()).slice(0, 2)).toEqual([
      ['device.restored', 'laptop', null],
      ['policy.changed', '2', null],
    ]);
  });

  test.each([
    [{ product: 'nothing' }, 'product_not_found'],
    [{ device_id: 'laptop' }, 'device_not_withdrawn'],
  ])('restoring %j is refused', async (input, code) => {
    const { restore } = await aShop();
    expect(await restore(input)).toMatchObject({ ok: false, code, message: expect.any(String) });
  });
});
