import { hash } from 'node:crypto';
import type { Entitlement } from '../../../domain/licensing/entitlement.ts';
import type { Subscription } from '../../../domain/licensing/subscription.ts';
import type { TransferOffer } from '../../../domain/licensing/transfer.ts';
import type { Trial } from '../../../domain/licensing/trial.ts';
import type { Team } from '../../../domain/teams/team.ts';
import type { CounterKey, Partition } from './families.ts';
import { allOfAccount, keyIn, ofAccount, padded } from './shared.ts';

/** The fields that a subscription lacks if it was stored before grace periods, plans for apps and bills existed. */
type LaterMember = 'cancelled_at' | 'grace_days' | 'apps' | 'billing';

/** A subscription as any version of this service stored it. */
export type StoredSubscription = Omit<Subscription, LaterMember> & Partial<Pick<Subscription, LaterMember>>;

/** The account that holds a transferred entitlement. A merge of accounts keeps `account_id` current. */
export type Moved = Pick<Entitlement, 'account_id' | 'product_id' | 'id'> & {
  /** The account that gave it away last. */
  readonly from: number;
  /** The products whose devices have not all followed yet. */
  readonly devices_of?: readonly number[] | undefined;
};

/** The partition outlives the erasure of the buyer, so a refund still reaches the entitlement. */
const movedPartition = (account_id: number, order_id: number | null) =>
  order_id === null ? (`OWNER#ACCOUNT#${padded(account_id)}` as const) : (`OWNER#ORDER#${padded(order_id)}` as const);

export const licensingKeys = {
  /** The holder of an entitlement that came from this order, or without one from this account. */
  moved: (account_id: number, { order_id, id }: Pick<Entitlement, 'order_id' | 'id'>) =>
    keyIn<Moved>(movedPartition(account_id, order_id), `MOVED#${padded(id)}`),
  movedOf: (order_id: number): Partition<Moved> => ({ pk: movedPartition(0, order_id), prefix: 'MOVED#' }),

  /** The people of an account's teams, one item for each product. */
  teams: (account_id: number) => allOfAccount<Team>(account_id, 'TEAM#'),
  team: (account_id: number, product_id: number) => ofAccount<Team>(account_id, `TEAM#${padded(product_id)}`),
  /** The entitlements of an account, or only those that name one product. */
  entitlements: (account_id: number, product_id?: number) =>
    allOfAccount<Entitlement>(
      account_id,
      product_id === undefined ? 'ENTITLEMENT#' : `ENTITLEMENT#${padded(product_id)}#`,
    ),
  entitlement: (account_id: number, product_id: number, id: number) =>
    ofAccount<Entitlement>(account_id, `ENTITLEMENT#${padded(product_id)}#${padded(id)}`),
  /** An offer to transfer an entitlement, stored for its sender and its receiver. */
  offer: (account_id: number, { from, entitlement_id }: Pick<TransferOffer, 'from' | 'entitlement_id'>) =>
    ofAccount<TransferOffer>(account_id, `OFFER#${padded(from)}#${padded(entitlement_id)}`),
  offers: (account_id: number) => allOfAccount<TransferOffer>(account_id, 'OFFER#'),
  subscriptions: (account_id: number) => allOfAccount<StoredSubscription>(account_id, 'SUBSCRIPTION#'),
  subscription: (account_id: number, id: number) =>
    ofAccount<StoredSubscription>(account_id, `SUBSCRIPTION#${padded(id)}`),
  /** The hash names the product too, so that nobody can follow a device from one product's trials to another's. */
  trial: (product_id: number, device_id: string) =>
    keyIn<Trial>(`TRIAL#${hash('sha256', `${product_id} ${device_id}`, 'hex')}`, 'TRIAL'),
  /** The trials that started in a month (`YYYY-MM`), or those of them whose device has had a license since. */
  trialCount: (product_id: number, month: string, counted: 'started' | 'converted'): CounterKey => ({
    pk: `TRIALS#${product_id}`,
    sk: `${month}#${counted}`,
  }),
};
