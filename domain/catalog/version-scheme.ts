/** The rules that order a product's versions: Semantic Versioning 2.0.0, or Sparkle's standard comparator. */
export const VERSION_SCHEMES = ['semver', 'sparkle'] as const;
export type VersionScheme = (typeof VERSION_SCHEMES)[number];
