import { readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sanitize } from '../../adapters/html/sanitizer.ts';
import { versions } from '../../adapters/versions/versions.ts';
import { appsStanding } from '../../domain/billing/apps-subscription.ts';
import { subscriptionStatus } from '../../domain/billing/subscription-standing.ts';
import { SPECIFIED_PLATFORMS } from '../../domain/catalog/platform.ts';
import { STRATEGIES } from '../../domain/catalog/product.ts';
import { appcastItems } from '../../domain/delivery/appcast.ts';
import { CHANNELS } from '../../domain/delivery/channel.ts';
import { isCovered } from '../../domain/delivery/release.ts';
import { accessTo } from '../../domain/licensing/access.ts';
import { readStore, STORE_DIR } from '../../examples/store/build.ts';
import { aClient } from '../support/appcast.ts';
import { NOW } from '../support/builders.ts';
import { offerTo, type SparkleClient } from '../support/sparkle-selection.ts';

const store = await readStore();
const LATER = '2040-01-01T00:00:00.000Z';

const filesUnder = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
};

describe('the sample store', () => {
  test('the sample store has every strategy and channel, and every platform of macOS and Linux', () => {
    const strategies = new Set(store.products.map(({ delivery }) => delivery.strategy));
    const channels = new Set(store.releases.map(({ channel }) => channel));
    const platforms = new Set(store.releases.flatMap(({ artifacts }) => artifacts.map(({ platform }) => platform)));
    expect([...strategies].sort()).toEqual([...STRATEGIES].sort());
    expect([...channels].sort()).toEqual([...CHANNELS].sort());
    expect(platforms).toEqual(new Set([...SPECIFIED_PLATFORMS, null]));
  });

  test.each(store.products)('the versions and dates of $slug rise together', ({ id, version_scheme }) => {
    const order = versions.order(version_scheme);
    const released = store.releases
      .filter(({ product_id }) => product_id === id)
      .sort((a, b) => order.compare(a.version, b.version));
    const dates = released.map(({ released_at }) => released_at);
    expect(released.map(({ version }) => order.normalize(version))).not.toContain(undefined);
    expect(dates).toEqual([...dates].sort());
  });

  test('the sample store is in English and Korean throughout', () => {
    const halves: string[] = [];
    JSON.stringify(store, (name, value: unknown) => {
      if (typeof value === 'object' && value !== null && 'en' in value !== 'ko' in value) halves.push(name);
      return value;
    });
    expect(halves).toEqual([]);
    expect(store.releases.filter(({ notes_en, notes_ko }) => !notes_en || !notes_ko)).toEqual([]);
  });

  test.each(store.products)('the sample store has every asset that $slug names', async ({
    id,
    hero,
    install_assets,
    content,
  }) => {
    const folder = join(STORE_DIR, content.assets_dir ?? 'missing');
    const assets = (await filesUnder(folder)).map((file) => relative(folder, file));
    const named = [hero, ...install_assets, ...content.gallery].map((asset) => asset?.path);
    const guides = [content.usage_path, content.architecture_path, content.ai_prompt_path];
    const html = Object.values(content.detail_html ?? {}).join('');
    const images = [...html.matchAll(/src="\/api\/products\/(\d+)\/content-assets\/([^"]*)"/g)];
    expect(assets).toEqual(expect.arrayContaining([...named, ...guides].filter((path) => path != null)));
    expect(assets).toEqual(expect.arrayContaining(images.map(([, , path]) => path)));
    expect(new Set(images.map(([, product]) => Number(product)))).toEqual(new Set([id]));
    expect(html.match(/<img/g)).toHaveLength(images.length);
  });

  test.each(store.products)('the HTML of $slug is unchanged by sanitizing', ({ content }) => {
    for (const html of Object.values(content.detail_html ?? {})) {
      expect(sanitize(html).replaceAll(' />', '>')).toBe(html);
    }
  });

  test('the sample store is small enough for the repository', async () => {
    const sizes = await Promise.all((await filesUnder(STORE_DIR)).map(async (file) => (await stat(file)).size));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(1_500_000);
  });
});

describe('the appcasts of the sample store', () => {
  const itemsOf = (product: number) => {
    const released = store.releases.filter(({ product_id }) => product_id === product);
    const file = { filename: 'app.zip', sha256: '', size: 1, format: 'zip', signature: null };
    const releases = released.map(({ withdrawn: _, ...entry }) => ({
      ...entry,
      artifacts: entry.artifacts.map(({ platform }) => ({ ...file, platform })),
    }));
    return appcastItems(releases, ({ id }) => `https://app.example.com/${id}`);
  };

  test.each([
    [['beta'], '26.1', '2.3b1'],
    [[], '26.1', '2.2'],
    [[], '13.0', '2.2'],
    [['beta'], '12.7', '2.1.1'],
    [[], '11.7', undefined],
  ])('Pocket Memo 2.0 with channels %j on macOS %s is offered %s', (channels, system_version, version) => {
    const offer = offerTo(itemsOf(3), aClient({ version: '200', channels, system_version }));
    expect(offer?.item.short_version).toBe(version);
  });

  test('the appcasts have a critical, a major, an informational and a phased update', () => {
    const from = (version: string, product: number, more: Partial<SparkleClient> = {}) =>
      offerTo(itemsOf(product), aClient({ version, channels: ['dev'], ...more }));
    expect(from('210', 3, { system_version: '12.7' })).toMatchObject({
      critical: true,
      item: { short_version: '2.1.1' },
    });
    const onlyMajor = itemsOf(3).filter(({ version }) => version === '200');
    expect(offerTo(onlyMajor, aClient({ version: '150' }))).toMatchObject({ major_upgrade: true });
    expect(from('41', 7)).toMatchObject({ informational: true, item: { short_version: '0.4' } });
    const early = { now: '2026-09-29T02:00:00.000Z', background: { group: 6, skipped: null } };
    expect(from('211', 3, { ...early, channels: [] })).toBeNull();
  });
});

describe('the demo account', () => {
  const account = store.accounts.find(({ email }) => email === 'demo@example.com');
  const holdings = {
    entitlements: (account?.entitlements ?? []).map((entitlement) => ({ ...entitlement, account_id: 1 })),
    subscriptions: (account?.subscriptions ?? []).map((subscription) => ({
      ...subscription,
      account_id: 1,
      billing: subscription.billing && { ...subscription.billing, order_number: null },
    })),
  };
  const access = (slug: string, now: string) => {
    const product = store.products.find((candidate) => candidate.slug === slug);
    if (!product) throw new Error(`there is no product ${slug}`);
    const { published, id } = product;
    return { id, published, ...accessTo(product, store.bundles, holdings, now) };
  };

  test.each([
    ['hashcheck', { granted: true, access_source: 'direct', updates_supported_until: null }],
    ['library-keeper', { granted: true, access_source: 'bundle', updates_supported_until: null }],
    ['pocket-memo', { granted: true, access_source: 'subscription' }],
    ['focus-timer', { granted: true, published: false }],
    ['changelog-coach', { granted: false, reason: 'not_entitled' }],
    ['log-sieve', { granted: false, reason: 'access_expired' }],
  ])('the demo account has the access to %s that the sample shop’s list states, now and in years to come', (slug, expected) => {
    expect(access(slug, NOW)).toMatchObject(expected);
    expect(access(slug, LATER)).toMatchObject(expected);
  });

  test('the demo account has purchases from paid orders, and an active apps subscription beside an expired one', () => {
    const orders = new Map(account?.orders.map((order) => [order.id, order]));
    const bought = account?.entitlements.filter(({ grant_type }) => grant_type === 'purchase') ?? [];
    expect(bought.map(({ order_id }) => orders.get(order_id ?? 0)?.status)).toEqual(bought.map(() => 'paid'));
    const { subscriptions } = holdings;
    for (const now of [NOW, LATER]) {
      expect(subscriptions.map((one) => subscriptionStatus(one, now))).toEqual(['active', 'expired']);
      expect(appsStanding(subscriptions, now)).toMatchObject({ state: 'active', foremost: { apps: { tier: 'plus' } } });
    }
  });

  test('the demo account’s update window for Tidy Lines leaves out only the newest versions', () => {
    const standing = access('tidy-lines', NOW);
    const until = standing.granted ? standing.updates_supported_until : null;
    const releases = store.releases.filter(({ product_id }) => product_id === standing.id);
    expect(releases.filter((release) => isCovered(release, until)).at(-1)?.version).toBe('1.2.1');
    expect(releases.filter((release) => !isCovered(release, until)).map(({ version }) => version)).toEqual([
      '1.4.0',
      '1.5.0',
    ]);
  });
});
