import { createPublicKey, hash, verify } from 'node:crypto';
import { setImmediate as pause } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { FilesystemStoreFiles } from '../../../adapters/filesystem/store-files.ts';
import type { PublishWish } from '../../../application/operations/publish-release.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { objectKeyOf } from '../../../domain/delivery/object-key.ts';
import { NO_TERMS } from '../../../domain/delivery/sparkle-terms.ts';
import type { ReleaseEditor } from '../../../ports/outbound/releases.ts';
import type { Service } from '../../../runtimes/composition/service.ts';
import { anApp, aProduct, NOW } from '../../support/builders.ts';
import { aClock } from '../../support/fakes.ts';
import { memoryEngines } from '../../support/memory-engines.ts';
import { memoryService } from '../../support/service.ts';
import { aFolder } from '../../support/store-folder.ts';

let folder: string;
let service: Service;
let engines: ReturnType<typeof memoryEngines>;

beforeEach(async () => {
  folder = await aFolder({ 'tool.zip': 'tool', 'other.zip': 'other', 'empty.zip': '' });
  engines = memoryEngines();
  service = memoryService({ clock: aClock() }, engines);
  await service.get('catalogEditor').save({ kind: 'product', value: aProduct({ id: 1, slug: 'tool' }) });
  const app = aProduct({ id: 2, slug: 'app', version_scheme: 'sparkle' });
  await service.get('catalogEditor').save({ kind: 'product', value: app });
});

const publish = (wish: Partial<PublishWish> = {}) =>
  service.get('publishRelease').execute(grantPermit(), {
    product: 'tool',
    file: 'tool.zip',
    filename: wish.file ?? 'tool.zip',
    version: '1.0.0',
    channel: null,
    platform: null,
    build: null,
    notes_en: null,
    notes_ko: null,
    released_at: null,
    sparkle: {},
    deltas: [],
    signature: null,
    installation_type: null,
    files: new FilesystemStoreFiles(folder),
    ...wish,
  });

const stored = async (version = '1.0.0', productId = 1) =>
  (await service.get('releaseEditor').read(productId, version)).release;

describe('the publication of a release', () => {
  test('publishing makes a stable release dated now and stores and signs its file', async () => {
    const notes = { notes_en: 'New.', notes_ko: '새로움.' };
    expect(await publish({ version: 'v1.0', build: '7', ...notes })).toMatchObject({
      ok: true,
      value: { result: 'created' },
    });
    expect(await stored('1.0.0')).toMatchObject({ channel: 'stable', build: '7', released_at: NOW, ...notes });
    const [artifact] = (await stored())?.artifacts ?? [];
    expect(artifact).toMatchObject({ platform: null, filename: 'tool.zip', size: 4, format: 'zip' });
    expect(artifact?.signature).toMatch(/^[\w+/]{86}==$/);
    expect(await service.get('objects').stat(objectKeyOf(hash('sha256', 'tool')))).toMatchObject({ size: 4 });
  });

  test('publishing finds the product by its id as well as by its slug', async () => {
    expect(await publish({ product: '1' })).toMatchObject({ ok: true, value: { release: { product_id: 1 } } });
  });

  test('publishing the same file again changes nothing, even with fewer details', async () => {
    await publish({ channel: 'beta', build: '7', notes_en: 'New.' });
    const before = await stored();
    expect(await publish({ notes_en: 'New.' })).toMatchObject({ ok: true, value: { result: 'unchanged' } });
    expect(await stored()).toEqual(before);
  });

  test('blank notes are published as none', async () => {
    await publish({ notes_en: ' \n', notes_ko: '새로움.' });
    expect(await stored()).toMatchObject({ notes_en: null, notes_ko: '새로움.' });
  });

  test('a version is published for a moment, which its other files keep', async () => {
    const released_at = '2027-01-31T00:00:00.000Z';
    expect(await publish({ platform: 'linux-amd64', released_at })).toMatchObject({ value: { result: 'created' } });
    const mac = { file: 'other.zip', platform: 'darwin-arm64' } as const;
    expect(await publish({ ...mac, released_at: NOW })).toMatchObject({
      code: 'release_differs',
      message: expect.stringContaining(`published with release moment ${released_at}`),
    });
    expect(await publish(mac)).toMatchObject({ value: { result: 'platform_added' } });
    expect((await stored())?.released_at).toBe(released_at);
  });

  test('nothing is published into a withdrawn release, not even the file that it has', async () => {
    await publish();
    const change = { kind: 'withdraw', reason: 'It deletes files' } as const;
    await service.get('changeRelease').execute({ product: 'tool', version: '1.0.0', change });
    for (const wish of [{}, { file: 'other.zip', platform: 'linux-amd64' } as const]) {
      expect(await publish(wish)).toMatchObject({
        code: 'release_withdrawn',
        message:
          'Version 1.0.0 was withdrawn: It deletes files. Publish a new version, or offer this one again by "release restore".',
      });
    }
  });

  test('publishing another file for the same version and platform is refused', async () => {
    await publish();
    const before = await stored();
    expect(await publish({ file: 'other.zip' })).toMatchObject({ ok: false, code: 'version_exists' });
    expect(await stored()).toEqual(before);
    expect(await service.get('objects').stat(objectKeyOf(hash('sha256', 'other')))).toBeUndefined();
  });

  test('publishing another platform adds it to the release, which keeps its id', async () => {
    const first = await publish({ platform: 'linux-amd64' });
    const second = await publish({ file: 'other.zip', platform: 'darwin-arm64' });
    expect(second).toMatchObject({ ok: true, value: { result: 'platform_added' } });
    expect((await stored())?.artifacts.map(({ platform }) => platform)).toEqual(['linux-amd64', 'darwin-arm64']);
    expect((await stored())?.id).toBe(first.ok ? first.value.release.id : undefined);
  });

  test.each<Partial<PublishWish>>([
    { channel: 'beta' },
    { build: '8' },
    { notes_en: 'Other.' },
  ])('publishing into a release with other details is refused (%o)', async (other) => {
    await publish({ build: '7', notes_en: 'New.' });
    const refused = await publish({ file: 'other.zip', platform: 'linux-amd64', ...other });
    expect(refused).toMatchObject({ ok: false, code: 'release_differs' });
    expect((await stored())?.artifacts).toHaveLength(1);
  });

  test('publishing adds notes in a language that the release has none in', async () => {
    await publish({ notes_en: 'New.' });
    expect(await publish({ notes_ko: '새로움.' })).toMatchObject({ ok: true, value: { result: 'notes_added' } });
    expect(await stored()).toMatchObject({ notes_en: 'New.', notes_ko: '새로움.' });
  });

  test('publishing a version that ranks the same as a stored one counts as that version', async () => {
    await publish({ product: 'app', version: '1.0' });
    expect(await publish({ product: 'app', version: '1.0.0' })).toMatchObject({ value: { result: 'unchanged' } });
    expect(await publish({ product: 'app', version: '1.0.0', file: 'other.zip' })).toMatchObject({
      code: 'version_exists',
    });
    expect(await stored('1.0.0', 2)).toBeUndefined();
  });

  test('publishing several platforms at once puts all of them into one release', async () => {
    await Promise.all([
      publish({ platform: 'linux-amd64' }),
      publish({ file: 'other.zip', platform: 'linux-arm64' }),
      publish({ platform: 'darwin-arm64' }),
    ]);
    expect((await stored())?.artifacts).toHaveLength(3);
  });

  test('publishing two files for the same version at once accepts one of them', async () => {
    const outcomes = await Promise.all([publish(), publish({ file: 'other.zip' })]);
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    expect((await stored())?.artifacts).toHaveLength(1);
  });

  test.each<[string, Partial<PublishWish>, string]>([
    ['publishing for an unknown product', { product: '9' }, 'There is no product 9.'],
    [
      'publishing an invalid version',
      { version: '1.x' },
      '"1.x" is not a version of the scheme semver, which tool uses.',
    ],
    ['publishing a file that does not exist', { file: 'no.zip' }, 'There is no file no.zip.'],
    [
      'publishing a file outside the folder',
      { file: '../tool.zip', filename: 'tool.zip' },
      'There is no file ../tool.zip.',
    ],
    ['publishing an empty file', { file: 'empty.zip' }, 'The file empty.zip is empty.'],
    [
      'publishing under a file name with a slash',
      { filename: 'a/b' },
      'The file tool.zip has a name that no download can have; rename it.',
    ],
  ])('%s is refused', async (_, wish, message) => {
    expect(await publish(wish)).toMatchObject({ ok: false, message });
    expect(await stored()).toBeUndefined();
  });
});

describe('the publication of an application', () => {
  const app = (version: string, build: string | null, wish: Partial<PublishWish> = {}) =>
    publish({ product: 'memo', version, build, ...wish });

  beforeEach(async () => {
    await service.get('catalogEditor').save({ kind: 'product', value: anApp({ id: 3, slug: 'memo' }) });
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

  test.each<[string, string, Partial<PublishWish>, string]>([
    ['publishing the build of another version', '1.1', {}, 'build: version 1.0 has the build 100 already'],
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
  ])('%s is refused and stores nothing', async (_, version, wish, fault) => {
    const refused = await app(version, '100', { file: 'other.zip', ...wish });
    expect(refused).toMatchObject({ ok: false, code: 'breaks_feed' });
    expect(refused.ok ? '' : refused.message).toContain(`Version 1.1 would break the appcast of memo: ${fault}`);
    expect(await stored('1.1', 3)).toBeUndefined();
    expect(await service.get('objects').stat(objectKeyOf(hash('sha256', 'other')))).toBeUndefined();
  });

  test('publishing several versions with the same build at once accepts one of them', async () => {
    const editor = service.get('releaseEditor');
    const slowly: ReleaseEditor = {
      read: (productId, version) => editor.read(productId, version),
      released: async (productId) => {
        const released = await editor.released(productId);
        await pause();
        return released;
      },
      save: (release, read) => editor.save(release, read),
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
    const x = Buffer.from(service.get('artifactSigner').publicKey(), 'base64').toString('base64url');
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
    const signature = service.get('artifactSigner').sign(Buffer.from('tool'));
    expect(await app('1.1', '110', { signature })).toMatchObject({ ok: true });
    expect((await stored('1.1', 3))?.artifacts[0]?.signature).toBe(signature);
  });

  test.each([
    ['of another file', () => service.get('artifactSigner').sign(Buffer.from('tool'))],
    ['by another key', () => memoryEngines().artifactSigner.sign(Buffer.from('other'))],
    ['that is none', () => 'bm8gc2lnbmF0dXJl'],
  ])('publishing refuses a signature %s, and stores nothing', async (_, made) => {
    expect(await app('1.1', '110', { file: 'other.zip', signature: made() })).toMatchObject({
      code: 'wrong_signature',
      message: expect.stringContaining(service.get('artifactSigner').publicKey()),
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
