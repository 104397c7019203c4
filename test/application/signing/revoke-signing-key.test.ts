import { beforeEach, expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { policy, signing } from '../../../runtimes/composition/areas/policy.ts';
import { bootstrap } from '../../../runtimes/composition/bootstrap.ts';
import { aClock, noPauses } from '../../support/fakes.ts';
import { memoryEngines, SETTINGS } from '../../support/memory-engines.ts';
import { done } from '../../support/outcomes.ts';
import { verified } from '../../support/signing-keys.ts';

const aShop = () => {
  const service = bootstrap(SETTINGS, memoryEngines(), [policy, signing], { clock: aClock(), pauses: noPauses });
  return {
    create: async () => done(await service.get('createSigningKey')(grantPermit(), 'policy')).kid,
    activate: () => service.get('activateSigningKey')(grantPermit(), 'policy', { unlisted: true }),
    revoke: (kid: string) => service.get('revokeSigningKey')(grantPermit(), 'policy', kid),
    kids: async () => (await service.get('signingKeyRings').policy.read()).ring.map(({ kid }) => kid),
    signature: async () => (await service.get('showClientConfig')()).signature ?? '',
    check: async (signature: string) => verified(signature, (await service.get('listVerificationKeys')()).keys)?.kid,
  };
};

let shop: ReturnType<typeof aShop>;
beforeEach(() => {
  shop = aShop();
});

test('clients no longer accept signatures of a revoked signing key', async () => {
  const old = await shop.create();
  const signed = await shop.signature();
  const current = await shop.create();
  await shop.activate();
  expect(await shop.check(signed)).toBe(old);
  expect(done(await shop.revoke(old))).toMatchObject({ kid: current });
  expect(await shop.check(signed)).toBeUndefined();
  expect(await shop.kids()).toEqual([current]);
});

test('the next signing key replaces a revoked one at once, however new it is', async () => {
  const leaked = await shop.create();
  const next = await shop.create();
  expect(done(await shop.revoke(leaked))).toMatchObject({ kid: next });
  expect(await shop.check(await shop.signature())).toBe(next);
});

test('a next signing key can be revoked before it ever signed', async () => {
  const current = await shop.create();
  const next = await shop.create();
  expect(done(await shop.revoke(next))).toMatchObject({ kid: current });
  expect(await shop.kids()).toEqual([current]);
});

test('the current signing key can’t be revoked while nothing can replace it', async () => {
  const only = await shop.create();
  expect(await shop.revoke(only)).toMatchObject({ ok: false, code: 'no_next_key' });
  expect(await shop.check(await shop.signature())).toBe(only);
});

test('a signing key that does not exist cannot be revoked', async () => {
  const only = await shop.create();
  expect(await shop.revoke('unknown')).toMatchObject({ ok: false, code: 'key_not_found' });
  expect(await shop.kids()).toEqual([only]);
});
