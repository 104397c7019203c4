import { expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { millis, toInstant } from '../../../domain/shared/instant.ts';
import { LISTED_FOR_MS } from '../../../domain/signing/key-use.ts';
import { policy, signing } from '../../../runtimes/composition/areas/policy.ts';
import { bootstrap } from '../../../runtimes/composition/bootstrap.ts';
import { NOW } from '../../support/builders.ts';
import { aClock } from '../../support/fakes.ts';
import { memoryEngines, SETTINGS } from '../../support/memory-engines.ts';
import { done } from '../../support/outcomes.ts';

const aShop = () => {
  const clock = aClock();
  const engines = memoryEngines();
  const service = bootstrap(SETTINGS, engines, [policy, signing], { clock });
  const listed = async () => (await service.get('listVerificationKeys')()).keys;
  return { clock, service, listed, licenseKey: engines.licenseSigner.publicJwk() };
};

test('a shop without policy keys lists only the key of its license tokens', async () => {
  const { listed, licenseKey } = aShop();
  expect(await listed()).toEqual([licenseKey]);
});

test('a policy key is listed before its first signature, while it signs and after it signed', async () => {
  const { clock, service, listed, licenseKey } = aShop();
  const first = done(await service.get('createSigningKey')(grantPermit(), 'policy'));
  const second = done(await service.get('createSigningKey')(grantPermit(), 'policy'));
  const kids = async () => (await listed()).map(({ kid }) => kid);
  expect(await kids()).toEqual([first.kid, second.kid, licenseKey.kid]);
  clock.at = toInstant(millis(NOW) + LISTED_FOR_MS.policy);
  await service.get('activateSigningKey')(grantPermit(), 'policy');
  expect(await kids()).toEqual([first.kid, second.kid, licenseKey.kid]);
  await service.get('revokeSigningKey')(grantPermit(), 'policy', first.kid);
  expect(await kids()).toEqual([second.kid, licenseKey.kid]);
});

test('the listed keys show public parts only', async () => {
  const { service, listed } = aShop();
  await service.get('createSigningKey')(grantPermit(), 'policy');
  for (const key of await listed()) expect(Object.keys(key)).toEqual(['kty', 'crv', 'x', 'kid', 'alg', 'use']);
});
