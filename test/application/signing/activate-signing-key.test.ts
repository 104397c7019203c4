import { beforeEach, expect, test } from 'vitest';
import { MemorySigningKeyRings } from '../../../adapters/memory/memory-signing-key-rings.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { millis, toInstant } from '../../../domain/shared/instant.ts';
import { LISTED_FOR_MS } from '../../../domain/signing/key-use.ts';
import { stateIn } from '../../../domain/signing/signing-key-ring.ts';
import { policy, signing } from '../../../runtimes/composition/areas/policy.ts';
import { bootstrap } from '../../../runtimes/composition/bootstrap.ts';
import { memoryKeyRings } from '../../../runtimes/engines/signing-keys.ts';
import { NOW } from '../../support/builders.ts';
import { aClock, noPauses } from '../../support/fakes.ts';
import { memoryEngines, SETTINGS } from '../../support/memory-engines.ts';
import { done } from '../../support/outcomes.ts';
import { verified } from '../../support/signing-keys.ts';

const aShop = () => {
  const clock = aClock();
  const service = bootstrap(SETTINGS, memoryEngines(), [policy, signing], { clock, pauses: noPauses });
  return {
    create: async () => done(await service.get('createSigningKey')(grantPermit(), 'policy')),
    activate: (how = {}) => service.get('activateSigningKey')(grantPermit(), 'policy', how),
    waitFor: (ms: number) => void (clock.at = toInstant(millis(NOW) + ms)),
    ring: async () => (await service.get('signingKeyRings').policy.read()).ring,
    signer: async () => {
      const { keys } = await service.get('listVerificationKeys')();
      const { signature = '' } = await service.get('showClientConfig')();
      return verified(signature, keys)?.kid;
    },
  };
};

let shop: ReturnType<typeof aShop>;
beforeEach(() => {
  shop = aShop();
});

test('the next signing key signs the policy after its activation, and the previous one can never sign again', async () => {
  const [first, second] = [await shop.create(), await shop.create()];
  expect(await shop.signer()).toBe(first.kid);
  shop.waitFor(LISTED_FOR_MS.policy);
  expect(done(await shop.activate())).toMatchObject({ kid: second.kid, current_from: '2026-11-21T08:10:00.000Z' });
  expect(await shop.signer()).toBe(second.kid);
  expect(await shop.ring()).toMatchObject([{ kid: first.kid, d: null }, { kid: second.kid }]);
});

test('an activation waits until every instance knows the key, and then deletes the previous key', async () => {
  const clock = aClock();
  const rings = new MemorySigningKeyRings([], 60_000);
  const seen: unknown[] = [];
  const ring = async () => (await rings.read()).ring;
  const until = async (moment: string) => {
    seen.push(
      moment,
      (await ring()).map(({ d }) => d !== null),
    );
    clock.at = moment;
  };
  const engines = { ...memoryEngines(), signingKeyRings: { ...memoryKeyRings(), license: rings } };
  const service = bootstrap(SETTINGS, engines, [policy, signing], { clock, pauses: { ...noPauses, until } });
  const create = async () => done(await service.get('createSigningKey')(grantPermit(), 'license'));
  await create();
  const { kid } = await create();
  clock.at = toInstant(millis(NOW) + LISTED_FOR_MS.license);
  const scheduled = (...told: unknown[]) => void seen.push(told);
  const activated = done(await service.get('activateSigningKey')(grantPermit(), 'license', { scheduled }));
  expect(activated).toMatchObject({ kid, state: 'current', current_from: '2026-11-21T08:12:00.000Z' });
  expect(seen).toEqual([[kid, '2026-11-21T08:12:00.000Z'], '2026-11-21T08:12:00.000Z', [true, true]]);
  expect((await ring()).map(({ d }) => d !== null)).toEqual([false, true]);
});

test('a signing key that clients may not know yet is refused for ten minutes', async () => {
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

test('a signing key is activated early if the operator accepts that clients may not know it', async () => {
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
  const ring = await shop.ring();
  expect(ring.map((key) => stateIn(ring, key, NOW))).toEqual(['current']);
});

test('of two simultaneous activations, one finds no next signing key', async () => {
  await shop.create();
  await shop.create();
  shop.waitFor(LISTED_FOR_MS.policy);
  const outcomes = await Promise.all([shop.activate(), shop.activate()]);
  expect(outcomes.map((one) => (one.ok ? 'activated' : one.code)).toSorted()).toEqual(['activated', 'no_next_key']);
});
