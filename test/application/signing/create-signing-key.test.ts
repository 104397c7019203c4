import { expect, test } from 'vitest';
import { MemorySigningKeyRings } from '../../../adapters/memory/memory-signing-key-rings.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { MAX_KEYS, stateIn } from '../../../domain/signing/signing-key-ring.ts';
import { policy, signing } from '../../../runtimes/composition/areas/policy.ts';
import { bootstrap } from '../../../runtimes/composition/bootstrap.ts';
import { memoryKeyRings } from '../../../runtimes/engines/signing-keys.ts';
import { NOW } from '../../support/builders.ts';
import { aClock, noPauses } from '../../support/fakes.ts';
import { memoryEngines, SETTINGS } from '../../support/memory-engines.ts';
import { done } from '../../support/outcomes.ts';

const aShop = (policyRings = new MemorySigningKeyRings()) => {
  const signingKeyRings = { ...memoryKeyRings(), policy: policyRings };
  const engines = { ...memoryEngines(), signingKeyRings };
  const service = bootstrap(SETTINGS, engines, [policy, signing], { clock: aClock(), pauses: noPauses });
  return {
    create: () => service.get('createSigningKey')(grantPermit(), 'policy'),
    activate: () => service.get('activateSigningKey')(grantPermit(), 'policy', { unlisted: true }),
    ring: async () => (await policyRings.read()).ring,
  };
};

test('the first signing key is used at once, and the second waits as the next', async () => {
  const { create, ring } = aShop();
  expect(done(await create())).toMatchObject({ created_at: NOW, current_from: NOW });
  expect(done(await create())).toMatchObject({ created_at: NOW, current_from: null });
  const keys = await ring();
  expect(keys.map((key) => stateIn(keys, key, NOW))).toEqual(['current', 'next']);
});

test('a third signing key is refused while the next one waits', async () => {
  const { create, ring } = aShop();
  await create();
  const next = done(await create());
  const before = await ring();
  expect(await create()).toMatchObject({
    ok: false,
    code: 'next_key_exists',
    message: expect.stringContaining(next.kid),
  });
  expect(await ring()).toEqual(before);
});

test('a signing key is refused above the maximum number of keys', async () => {
  const { create, activate, ring } = aShop();
  for (let n = 0; n < MAX_KEYS; n++) {
    done(await create());
    if (n > 0) done(await activate());
  }
  expect(await create()).toMatchObject({ ok: false, code: 'too_many_keys' });
  expect(await ring()).toHaveLength(MAX_KEYS);
});

test('two of several simultaneous creations succeed, with the current and the next key', async () => {
  const rings = new MemorySigningKeyRings();
  const made = await Promise.all(Array.from({ length: 5 }, () => aShop(rings).create()));
  expect(made.filter(({ ok }) => ok)).toHaveLength(2);
  const { ring } = await rings.read();
  expect(ring.map(({ current_from }) => current_from)).toEqual([NOW, null]);
});
