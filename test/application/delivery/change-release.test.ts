import { describe, expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import type { ReleaseChange } from '../../../domain/delivery/publishing.ts';
import type { Release } from '../../../domain/delivery/release.ts';
import { addDays } from '../../../domain/shared/instant.ts';
import type { ReleaseEditor } from '../../../ports/outbound/delivery.ts';
import { delivery } from '../../../runtimes/composition/areas/delivery.ts';
import { licensing } from '../../../runtimes/composition/areas/licensing.ts';
import { anApp, anArtifact, anEntitlement, aProduct, aRelease, NOW } from '../../support/builders.ts';
import type { Contents } from '../../support/contents.ts';
import { aStore } from '../../support/memory-store.ts';
import { PERMIT, passed } from '../../support/permits.ts';
import { shopRecords } from '../../support/shop-records.ts';

const memo = aProduct({ slug: 'memo' });
const one = aRelease({ id: 1, version: '1.0.0' });
const two = aRelease({ id: 2, version: '2.0.0' });
const REASON = 'It deletes files.';
const withdrawal: ReleaseChange = { kind: 'withdraw', reason: REASON };

const shop = async (contents: Contents = {}) => {
  const store = await aStore([delivery, licensing, shopRecords], {
    products: [memo],
    releases: [one, two],
    entitlements: [anEntitlement()],
    ...contents,
  });
  const change = (version: string, input: ReleaseChange, more: { product?: string; trial?: boolean } = {}) =>
    store.get('changeRelease')(grantPermit(), { product: 'memo', version, change: input, ...more });
  const read = async (version: string) => (await store.get('releaseEditor').read(1, version)).release;
  return { store, change, read };
};

describe('a withdrawal', () => {
  test('a withdrawn release keeps its files, date and reason, and the store names its replacements', async () => {
    const { change, read } = await shop();
    expect(await change('v2.0', withdrawal)).toMatchObject({
      value: { result: 'changed', offered: [{ platform: null, version: '1.0.0' }] },
    });
    expect(await read('2.0.0')).toEqual({ ...two, withdrawn: { at: NOW, reason: REASON } });
  });

  test('a trial run reports what would be offered and writes nothing', async () => {
    const { change, store } = await shop();
    const before = await store.entries();
    expect(await change('2.0.0', withdrawal, { trial: true })).toMatchObject({
      value: { result: 'changed', offered: [{ version: '1.0.0' }] },
    });
    expect(await store.entries()).toEqual(before);
  });

  test('replacement versions are listed for each platform of the release', async () => {
    const files = (['darwin-arm64', 'linux-amd64'] as const).map((platform) => anArtifact({ platform }));
    const { change } = await shop({
      releases: [
        { ...one, artifacts: files.slice(0, 1) },
        { ...two, artifacts: files },
      ],
    });
    expect(await change('2.0.0', withdrawal)).toMatchObject({
      value: {
        offered: [
          { platform: 'darwin-arm64', version: '1.0.0' },
          { platform: 'linux-amd64', version: null },
        ],
      },
    });
  });

  test('a repeated withdrawal changes nothing, and another reason replaces the first', async () => {
    const { change, read, store } = await shop();
    await change('2.0.0', withdrawal);
    store.clock.at = addDays(NOW, 1);
    expect(await change('2.0.0', withdrawal)).toMatchObject({ value: { result: 'unchanged' } });
    expect(await change('2.0.0', { kind: 'withdraw', reason: 'It also leaks.' })).toMatchObject({
      value: { result: 'changed' },
    });
    expect((await read('2.0.0'))?.withdrawn).toEqual({ at: NOW, reason: 'It also leaks.' });
  });

  test('a buyer keeps running a withdrawn version, because license checks know every release', async () => {
    const { change, store } = await shop();
    await change('2.0.0', withdrawal);
    await store.put({ entitlements: [anEntitlement({ updates_supported_until: NOW })] });
    const checked = await passed(
      store.get('checkLicense')({
        account_id: 1,
        scope: { product_id: null },
        key: null,
        body: { product_id: 1, bundle_id: null, device_id: null, app_version: '2.0.0' },
        locale: 'en',
      }),
      Promise.resolve(PERMIT),
    );
    expect(checked).toMatchObject({ value: { version_covered: true } });
  });

  test('a restored release is offered again unchanged', async () => {
    const { change, read } = await shop();
    await change('2.0.0', withdrawal);
    expect(await change('2.0.0', { kind: 'restore' })).toMatchObject({
      value: { result: 'changed', offered: [{ version: '2.0.0' }] },
    });
    expect(await read('2.0.0')).toEqual(two);
    expect(await change('2.0.0', { kind: 'restore' })).toMatchObject({ value: { result: 'unchanged' } });
  });
});

describe('a move and a schedule', () => {
  test('a moved release is offered on its new channel only', async () => {
    const { change, read, store } = await shop();
    expect(await change('2.0.0', { kind: 'move', channel: 'beta' })).toMatchObject({ value: { result: 'changed' } });
    expect(await read('2.0.0')).toEqual({ ...two, channel: 'beta' });
    const { releases } = await store.get('listReleases')({ product: memo, channel: 'stable', locale: 'en' });
    expect(releases.map(({ version }) => version)).toEqual(['1.0.0']);
    expect(await change('2.0.0', { kind: 'move', channel: 'beta' })).toMatchObject({ value: { result: 'unchanged' } });
  });

  test('a release can’t be rescheduled into the past, where every update window would cover it', async () => {
    const later = { ...two, released_at: addDays(NOW, 1) };
    const { change, read } = await shop({ releases: [one, later] });
    for (const released_at of [NOW, '0027-01-31T00:00:00.000Z']) {
      expect(await change('2.0.0', { kind: 'schedule', released_at })).toMatchObject({ code: 'moment_has_passed' });
    }
    expect(await read('2.0.0')).toEqual(later);
  });

  test('a change that would break the appcast of an application is refused, except for a withdrawal', async () => {
    const app = anApp({ slug: 'memo' });
    const builds = [
      { ...one, version: '1.0', build: '200' },
      { ...two, version: '2.0', build: '100' },
    ];
    const { change, read } = await shop({ products: [app], releases: builds });
    expect(await change('2.0', { kind: 'move', channel: 'beta' })).toMatchObject({ code: 'breaks_feed' });
    expect((await read('2.0'))?.channel).toBe('stable');
    const same = { kind: 'move', channel: 'stable' } as const;
    expect(await change('2.0', same)).toMatchObject({ value: { result: 'unchanged' } });
    expect(await change('2.0', withdrawal)).toMatchObject({ value: { result: 'changed' } });
    expect(await change('2.0', { kind: 'restore' })).toMatchObject({ code: 'breaks_feed' });
  });
});

describe('a change of a release that outranks two others', () => {
  const built = (id: number, version: string, build: string, more: Partial<Release> = {}) =>
    aRelease({
      id,
      version,
      build,
      released_at: addDays(NOW, -10),
      artifacts: [anArtifact({ filename: 'a.zip' })],
      ...more,
    });
  const beta = { channel: 'beta' as const };
  const releases = [
    built(1, '1.2b1', '205', beta),
    built(2, '1.2b2', '211', beta),
    built(3, '1.1.1', '210', { released_at: addDays(NOW, -5) }),
  ];
  const led = [
    { newer: expect.objectContaining({ version: '1.2b1' }), older: expect.objectContaining({ version: '1.1.1' }) },
  ];

  test.each<[string, ReleaseChange]>([
    ['withdrawn', withdrawal],
    ['moved', { kind: 'move', channel: 'dev' }],
  ])('a change that is %s names the versions between which Sparkle would downgrade clients', async (_, input) => {
    const { change } = await shop({ products: [anApp({ slug: 'memo' })], releases });
    expect(await change('1.2b2', input, { trial: true })).toMatchObject({ value: { led_back: led } });
    expect(await change('1.2b2', input)).toMatchObject({ value: { result: 'changed', led_back: led } });
  });

  test('a change names no downgrade that existed before, and none for a product without an appcast', async () => {
    const apart = await shop({ products: [anApp({ slug: 'memo' })], releases: [...releases, built(4, '1.0', '220')] });
    expect(await apart.change('1.1.1', withdrawal)).toMatchObject({ value: { led_back: [] } });
    const plain = await shop({ products: [aProduct({ slug: 'memo', version_scheme: 'sparkle' })], releases });
    expect(await plain.change('1.2b2', withdrawal)).toMatchObject({ value: { led_back: [] } });
  });
});

describe('the release that a change names', () => {
  test.each([
    [{ product: 'nothing' }, '1.0.0', 'product_not_found'],
    [{}, 'latest', 'invalid_version'],
    [{}, '9.0.0', 'release_not_found'],
  ])('the product and version %j %s are refused as %s', async (more, version, code) => {
    const { change } = await shop();
    expect(await change(version, withdrawal, more)).toMatchObject({ code });
  });

  test('a change that loses a race against a publication is decided again on the stored state', async () => {
    const { store } = await shop();
    const editor = store.get('releaseEditor');
    let raced = false;
    const racing: ReleaseEditor = {
      read: (...args) => editor.read(...args),
      released: (...args) => editor.released(...args),
      save: async (permit, release, read) => {
        if (!raced) {
          raced = true;
          const three = aRelease({ id: 3, version: '1.5.0' });
          await editor.save(grantPermit(), three, await editor.read(1, '1.5.0'));
        }
        return editor.save(permit, release, read);
      },
    };
    const again = await aStore([shopRecords], { products: [memo] }, { releaseEditor: racing });
    expect(
      await again.get('changeRelease')(grantPermit(), { product: 'memo', version: '2.0.0', change: withdrawal }),
    ).toMatchObject({ value: { offered: [{ version: '1.5.0' }] } });
    expect((await editor.read(1, '2.0.0')).release?.withdrawn?.reason).toBe(REASON);
  });

  test('the operator sees every release with its state, newest first', async () => {
    const { store } = await shop({
      releases: [
        one,
        { ...two, withdrawn: { at: NOW, reason: REASON } },
        aRelease({ id: 3, version: '3.0.0', released_at: addDays(NOW, 1) }),
      ],
    });
    const listed = await store.get('listProductReleases')('memo');
    expect(listed.ok && listed.value.map(({ version, state }) => [version, state])).toEqual([
      ['3.0.0', 'scheduled'],
      ['2.0.0', 'withdrawn'],
      ['1.0.0', 'offered'],
    ]);
    expect(await store.get('listProductReleases')('nothing')).toMatchObject({ code: 'product_not_found' });
  });
});
