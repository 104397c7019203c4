import { beforeEach, expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { millis, toInstant } from '../../../domain/shared/instant.ts';
import { LISTED_FOR_MS } from '../../../domain/signing/key-use.ts';
import { stateOf } from '../../../domain/signing/signing-key-ring.ts';
import { policy } from '../../../runtimes/composition/areas/policy.ts';
import { bootstrap } from '../../../runtimes/composition/bootstrap.ts';
import { NOW } from '../../support/builders.ts';
import { aClock, noPauses } from '../../support/fakes.ts';
import { memoryEngines, SETTINGS } from '../../support/memory-engines.ts';
import { done } from '../../support/outcomes.ts';
import { verified } from '../../support/signing-keys.ts';

const aShop = () => {
  const clock = aClock();
  const service = bootstrap(SETTINGS, memoryEngines(), [policy], { clock, pauses: noPauses });
  return {
    create: async () => done(await service.get('createSigningKey').execute(grantPermit(), 'policy')),
    activate: (how = {}) => service.get('activateSigningKey').execute(grantPermit(), 'policy', how),
    waitFor: (ms: number) => void (clock.at = toInstant(millis(NOW) + ms)),
    ring: async () => (await service.get('signingKeyRings').policy.read()).ring,
    signer: async () => {
      const { keys } = await service.get('listVerificationKeys').execute();
      const { signature = '' } = await service.get('showClientConfig').execute();
      return verified(signature, keys)?.kid;
    },
  };
};

let shop: ReturnType<typeof aShop>;
beforeEach(() => {
  shop = aShop();
});

test('the next signing key signs the policy from its activation on, and the one before it can never sign again', async () => {
  const [first, second] = [await shop.create(), await shop.create()];
  expect(await shop.signer()).toBe(first.kid);
  shop.waitFor(LISTED_FOR_MS.policy);
  expect(done(await shop.activate())).toMatchObject({ kid: second.kid, current_from: '2026-11-21T08:10:00.000Z' });
  expect(await shop.signer()).toBe(second.kid);
  expect(await shop.ring()).toMatchObject([{ kid: first.kid, d: null }, { kid: second.kid }]);
});

test('a signing key that clients may not have listed yet is refused until ten minutes have gone', async () => {
  const first = await shop.create();
  const { kid } = await shop.create();
  shop.waitFor(LISTED_FOR_MS.policy - 1);
  expect(await shop.activate()).toMatchObject({
    ok: false,
    code: 'key_too_new',
    data: { kid, activates_from: '2026-11-21T08:10:00.000Z' },
  });
  expect(await shop.signer()).toBe(first.kid);
});

test('a signing key is activated early where the operator says that clients need not know it', async () => {
  const first = await shop.create();
  const { kid } = await shop.create();
  expect(await shop.signer()).toBe(first.kid);
  expect(done(await shop.activate({ unlisted: true })).kid).toBe(kid);
  expect(await shop.signer()).toBe(kid);
});

test('an activation without a next signing key is refused and changes nothing', async () => {
  expect(await shop.activate()).toMatchObject({ ok: false, code: 'no_next_key' });
  await shop.create();
  expect(await shop.activate()).toMatchObject({ ok: false, code: 'no_next_key' });
  expect((await shop.ring()).map(stateOf)).toEqual(['current']);
});

test('of two activations at once one finds no next signing key any more', async () => {
  await shop.create();
  await shop.create();
  shop.waitFor(LISTED_FOR_MS.policy);
  const outcomes = await Promise.all([shop.activate(), shop.activate()]);
  expect(outcomes.map((one) => (one.ok ? 'activated' : one.code)).toSorted()).toEqual(['activated', 'no_next_key']);
});
