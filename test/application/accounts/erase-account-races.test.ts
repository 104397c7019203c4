import { describe, expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { anAccount } from '../../support/account-builders.ts';
import { anEntitlement, aProduct } from '../../support/builders.ts';
import { put } from '../../support/contents.ts';
import { anErasureShop, inMemory, naming } from '../../support/erasure-shop.ts';
import { fillAccount } from '../../support/full-account.ts';
import { memoryEngines } from '../../support/memory-engines.ts';
import { done } from '../../support/outcomes.ts';
import { memoryService } from '../../support/service.ts';

const permit = grantPermit();

describe('an erasure during other requests', () => {
  test('no key, session, link, application or account is created once the account is marked for erasure', async () => {
    const shop = await anErasureShop(inMemory);
    const { get } = shop.service;
    const account = await get('accounts').get(7);
    const scope = await get('apiKeys').scope(7, 1);
    done(await shop.erase());
    const before = await shop.entries();
    const { value: _, ...fresh } = get('keySecrets').mint();
    const key = { ...fresh, id: 99, account_id: 7 } as never;
    expect(
      await get('apiKeys').change(permit, { ...scope, version: null }, { add: key }, '2026-11-21T08:00:00.000Z'),
    ).toBe(false);
    await get('openSession')(7, 'password', { browser: 'Firefox', address: '192.0.2.7' });
    expect(await get('upstreamLinks').add({ issuer: 'https://other.example.com', subject: 's' }, 7)).toBe(false);
    const link = {
      hash: 'a'.repeat(64),
      account_id: 7,
      password_mark: 'm',
      created_at: '2026-11-21T08:00:00.000Z',
      expires_at: '2099-01-01T00:00:00.000Z',
    };
    await expect(get('signInLinks').save(permit, link)).rejects.toThrow('was erased meanwhile');
    expect(await get('accounts').save(permit, account ?? anAccount({ id: 7 }))).toBe('erased');
    expect(await shop.entries()).toEqual(before);
  });

  test('keys and sessions created during an erasure are gone afterwards', async () => {
    const shop = await anErasureShop(inMemory);
    const { get } = shop.service;
    const made = Array.from({ length: 10 }, (_, n) => [
      get('createApiKey')(permit, { account_id: 7, name: `zaphod ${n}`, product_id: 1 }),
      get('openSession')(7, 'link', { browser: 'zaphod browser', address: 'zaphod address' }),
    ]).flat();
    await Promise.allSettled([
      ...made,
      shop.erase(),
      get('renameAccount')(permit, { account_id: 7, name: 'Zaphod 2' }),
    ]);
    expect(naming(await shop.entries(), 'zaphod')).toEqual([]);
    expect(await get('sessions').of(7)).toEqual([]);
    expect(await get('apiKeys').scopes(7)).toEqual([]);
  });

  test('two simultaneous erasures both complete with the same result', async () => {
    const shop = await anErasureShop(inMemory);
    const both = await Promise.all([shop.erase(), shop.erase()]);
    expect(both.map(({ ok }) => ok)).toEqual([true, true]);
    expect(naming(await shop.entries(), 'zaphod')).toEqual([]);
  });

  test('an erasure that was killed after any write is completed by the next one', async () => {
    for (const writes of [1, 8, 15, 22, 29]) {
      const engines = memoryEngines();
      const service = memoryService({}, engines);
      await put(service, { products: [aProduct()], entitlements: [anEntitlement({ account_id: 8 })] });
      await fillAccount(service, 7, 'zaphod');
      let left = writes;
      const remove = engines.table.remove.bind(engines.table);
      engines.table.remove = async (...args) => {
        left -= 1;
        if (left < 0) throw new Error('killed');
        return remove(...args);
      };
      await service
        .get('eraseAccount')(permit, { account_id: 7 })
        .catch(() => undefined);
      engines.table.remove = remove;
      expect(await service.get('showAccount')('7')).toMatchObject({
        code: 'account_erased',
        message: expect.stringContaining('its erasure has not ended; run "account erase 7" again'),
      });
      expect(await service.get('eraseAccount')(permit, { account_id: 7 })).toMatchObject({ ok: true });
      const { entries } = await engines.table.dump(0);
      expect(naming(entries, 'zaphod')).toEqual([]);
      expect((await engines.objects.list()).keys).toEqual([]);
    }
  });
});
