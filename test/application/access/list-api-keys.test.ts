import { describe, expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { keys } from '../../../runtimes/composition/areas/access.ts';
import { anAccount } from '../../support/account-builders.ts';
import { anApiKey, NOW } from '../../support/builders.ts';
import { aStore } from '../../support/memory-store.ts';

const accounts = [anAccount(), anAccount({ id: 2 })];

describe('the list of an account’s API keys', () => {
  test('the keys of an account are listed oldest first, whatever product they are bound to', async () => {
    const bound = anApiKey({ id: 2, product_id: 5 });
    const stored = [anApiKey({ id: 3 }), bound, anApiKey({ id: 1 }), anApiKey({ id: 4, account_id: 2 })];
    const store = await aStore([keys], { accounts, keys: stored });
    const listed = await store.get('listApiKeys')({ account_id: 1 });
    expect(listed).toEqual({ ok: true, value: [anApiKey({ id: 1 }), bound, anApiKey({ id: 3 })] });
  });

  test('a recently revoked key stays in the list with its time of revocation', async () => {
    const store = await aStore([keys], { accounts, keys: [anApiKey()] });
    await store.get('revokeApiKey')(grantPermit(), { key_id: 1 });
    const listed = await store.get('listApiKeys')({ account_id: 1 });
    expect(listed).toEqual({ ok: true, value: [anApiKey({ revoked_at: NOW })] });
  });

  test('an account without keys has an empty list, and an account that does not exist is refused', async () => {
    const store = await aStore([keys], { accounts });
    expect(await store.get('listApiKeys')({ account_id: 2 })).toEqual({ ok: true, value: [] });
    expect(await store.get('listApiKeys')({ account_id: 3 })).toMatchObject({ ok: false, code: 'account_not_found' });
  });
});
