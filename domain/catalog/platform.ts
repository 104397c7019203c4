import type { DeliveryManifest } from './product.ts';

/** The platforms that every list shows. */
export const SPECIFIED_PLATFORMS = ['darwin-arm64', 'darwin-amd64', 'linux-arm64', 'linux-amd64'] as const;

/** The Windows platforms, which a list shows only if the shop uses them (`listedPlatforms`). */
export const ADDED_PLATFORMS = ['windows-arm64', 'windows-amd64'] as const;

/** The platforms that a client or a file can name. */
export const PLATFORMS = [...SPECIFIED_PLATFORMS, ...ADDED_PLATFORMS] as const;
export type Platform = (typeof PLATFORMS)[number];

/** Names for several platforms, with the prefix of the platforms' own names. */
const SYSTEMS: Readonly<Record<string, string>> = {
  any: '',
  macos: 'darwin-',
  darwin: 'darwin-',
  linux: 'linux-',
  windows: 'windows-',
};

const standsFor = (name: string, platform: Platform): boolean => {
  const beginning = Object.hasOwn(SYSTEMS, name) ? SYSTEMS[name] : undefined;
  return name === platform || (beginning !== undefined && platform.startsWith(beginning));
};

/**
 * The platforms that these names include: a platform's own name, a system's (`macos`, `linux`, `windows`), or `any`.
 * Case does not matter; unknown names are ignored.
 */
export const namedPlatforms = (names: readonly string[]): Platform[] => {
  const known = names.map((name) => name.trim().toLowerCase());
  return PLATFORMS.filter((platform) => known.some((name) => standsFor(name, platform)));
};

/**
 * The platforms that a product's lists show: the four of macOS and Linux, and a Windows platform if the product names
 * it or its system, or has a file for it. `any` does not count as naming Windows, so a shop without Windows never sees
 * it.
 */
export const listedPlatforms = (names: readonly string[], files: readonly (Platform | null)[]): readonly Platform[] => {
  const named = namedPlatforms(names.filter((name) => name.trim().toLowerCase() !== 'any'));
  const added = ADDED_PLATFORMS.filter((platform) => named.includes(platform) || files.includes(platform));
  return [...SPECIFIED_PLATFORMS, ...added];
};

/** The part of a product that says on which platforms it runs. */
export type ProductSystems = {
  readonly platforms: readonly string[];
  readonly delivery: Pick<DeliveryManifest, 'strategy'>;
};

/** Cache of the platforms of each (immutable) product. */
const platformsOf = new WeakMap<ProductSystems, readonly Platform[]>();

const isMacApp = ({ delivery }: ProductSystems): boolean => delivery.strategy === 'macos-app';

/**
 * The platforms that a product runs on: those that it names, or all if it names none. A macOS application runs only on
 * Macs.
 */
export const productPlatforms = (product: ProductSystems): readonly Platform[] => {
  const known = platformsOf.get(product);
  if (known) return known;
  const named = product.platforms.length === 0 ? PLATFORMS : namedPlatforms(product.platforms);
  const macs = namedPlatforms(['macos']);
  const found = isMacApp(product) ? named.filter((platform) => macs.includes(platform)) : named;
  platformsOf.set(product, found);
  return found;
};

/**
 * True if a product runs on the platform or system in a filter. An unknown name matches products that name it too, and
 * those that run everywhere.
 */
export const runsOn = (product: ProductSystems, system: string): boolean => {
  const name = system.trim().toLowerCase();
  const requested = namedPlatforms([name]);
  if (requested.length > 0) return productPlatforms(product).some((platform) => requested.includes(platform));
  const { platforms } = product;
  return platforms.length === 0 ? !isMacApp(product) : platforms.some((own) => own.trim().toLowerCase() === name);
};
