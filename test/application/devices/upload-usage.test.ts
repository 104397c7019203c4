import { describe, expect, test } from 'vitest';
import { devicesHandlers as devices } from '../../../adapters/pipeline/handlers/devices.ts';
import type { UsageDay } from '../../../domain/devices/usage.ts';
import { anEntitlement, aProduct, NOW } from '../../support/builders.ts';
import type { Contents } from '../../support/contents.ts';
import { aStore } from '../../support/memory-store.ts';
import { PERMIT, passed, withoutPermit } from '../../support/permits.ts';

const aDay = (overrides: Partial<UsageDay> = {}): UsageDay => ({
  product_id: 1,
  usage_date: '2026-11-20',
  launches: 3,
  ...overrides,
});

/** A store whose account 1 owns products 1 and 2; product 3 is on sale. */
const aUsageStore = async (contents: Contents = {}) => {
  const products = [1, 2, 3].map((id) => aProduct({ id }));
  const entitlements = [1, 2].map((id) => anEntitlement({ id, product_id: id }));
  const store = await aStore([devices], { products, entitlements, ...contents });
  return {
    upload: (
      days: readonly UsageDay[],
      { key_id = 7, boundTo = null as number | null, consent = true, permit = PERMIT } = {},
    ) =>
      passed(
        store.get('uploadUsage')({
          account_id: 1,
          scope: { product_id: boundTo },
          key: { id: key_id },
          body: { consent, days },
        }),
        permit,
      ),
    kept: () => Array.fromAsync(store.get('usage').list(1)),
  };
};

describe('the upload of a device’s usage', () => {
  test('a day that is sent again replaces its stored usage, and each device has its own days', async () => {
    const { upload, kept } = await aUsageStore();
    await upload([aDay()]);
    await upload([aDay({ launches: 9 })]);
    await upload([aDay()], { key_id: 8 });
    expect((await kept()).map(({ key_id, launches }) => [key_id, launches])).toEqual([
      [7, 9],
      [8, 3],
    ]);
  });

  test('a row of a product outside the key’s scope refuses the whole batch', async () => {
    const { upload, kept } = await aUsageStore();
    const refused = { ok: false, code: 'product_api_key_scope_required' };
    expect(await upload([aDay(), aDay({ product_id: 2 })], { boundTo: 1 })).toMatchObject(refused);
    expect(await kept()).toEqual([]);
  });

  test.each([
    ['expired', { access_expires_at: NOW }],
    ['was revoked', { revoked_at: NOW }],
  ])('after access %s, days with access are accepted and later days are refused', async (_, end) => {
    const { upload, kept } = await aUsageStore({ entitlements: [anEntitlement(end)] });
    expect(await upload([aDay()])).toMatchObject({ ok: true });
    expect(await upload([aDay({ usage_date: '2026-11-22' })])).toMatchObject({ ok: false, code: 'validation_failed' });
    expect(await kept()).toHaveLength(1);
  });

  test('a day before the first access is refused, and the local day on which access began is accepted', async () => {
    const granted_at = '2026-11-20T03:00:00.000Z';
    const { upload } = await aUsageStore({ entitlements: [anEntitlement({ granted_at })] });
    expect(await upload([aDay({ usage_date: '2026-11-18' })])).toMatchObject({ ok: false, code: 'validation_failed' });
    expect(await upload([aDay({ usage_date: '2026-11-19' })])).toMatchObject({ ok: true });
  });

  test('the local day on which access ended is accepted, also where it began 14 hours before the day in UTC', async () => {
    const { upload } = await aUsageStore({ entitlements: [anEntitlement({ revoked_at: '2026-11-20T11:00:00.000Z' })] });
    expect(await upload([aDay({ usage_date: '2026-11-21' })])).toMatchObject({ ok: true });
    expect(await upload([aDay({ usage_date: '2026-11-22' })])).toMatchObject({ ok: false, code: 'validation_failed' });
  });

  test('usage whose permit never resolves is not stored', async () => {
    const { upload, kept } = await aUsageStore();
    await withoutPermit((permit) => upload([aDay()], { permit }));
    expect(await kept()).toEqual([]);
  });
});
