import { describe, expect, test } from 'vitest';
import type { InstallReport } from '../../../domain/devices/install-record.ts';
import { devices } from '../../../runtimes/composition/areas/devices.ts';
import { anEntitlement, aProduct, NOW } from '../../support/builders.ts';
import type { Contents } from '../../support/contents.ts';
import { aStore } from '../../support/memory-store.ts';
import { PERMIT, withoutPermit } from '../../support/permits.ts';

const REPORT: InstallReport = {
  product_id: 1,
  version: '1.2.0',
  bundle_id: null,
  installed_at: null,
  release_id: 12,
  artifact_sha256: null,
};
const UNKNOWN = {
  ok: false,
  code: 'validation_failed',
  data: { errors: { product_id: ['The selected product id is invalid.'] } },
};

/** A store whose account 1 owns product 1, with product 2 on sale and product 3 hidden. */
const anInstallStore = async (contents: Contents = {}) => {
  const products = [aProduct(), aProduct({ id: 2 }), aProduct({ id: 3, published: false })];
  const store = await aStore([devices], { products, entitlements: [anEntitlement()], ...contents });
  return {
    store,
    record: (report: Partial<InstallReport> = {}, { boundTo = null as number | null, permit = PERMIT } = {}) =>
      store.get('recordInstall').execute({
        accountId: 1,
        scope: { product_id: boundTo },
        keyId: 7,
        report: { ...REPORT, ...report },
        permit,
      }),
    installs: () => Array.fromAsync(store.get('installs').list(1)),
  };
};

describe('the record of an install', () => {
  test('a reported install is kept with its account, its key and the moment of the report', async () => {
    const { record, installs } = await anInstallStore();
    const shown = { ...REPORT, id: 1001, installed_at: NOW, recorded_at: NOW };
    expect(await record()).toEqual({ ok: true, value: { install: shown } });
    expect(await installs()).toEqual([{ ...shown, account_id: 1, key_id: 7 }]);
  });

  test('an install keeps its own moment in UTC, and its checksum in lower case', async () => {
    const { record, installs } = await anInstallStore();
    await record({ installed_at: '2026-11-20T18:00:00+09:00', artifact_sha256: 'AB'.repeat(32) });
    const kept = { installed_at: '2026-11-20T09:00:00.000Z', artifact_sha256: 'ab'.repeat(32), recorded_at: NOW };
    expect(await installs()).toMatchObject([kept]);
  });

  test('an install that is reported again is one more record', async () => {
    const { record, installs } = await anInstallStore();
    await record();
    await record();
    expect((await installs()).map(({ id }) => id)).toEqual([1001, 1002]);
  });

  test.each<[string, number, number | null, object]>([
    ['a product that does not exist', 99, null, UNKNOWN],
    ['a hidden product, as if it did not exist', 3, null, UNKNOWN],
    ['a product that the account does not own', 2, null, { ok: false, code: 'product_entitlement_required' }],
    ['another product than the key is bound to', 1, 2, { ok: false, code: 'product_api_key_scope_required' }],
    ['an unknown product by a bound key', 99, 1, { ok: false, code: 'product_api_key_scope_required' }],
  ])('an install of %s is refused and not kept', async (_, product_id, boundTo, refused) => {
    const { record, installs } = await anInstallStore();
    expect(await record({ product_id }, { boundTo })).toMatchObject(refused);
    expect(await installs()).toEqual([]);
  });

  test('an install of a product whose access ended at this moment is refused', async () => {
    const { record, installs } = await anInstallStore({ entitlements: [anEntitlement({ access_expires_at: NOW })] });
    expect(await record()).toMatchObject({ code: 'product_entitlement_required' });
    expect(await installs()).toEqual([]);
  });

  test('the owner of a hidden product records its installs, also by a key bound to it', async () => {
    const { record } = await anInstallStore({ entitlements: [anEntitlement({ product_id: 3 })] });
    expect(await record({ product_id: 3 }, { boundTo: 3 })).toMatchObject({ ok: true });
  });

  test('an install whose permit never resolves is not kept', async () => {
    const { record, installs } = await anInstallStore();
    await withoutPermit((permit) => record({}, { permit }));
    expect(await installs()).toEqual([]);
  });
});
