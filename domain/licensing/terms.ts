import type { LicenseTerms, Metadata, Product } from '../catalog/product.ts';
import type { Instant } from '../shared/instant.ts';
import { grantStatus } from './entitlement.ts';

/** The edition, the features and the shop's texts that an account has of a product. */
export type HeldTerms = {
  /** The highest edition held, by the product's list; null for a product without editions. */
  readonly edition: string | null;
  /** The union of all features, sorted. */
  readonly features: readonly string[];
  readonly metadata: Metadata;
};

/** The terms of an account without access. */
export const NO_LICENSE_TERMS: HeldTerms = { edition: null, features: [], metadata: {} };

/** A grant of a product, with its edition there and the features that it was sold with. */
export type TermGrant = {
  readonly of: LicenseTerms & { readonly id: number; readonly metadata?: Metadata | undefined };
  readonly sale: string | null;
  readonly starts_at: Instant;
  readonly access_expires_at: Instant | null;
  readonly revoked: boolean;
  readonly units: number;
  readonly edition: string | null;
  readonly features: readonly string[];
};

type Editions = Pick<Product, 'editions'>;

/** The edition of a license in a product: the one that was sold, or else the lowest, as for those sold before. */
export const editionIn = ({ editions = [] }: Editions, sold: string | undefined): string | null =>
  (editions.find(({ name }) => name === sold) ?? editions[0])?.name ?? null;

export const highestEdition = ({ editions = [] }: Editions, held: ReadonlySet<string | null>): string | null =>
  editions.findLast(({ name }) => held.has(name))?.name ?? null;

/** An add-on is no license: it gives neither access nor devices. */
export const isAddOn = ({ of }: Pick<TermGrant, 'of'>): boolean => of.requires !== undefined;

/** The grants in the order of their payment. */
export const byPayment = <G extends Pick<TermGrant, 'of' | 'starts_at'>>(a: G, b: G): number =>
  a.starts_at === b.starts_at ? a.of.id - b.of.id : a.starts_at < b.starts_at ? -1 : 1;

/**
 * The units that count (`left`), of grants that are in force at one time and stand behind those that they upgrade, and
 * the grants whose units an upgrade has `taken`. Each unit of an upgrade takes the place of one of a license of a named
 * edition that was paid for before. Units that find none count as licenses of their own, so nothing that was paid for is
 * lost.
 */
export const exchangedUnits = <G extends TermGrant>(grants: readonly G[]) => {
  const left = new Map(grants.map((grant) => [grant, grant.units]));
  const taken = new Map<G, G[]>();
  for (const [n, upgrade] of grants.entries()) {
    const { upgrades_from } = upgrade.of;
    if (!upgrades_from) continue;
    let open = upgrade.units;
    const isUpgraded = ({ edition, of, starts_at }: G): boolean =>
      starts_at <= upgrade.starts_at && [edition, of.edition].some((name) => upgrades_from.includes(name ?? ''));
    for (const one of grants.slice(0, n).filter(isUpgraded)) {
      const count = Math.min(open, left.get(one) ?? 0);
      if (count === 0) continue;
      open -= count;
      taken.set(upgrade, [...(taken.get(upgrade) ?? []), one]);
      // A store can list one sale as several grants.
      const sold = grants.filter((same) => same === one || (one.sale !== null && same.sale === one.sale));
      for (const same of sold) left.set(same, Math.max(0, (left.get(same) ?? 0) - count));
    }
  }
  return { left, taken };
};

/**
 * The terms that the grants give at a time. An edition has its present features, so that a shop can add one for all its
 * owners. The newest license that has texts gives them, beside those of the product.
 */
export const termsAt = (
  grants: readonly TermGrant[],
  product: Pick<Product, 'editions' | 'features' | 'metadata'>,
  at: Instant,
): HeldTerms => {
  const active = grants.filter((grant) => grantStatus(grant, at) === 'active');
  const licenses = active.filter((grant) => !isAddOn(grant)).sort(byPayment);
  if (licenses.length === 0) return NO_LICENSE_TERMS;
  // A license of an edition that is no longer listed counts as the lowest, and still for what names that edition.
  const held = new Set(licenses.flatMap(({ edition, of }) => [edition, of.edition ?? null]));
  const isMet = ({ of: { requires } }: TermGrant): boolean =>
    requires === undefined || requires.length === 0 || requires.some((name) => held.has(name));
  const features = [
    ...(product.features ?? []),
    ...(product.editions ?? []).flatMap(({ name, features }) => (held.has(name) ? features : [])),
    ...active.filter(isMet).flatMap((grant) => grant.features),
  ];
  return {
    edition: highestEdition(product, held),
    features: [...new Set(features)].sort(),
    metadata: { ...product.metadata, ...licenses.findLast(({ of }) => of.metadata)?.of.metadata },
  };
};

/** The first of some times at which an edition or a feature is lost; undefined if none is. */
export const termsEnd = (
  grants: readonly TermGrant[],
  product: Parameters<typeof termsAt>[1],
  now: HeldTerms,
  ends: readonly Instant[],
): Instant | undefined =>
  now.edition === null && now.features.length === 0
    ? undefined
    : ends.find((at) => {
        const { edition, features } = termsAt(grants, product, at);
        return edition !== now.edition || now.features.some((name) => !features.includes(name));
      });

/** The editions by which a product can be sold: its own, and those of the products that it brings. */
export const editionsOf = (brought: readonly Editions[]): Set<string> =>
  new Set(brought.flatMap(({ editions = [] }) => editions.map(({ name }) => name)));
