import { hash as digest } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { keySecrets } from '../../../adapters/crypto/secrets.ts';
import type { ApiKey } from '../../../domain/access/api-key.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { principalOfKey } from '../../../domain/access/principal.ts';
import { addDays, toInstant } from '../../../domain/shared/instant.ts';
import { aDeviceKey } from '../../support/account-builders.ts';
import { anApiKey, NOW } from '../../support/builders.ts';
import { aStore } from '../../support/memory-store.ts';

const { value, hash, prefix } = keySecrets.mint();
const INVALID = { ok: false, code: 'invalid_api_key' };

/** A store with one key, whose value the test knows. */
const aStoreWith = async (key: ApiKey) => {
  const store = await aStore([], { keys: [{ ...key, hash, prefix }] });
  return { store, authenticate: (shown = value) => store.get('authenticate')(shown) };
};

describe('the identification of a caller by an API key', () => {
  test('the value of a live key identifies its account, its abilities and its product', async () => {
    const key = anApiKey({ account_id: 7, abilities: ['products.read'], product_id: 5, hash, prefix });
    const { authenticate } = await aStoreWith(key);
    expect(await authenticate()).toEqual({ ok: true, value: principalOfKey(key) });
  });

  test('a well-formed value without a key is refused', async () => {
    const { authenticate } = await aStoreWith(anApiKey());
    expect(await authenticate(keySecrets.mint().value)).toEqual(INVALID);
  });

  test('a mistyped value is refused before any key is looked up, even if a key has its hash', async () => {
    const mistyped = value.slice(0, -1) + (value.endsWith('0') ? '1' : '0');
    for (const wrong of [mistyped, 'svc_', '']) {
      const store = await aStore([], { keys: [anApiKey({ hash: digest('sha256', wrong) })] });
      expect(await store.get('authenticate')(wrong)).toEqual(INVALID);
    }
  });

  test('a key identifies its account up to the moment before its expiry and not at it', async () => {
    const { store, authenticate } = await aStoreWith(anApiKey({ expires_at: addDays(NOW, 1) }));
    store.clock.at = toInstant(Date.parse(addDays(NOW, 1)) - 1);
    expect(await authenticate()).toMatchObject({ ok: true });
    store.clock.at = addDays(NOW, 1);
    expect(await authenticate()).toEqual(INVALID);
  });

  test('a device key ends after 90 days without use, and a personal key does not', async () => {
    const [device, personal] = [await aStoreWith(aDeviceKey()), await aStoreWith(anApiKey())];
    const [lastMoment, end] = [toInstant(Date.parse(addDays(NOW, 90)) - 1), addDays(NOW, 90)];
    device.store.clock.at = lastMoment;
    expect(await device.authenticate()).toMatchObject({ ok: true });
    device.store.clock.at = end;
    expect(await device.authenticate()).toEqual(INVALID);
    personal.store.clock.at = end;
    expect(await personal.authenticate()).toMatchObject({ ok: true });
  });

  test('a revoked key is refused from the next request on', async () => {
    const { store, authenticate } = await aStoreWith(anApiKey());
    expect(await authenticate()).toMatchObject({ ok: true });
    await store.get('endApiKey')(grantPermit(), anApiKey({ hash, prefix }));
    expect(await authenticate()).toEqual(INVALID);
  });
});
