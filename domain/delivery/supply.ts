import type { Storefront } from '../catalog/catalog.ts';
import { ADDED_PLATFORMS, namedPlatforms, PLATFORMS, type Platform } from '../catalog/platform.ts';
import type { Bundle, Product, ProductContent } from '../catalog/product.ts';
import { compareText } from '../shared/compare-text.ts';
import { type Instant, MINUTE_MS, millis, toInstant } from '../shared/instant.ts';
import { textOrNull } from '../shared/locale.ts';
import { isInFeed } from './appcast.ts';
import { CHANNELS, type Channel, channelOffers } from './channel.ts';
import { feedReadersOf } from './feed-access.ts';
import type { ReleaseLine } from './offered-release.ts';
import { type Artifact, artifactFor, type Release } from './release.ts';
import { newestFirst, type VersionOrder } from './version-order.ts';

/** The checks of a channel. It passes all of them if it can deliver every product on sale. */
export const SUPPLY_CHECKS = ['released', 'platforms', 'checksums', 'signatures', 'notes'] as const;
export type SupplyCheckKey = (typeof SUPPLY_CHECKS)[number];

export type SupplyCheck = {
  readonly key: SupplyCheckKey;
  readonly ok: boolean;
  /** The number of passing items, of `total`. */
  readonly passed: number;
  readonly total: number;
  readonly missing: readonly Product[];
};

/** A product and the newest release that a channel offers of it; null if it offers none. */
export type Offering = { readonly product: Product; readonly release: Release | null };

/** The products that a platform is supplied with; null means files for every platform. */
export type PlatformSupply = {
  readonly platform: Platform | null;
  readonly offers: readonly { readonly product: Product; readonly release: Release }[];
};

/** The products that one channel supplies, of all products on sale. */
export type Supply = {
  readonly channel: Channel;
  readonly catalog: readonly Offering[];
  readonly latest_released_at: Instant | null;
  readonly platforms: readonly PlatformSupply[];
  readonly checklist: readonly SupplyCheck[];
};

/** True if buyers get the product as a file. Manual products and bundles have no file. */
export const comesAsFile = ({ id, delivery }: Product, bundles: readonly Bundle[]): boolean =>
  delivery.strategy !== 'manual' && !bundles.some(({ product_id }) => product_id === id);

export type ProductLine = ReleaseLine & { readonly product: Product };

/**
 * The newest release with a file for the platform or for every platform, as an install plan chooses it; undefined if
 * the product does not run on the platform.
 */
export const servedOn = ({ platforms, offered }: ProductLine, platform: Platform): Release | undefined =>
  platforms.includes(platform)
    ? offered.find((release) => artifactFor(release, platform, platforms) !== undefined)
    : undefined;

export const claimedPlatforms = ({ product, listed }: ProductLine): Platform[] =>
  namedPlatforms(product.platforms).filter((platform) => listed.includes(platform));

const servedAnywhere = ({ offered }: ProductLine): Release | undefined =>
  offered.find(({ artifacts }) => artifacts.some((artifact) => artifact.platform === null));

const platformSupply = (lines: readonly ProductLine[], platform: Platform | null): PlatformSupply => ({
  platform,
  offers: lines.flatMap((line) => {
    const release = platform === null ? servedAnywhere(line) : servedOn(line, platform);
    return release ? [{ product: line.product, release }] : [];
  }),
});

type Item = { readonly product: Product; readonly passes: boolean };

const check = (key: SupplyCheckKey, items: readonly Item[]): SupplyCheck => {
  const failed = items.filter(({ passes }) => !passes);
  return {
    key,
    ok: failed.length === 0,
    passed: items.length - failed.length,
    total: items.length,
    missing: [...new Set(failed.map(({ product }) => product))],
  };
};

/** The files that buyers get: those of the newest release, and of an older one if only that one serves a platform. */
const filesOf = (line: ProductLine): Artifact[] => {
  const offers = [line.offered[0], servedAnywhere(line), ...PLATFORMS.map((platform) => servedOn(line, platform))];
  return [...new Set(offers.filter((release) => release !== undefined))].flatMap(({ artifacts }) => artifacts);
};

const checklistOf = (lines: readonly ProductLine[]): SupplyCheck[] => {
  const files = lines.flatMap((line) => filesOf(line).map((file) => ({ product: line.product, file })));
  const newest = lines.flatMap(({ product, offered: [release] }) => (release ? [{ product, release }] : []));
  return [
    check(
      'released',
      lines.map(({ product, offered }) => ({ product, passes: offered.length > 0 })),
    ),
    check(
      'platforms',
      lines.flatMap((line) =>
        claimedPlatforms(line).map((platform) => ({
          product: line.product,
          passes: servedOn(line, platform) !== undefined,
        })),
      ),
    ),
    check(
      'checksums',
      files.map(({ product, file }) => ({ product, passes: /^[0-9a-f]{64}$/.test(file.sha256) && file.size > 0 })),
    ),
    check(
      'signatures',
      files.map(({ product, file }) => ({ product, passes: file.signature !== null })),
    ),
    check(
      'notes',
      newest.map(({ product, release }) => ({
        product,
        passes: textOrNull(release.notes_en) !== null && textOrNull(release.notes_ko) !== null,
      })),
    ),
  ];
};

/**
 * True for a product that counts for the supply status: on sale, published, and delivered as a file or with a release.
 */
export const isSupplied = ({ product, offered }: ProductLine, bundles: readonly Bundle[]): boolean =>
  product.active && product.published && (comesAsFile(product, bundles) || offered.length > 0);

/** The supply of each channel, computed from the offered releases only. A channel includes every more stable one. */
export const supplyOf = (all: readonly ProductLine[]): Supply[] =>
  CHANNELS.map((channel) => {
    const listed = PLATFORMS.filter((platform) => all.some((line) => line.listed.includes(platform)));
    const lines: ProductLine[] = all.map((line) => ({
      ...line,
      offered: line.offered.filter((release) => channelOffers(channel, release.channel)),
    }));
    const dates = lines.flatMap(({ offered }) => offered.map(({ released_at }) => released_at));
    return {
      channel,
      catalog: lines.map(({ product, offered: [release = null] }) => ({ product, release })),
      latest_released_at: dates.reduce<Instant | null>((latest, one) => (latest && latest > one ? latest : one), null),
      platforms: [...listed, null].map((platform) => platformSupply(lines, platform)),
      checklist: checklistOf(lines),
    };
  });

/** The maximum difference between the clocks of two machines. A release within this hour counts as not out yet. */
const APART_MS = 60 * MINUTE_MS;

/**
 * The release without the data that the supply status never reads: notes beyond their first letter, patches and terms.
 */
const trimmed = ({ sparkle: _, notes_en, notes_ko, artifacts, ...release }: Release): Release => ({
  ...release,
  source_ref: null,
  notes_en: textOrNull(notes_en)?.trim().slice(0, 1) ?? null,
  notes_ko: textOrNull(notes_ko)?.trim().slice(0, 1) ?? null,
  artifacts: artifacts.map(
    ({ deltas: __, signed_by: ___, sums: ____, updater_signature: _____, ...artifact }) => artifact,
  ),
});

/**
 * The releases of `offered` that a channel can choose: the newest one, the newest for each platform, and the latest. A
 * file for a Windows platform also lists that platform, whether or not the file is chosen.
 */
const chosen = (offered: readonly Release[], order: VersionOrder): (Release | undefined)[] => {
  const sorted = offered.toSorted(newestFirst(order));
  const serving = (platform: string | null): Release | undefined =>
    sorted.find(({ artifacts }) => artifacts.some((one) => one.platform === null || one.platform === platform));
  const listing = (platform: string): Release | undefined =>
    sorted.find(({ artifacts }) => artifacts.some((one) => one.platform === platform));
  const latest = sorted.toSorted((a, b) => compareText(b.released_at, a.released_at))[0];
  return [sorted[0], serving(null), ...PLATFORMS.map(serving), ...ADDED_PLATFORMS.map(listing), latest];
};

/**
 * The releases of one product that its supply can show from `now` on, until one of its releases changes. `supplyOf`
 * returns the same result for these as for all: those that a channel chooses now, and those that come out later.
 * `orders` contains the order of each possible version scheme.
 */
export const supplyReleases = (
  releases: readonly Release[],
  now: Instant,
  orders: readonly VersionOrder[],
): Release[] => {
  const standing = releases.filter(({ withdrawn }) => withdrawn === undefined);
  const settled = toInstant(millis(now) - APART_MS);
  const out = standing.filter(({ released_at }) => released_at <= settled);
  const fitting = orders.filter((order) => out.every(({ version }) => order.normalize(version) !== undefined));
  if (fitting.length === 0) return standing.map(trimmed);
  const offered = new Set<Release | undefined>(standing.filter(({ released_at }) => released_at > settled));
  for (const order of fitting) {
    for (const channel of CHANNELS) {
      for (const one of chosen(
        out.filter((release) => channelOffers(channel, release.channel)),
        order,
      ))
        offered.add(one);
    }
  }
  return standing.filter((release) => offered.has(release)).map(trimmed);
};

export const GAPS = [
  'no_release',
  'platforms',
  'not_in_feed',
  'empty_bundle',
  'no_price',
  'no_provider',
  'hidden',
  'off_sale',
  'no_content',
  'no_signing_key',
  'no_shop_name',
  'no_withdrawal_terms',
] as const;

export type Gap = (typeof GAPS)[number];

/** A step before a product sells, or, if it is not `needed`, one that a shop usually takes before it opens. */
export type ProductGap = (
  | { readonly gap: Exclude<Gap, 'platforms'> }
  | { readonly gap: 'platforms'; readonly platforms: readonly Platform[] }
) & { readonly needed: boolean };

/** The facts of a shop that its products need to sell. */
export type SellingShop = {
  readonly bundles: readonly Bundle[];
  readonly storefront: Storefront | null;
  /** The payment providers whose webhooks the service accepts. */
  readonly providers: readonly string[];
  /** True if a key signs the client policy. */
  readonly signs_policy: boolean;
};

/** True if the detail page of a product has a text, a picture, a video or a file. */
export const hasContent = (content: ProductContent | undefined): boolean =>
  content !== undefined &&
  (content.detail_html !== null || content.gallery.length + content.videos.length + content.assets.length > 0);

/** The way in which no payment can reach a product; undefined if one can, or if it is free. */
const unpayable = ({ unit_price_cents, prices = [] }: Product, providers: readonly string[]): Gap | undefined => {
  if (unit_price_cents === 0) return undefined;
  if (providers.length === 0) return 'no_provider';
  // The shop's own system names the product in place of a price.
  const isPriced = providers.includes('shop') || prices.some(({ provider }) => providers.includes(provider));
  return isPriced ? undefined : 'no_price';
};

/** The gaps of a product, most urgent first; empty if it has none. Without `content`, its page is not examined. */
export const productGaps = (
  line: ProductLine,
  shop: SellingShop,
  content?: { readonly of: ProductContent | undefined },
): ProductGap[] => {
  const { product, offered } = line;
  const { bundles, storefront, providers, signs_policy } = shop;
  const payment = unpayable(product, providers);
  const own = bundles.find(({ product_id }) => product_id === product.id);
  const unserved = claimedPlatforms(line).filter((platform) => servedOn(line, platform) === undefined);
  const isBare = comesAsFile(product, bundles) && offered.length === 0;
  const found: readonly (readonly [Gap, boolean])[] = [
    ['no_release', isBare],
    ['platforms', offered.length > 0 && unserved.length > 0],
    ['not_in_feed', offered.length > 0 && feedReadersOf(product) !== null && !offered.some(isInFeed)],
    ['empty_bundle', own?.product_ids.length === 0],
    ['no_price', payment === 'no_price'],
    ['no_provider', payment === 'no_provider'],
    ['hidden', !product.published],
    ['off_sale', !product.active],
    ['no_content', content !== undefined && !hasContent(content.of)],
    ['no_signing_key', !signs_policy],
    ['no_shop_name', storefront?.name === undefined],
    ['no_withdrawal_terms', !storefront?.withdrawal],
  ];
  return found.flatMap(([gap, isMissing]) => {
    const needed = GAPS.indexOf(gap) < GAPS.indexOf('no_content');
    if (!isMissing) return [];
    return [gap === 'platforms' ? { gap, platforms: unserved, needed } : { gap, needed }];
  });
};
