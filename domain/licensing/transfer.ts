import type { Catalog } from '../catalog/catalog.ts';
import type { Product } from '../catalog/product.ts';
import { countOf } from '../shared/count-of.ts';
import type { DailyBound } from '../shared/daily-bound.ts';
import { addDays, hasPassed, type Instant } from '../shared/instant.ts';
import { type Outcome, ok, refuse } from '../shared/outcome.ts';
import { peopleIn, seatsTaken, type Team } from '../teams/team.ts';
import { productsBrought, renewedEntitlements, seatLimit } from './access.ts';
import type { Entitlement, Holdings } from './entitlement.ts';
import { reachOf } from './grant-change.ts';
import { accessEnd } from './subscription.ts';

/** An owner's offer of a license to an address. It moves only when the account with that address accepts. */
export type TransferOffer = {
  readonly from: number;
  readonly into: number;
  readonly entitlement_id: number;
  readonly product_id: number;
  /** The address as its sender typed it. */
  readonly email: string;
  readonly expires_at: Instant;
};

const OFFER_DAYS = 14;

/** The maximum number of offers by an account in a day, because each one mails an address. */
export const OFFERS_A_DAY: DailyBound = { name: 'transfer-offers', most: 10, what: 'offers of licenses of an account' };

export const newOffer = (offer: Omit<TransferOffer, 'expires_at'>, now: Instant): TransferOffer => ({
  ...offer,
  expires_at: addDays(now, OFFER_DAYS),
});

export const isOpenOffer = ({ expires_at }: TransferOffer, now: Instant): boolean => !hasPassed(expires_at, now);

/** The entitlements that move together, and the products whose license keys and devices go along. */
export type TransferPlan = {
  readonly entitlements: readonly Entitlement[];
  readonly products: readonly Product[];
};

const NO_ADDITION = { renews: false, requires: undefined, upgrades_from: undefined };

const notTransferable = (message: string) => refuse('not_transferable', { message });

/**
 * Decides what moves with an entitlement. Its renewals, upgrades and add-ons go along, so that nobody makes or loses
 * anything; what adds to another license too stays with that one. Keys and devices of a product go along if the account may not use it
 * afterwards. Refuses a subscription, which the payment provider keeps charging, an entitlement that has ended, a
 * renewal alone, and seats that other people have: a buyer expects them to keep working. `teams` are those of the
 * account.
 */
export const transferPlan = (
  holdings: Holdings,
  id: number,
  goods: Pick<Catalog, 'products' | 'bundles'>,
  now: Instant,
  teams: readonly Team[],
): Outcome<TransferPlan, 'grant_not_found' | 'not_transferable'> => {
  const { entitlements, subscriptions } = holdings;
  const one = entitlements.find((each) => each.id === id);
  if (one?.grant_type === 'subscription' || (!one && subscriptions.some((each) => each.id === id))) {
    return notTransferable(
      `${id} is of a subscription, which its buyer goes on paying; change the customer at the payment provider instead.`,
    );
  }
  if (!one) return refuse('grant_not_found', { message: `The account has no entitlement ${id}.` });
  const held = [
    ...renewedEntitlements(holdings, goods.bundles).filter(({ revoked_at }) => revoked_at === null),
    ...subscriptions.flatMap((each) =>
      each.product_ids.map((product_id) => {
        const end = accessEnd(each);
        return { id: each.id, product_id, granted_at: each.starts_at, access_expires_at: end, ...NO_ADDITION };
      }),
    ),
  ];
  const bringsSame = (a: Pick<Entitlement, 'product_id'>, b: Pick<Entitlement, 'product_id'>): boolean => {
    const brought = productsBrought(b.product_id, goods.bundles);
    return productsBrought(a.product_id, goods.bundles).some((product) => brought.includes(product));
  };
  /**
   * The ids of what an entitlement only adds to: for a renewal what was active when it was paid, for an upgrade or an
   * add-on the other licenses of the product.
   */
  const addsTo = (each: Entitlement): number[] => {
    const { granted_at, renews, requires, upgrades_from } = each;
    const others = held.filter((other) => other.id !== each.id && bringsSame(other, each));
    if (renews) {
      return others
        .filter((other) => other.granted_at <= granted_at && !hasPassed(other.access_expires_at, granted_at))
        .map((other) => other.id);
    }
    if (!requires && !upgrades_from) return [];
    const licenses = others.filter((other) => !other.renews && !other.requires && (requires || !other.upgrades_from));
    return licenses.map((other) => other.id);
  };
  const [base] = addsTo(one);
  if (base !== undefined) {
    return notTransferable(`Entitlement ${id} only adds to ${base}; transfer that one, and this one goes along.`);
  }
  const ids = new Set([id]);
  for (let count = 0; count < ids.size; ) {
    count = ids.size;
    for (const each of entitlements) {
      const licenses = addsTo(each);
      if (licenses.length > 0 && licenses.every((license) => ids.has(license))) ids.add(each.id);
    }
  }
  const moved = [one, ...entitlements.filter((each) => each !== one && ids.has(each.id))];
  const isLive = held.some((each) => ids.has(each.id) && !hasPassed(each.access_expires_at, now));
  if (one.revoked_at !== null || !isLive)
    return notTransferable(`Entitlement ${id} has ended, so there is nothing to transfer.`);
  const rest = { ...holdings, entitlements: entitlements.filter((each) => !ids.has(each.id)) };
  for (const team of teams) {
    const product = moved.some((each) => productsBrought(each.product_id, goods.bundles).includes(team.product_id))
      ? goods.products.get(team.product_id)
      : undefined;
    const others = peopleIn(team, now).filter(({ role }) => role === 'member').length;
    if (!product || others === 0 || seatsTaken(team, now) <= seatLimit(product, goods.bundles, rest, now)) continue;
    return notTransferable(
      `${countOf(others, 'other person has', 'other people have')} a seat of ${product.slug} by entitlement ${id}; remove them from the team first, and invite them again from the other account.`,
    );
  }
  const products = new Set(moved.flatMap((each) => reachOf(each, goods, rest, now).unusable));
  return ok({ entitlements: moved, products: [...products] });
};
