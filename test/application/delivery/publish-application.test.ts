import { createPublicKey, hash, verify } from 'node:crypto';
import { setImmediate as pause } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { Ed25519ArtifactSigner } from '../../../adapters/crypto/artifact-signer.ts';
import type { PublishInput } from '../../../application/delivery/releases.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { objectKeyOf } from '../../../domain/delivery/object-key.ts';
import { NO_TERMS } from '../../../domain/delivery/sparkle-terms.ts';
import type { ReleaseEditor } from '../../../ports/outbound/delivery.ts';
import { memoryKeyRings } from '../../../runtimes/engines/signing-keys.ts';
import { anApp } from '../../support/builders.ts';
import { aClock } from '../../support/fakes.ts';
import { aPublisher } from '../../support/publisher.ts';
import { memoryService } from '../../support/service.ts';

type Publisher = Awaited<ReturnType<typeof aPublisher>>;

let service: Publisher['service'];
let engines: Publisher['engines'];
let publish: Publisher['publish'];
let stored: Publisher['stored'];

beforeEach(async () => {
  ({ service, engines, publish, stored } = await aPublisher());
});

describe('the publication of an application', () => {
  const app = (version: string, build: string | null, input: Partial<PublishInput> = {}) =>
    publish({ product: 'memo', version, build, ...input });

  beforeEach(async () => {
    await service.get('catalogEditor').save(grantPermit(), { kind: 'product', value: anApp({ id: 3, slug: 'memo' }) });
    await app('1.0', '100');
  });

  test('publishing an application requires the build number for its appcast', async () => {
    expect(await app('1.1', null)).toMatchObject({
      code: 'build_required',
      message: 'memo is updated by an appcast, which needs the build number (CFBundleVersion) of version 1.1.',
    });
    expect(await app('1.1', null, { platform: 'linux-amd64' })).toMatchObject({ ok: true });
    expect(await publish({ version: '1.1' })).toMatchObject({ ok: true });
  });

  test.each<[string, string, Partial<PublishInput>, string]>([
    ['publishing the build of another version', '1.1', {}, 'build: version 1.0 already has the build 100'],
    [
      'publishing a build below the one of an older version',
      '1.1',
      { build: '99' },
      'build: version 1.1 has the build 99, which Sparkle takes',
    ],
    [
      'publishing for an invalid system',
      '1.1',
      { build: '110', sparkle: { minimum_system_version: 'x' } },
      'sparkle.minimum_system_version:',
    ],
    [
      'publishing a patch from the release’s own build',
      '1.1',
      { build: '110', deltas: [{ from_build: '110', file: 'other.zip', filename: 'a.delta' }] },
      'artifacts.0.deltas.0.from_build:',
    ],
    [
      'publishing an informational update without a page',
      '1.1',
      { build: '110', sparkle: { informational: { versions: [], below_version: null } } },
      'sparkle.link:',
    ],
  ])('%s is refused and stores nothing', async (_, version, input, fault) => {
    const refused = await app(version, '100', { file: 'other.zip', ...input });
    expect(refused).toMatchObject({ ok: false, code: 'breaks_feed' });
    expect(refused.ok ? '' : refused.message).toContain(`Version 1.1 would break the appcast of memo: ${fault}`);
    expect(await stored('1.1', 3)).toBeUndefined();
    expect(await service.get('objects').stat(objectKeyOf(hash('sha256', 'other')))).toBeUndefined();
  });

  test('publishing several versions with the same build at once accepts one of them', async () => {
    const editor = service.get('releaseEditor');
    const slowly: ReleaseEditor = {
      read: (product_id, version) => editor.read(product_id, version),
      released: async (product_id) => {
        const released = await editor.released(product_id);
        await pause();
        return released;
      },
      save: (permit, release, read) => editor.save(permit, release, read),
    };
    service = memoryService({ clock: aClock(), releaseEditor: slowly }, engines);
    const outcomes = await Promise.all(['1.1', '1.2', '1.3', '1.4'].map((version) => app(version, '110')));
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    expect(outcomes.filter((outcome) => !outcome.ok && outcome.code === 'breaks_feed')).toHaveLength(3);
  });

  test('publishing keeps the Sparkle terms and refuses other terms for the same version', async () => {
    const sparkle = { minimum_system_version: '13.0', critical: { below_version: '100' } };
    expect(await app('1.1', '110', { sparkle })).toMatchObject({ value: { result: 'created' } });
    expect((await stored('1.1', 3))?.sparkle).toEqual({ ...NO_TERMS, ...sparkle });
    expect(await app('1.1', null, { sparkle })).toMatchObject({ value: { result: 'unchanged' } });
    expect(await app('1.1', null, { sparkle: { link: 'https://a' } })).toMatchObject({ code: 'release_differs' });
    expect(await app('1.0', null, { sparkle })).toMatchObject({ code: 'release_differs' });
  });

  test('publishing signs the file and its patches with the published artifact key', async () => {
    const deltas = [{ from_build: '100', file: 'other.zip', filename: 'memo-100.delta' }];
    await app('1.1', '110', { deltas });
    const [artifact] = (await stored('1.1', 3))?.artifacts ?? [];
    const x = Buffer.from(await service.get('artifactSigner').publicKey(), 'base64').toString('base64url');
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    const [patch] = artifact?.deltas ?? [];
    expect(patch).toMatchObject({ from_build: '100', filename: 'memo-100.delta', size: 5 });
    for (const [bytes, file] of [
      ['tool', artifact],
      ['other', patch],
    ] as const) {
      expect(verify(null, Buffer.from(bytes), key, Buffer.from(file?.signature as string, 'base64'))).toBe(true);
    }
  });

  test('publishing adds patches to a published version and never replaces one', async () => {
    const from = (from_build: string, file: string) => ({ deltas: [{ from_build, file, filename: 'a.delta' }] });
    await app('1.1', '110', from('100', 'other.zip'));
    expect(await app('1.1', null, from('90', 'tool.zip'))).toMatchObject({ value: { result: 'patches_added' } });
    expect(await app('1.1', null, from('90', 'tool.zip'))).toMatchObject({ value: { result: 'unchanged' } });
    expect(await app('1.1', null, from('90', 'other.zip'))).toMatchObject({ code: 'version_exists' });
    const [artifact] = (await stored('1.1', 3))?.artifacts ?? [];
    expect(artifact?.deltas?.map(({ from_build }) => from_build).toSorted()).toEqual(['100', '90']);
  });

  test('publishing refuses a file that Sparkle can’t install, and stores nothing', async () => {
    expect(await app('1.1', '110', { filename: 'notes.txt' })).toMatchObject({
      code: 'breaks_feed',
      message: expect.stringContaining('Sparkle can’t install "notes.txt"'),
    });
    expect(await app('1.1', '110', { filename: 'notes.txt', platform: 'linux-amd64' })).toMatchObject({ ok: true });
  });

  test('publishing keeps the signature that sign_update made with the store’s key', async () => {
    const { signature } = await service.get('artifactSigner').sign(Buffer.from('tool'));
    expect(await app('1.1', '110', { signature })).toMatchObject({ ok: true });
    expect((await stored('1.1', 3))?.artifacts[0]?.signature).toBe(signature);
  });

  test.each([
    ['of another file', () => service.get('artifactSigner').sign(Buffer.from('tool'))],
    ['by another key', () => new Ed25519ArtifactSigner(memoryKeyRings().artifact).sign(Buffer.from('other'))],
    ['that is none', async () => ({ signature: 'bm8gc2lnbmF0dXJl' })],
  ])('publishing refuses a signature %s, and stores nothing', async (_, made) => {
    expect(await app('1.1', '110', { file: 'other.zip', ...(await made()) })).toMatchObject({
      code: 'wrong_signature',
      message: expect.stringContaining(await service.get('artifactSigner').publicKey()),
    });
    expect(await stored('1.1', 3)).toBeUndefined();
    expect(await service.get('objects').stat(objectKeyOf(hash('sha256', 'other')))).toBeUndefined();
  });

  test('publishing keeps the installation type of an archived package and refuses another one for the same file', async () => {
    await app('1.1', '110', { installation_type: 'package' });
    expect((await stored('1.1', 3))?.artifacts[0]?.installation_type).toBe('package');
    expect(await app('1.1', null)).toMatchObject({ value: { result: 'unchanged' } });
    expect(await app('1.1', null, { installation_type: 'package' })).toMatchObject({ value: { result: 'unchanged' } });
    expect(await app('1.1', null, { installation_type: 'interactive-package' })).toMatchObject({
      code: 'release_differs',
      message: expect.stringContaining('installation type package'),
    });
  });
});
