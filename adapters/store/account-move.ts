import type { Account } from '../../domain/accounts/account.ts';
import type { Order } from '../../domain/billing/order.ts';
import { type Lease, MOST_LEASES } from '../../domain/devices/lease.ts';
import { type Device, withOffline } from '../../domain/devices/seat.ts';
import { isSameJson } from '../../domain/shared/same-json.ts';
import { joinedTeams, movedPlaces, movedTeam, type Team } from '../../domain/teams/team.ts';
import { giveBack, listedAnew, readSlots } from './devices.ts';
import { dependentKeys } from './erasure-sweep.ts';
import { accountKeys } from './keys/accounts.ts';
import { deviceKeys, productOf, type Slots } from './keys/devices.ts';
import type { StoredSubscription } from './keys/licensing.ts';
import { accountPartition } from './keys/shared.ts';
import { dueWrites } from './licenses.ts';
import type { OrderCounts } from './order-counts.ts';
import { allItems, ifUnchanged, itemOf, notErased } from './records.ts';
import type { Item, Key } from './table.ts';
import type { ItemEntry } from './table-dump.ts';
import type { TypedTable, TypedWrite } from './typed-table.ts';

type Parts = { readonly table: TypedTable; readonly orderCounts: OrderCounts };

/** An account's sign-in methods, sessions, profile and offers of licenses. No other account takes them over. */
const ENDS = /^(APPS|BROWSER|DRAFT|ERASED|OFFER|PASSKEY|PROFILE|SESSION|SIGNINLINK|UPSTREAM)(#|$)/;

/** Records that must not be dropped in favor of another one with the same id. */
const OWN = /^(ENTITLEMENT|INVOICE|ORDER|PAYMENT|SUBSCRIPTION)#/;

/** The partitions outside the account's own whose items move to the other account. */
export const MOVED =
  /^(EMAIL|FAILEDMESSAGES|KEY|KEYBATCH|KEYID|MESSAGES|NUMBER|OWNER|PAYMENTEVENTS|PAYMENTNAME|SALE|TICKETS|WEBHOOK[A-Z]+)(#|$)/;

/** The records of other accounts that name their places in teams, or the people of theirs. */
const PLACES = /^(PROFILE|TEAM)(#|$)/;

type Ring = { readonly keys: readonly object[] };

/**
 * Merges two records with the same sort key: keys and device counts add up, a device keeps the later end of its offline
 * files, and any other record of the other account stays as it is.
 */
const joined = (moved: object, there: object): object => {
  if ('people' in moved) return joinedTeams(moved as Team, there as Team);
  if ('keys' in moved) return { ...there, keys: [...(there as Ring).keys, ...(moved as Ring).keys] };
  if ('activated_at' in moved) return withOffline(there as Device, (moved as Device).offline_until);
  if (!('used' in moved && 'used' in there)) return there;
  const [a, b] = [there, moved] as [Slots, Slots];
  return { ...a, used: a.used + b.used, ...((a.held ?? b.held) && { held: [...(a.held ?? []), ...(b.held ?? [])] }) };
};

/**
 * Moves the records of an account to the one that it was merged into. Each transaction requires the record to be
 * unchanged since the read, so an interrupted move can continue. Device counts move first, so that none is ever too
 * low.
 */
export class AccountMove {
  readonly #parts: Parts;
  readonly #from: number;
  readonly #into: number;

  constructor(parts: Parts, from: number, into: number) {
    [this.#parts, this.#from, this.#into] = [parts, from, into];
  }

  /** The sort key of a record that can't move, because the other account has one with the same id. */
  async clash(): Promise<string | undefined> {
    for await (const item of this.#own()) if (await this.#clashes(item)) return item.sk;
    return undefined;
  }

  /**
   * Moves the items of the account's partition. It runs again after the scan of the table, for requests that were in
   * progress.
   */
  async own(prefixes: readonly (string | undefined)[] = ['SLOTS#', 'LEASE#', '']): Promise<void> {
    for (const prefix of prefixes) for await (const item of this.#own(prefix)) await this.#write(item, true);
  }

  /** Moves the devices and the sessions of a product. */
  ofProduct(product_id: number): Promise<void> {
    const { slotsOf, leases, devices } = deviceKeys;
    return this.own([slotsOf, leases, devices].map((of) => of(this.#from, product_id).prefix));
  }

  /** Moves an item outside the account's partition; false if it does not move to the other account. */
  async outside({ pk, sk, data }: ItemEntry): Promise<boolean> {
    const moves = MOVED.test(pk) || (pk.startsWith('ACCOUNT#') && PLACES.test(sk));
    return moves && !isSameJson(this.#renamed(data), data) && this.#write({ pk, sk }, false);
  }

  async *#own(prefix?: string): AsyncGenerator<Item> {
    const all = allItems(this.#parts.table, { pk: accountPartition(this.#from), prefix: prefix || undefined });
    for await (const item of all) if (!ENDS.test(item.sk)) yield item;
  }

  #there(sk: string): Promise<Item | undefined> {
    return this.#parts.table.get({ pk: accountPartition(this.#into), sk });
  }

  /** Both records must be read at one moment: between two reads, another run of the same merge may move one of them. */
  async #clashes({ pk, sk }: Key): Promise<boolean> {
    const { table } = this.#parts;
    for (;;) {
      const [here, there] = OWN.test(sk) ? await Promise.all([table.get({ pk, sk }), this.#there(sk)]) : [];
      if (!here || !there) return false;
      const check = ({ version, ...item }: Item) => ({ check: item, condition: { version } });
      if (await table.transact([check(here), check(there)])) return true;
    }
  }

  #renamed(data: object): object {
    const merge = { from: this.#from, into: this.#into };
    if ('people' in data) return movedTeam(data as Team, merge);
    if ('created_at' in data && 'memberships' in data && 'email' in data) {
      const account = data as Account;
      return { ...account, memberships: movedPlaces(account.id, account.memberships ?? [], merge) };
    }
    const renamed = (name: string, value: unknown) =>
      name === 'account_id' && value === this.#from ? this.#into : value;
    return JSON.parse(JSON.stringify(data), renamed) as object;
  }

  #inPlace({ version, ...item }: Item): TypedWrite {
    return { put: { ...item, data: this.#renamed(item.data) }, condition: { version } };
  }

  /** Moves or rewrites an item, and retries after a conflict; false if the other account was erased. */
  async #write(key: Key, moves: boolean): Promise<boolean> {
    const { table } = this.#parts;
    for (;;) {
      const item = await table.get({ pk: key.pk, sk: key.sk });
      if (!item) return true;
      const writes = moves ? await this.#moved(item) : [this.#inPlace(item)];
      if (await table.transact([notErased(this.#into), ...writes])) return true;
      // The other account was erased meanwhile: the remaining records are erased too.
      if (await table.get(accountKeys.erasure(this.#into))) return false;
    }
  }

  async #moved(item: Item): Promise<TypedWrite[]> {
    const { table, orderCounts } = this.#parts;
    if (item.sk.startsWith('LEASE#')) return this.#movedLease(item as Item<Lease>);
    const { pk, sk, expires_at, version } = item;
    const there = await this.#there(sk);
    if (there && (await this.#clashes(item))) throw new Error(`Account ${this.#into} has another record under ${sk}.`);
    const renamed = this.#renamed(item.data);
    const data = there ? joined(renamed, there.data) : renamed;
    const put = { pk: accountPartition(this.#into), sk, data, expires_at };
    const credentials = await Promise.all(dependentKeys(item).map((one) => table.get(one)));
    const of = { account_id: this.#into, product_id: productOf(sk) };
    const twice = there && sk.startsWith('DEVICE#') ? (there.data as Device) : undefined;
    const slots = twice && (await Array.fromAsync(allItems(table, deviceKeys.slotsOf(of.account_id, of.product_id))));
    return [
      { remove: { pk, sk }, condition: { version } },
      { put, condition: ifUnchanged(there?.version ?? null) },
      ...credentials.flatMap((one) => (one ? [this.#inPlace(one)] : [])),
      ...(sk.startsWith('ORDER#') ? await orderCounts.writes(item.data as Order, data as Order) : []),
      ...(sk.startsWith('DEVICE#') ? listedAnew(this.#from, this.#into, productOf(sk), item.data as Device) : []),
      ...(sk.startsWith('SUBSCRIPTION#') ? dueWrites(item.data as StoredSubscription, data as StoredSubscription) : []),
      // A device of both accounts was counted twice.
      ...(twice && slots ? [giveBack(of, readSlots(slots), twice.device_id, twice.last_seen_at)] : []),
    ];
  }

  /** Moves a session to a slot above every limit, where it holds its slot on and takes no number from another one. */
  async #movedLease({ pk, sk, data, expires_at, version }: Item<Lease>): Promise<TypedWrite[]> {
    let { slot } = data;
    const keyOf = () => deviceKeys.lease(this.#into, data.product_id, slot);
    do slot += MOST_LEASES;
    while (await this.#parts.table.get(keyOf()));
    const put = itemOf(keyOf(), { ...data, slot }, expires_at);
    return [
      { remove: { pk, sk }, condition: { version } },
      { put, condition: ifUnchanged(null) },
    ];
  }
}
