import { describe, expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { keys } from '../../../runtimes/composition/areas/access.ts';
import { aDeviceKey, anAccount } from '../../support/account-builders.ts';
import { anApiKey } from '../../support/builders.ts';
import { aStore } from '../../support/memory-store.ts';

const laptop = aDeviceKey({ id: 1 });
const ofLaptop = aDeviceKey({ id: 2, parent_id: 1, product_id: 5 });
const personal = anApiKey({ id: 3 });

const aKeyStore = async () => {
  const store = await aStore([keys], { accounts: [anAccount()], keys: [laptop, ofLaptop, personal] });
  return {
    store,
    revoke: (id: number) => store.get('revokeApiKey')(grantPermit(), { key_id: id }),
    liveIds: async () => {
      const found = [laptop, ofLaptop, personal].map(({ hash }) => store.get('apiKeys').find(hash));
      return (await Promise.all(found)).flatMap((key) => key?.id ?? []);
    },
  };
};

describe('the revocation of an API key by its id', () => {
  test('a revoked key ends at once and is reported', async () => {
    const { revoke, liveIds } = await aKeyStore();
    expect(await revoke(3)).toEqual({ ok: true, value: personal });
    expect(await liveIds()).toEqual([1, 2]);
  });

  test('revoking a device key also revokes the product keys made with it', async () => {
    const { revoke, liveIds } = await aKeyStore();
    await revoke(1);
    expect(await liveIds()).toEqual([3]);
  });

  test('revoking an unknown id is refused and changes nothing', async () => {
    const { store, revoke } = await aKeyStore();
    const before = await store.entries();
    const message = 'There is no key 99.';
    expect(await revoke(99)).toEqual({ ok: false, code: 'key_not_found', message });
    expect(await store.entries()).toEqual(before);
  });

  test('revoking a key again changes nothing', async () => {
    const { store, revoke } = await aKeyStore();
    await revoke(1);
    const before = await store.entries();
    store.clock.at = '2026-12-01T00:00:00.000Z';
    expect(await revoke(1)).toMatchObject({ ok: true, value: { id: 1 } });
    expect(await store.entries()).toEqual(before);
  });
});
