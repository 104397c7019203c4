import { describe, expect, test } from 'vitest';
import { devicesHandlers as devices } from '../../../adapters/pipeline/handlers/devices.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { INSTALLS_A_DAY, type InstallReport } from '../../../domain/devices/usage.ts';
import { addDays, toInstant } from '../../../domain/shared/instant.ts';
import { anEntitlement, aProduct, aRelease, NOW } from '../../support/builders.ts';
import type { Contents } from '../../support/contents.ts';
import { aStore } from '../../support/memory-store.ts';
import { PERMIT, passed, withoutPermit } from '../../support/permits.ts';

const REPORT: InstallReport = {
  product_id: 1,
  version: '1.2.0',
  bundle_id: null,
  installed_at: null,
  release_id: 12,
  artifact_sha256: null,
};

/** A store whose account 1 owns product 1, with product 2 on sale and product 3 hidden. */
const anInstallStore = async (contents: Contents = {}) => {
  const products = [aProduct(), aProduct({ id: 2 }), aProduct({ id: 3, published: false })];
  const releases = [
    aRelease({ id: 12, product_id: 1, withdrawn: { at: NOW, reason: 'It loses files.' } }),
    aRelease({ id: 13, product_id: 1, version: '9.0.0', released_at: addDays(NOW, 1) }),
    aRelease({ id: 22, product_id: 2 }),
  ];
  const store = await aStore([devices], { products, entitlements: [anEntitlement()], releases, ...contents });
  return {
    store,
    record: (report: Partial<InstallReport> = {}, { boundTo = null as number | null, permit = PERMIT } = {}) =>
      passed(
        store.get('recordInstall')({
          account_id: 1,
          scope: { product_id: boundTo },
          key: { id: 7 },
          body: { ...REPORT, ...report },
        }),
        permit,
      ),
    installs: () => Array.fromAsync(store.get('installs').list(1)),
  };
};

describe('the record of an install', () => {
  test('a repeated report of an install is another record', async () => {
    const { record, installs } = await anInstallStore();
    await record();
    await record();
    expect((await installs()).map(({ id }) => id)).toEqual([1002, 1001]);
  });

  test.each<[string, Partial<InstallReport>, string]>([
    ['a release of another product', { release_id: 22 }, 'release_id'],
    ['a release that does not exist', { release_id: 99 }, 'release_id'],
    ['a release that is not out yet', { release_id: 13 }, 'release_id'],
    ['the year 2999', { installed_at: '2999-01-01T00:00:00Z' }, 'installed_at'],
    ['a moment more than a day ahead', { installed_at: toInstant(Date.parse(addDays(NOW, 1)) + 1) }, 'installed_at'],
    ['the last century', { installed_at: '1999-12-31T23:59:59Z' }, 'installed_at'],
  ])('an install that names %s is refused by that field and not stored', async (_, report, field) => {
    const { record, installs } = await anInstallStore();
    expect(await record(report)).toMatchObject({
      code: 'validation_failed',
      data: { errors: { [field]: [expect.stringMatching(/^The .+\.$/)] } },
    });
    expect(await installs()).toEqual([]);
  });

  test('an install of a product whose access has just ended is refused', async () => {
    const { record, installs } = await anInstallStore({ entitlements: [anEntitlement({ access_expires_at: NOW })] });
    expect(await record()).toMatchObject({ code: 'product_entitlement_required' });
    expect(await installs()).toEqual([]);
  });

  test('the owner of a hidden product can record its installs, even with a key bound to it', async () => {
    const { record } = await anInstallStore({ entitlements: [anEntitlement({ product_id: 3 })] });
    expect(await record({ product_id: 3, release_id: null }, { boundTo: 3 })).toMatchObject({ ok: true });
  });

  test('an install whose permit never resolves is not stored', async () => {
    const { record, installs } = await anInstallStore();
    await withoutPermit((permit) => record({}, { permit }));
    expect(await installs()).toEqual([]);
  });
});

test('an account reaches its daily limit of installs and can record again after midnight', async () => {
  const { store, record, installs } = await anInstallStore();
  const used = (by: number) => store.get('dailyBounds').count(grantPermit(), INSTALLS_A_DAY, '1', by, NOW);
  await used(INSTALLS_A_DAY.most - 1);
  expect(await record()).toMatchObject({ ok: true });
  expect(await record()).toMatchObject({ ok: false, code: 'rate_limited' });
  expect(await installs()).toHaveLength(1);
  store.clock.at = `${addDays(NOW, 1).slice(0, 10)}T00:00:00.000Z`;
  expect(await record()).toMatchObject({ ok: true });
});
