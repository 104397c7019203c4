import { hash } from 'node:crypto';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { FilesystemStoreFiles } from '../../../adapters/filesystem/store-files.ts';
import type { PublishInput } from '../../../application/delivery/releases.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { SPECIFIED_PLATFORMS } from '../../../domain/catalog/platform.ts';
import { objectKeyOf } from '../../../domain/delivery/object-key.ts';
import { NOW } from '../../support/builders.ts';
import { aPublisher } from '../../support/publisher.ts';

type Publisher = Awaited<ReturnType<typeof aPublisher>>;

let service: Publisher['service'];
let publish: Publisher['publish'];
let stored: Publisher['stored'];
let folder: string;

beforeEach(async () => {
  ({ service, publish, stored, folder } = await aPublisher());
});

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

  test('files of simultaneous publications are read and signed one after the other', async () => {
    const files = new FilesystemStoreFiles(folder);
    let [held, most] = [0, 0];
    const signer = service.get('artifactSigner');
    const sign = signer.sign.bind(signer);
    vi.spyOn(files, 'read').mockImplementation(async () => {
      most = Math.max(most, ++held);
      return Buffer.from('tool');
    });
    vi.spyOn(signer, 'sign').mockImplementation(async (...given) => sign(...given).finally(() => held--));
    await Promise.all(['1.0', '2.0', '3.0'].map((version) => publish({ version, files })));
    expect([held, most]).toEqual([0, 1]);
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

  test('publishing for one platform reports which platforms stay on an older version of the channel', async () => {
    await publish({ platform: 'linux-amd64' });
    await publish({ version: '1.5', channel: 'beta', file: 'other.zip', platform: 'linux-arm64' });
    const mac = { version: '2.0', file: 'other.zip', platform: 'darwin-arm64' } as const;
    const linux = { platform: 'linux-amd64', version: '1.0.0' };
    expect(await publish(mac)).toMatchObject({ value: { behind: [linux] } });
    expect(await publish({ ...mac, version: '2.1', channel: 'beta' })).toMatchObject({
      value: { behind: [{ platform: 'linux-arm64', version: '1.5.0' }, linux] },
    });
    expect(await publish({ ...mac, platform: 'linux-amd64' })).toMatchObject({ value: { behind: [] } });
    expect(await publish({ version: '3.0', platform: null })).toMatchObject({ value: { behind: [] } });
  });

  test('blank notes are published as missing', async () => {
    await publish({ notes_en: ' \n', notes_ko: '새로움.' });
    expect(await stored()).toMatchObject({ notes_en: null, notes_ko: '새로움.' });
  });

  test('a version is published for a date, which its other files keep', async () => {
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

  test('nothing can be published into a withdrawn release, not even its own file', async () => {
    await publish();
    const change = { kind: 'withdraw', reason: 'It deletes files' } as const;
    await service.get('changeRelease')(grantPermit(), { product: 'tool', version: '1.0.0', change });
    for (const input of [{}, { file: 'other.zip', platform: 'linux-amd64' } as const]) {
      expect(await publish(input)).toMatchObject({
        code: 'release_withdrawn',
        message:
          'Version 1.0.0 was withdrawn: It deletes files. Publish a new version, or offer this one again with "release restore".',
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

  test('after an installer for Windows is published, older neutral files no longer serve Windows', async () => {
    await publish({ version: '0.9' });
    expect(await publish({ platform: 'windows-amd64', file: 'other.zip', filename: 'Tool.MSI' })).toMatchObject({
      value: {
        artifact: { platform: 'windows-amd64', filename: 'Tool.MSI', format: 'msi' },
        behind: SPECIFIED_PLATFORMS.map((platform) => ({ platform, version: '0.9.0' })),
      },
    });
    const next = await publish({ version: '1.1', platform: 'linux-amd64' });
    expect(next.ok && next.value.behind).toContainEqual({ platform: 'windows-amd64', version: '1.0.0' });
  });

  test('a published file keeps the sums that updaters check', async () => {
    await publish();
    expect((await stored())?.artifacts[0]?.sums).toEqual({
      sha1: hash('sha1', 'tool'),
      sha512: hash('sha512', 'tool', 'base64'),
    });
  });

  test('a signature for the updater can be added to a published file, but not replaced', async () => {
    await publish();
    expect(await publish({ updater_signature: 'one' })).toMatchObject({ value: { result: 'signature_added' } });
    expect(await publish()).toMatchObject({ value: { result: 'unchanged' } });
    expect(await publish({ updater_signature: 'one' })).toMatchObject({ value: { result: 'unchanged' } });
    expect((await stored())?.artifacts[0]?.updater_signature).toBe('one');
    expect(await publish({ updater_signature: 'two' })).toMatchObject({
      code: 'release_differs',
      message: expect.stringContaining('another signature for the updater'),
    });
  });

  test.each<Partial<PublishInput>>([
    { channel: 'beta' },
    { build: '8' },
    { notes_en: 'Other.' },
  ])('publishing into a release with other details is refused (%o)', async (other) => {
    await publish({ build: '7', notes_en: 'New.' });
    const refused = await publish({ file: 'other.zip', platform: 'linux-amd64', ...other });
    expect(refused).toMatchObject({ ok: false, code: 'release_differs' });
    expect((await stored())?.artifacts).toHaveLength(1);
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

  test.each<[string, Partial<PublishInput>, string]>([
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
  ])('%s is refused', async (_, input, message) => {
    expect(await publish(input)).toMatchObject({ ok: false, message });
    expect(await stored()).toBeUndefined();
  });
});
