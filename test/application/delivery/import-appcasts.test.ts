import { beforeEach, describe, expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { feedFaults } from '../../../domain/delivery/feed-faults.ts';
import { sparkleOrder } from '../../../domain/delivery/version-order.ts';
import type { Service } from '../../../runtimes/composition/bootstrap.ts';
import { memoryService } from '../../support/service.ts';
import { aFolder, faultLines, importInto, productEntry, releaseEntry } from '../../support/store-folder.ts';

let folder: string;
let service: Service;

beforeEach(async () => {
  folder = await aFolder({
    'tool.zip': 'tool',
    'other.zip': 'other',
    'empty.zip': '',
    'a.delta': 'patch',
    'b.delta': 'other patch',
    'notes.txt': 'notes',
  });
  service = memoryService();
});

const load = (parts: object) => importInto(service, folder, parts);
const faultsOf = async (parts: object): Promise<string[]> => {
  const outcome = await load(parts);
  return outcome.ok ? [] : faultLines(outcome);
};
const app = productEntry({ id: 1, slug: 'memo', version_scheme: 'sparkle', delivery: { strategy: 'macos-app' } });
const release = (id: number, version: string, build: string | null, more: object = {}) =>
  releaseEntry({ id, version, build, ...more });
const patched = (...deltas: object[]) => ({ artifacts: [{ file: 'tool.zip', deltas }] });
const stored = async (version: string) => (await service.get('releaseEditor').read(1, version)).release;

describe('an import of applications', () => {
  test('an import keeps the feed access, the Sparkle terms and the signed patches of an application', async () => {
    const sparkle = { minimum_system_version: '13', critical: {}, phased_rollout_interval: 86_400 };
    const parts = {
      products: [{ ...app, feed: 'entitled' }],
      releases: [
        release(1, '1.0', '100', { sparkle, ...patched({ from_build: '90', file: 'other.zip', filename: 'a.delta' }) }),
      ],
    };
    expect(await load(parts)).toMatchObject({ ok: true });
    expect(await load(parts)).toMatchObject({
      ok: true,
      value: { releases: { unchanged: 1 }, products: { unchanged: 1 } },
    });
    expect((await service.get('catalogs').current()).products.get(1)?.feed).toBe('entitled');
    const one = await stored('1.0');
    expect(one?.sparkle).toMatchObject({ minimum_system_version: '13', critical: { below_version: null }, link: null });
    expect(one?.artifacts[0]?.deltas).toMatchObject([{ from_build: '90', filename: 'a.delta', size: 5 }]);
    expect(one && feedFaults(one, [], sparkleOrder())).toEqual([]);
    expect(one?.artifacts[0]?.deltas?.[0]?.signature).toMatch(/^[\w+/]{86}==$/);
  });

  test('an import stores the installation type of a package and removes it with the document', async () => {
    const packaged = { artifacts: [{ file: 'tool.zip', installation_type: 'package' }] };
    await load({ products: [app], releases: [release(1, '1.0', '100', packaged)] });
    expect((await stored('1.0'))?.artifacts[0]?.installation_type).toBe('package');
    expect(await load({ releases: [release(1, '1.0', '100', packaged)] })).toMatchObject({
      value: { releases: { unchanged: 1 } },
    });
    await load({ releases: [release(1, '1.0', '100', { artifacts: [{ file: 'tool.zip' }] })] });
    expect((await stored('1.0'))?.artifacts[0]).not.toHaveProperty('installation_type');
  });

  test('an import stores checksums, and keeps an updater signature that a later document omits', async () => {
    const updater_signature = 'dW50cnVzdGVkIGNvbW1lbnQ6IG9uZQ==';
    const signed = { artifacts: [{ file: 'tool.zip', updater_signature }] };
    await load({ products: [app], releases: [release(1, '1.0', '100', signed)] });
    await load({ releases: [release(1, '1.0', '100', { artifacts: [{ file: 'tool.zip' }] })] });
    expect((await stored('1.0'))?.artifacts[0]).toMatchObject({
      updater_signature,
      sums: { sha1: expect.stringMatching(/^[0-9a-f]{40}$/), sha512: expect.stringMatching(/^[\w+/]{86}==$/) },
    });
    const wrong = { artifacts: [{ file: 'tool.zip', updater_signature: 'RWQ=' }] };
    expect(await faultsOf({ products: [app], releases: [release(1, '1.0', '100', wrong)] })).toEqual([
      expect.stringContaining('must be the content of a .sig file'),
    ]);
  });

  test('an import without feed members has no faults and stores no such members', async () => {
    const parts = { products: [app], releases: [release(1, '1.0', null), release(2, '1.1', null)] };
    expect(await faultsOf(parts)).toEqual([]);
    expect(await stored('1.0')).not.toHaveProperty('sparkle');
    expect((await stored('1.0'))?.artifacts[0]).not.toHaveProperty('deltas');
  });

  test('an import keeps unnamed patches and refuses another patch from the same build', async () => {
    const with_ = (...deltas: object[]) => ({
      products: [app],
      releases: [release(1, '1.0', '100', patched(...deltas))],
    });
    await load(with_({ from_build: '90', file: 'a.delta' }));
    await load({ releases: [release(1, '1.0', '100')] });
    await load(with_({ from_build: '91', file: 'b.delta' }));
    expect((await stored('1.0'))?.artifacts[0]?.deltas?.map(({ from_build }) => from_build)).toEqual(['91', '90']);
    expect(await faultsOf(with_({ from_build: '90', file: 'b.delta' }))).toEqual([
      expect.stringContaining('releases.0.artifacts.0.deltas.0.file: this version has another patch from build 90'),
    ]);
  });

  test.each<[string, object[], string[]]>([
    [
      'duplicate builds',
      [release(1, '1.0', '100'), release(2, '1.1', '100.0')],
      ['releases.1.build: version 1.0 already has the build 100'],
    ],
    [
      'builds that fall while versions rise',
      [release(1, '1.1', '100'), release(2, '1.0', '110', { channel: 'beta' })],
      [
        'releases.1.build: version 1.1 has the build 100, which Sparkle takes for older than the 110 of version 1.0; first publish a later version in the channel stable with a build above 110, or withdraw version 1.1, or give version 1.0 a build below 100',
      ],
    ],
    [
      'systems that exclude each other',
      [release(1, '1.0', '1', { sparkle: { minimum_system_version: '14', maximum_system_version: '13' } })],
      ['releases.0.sparkle.maximum_system_version: no system is at least 14 and at most 13'],
    ],
    [
      'files that Sparkle can’t install',
      [
        release(1, '1.0', '1', { artifacts: [{ file: 'notes.txt' }] }),
        release(2, '1.1', '2', { artifacts: [{ file: 'tool.zip', deltas: [{ from_build: '1', file: 'other.zip' }] }] }),
        release(3, '1.2', '3', { artifacts: [{ file: 'notes.txt', filename: 'App.zip' }] }),
        release(4, '1.3', null, { artifacts: [{ file: 'notes.txt' }] }),
        release(5, '1.4', '5', { artifacts: [{ file: 'tool.zip' }, { file: 'notes.txt', platform: 'linux-amd64' }] }),
      ],
      [
        'releases.0.artifacts.0: Sparkle can’t install "notes.txt"; the name must end in .zip, .dmg, .tar, .tar.gz, .tgz, .tar.bz2, .tbz, .tar.xz, .txz, .tar.lzma, .aar, .yaa, .pkg or .mpkg, in lower case',
        'releases.1.artifacts.0.deltas.0: "other.zip" is not a Sparkle patch, whose name ends in .delta',
      ],
    ],
    [
      'a patch whose name no download can have',
      [release(1, '1.0', '1', patched({ from_build: '0', file: 'one.delta', filename: 'a/b.delta' }))],
      ['releases.0.artifacts.0.deltas.0.filename: must be a file name without slashes and control characters'],
    ],
    [
      'invalid patches',
      [
        release(
          1,
          '1.0',
          '1',
          patched({ from_build: '1', file: 'no.delta' }, { from_build: '0', file: 'empty.zip', filename: 'b.delta' }),
        ),
      ],
      [
        'releases.0.artifacts.0.deltas.0.from_build: a patch from build 1 can’t lead to build 1, which isn’t newer',
        'releases.0.artifacts.0.deltas.0.file: there is no file "no.delta" in the document’s folder',
        'releases.0.artifacts.0.deltas.1.file: "empty.zip" is empty',
      ],
    ],
  ])('an import names the faults of %s and stores nothing', async (_, releases, faults) => {
    expect(await faultsOf({ products: [app], releases })).toEqual(faults);
    expect(await stored('1.0')).toBeUndefined();
  });

  test('an import checks new releases against the stored ones', async () => {
    await load({ products: [app], releases: [release(1, '1.0', '100')] });
    expect(await faultsOf({ releases: [release(2, '1.1', '99')] })).toEqual([
      expect.stringContaining('releases.0.build: version 1.1 has the build 99'),
    ]);
    expect(await faultsOf({ releases: [release(2, '1.1', '110')] })).toEqual([]);
    expect(await faultsOf({ releases: [release(1, '1.0', '105')] })).toEqual([]);
  });

  test('an import accepts builds that fall where a later release of the document outranks both', async () => {
    const beta = { channel: 'beta', released_at: '2026-01-10T00:00:00.000Z' };
    const releases = [
      release(1, '1.1', '200', { released_at: '2026-01-01T00:00:00.000Z' }),
      release(3, '1.1.1', '210', { released_at: '2026-01-20T00:00:00.000Z' }),
      release(2, '1.2b1', '205', beta),
      release(4, '1.2b2', '211', beta),
    ];
    expect(await faultsOf({ products: [app], releases: releases.slice(0, 3) })).toEqual([
      expect.stringContaining('releases.2.build: version 1.2b1 has the build 205'),
    ]);
    expect(await faultsOf({ products: [app], releases })).toEqual([]);
    const narrowed = release(4, '1.2b2', '211', { ...beta, sparkle: { minimum_system_version: '14' } });
    expect(await faultsOf({ releases: [narrowed] })).toEqual([
      expect.stringContaining('releases.0: after this change, version 1.2b1 has the build 205'),
    ]);
  });

  test('an import ignores the order of builds when the product has no feed', async () => {
    const releases = [release(1, '1.0', '2'), release(2, '1.1', '1')];
    expect(await faultsOf({ products: [productEntry({ id: 1 })], releases })).toEqual([]);
  });

  test('an import can’t give stored releases an appcast that they would break', async () => {
    const releases = [
      release(1, '1.0', '1', { artifacts: [{ file: 'notes.txt' }] }),
      release(2, '1.1', '3'),
      release(3, '1.2', '2'),
      release(4, '1.3', null, { artifacts: [{ file: 'notes.txt' }] }),
    ];
    const plain = productEntry({ id: 1, slug: 'memo', version_scheme: 'sparkle' });
    expect(await faultsOf({ products: [plain], releases })).toEqual([]);
    const inAppcast = 'products.0.delivery.strategy: as macos-app the product has an appcast, which';
    expect(await faultsOf({ products: [app] })).toEqual([
      expect.stringContaining(`${inAppcast} version 1.0 would break: artifacts.0: Sparkle can’t install "notes.txt"`),
      expect.stringContaining(`${inAppcast} version 1.2 would break: build: version 1.2 has the build 2`),
    ]);
    const withdrawn = { at: '2026-01-01T00:00:00.000Z', reason: 'It is a text.' };
    const mended = [{ ...releases[0], withdrawn }, release(3, '1.2', '4')];
    expect(await faultsOf({ products: [app], releases: mended })).toEqual([]);
  });

  test('an import withdraws a release that outranks two others, as the command does, and can be repeated', async () => {
    const beta = { channel: 'beta', released_at: '2026-01-10T00:00:00.000Z' };
    const pair = [
      release(2, '1.2b1', '205', beta),
      release(3, '1.1.1', '210', { released_at: '2026-01-20T00:00:00.000Z' }),
    ];
    const above = release(4, '1.2b2', '211', beta);
    const taken = (at: string) => ({ ...above, withdrawn: { at, reason: 'It deletes files.' } });
    const later = taken('2026-01-30T00:00:00.000Z');
    expect(await faultsOf({ products: [app], releases: [...pair, above] })).toEqual([]);
    expect(await faultsOf({ releases: [later] })).toEqual([]);
    expect(await faultsOf({ releases: pair })).toEqual([]);
    service = memoryService();
    expect(await faultsOf({ products: [app], releases: [...pair, later] })).toEqual([]);
    service = memoryService();
    const wrong = expect.stringContaining('releases.1.build: version 1.2b1 has the build 205');
    expect(await faultsOf({ products: [app], releases: [...pair, taken('2026-01-15T00:00:00.000Z')] })).toEqual([
      wrong,
    ]);
  });

  test('an import that leaves a faulty pair unchanged is accepted, and one that changes its builds is refused', async () => {
    const beta = { channel: 'beta', released_at: '2026-01-10T00:00:00.000Z' };
    const hotfix = release(3, '1.1.1', '210', { released_at: '2026-01-20T00:00:00.000Z' });
    await load({
      products: [app],
      releases: [release(2, '1.2b1', '205', beta), hotfix, release(4, '1.2b2', '211', beta)],
    });
    const move = { product: 'memo', version: '1.2b2', change: { kind: 'move', channel: 'dev' } } as const;
    expect(await service.get('changeRelease')(grantPermit(), move)).toMatchObject({ ok: true });
    expect(await faultsOf({ releases: [hotfix] })).toEqual([]);
    expect(await faultsOf({ releases: [{ ...hotfix, build: '209' }] })).toEqual([
      expect.stringContaining('releases.0.build: version 1.2b1 has the build 205'),
    ]);
  });
});
