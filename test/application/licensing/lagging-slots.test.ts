import { beforeEach, describe, expect, test } from 'vitest';
import { deviceKeys } from '../../../adapters/store/keys/devices.ts';
import type { Page, Query } from '../../../adapters/store/table.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { checkLicense } from '../../../ports/inbound/api/licensing.ts';
import { meteredTable } from '../../support/gallery/metered-table.ts';
import { memoryEngines } from '../../support/memory-engines.ts';
import { memoryService } from '../../support/service.ts';
import { aKey, anAccount, grant, type MadeKey } from '../../surface/buyers.ts';
import { openShop, TOOL } from '../../surface/shop.ts';
import { bodyOf } from '../../tools/costs/ask.ts';

const permit = grantPermit();

/** A shop whose eventually consistent reads lag: they return the account's slots as of the last `stop`. */
const aLaggingShop = async () => {
  const engines = memoryEngines();
  const { table, measure } = meteredTable(engines.table);
  const service = memoryService({}, { ...engines, table }, { catalogAge: 60_000 });
  await openShop(service);
  const account = await anAccount(service, { entitlements: [{ product_id: TOOL, device_limit: 1 }] });
  const made = await aKey(service, account);
  const slots = deviceKeys.slotsOf(account, TOOL);
  let old: Page = { items: [] };
  const query = engines.table.query.bind(engines.table);
  engines.table.query = async (asked: Query) =>
    asked.consistent === false && asked.pk === slots.pk && asked.prefix === slots.prefix ? old : query(asked);
  const check = async (device_id: string, { value } = made) => {
    const { outcome } = await service.get('invoker').answer(
      checkLicense,
      {
        params: {},
        query: {},
        body: bodyOf({ product_id: TOOL, device_id }),
        locale: 'en',
        idempotencyKey: undefined,
      },
      { authorization: `Bearer ${value}`, address: () => '127.0.0.1' },
    );
    return outcome.ok ? (outcome.value as { code: string }).code : outcome.code;
  };
  const stop = async () => {
    old = await query(slots);
  };
  return { service, account, made, measure, check, stop };
};

describe('a license check while the slot count lags behind the store', () => {
  let shop: Awaited<ReturnType<typeof aLaggingShop>>;
  beforeEach(async () => {
    shop = await aLaggingShop();
  });

  test('as many devices pass as there are slots, and a freed slot is available at once', async () => {
    const { service, account, check, stop } = shop;
    expect(await Promise.all(['a', 'b', 'c'].map((id) => check(id)))).toEqual(
      expect.arrayContaining(['valid', 'device_limit_reached', 'device_limit_reached']),
    );
    const [{ device_id } = { device_id: '' }] = await service.get('devices').list(account, TOOL);
    await stop();
    await service.get('releaseSlots').ofProduct(permit, account, TOOL, device_id);
    expect([await check('d'), await check(device_id), await check('d')]).toEqual([
      'valid',
      'device_limit_reached',
      'valid',
    ]);
  });

  test('a revoked key, grant or device is refused from the next check on', async () => {
    const { service, account, made, check } = shop;
    const other: MadeKey = await aKey(service, account);
    expect([await check('a'), await check('a', other)]).toEqual(['valid', 'valid']);
    await service.get('endApiKey')(permit, other.key);
    expect(await check('a', other)).toBe('invalid_api_key');
    await grant(service, account, { id: 1, product_id: TOOL, revoked_at: made.key.created_at });
    expect(await check('a')).toBe('entitlement_revoked');
  });

  test('a check of a known device reads the slot count at half cost, and all else consistently', async () => {
    const { check, measure } = shop;
    // The second check reads the releases, which are cached from then on.
    for (let n = 0; n < 2; n++) await check('a');
    // The key, the entitlements of the product and of its bundle, the subscriptions, the device, and the slots.
    expect((await measure(() => check('a'))).units).toBe(5.5);
  });
});
