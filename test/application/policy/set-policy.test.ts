import { beforeEach, describe, expect, test } from 'vitest';
import { MAX_RECORD_BYTES } from '../../../application/store-document/document-files.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import type { ClientPolicy } from '../../../domain/policy/client-policy.ts';
import { addDays } from '../../../domain/shared/instant.ts';
import { gallery } from '../../../runtimes/composition/areas/design/gallery.ts';
import { storeDocument } from '../../../runtimes/composition/areas/store-document.ts';
import { bootstrap } from '../../../runtimes/composition/bootstrap.ts';
import { aProduct, NOW } from '../../support/builders.ts';
import { put } from '../../support/contents.ts';
import { aClock, noPauses } from '../../support/fakes.ts';
import { memoryEngines, SETTINGS } from '../../support/memory-engines.ts';
import { done } from '../../support/outcomes.ts';
import { shopRecords } from '../../support/shop-records.ts';
import { faultLines } from '../../support/store-folder.ts';

const POLICY: ClientPolicy = { min_client_version: '1.0.0', revoked: [], ttl_days: 7, recheck_hours: 12 };

const clock = aClock();
let engines: ReturnType<typeof memoryEngines>;
let service: ReturnType<typeof aShop>;

const aShop = () => bootstrap(SETTINGS, engines, [shopRecords, storeDocument, gallery], { clock, pauses: noPauses });
const set = (policy: Partial<ClientPolicy> & { trial?: boolean } = {}) =>
  service.get('setPolicy')(grantPermit(), { ...POLICY, ...policy });
const inForce = async () => (await service.get('catalogs').current()).policy;
const stolen = (product_id: number, device_id = 'a') => ({ product_id, device_id });

beforeEach(async () => {
  clock.at = NOW;
  engines = memoryEngines();
  service = aShop();
  await put(service, { products: [aProduct({ id: 1 }), aProduct({ id: 2 })] });
});

describe('the version of the policy', () => {
  test('the first policy is version 1 and takes effect at once', async () => {
    expect(done(await set())).toEqual({
      policy: { ...POLICY, version: 1, changed_at: NOW },
      result: 'created',
      lifted: [],
    });
    expect(await inForce()).toEqual({ ...POLICY, version: 1, changed_at: NOW });
  });

  test('the version of the policy grows with every change, even one that undoes an earlier change', async () => {
    await set({ ttl_days: 7 });
    clock.at = addDays(NOW, 1);
    expect(done(await set({ ttl_days: 8 }))).toMatchObject({ result: 'updated', policy: { version: 2 } });
    await set({ ttl_days: 7 });
    expect(await inForce()).toMatchObject({ ttl_days: 7, version: 3, changed_at: clock.at });
  });

  test('an equal policy keeps its version, whatever the order of its revocations', async () => {
    await set({ revoked: [stolen(2), stolen(1, 'b'), stolen(1)] });
    clock.at = addDays(NOW, 1);
    const again = done(await set({ revoked: [stolen(1), stolen(1, 'b'), stolen(2)] }));
    expect(again).toMatchObject({ result: 'unchanged', policy: { version: 1, changed_at: NOW } });
  });

  test('a trial run reports the version and the restored devices, and changes nothing', async () => {
    await set({ revoked: [stolen(1)] });
    const tried = done(await set({ trial: true }));
    expect(tried).toMatchObject({ policy: { version: 2 }, result: 'updated', lifted: [stolen(1)] });
    expect(await inForce()).toMatchObject({ version: 1, revoked: [stolen(1)] });
    expect(done(await set({ revoked: [stolen(1)], trial: true }))).toMatchObject({ result: 'unchanged', lifted: [] });
  });

  test('simultaneous policy changes each make a version, and none is lost', async () => {
    const setters = Array.from({ length: 8 }, () => aShop().get('setPolicy'));
    const outcomes = await Promise.all(setters.map((one, n) => one(grantPermit(), { ...POLICY, ttl_days: n + 1 })));
    const versions = outcomes.map((one) => one.ok && one.value.policy.version);
    expect(versions.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    const { policy } = await service.get('policies').read();
    expect(policy).toMatchObject({ version: 8, ttl_days: versions.indexOf(8) + 1 });
  });
});

test.each<[string, Partial<ClientPolicy>, string]>([
  ['that revokes an unknown product', { revoked: [stolen(3)] }, 'revoked.0.product_id: there is no product 3'],
  ['that revokes a device twice', { revoked: [stolen(1), stolen(1)] }, 'revoked.1: repeats an earlier entry'],
  ['that no store could hold', { min_client_version: '1'.repeat(MAX_RECORD_BYTES) }, 'the policy: is larger than'],
])('a policy %s is refused, and the earlier one stays in effect', async (_, wrong, fault) => {
  await set();
  const refused = await set({ ttl_days: 1, ...wrong });
  expect(refused).toMatchObject({ ok: false, code: 'invalid_policy' });
  expect(faultLines(refused)).toEqual([expect.stringContaining(fault)]);
  expect(await inForce()).toMatchObject({ ...POLICY, version: 1 });
});
