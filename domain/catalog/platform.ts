/** The platforms that a client or a file can name (specification, Versioning). */
export const PLATFORMS = ['darwin-arm64', 'darwin-amd64', 'linux-arm64', 'linux-amd64'] as const;
export type Platform = (typeof PLATFORMS)[number];

/** Names that stand for several platforms, with the beginning of the names of those platforms. */
const SYSTEMS: Readonly<Record<string, string>> = { any: '', macos: 'darwin-', darwin: 'darwin-', linux: 'linux-' };

const standsFor = (name: string, platform: Platform): boolean => {
  const beginning = Object.hasOwn(SYSTEMS, name) ? SYSTEMS[name] : undefined;
  return name === platform || (beginning !== undefined && platform.startsWith(beginning));
};

/**
 * The platforms that names stand for: a platform by its own name, those of a system by the system's (`macos`, `linux`),
 * and each by `any`. Capitals do not count, and other names stand for none.
 */
export const namedPlatforms = (names: readonly string[]): Platform[] => {
  const known = names.map((name) => name.trim().toLowerCase());
  return PLATFORMS.filter((platform) => known.some((name) => standsFor(name, platform)));
};

/** The platforms of each product's names, which never change. */
const platformsOf = new WeakMap<readonly string[], readonly Platform[]>();

/** The platforms that a product runs on: those that it names, or each where it names none. */
export const productPlatforms = ({ platforms }: { readonly platforms: readonly string[] }): readonly Platform[] => {
  const known = platformsOf.get(platforms);
  if (known) return known;
  const found = platforms.length === 0 ? PLATFORMS : namedPlatforms(platforms);
  platformsOf.set(platforms, found);
  return found;
};

/**
 * True where a product runs on a platform or system that a filter names. A name that stands for no platform finds the
 * products that have the same name.
 */
export const runsOn = ({ platforms }: { readonly platforms: readonly string[] }, wished: string): boolean => {
  const name = wished.trim().toLowerCase();
  const asked = namedPlatforms([name]);
  return (
    platforms.length === 0 ||
    platforms.some((own) => own.trim().toLowerCase() === name) ||
    namedPlatforms(platforms).some((platform) => asked.includes(platform))
  );
};
