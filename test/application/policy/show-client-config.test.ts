import { beforeEach, describe, expect, test } from 'vitest';
import { Ed25519PolicySigner } from '../../../adapters/crypto/policy-signer.ts';
import { StoredCatalogs } from '../../../adapters/store/catalogs.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { DEFAULT_POLICY } from '../../../domain/policy/client-policy.ts';
import { addDays, type Instant, millis, toInstant } from '../../../domain/shared/instant.ts';
import type { PrivateKey } from '../../../domain/signing/signing-key-ring.ts';
import { gallery } from '../../../runtimes/composition/areas/design/gallery.ts';
import { policy, signing } from '../../../runtimes/composition/areas/policy.ts';
import { storeDocument } from '../../../runtimes/composition/areas/store-document.ts';
import { bootstrap } from '../../../runtimes/composition/bootstrap.ts';
import { audited } from '../../support/audited.ts';
import { aProduct, NOW } from '../../support/builders.ts';
import { put } from '../../support/contents.ts';
import { aClock } from '../../support/fakes.ts';
import { memoryEngines, SETTINGS } from '../../support/memory-engines.ts';
import { memoryService } from '../../support/service.ts';
import { shopRecords } from '../../support/shop-records.ts';
import { verified } from '../../support/signing-keys.ts';

class CountingSigner extends Ed25519PolicySigner {
  signed = 0;

  override sign(key: PrivateKey, document: object): string {
    this.signed++;
    return super.sign(key, document);
  }
}

let engines: ReturnType<typeof memoryEngines>;

beforeEach(() => {
  engines = memoryEngines();
});

/** A separate process on the same store and keys, with its own clock. */
const aProcess = (now: Instant) => {
  const clock = aClock(now);
  const policySigner = new CountingSigner();
  const catalogs = new StoredCatalogs(audited(engines.table), 'unbounded');
  const service = memoryService({ clock, policySigner, catalogs }, engines);
  return { clock, policySigner, service, document: () => service.get('showClientConfig')() };
};
const hours = (n: number): Instant => toInstant(millis(NOW) + n * 3_600_000);

describe('the current policy', () => {
  const aShop = () =>
    bootstrap(SETTINGS, engines, [policy, signing, shopRecords, storeDocument, gallery], { clock: aClock() });

  test('a shop without a policy shows the default one, unsigned until there is a key', async () => {
    expect(await aShop().get('showClientConfig')()).toEqual({
      min_client_version: '0.0.0',
      revoked: [],
      policy: { ttl_days: 14, recheck_hours: 24 },
      signed_at: NOW,
      version: 0,
    });
  });

  test('a new policy is shown at once, with a signature over everything shown', async () => {
    const service = aShop();
    await put(service, { products: [aProduct()] });
    await service.get('createSigningKey')(grantPermit(), 'policy');
    const revoked = [{ product_id: 1, device_id: 'stolen' }];
    await service.get('setPolicy')(grantPermit(), {
      min_client_version: '1.2.0',
      revoked,
      ttl_days: 7,
      recheck_hours: 12,
    });
    const { signature = '', ...shown } = await service.get('showClientConfig')();
    expect(shown).toMatchObject({ min_client_version: '1.2.0', revoked, policy: { ttl_days: 7 }, version: 1 });
    const { keys } = await service.get('listVerificationKeys')();
    expect(verified(signature, keys)?.payload).toEqual(shown);
  });

  test('a changed policy is signed again, with a later version and a signing time after the change', async () => {
    const clock = aClock();
    const service = bootstrap(SETTINGS, engines, [policy, signing, shopRecords, storeDocument, gallery], { clock });
    await service.get('createSigningKey')(grantPermit(), 'policy');
    const first = await service.get('showClientConfig')();
    clock.at = hours(1);
    await service.get('setPolicy')(grantPermit(), { ...DEFAULT_POLICY, ttl_days: 3 });
    const second = await service.get('showClientConfig')();
    expect([first.version, second.version, second.signed_at]).toEqual([0, 1, hours(1)]);
    expect(second.signature).not.toBe(first.signature);
  });
});

describe('the signed policy', () => {
  test('processes that share only the store and its keys sign the same policy document within a period', async () => {
    const [one, other] = [aProcess(hours(0)), aProcess(hours(5))];
    await one.service.get('createSigningKey')(grantPermit(), 'policy');
    const later = aProcess(hours(6));
    const documents = [await other.document(), await later.document()];
    expect(JSON.stringify(documents[0])).toBe(JSON.stringify(documents[1]));
    expect(documents[0]?.signature).toEqual(expect.any(String));
  });

  test('the policy is signed once for all requests, and again within a 24th of its life', async () => {
    const { clock, policySigner, service, document } = aProcess(NOW);
    await service.get('createSigningKey')(grantPermit(), 'policy');
    const first = await document();
    for (let n = 0; n < 20; n++) expect(await document()).toBe(first);
    expect(policySigner.signed).toBe(1);
    clock.at = addDays(NOW, 1);
    const second = await document();
    expect(policySigner.signed).toBe(2);
    expect(second.signed_at > first.signed_at).toBe(true);
    expect(millis(clock.at) - millis(second.signed_at)).toBeLessThan((14 * 24 * 3_600_000) / 24);
    expect({ ...second, signed_at: '', signature: '' }).toEqual({ ...first, signed_at: '', signature: '' });
  });

  test('the signing time of the policy is never before its key’s activation', async () => {
    const { service, document } = aProcess(hours(1));
    await service.get('createSigningKey')(grantPermit(), 'policy');
    expect((await document()).signed_at).toBe(hours(1));
  });
});
