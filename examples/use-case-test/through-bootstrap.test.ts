import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { bootstrap, EVERY_AREA, openEngines, readConfig, settingsOf } from 'account-service';
import { grantPermit } from 'account-service/rules';
import { bothSteps } from 'account-service/use-cases';
import { studio, untilJuly } from './studio.ts';

const url = 'https://shop.example.com';
const urls = { api: url, design: url, app: url, account: url, shop: url };
const config = readConfig({ STORE: 'memory', OBJECTS: 'memory' });
let now: string;
let check: (device_id: string) => Promise<object>;

beforeEach(async () => {
  now = '2026-06-01T00:00:00.000Z';
  const engines = await openEngines(config, urls);
  const service = bootstrap(settingsOf(config, urls), engines, EVERY_AREA, { clock: { now: () => now } });
  await service.get('catalogEditor').save(grantPermit(), { kind: 'product', value: studio });
  await service.get('grants').saveEntitlement(grantPermit(), untilJuly);
  check = (device_id) =>
    bothSteps(
      grantPermit(),
      service.get('checkLicense')({
        account_id: 7,
        scope: { product_id: null },
        key: null,
        body: { product_id: studio.id, bundle_id: null, device_id, app_version: null },
        locale: 'en',
      }),
    );
});

test('a third device is refused, because the product is for two', async () => {
  for (const device of ['laptop', 'desktop']) assert.partialDeepStrictEqual(await check(device), { ok: true });
  assert.partialDeepStrictEqual(await check('phone'), { ok: false, code: 'device_limit_reached' });
});

test('a license ends with the access of its account', async () => {
  assert.partialDeepStrictEqual(await check('laptop'), { ok: true, value: { valid: true } });
  now = '2026-07-01T00:00:00.000Z';
  assert.partialDeepStrictEqual(await check('laptop'), { value: { valid: false, code: 'access_expired' } });
});
