import type { Bundle, Product } from '../catalog/product.ts';
import type { Instant } from '../shared/instant.ts';
import { CHANNELS, type Channel, channelOffers, PLATFORMS, type Platform } from './channel.ts';
import { type Artifact, artifactFor, type Release } from './release.ts';
import { newestFirst, type VersionOrder, type VersionScheme } from './version-order.ts';

/** What has to be right before everything on sale can be delivered by a channel. */
export const SUPPLY_CHECKS = ['released', 'platforms', 'checksums', 'signatures', 'notes'] as const;
export type SupplyCheckKey = (typeof SUPPLY_CHECKS)[number];

export type SupplyCheck = {
  readonly key: SupplyCheckKey;
  readonly ok: boolean;
  /** How many of how many pass. */
  readonly passed: number;
  readonly total: number;
  /** The products that something is missing of. */
  readonly missing: readonly Product[];
};

/** A product with the newest release that a channel offers of it, if any. */
export type Offering = { readonly product: Product; readonly release: Release | null };

/** What is to be had on a platform; null stands for files that serve every platform. */
export type PlatformSupply = {
  readonly platform: Platform | null;
  readonly offers: readonly { readonly product: Product; readonly release: Release }[];
};

/** What one channel supplies of all that is on sale. */
export type Supply = {
  readonly channel: Channel;
  readonly catalog: readonly Offering[];
  readonly latest_released_at: Instant | null;
  readonly platforms: readonly PlatformSupply[];
  readonly checklist: readonly SupplyCheck[];
};

/** True for what a buyer is to get as a file; manual products and those that stand for a bundle come without one. */
export const comesAsFile = ({ id, delivery }: Product, bundles: readonly Bundle[]): boolean =>
  delivery.strategy !== 'manual' && !bundles.some(({ product_id }) => product_id === id);

/** Names that stand for several platforms, with what those begin with. */
const SYSTEMS: Readonly<Record<string, string>> = { macos: 'darwin-', linux: 'linux-' };

const stands = (name: string, platform: Platform): boolean =>
  name === platform || (SYSTEMS[name] !== undefined && platform.startsWith(SYSTEMS[name]));

/** The platforms that a product names, if any. */
const namedBy = ({ platforms }: Product): Platform[] =>
  PLATFORMS.filter((platform) => platforms.some((name) => stands(name, platform)));

/** One that names no platform runs on every one. */
const runsOn = (product: Product, platform: Platform): boolean =>
  product.platforms.length === 0 || namedBy(product).includes(platform);

/** A product's releases that a channel offers, newest first. */
type Line = { readonly product: Product; readonly offered: readonly Release[] };

/**
 * The newest release that has a file for the platform, its own or one for all, as an install plan would choose it; none
 * where the product runs on other platforms alone.
 */
const servedOn = ({ product, offered }: Line, platform: Platform): Release | undefined =>
  runsOn(product, platform) ? offered.find((release) => artifactFor(release, platform) !== undefined) : undefined;

const servedAnywhere = ({ offered }: Line): Release | undefined =>
  offered.find(({ artifacts }) => artifacts.some((artifact) => artifact.platform === null));

const platformSupply = (lines: readonly Line[], platform: Platform | null): PlatformSupply => ({
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

/** The files that buyers are given: those of the newest release, and of an older one where only that has a platform. */
const filesOf = (line: Line): Artifact[] => {
  const given = [line.offered[0], servedAnywhere(line), ...PLATFORMS.map((platform) => servedOn(line, platform))];
  return [...new Set(given.filter((release) => release !== undefined))].flatMap(({ artifacts }) => artifacts);
};

const checklistOf = (lines: readonly Line[]): SupplyCheck[] => {
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
        namedBy(line.product).map((platform) => ({
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
      newest.map(({ product, release }) => ({ product, passes: Boolean(release.notes_en && release.notes_ko) })),
    ),
  ];
};

/** The products whose supply is looked at: on sale, published, and to be had as a file, or released as one anyhow. */
export const suppliedProducts = (
  products: Iterable<Product>,
  bundles: readonly Bundle[],
  releases: ReadonlyMap<number, readonly Release[]>,
): Product[] =>
  [...products].filter(
    (product) =>
      product.active && product.published && (comesAsFile(product, bundles) || releases.get(product.id)?.length),
  );

/**
 * What each channel supplies, from what is published and nothing else. Channels widen as they do everywhere: what
 * `stable` offers, `beta` does too.
 */
export const supplyOf = (
  products: readonly Product[],
  releases: ReadonlyMap<number, readonly Release[]>,
  order: (scheme: VersionScheme) => VersionOrder,
): Supply[] => {
  const all = products.map((product) => ({
    product,
    sorted: [...(releases.get(product.id) ?? [])].sort(newestFirst(order(product.version_scheme))),
  }));
  return CHANNELS.map((channel) => {
    const lines: Line[] = all.map(({ product, sorted }) => ({
      product,
      offered: sorted.filter((release) => channelOffers(channel, release.channel)),
    }));
    const dates = lines.flatMap(({ offered }) => offered.map(({ released_at }) => released_at));
    return {
      channel,
      catalog: lines.map(({ product, offered: [release = null] }) => ({ product, release })),
      latest_released_at: dates.reduce<Instant | null>((latest, one) => (latest && latest > one ? latest : one), null),
      platforms: [...PLATFORMS, null].map((platform) => platformSupply(lines, platform)),
      checklist: checklistOf(lines),
    };
  });
};
