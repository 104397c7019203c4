import { beforeEach, describe, expect, test } from 'vitest';
import { sparkleKey } from '../../../adapters/crypto/artifact-signer.ts';
import type { PublishInput } from '../../../application/delivery/releases.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { anApp } from '../../support/builders.ts';
import { done } from '../../support/outcomes.ts';
import { aPublisher } from '../../support/publisher.ts';
import { readAppcast } from '../../support/read-appcast.ts';
import { type AppCopy, accepts } from '../../support/sparkle-validation.ts';

let shop: Awaited<ReturnType<typeof aPublisher>>;
beforeEach(async () => {
  shop = await aPublisher();
  await shop.service
    .get('catalogEditor')
    .save(grantPermit(), { kind: 'product', value: anApp({ id: 3, slug: 'memo' }) });
});

const app = (version: string, build: string, input: Partial<PublishInput> = {}) =>
  shop.publish({ product: 'memo', version, build, ...input });
const artifactOf = async (version: string) => {
  const [artifact] = (await shop.stored(version, 3))?.artifacts ?? [];
  if (!artifact) throw new Error(`There is no version ${version}.`);
  return artifact;
};
const ring = async () => (await shop.service.get('signingKeyRings').artifact.read()).ring;
const create = async () => done(await shop.service.get('createSigningKey')(grantPermit(), 'artifact')).kid;
const activate = async () => done(await shop.service.get('activateSigningKey')(grantPermit(), 'artifact')).kid;
const publicKeys = async () => (await ring()).map(sparkleKey) as [string, string];

/** The bytes of `tool.zip`, the same in every version of this test. */
const BYTES = Buffer.from('tool');
const APPLE = 'Developer ID';

/** True if a copy accepts the version, which has the key in its Info.plist. */
const takes = async (copy: AppCopy, version: string, embeds: string, archive = true): Promise<boolean> => {
  const { signature } = await artifactOf(version);
  return accepts(copy, { embeds, apple: APPLE, archive, bytes: BYTES, signature: signature ?? '' });
};

describe('a rotation of the key that signs files', () => {
  test('each file names the key that signed it and keeps its signature when the key changes', async () => {
    const [{ kid: first } = { kid: '' }] = await ring();
    await app('1.0', '100');
    const before = await artifactOf('1.0');
    expect(before.signed_by).toBe(first);
    const next = await create();
    await app('1.1', '110');
    expect((await artifactOf('1.1')).signed_by).toBe(first);
    await activate();
    await app('1.2', '120', { deltas: [{ from_build: '110', file: 'other.zip', filename: 'memo-110.delta' }] });
    expect(await artifactOf('1.2')).toMatchObject({ signed_by: next, deltas: [{ signed_by: next }] });
    expect(await artifactOf('1.0')).toEqual(before);
    expect(await app('1.0', '100')).toMatchObject({ value: { result: 'unchanged' } });
  });

  test('an application signed by Apple’s certificate accepts the next key with any version', async () => {
    await create();
    const [old, anew] = await publicKeys();
    await activate();
    await app('1.1', '110');
    const [inTheField, unsigned] = [
      { embeds: old, apple: APPLE },
      { embeds: old, apple: null },
    ];
    expect(await takes(inTheField, '1.1', anew)).toBe(true);
    expect(await takes({ embeds: anew, apple: APPLE }, '1.1', anew)).toBe(true);
    expect(await takes(unsigned, '1.1', anew)).toBe(false);
    // The application's developer forgot the new key.
    expect(await takes(inTheField, '1.1', old)).toBe(false);
    // Sparkle verifies packages and patches before it opens them.
    expect(await takes(inTheField, '1.1', anew, false)).toBe(false);
  });

  test('a package accepts the next key only in a version signed by the previous key', async () => {
    const next = await create();
    const [old, anew] = await publicKeys();
    await app('1.1', '110');
    const [before, bridged] = [
      { embeds: old, apple: null },
      { embeds: anew, apple: null },
    ];
    expect(await takes(before, '1.1', anew, false)).toBe(true);
    // From now on, this application needs the next key, although others do not know it yet.
    await app('1.2', '120');
    expect(await takes(bridged, '1.2', anew, false)).toBe(false);
    await app('1.3', '130', { sign_with: next });
    expect((await artifactOf('1.3')).signed_by).toBe(next);
    expect(await takes(bridged, '1.3', anew, false)).toBe(true);
  });

  test('publishing with an unknown or retired key is refused and stores nothing', async () => {
    const [{ kid: old } = { kid: '' }] = await ring();
    await create();
    await activate();
    for (const kid of [old, 'unknown']) {
      expect(await app('1.1', '110', { sign_with: kid })).toMatchObject({
        code: 'no_such_key',
        message: expect.stringContaining(kid),
      });
    }
    expect(await shop.stored('1.1', 3)).toBeUndefined();
  });

  test('publishing keeps an externally made signature of an old key', async () => {
    const signer = shop.service.get('artifactSigner');
    const made = await signer.sign(BYTES);
    await create();
    await activate();
    await app('1.1', '110', { signature: made.signature });
    expect(await artifactOf('1.1')).toMatchObject(made);
  });

  test('the appcast has each version’s signature by the key of its time', async () => {
    await app('1.0', '100');
    await create();
    await activate();
    await app('1.1', '110');
    const { service } = shop;
    const xml = done(await service.get('showAppcast')({ caller: null, product_id: 3, channel: null }));
    const keys = await publicKeys();
    const verifying = readAppcast(xml).map(({ version, enclosure }) => {
      const update = { bytes: BYTES, signature: enclosure.signature ?? '', archive: false, embeds: '', apple: null };
      return [version, keys.map((embeds) => accepts({ embeds, apple: null }, update))];
    });
    expect(Object.fromEntries(verifying)).toEqual({ 100: [true, false], 110: [false, true] });
  });
});
