import type { Product, VersionScheme } from '../catalog/product.ts';
import { isInFeed } from '../delivery/appcast.ts';
import { feedReadersOf } from '../delivery/feed-access.ts';
import {
  type BackwardPair,
  backwardMessage,
  backwardPairs,
  pairsLaidOpen,
  wasOutranked,
} from '../delivery/feed-builds.ts';
import { feedFaults } from '../delivery/feed-faults.ts';
import { besideOthers } from '../delivery/publication.ts';
import type { Release } from '../delivery/release.ts';
import type { VersionOrder } from '../delivery/version-order.ts';
import { type Fault, faultsAt } from '../shared/fault.ts';
import type { Instant } from '../shared/instant.ts';
import {
  type ArtifactEntry,
  downloadName,
  type FileEntry,
  type ProductEntry,
  type ReleaseEntry,
  withdrawalAfter,
} from './store-document.ts';

/** The products after the import, the stored releases by product, and the order of versions. */
export type KnownReleases = {
  readonly products: ReadonlyMap<number, Product>;
  readonly stored: ReadonlyMap<number, readonly Release[]>;
  readonly order: (scheme: VersionScheme) => VersionOrder;
};

/** An artifact's file and the files of its patches, each with its path within the artifact. */
export const filesOf = (artifact: ArtifactEntry): { readonly at: string; readonly entry: FileEntry }[] => [
  { at: '', entry: artifact },
  ...(artifact.deltas ?? []).map((entry, n) => ({ at: `.deltas.${n}`, entry })),
];

/** An entry with a valid version, normalized by the product's scheme. */
type VersionedEntry = { readonly entry: ReleaseEntry; readonly path: string; readonly version: string };

/** The entry with its version, or the fault of an unknown product or an invalid version. */
const versioned = (entry: ReleaseEntry, path: string, { products, order }: KnownReleases): VersionedEntry | Fault => {
  const scheme = products.get(entry.product_id)?.version_scheme;
  if (scheme === undefined) return { path: `${path}.product_id`, message: `there is no product ${entry.product_id}` };
  const version = order(scheme).normalize(entry.version);
  if (version !== undefined) return { entry, path, version };
  const message = `"${entry.version}" is no version of the scheme ${scheme}, which product ${entry.product_id} has`;
  return { path: `${path}.version`, message };
};

/** The faults of a version against earlier entries of the document and stored releases of the same product. */
const versionFaults = (
  rows: readonly VersionedEntry[],
  { id, version_scheme }: Product,
  { stored, order }: KnownReleases,
): Fault[] => {
  const { normalize, compare } = order(version_scheme);
  return rows.flatMap(({ entry, path, version }, n) => {
    const twin = rows.slice(0, n).find((other) => compare(other.version, version) === 0);
    if (twin) return [{ path: `${path}.version`, message: `${twin.path} already has this version` }];
    const same = stored
      .get(id)
      ?.find((one) => normalize(one.version) !== undefined && compare(one.version, version) === 0);
    if (!same) return [];
    const isSame = same.version === version;
    return faultsAt(path, [
      [isSame && same.id !== entry.id, 'id', `this version is release ${same.id} of the store already`],
      [!isSame, 'version', `ranks the same as ${same.version}, which is release ${same.id} already`],
    ]);
  });
};

/** The release of an entry for the check of its appcast. Apart from their names, its files have placeholder facts. */
const asReleased = ({ entry, version }: VersionedEntry, before: Release | undefined): Release => {
  const file = { sha256: '', size: 1, format: '', signature: null };
  const artifacts = entry.artifacts.map(({ deltas = [], ...artifact }) => ({
    ...file,
    filename: downloadName(artifact),
    platform: artifact.platform,
    installation_type: artifact.installation_type,
    deltas: deltas.map(({ from_build, ...delta }) => ({ ...file, from_build, filename: downloadName(delta) })),
  }));
  const { withdrawn: _, ...details } = entry;
  return { ...details, ...withdrawalAfter(entry, before), version, artifacts: besideOthers(before, artifacts) };
};

/** The product's releases after the import: those of the rows, in order, and the remaining stored ones. */
const afterImport = (rows: readonly VersionedEntry[], released: readonly Release[]) => {
  const named = new Set(rows.map(({ entry }) => entry.id));
  const before = new Map(released.map((release) => [release.id, release]));
  return {
    remaining: released.filter(({ id }) => !named.has(id)),
    made: rows.map((row) => asReleased(row, before.get(row.entry.id))),
  };
};

const isSameBuild = (a: Release, b: Release): boolean => a.id === b.id && a.build === b.build;

/**
 * The faults of the product's appcast, among the entries and against the remaining stored releases. A changed stored
 * release may also expose two others that would downgrade a client, if it outranked both before. A pair that is stored
 * with the same builds is not a fault of the document, and neither is one that a withdrawal exposes.
 */
const appcastFaults = (
  rows: readonly VersionedEntry[],
  product: Product,
  { stored, order }: KnownReleases,
): Fault[] => {
  if (feedReadersOf(product) === null) return [];
  const released = stored.get(product.id) ?? [];
  const { remaining, made } = afterImport(rows, released);
  const all = [...remaining, ...made];
  const versions = order(product.version_scheme);
  const known = backwardPairs(released, versions);
  const isExcused = (pair: BackwardPair): boolean =>
    known.some((one) => isSameBuild(one.newer, pair.newer) && isSameBuild(one.older, pair.older)) ||
    wasOutranked(pair, all, versions);
  const faults = rows.flatMap(({ path }, n) =>
    feedFaults(made[n] as Release, [...remaining, ...made.slice(0, n)], versions, all, isExcused).map((fault) => ({
      path: `${path}.${fault.member}`,
      message: fault.message,
    })),
  );
  const changed = rows.find(({ entry }) => released.some(({ id }) => id === entry.id));
  if (faults.length > 0 || !changed) return faults;
  return pairsLaidOpen(released, all, versions)
    .filter((pair) => !isExcused(pair))
    .map((pair) => ({ path: changed.path, message: `after this change, ${backwardMessage(pair, pair.older)}` }));
};

/**
 * The faults of products that get an appcast by the import: stored releases that would break it and that the document
 * does not contain. They were never checked against an appcast before.
 */
export const newAppcastFaults = (
  { products, releases }: { readonly products: readonly ProductEntry[]; readonly releases: readonly ReleaseEntry[] },
  before: ReadonlyMap<number, Product>,
  known: KnownReleases,
): Fault[] =>
  products.flatMap(({ id, delivery }, i) => {
    const [was, is] = [before.get(id), known.products.get(id)];
    if (!was || !is || feedReadersOf(was) !== null || feedReadersOf(is) === null) return [];
    const entries = releases.filter(({ product_id }) => product_id === id);
    const rows = readable(entries.map((entry) => versioned(entry, '', known)));
    const { remaining, made } = afterImport(rows, known.stored.get(id) ?? []);
    const inFeed = remaining.filter(isInFeed);
    return inFeed.flatMap((release, n) => {
      const order = known.order(is.version_scheme);
      const [fault] = feedFaults(release, inFeed.slice(0, n), order, [...remaining, ...made]);
      if (!fault) return [];
      const broken = `version ${release.version} would break: ${fault.member}: ${fault.message}`;
      const message = `as ${delivery.strategy} the product has an appcast, which ${broken}; or withdraw that version`;
      return [{ path: `products.${i}.delivery.strategy`, message }];
    });
  });

/** The faults of ids that belong to another version: an id stays with its first version. */
const identityFaults = (rows: readonly VersionedEntry[], stored: KnownReleases['stored']): Fault[] => {
  const owners = new Map([...stored.values()].flat().map((release) => [release.id, release]));
  return rows.flatMap(({ entry, path, version }) => {
    const owner = owners.get(entry.id);
    const isOther = owner && (owner.product_id !== entry.product_id || owner.version !== version);
    return faultsAt(path, [
      [isOther, 'id', `${entry.id} is version ${owner?.version} of product ${owner?.product_id} already`],
    ]);
  });
};

/** The entries whose product and version are known. */
const readable = (read: readonly (VersionedEntry | Fault)[]): VersionedEntry[] => read.filter((row) => 'entry' in row);

/** The faults of a document's releases, among each other and against the stored ones. Their files are not read. */
export const releaseFaults = (entries: readonly ReleaseEntry[], known: KnownReleases): Fault[] => {
  const read = entries.map((entry, i) => versioned(entry, `releases.${i}`, known));
  const rows = readable(read);
  const ofProducts = [...Map.groupBy(rows, ({ entry }) => entry.product_id)];
  return [
    ...read.filter((row) => 'message' in row),
    ...identityFaults(rows, known.stored),
    ...ofProducts.flatMap(([id, group]) => {
      const product = known.products.get(id);
      return product ? [...versionFaults(group, product, known), ...appcastFaults(group, product, known)] : [];
    }),
  ];
};

/** Withdrawals in the future, which their writer may expect to take effect then. */
export const withdrawalWarnings = (entries: readonly ReleaseEntry[], now: Instant): Fault[] =>
  entries.flatMap(({ withdrawn }, i) => {
    const why = 'lies ahead, and the release is withdrawn at once; nothing withdraws it on a later day';
    return faultsAt(`releases.${i}`, [[withdrawn && withdrawn.at > now, 'withdrawn.at', why]]);
  });

/** The faults of changed version schemes: a product with releases keeps its scheme, because the scheme orders them. */
export const schemeFaults = (
  entries: readonly ProductEntry[],
  before: ReadonlyMap<number, Product>,
  stored: ReadonlyMap<number, readonly Release[]>,
): Fault[] =>
  entries.flatMap(({ id, version_scheme }, i) => {
    const scheme = before.get(id)?.version_scheme ?? version_scheme;
    const isBound = scheme !== version_scheme && stored.get(id)?.length;
    return faultsAt(`products.${i}`, [
      [isBound, 'version_scheme', `product ${id} has releases, which are ordered by ${scheme}`],
    ]);
  });

export const normalVersion = ({ product_id, version }: ReleaseEntry, { products, order }: KnownReleases): string => {
  const scheme = products.get(product_id)?.version_scheme;
  return (scheme && order(scheme).normalize(version)) ?? version;
};
