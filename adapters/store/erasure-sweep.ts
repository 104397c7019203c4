import type { Permit } from '../../domain/access/permit.ts';
import { type ErasureCounts, GOES, type GoingKind, STAYS, type StayingKind } from '../../domain/accounts/erasure.ts';
import { erasedInvoice } from '../../domain/billing/invoice.ts';
import { erasedOrder } from '../../domain/billing/order.ts';
import {
  erasedOrderSale,
  erasedSubscriptionSale,
  type OrderSale,
  type SubscriptionSale,
} from '../../domain/sales/sale.ts';
import { isSameJson } from '../../domain/shared/same-json.ts';
import type { ConnectedApp } from '../../domain/sign-in/oauth-grant.ts';
import { erasedTicket } from '../../domain/support/ticket.ts';
import type { ObjectStore } from '../../ports/outbound/object-store.ts';
import { accessKeys } from './keys/access.ts';
import { billingKeys } from './keys/billing.ts';
import type { saleKeys } from './keys/sales.ts';
import { accountPartition, SHARDS } from './keys/shared.ts';
import { signInKeys } from './keys/sign-in.ts';
import { supportKeys } from './keys/support.ts';
import { endGrant } from './oauth-records.ts';
import { allItems, allRecords, itemOf } from './records.ts';
import type { Item, Key } from './table.ts';
import { allEntries, type ItemEntry, isCounter, type TableDump } from './table-dump.ts';
import type { KeyOf, TypedTable } from './typed-table.ts';

type Parts = { readonly table: TypedTable; readonly objects: ObjectStore; readonly tableScan: Pick<TableDump, 'dump'> };

/** The ways into an account, which end before everything else. */
const WAYS_IN = ['KEYS#', 'PASSKEY#', 'SESSION#', 'APPS#', 'BROWSER#', 'SIGNINLINK#'];

/** A request that was under way may write once more. Looks at the partition after the whole table was read. */
const LAST_LOOKS = 3;

const zeros = <K extends string>(kinds: Readonly<Record<K, unknown>>): Record<K, number> =>
  Object.fromEntries(Object.keys(kinds).map((kind) => [kind, 0])) as Record<K, number>;

/** The keys, beside an item of the account's partition, of the items that belong to it. */
export const besides = ({ sk, data }: Item): Key[] => {
  if ('keys' in data && Array.isArray(data.keys)) {
    return data.keys.flatMap(({ hash, id }) => [accessKeys.apiKey(hash), accessKeys.apiKeyOwner(id)]);
  }
  if (sk.startsWith('SESSION#') && 'hash' in data) return [signInKeys.session(String(data.hash))];
  if (sk.startsWith('PASSKEY#') && 'id' in data) return [signInKeys.passkeyOwner(String(data.id))];
  if (sk.startsWith('SIGNINLINK#') && 'hash' in data) return [signInKeys.link(String(data.hash))];
  if (sk.startsWith('BROWSER#') && 'hash' in data) return [signInKeys.knownBrowser(String(data.hash))];
  return [];
};

/** One look at all that the store has of an account, which counts it and, with a permit, removes what goes. */
export class ErasureSweep {
  readonly #parts: Parts;
  readonly #accountId: number;
  readonly #goes = zeros<GoingKind>(GOES);
  readonly #stays = zeros<StayingKind>(STAYS);

  constructor(parts: Parts, accountId: number) {
    this.#parts = parts;
    this.#accountId = accountId;
  }

  /** Removes the ways into the account. It reads its partition alone, so that it takes a moment on a store of any size. */
  async close(permit: Permit): Promise<void> {
    for (const prefix of WAYS_IN) await this.#own(permit, prefix);
  }

  /** Without a permit it only counts. Memory is bounded by a page of the table and the tickets of the account. */
  async run(permit: Permit | null): Promise<ErasureCounts> {
    if (permit !== null) await this.close(permit);
    await this.#own(permit, '');
    const tickets = await findTickets(this.#parts.table, this.#accountId);
    await this.#outside(permit, tickets);
    await this.#tickets(permit, tickets);
    this.#goes.sale_notes += await eraseSales(this.#parts.table, permit, this.#accountId);
    for (let look = 0; permit !== null && look < LAST_LOOKS; look++) {
      if ((await this.#own(permit, '')) === 0) break;
    }
    this.#stays.mark = 1;
    return { goes: this.#goes, stays: this.#stays };
  }

  /** Goes through the account's partition, or the part with a prefix; the number of items that go. */
  async #own(permit: Permit | null, prefix: string): Promise<number> {
    const kept = zeros<StayingKind>(STAYS);
    let going = 0;
    const partition = { pk: accountPartition(this.#accountId), prefix: prefix === '' ? undefined : prefix };
    for await (const item of allItems(this.#parts.table, partition)) {
      const stays = KEPT[firstOf(item.sk)];
      if (stays) {
        kept[stays] += 1;
        continue;
      }
      going += 1;
      this.#count(OWN[firstOf(item.sk)]);
      if ('keys' in item.data && Array.isArray(item.data.keys)) this.#goes.keys += item.data.keys.length;
      if (permit !== null) await this.#removeOwn(item);
    }
    if (prefix === '') Object.assign(this.#stays, { orders: kept.orders, invoices: kept.invoices });
    return going;
  }

  /** The item goes last, so that a sweep that broke off finds what belongs to it again. */
  async #removeOwn(item: Item): Promise<void> {
    const { table } = this.#parts;
    if (item.sk.startsWith('APPS#')) {
      const app = item.data as ConnectedApp;
      await endGrant(table, app.grant_id, app);
    }
    for (const key of besides(item)) await table.remove(key);
    await table.remove(item);
  }

  /** Goes through the whole table, because some records are found by a hash alone. */
  async #outside(permit: Permit | null, tickets: ErasedTickets): Promise<void> {
    const partition = accountPartition(this.#accountId);
    for await (const entry of allEntries(this.#parts.tableScan, 0)) {
      if (isCounter(entry)) continue;
      note(entry, tickets);
      if (entry.pk === partition) continue;
      if (isAuditOf(entry, this.#accountId)) this.#stays.audit += 1;
      if (isSaleOf(entry, this.#accountId)) this.#goes.sale_notes += await this.#emptySale(permit, entry);
      if (!namesAccount(entry, this.#accountId)) continue;
      this.#count(OUTSIDE[firstOf(entry.pk)]);
      if (permit !== null) await this.#removeOutside(entry);
    }
  }

  /** Counts a record that goes; undefined where another record stands for it. */
  #count(kind: GoingKind | null | undefined): void {
    if (kind) this.#goes[kind] += 1;
  }

  /** Empties the record of a sale, which stays so that its next event opens no new account for the buyer. */
  #emptySale(permit: Permit | null, { pk, sk }: ItemEntry): Promise<0 | 1> {
    const { table } = this.#parts;
    const key = { pk, sk } as unknown;
    return sk === 'ORDER'
      ? emptied(table, permit, key as ReturnType<typeof saleKeys.order>, erasedOrderSale)
      : emptied(table, permit, key as ReturnType<typeof saleKeys.subscription>, erasedSubscriptionSale);
  }

  async #removeOutside({ pk, sk, data }: ItemEntry): Promise<void> {
    const { table } = this.#parts;
    if (pk.startsWith('OAUTHGRANT#')) await endGrant(table, pk.slice('OAUTHGRANT#'.length), data as ConnectedApp);
    if ('user_code_hash' in data) await table.remove(signInKeys.userCode(String(data.user_code_hash)));
    await table.remove({ pk, sk });
  }

  async #tickets(permit: Permit | null, tickets: ErasedTickets): Promise<void> {
    const { table, objects } = this.#parts;
    for (const id of tickets.ids) {
      const { texts, files } = await eraseTicket({ table, objects }, permit, id, tickets);
      this.#stays.tickets += 1;
      this.#goes.tickets += texts;
      this.#goes.files += files;
    }
  }
}

/** The first part of a key. */
const firstOf = (key: string): string => key.split('#', 1)[0] ?? '';

/** The items of an account's partition that count as records, by the first part of their sort keys. */
const OWN: Readonly<Record<string, GoingKind>> = {
  PROFILE: 'profile',
  PASSKEY: 'passkeys',
  SESSION: 'browsers',
  BROWSER: 'browsers',
  SIGNINLINK: 'sign_ins',
  APPS: 'apps',
  DEVICE: 'devices',
  USAGE: 'usage',
  INSTALL: 'usage',
  PRODUCTUSE: 'usage',
  PROGRESS: 'usage',
  ENTITLEMENT: 'grants',
  SUBSCRIPTION: 'grants',
  PAYMENT: 'payment_methods',
};

const KEPT: Readonly<Record<string, StayingKind>> = { ORDER: 'orders', INVOICE: 'invoices', ERASED: 'mark' };

/**
 * The items outside of the account's partition that go where they name the account, by the first part of their key.
 * Null where an item of the partition counts for them.
 */
const OUTSIDE: Readonly<Record<string, GoingKind | null>> = {
  SIGNINLINK: null,
  DEVICESIGNIN: 'sign_ins',
  UPSTREAM: 'sign_ins',
  REPLAY: 'replays',
  ...Object.fromEntries(
    ['EMAIL', 'ACCOUNTS', 'KEY', 'KEYID', 'PASSKEY', 'SESSION', 'BROWSER', 'OAUTH', 'OAUTHGRANT', 'OAUTHCLIENT']
      .concat('MESSAGES', 'FAILEDMESSAGES', 'PAYMENTEVENTS', 'PAYMENTNAME')
      .map((first) => [first, null]),
  ),
};

type OAuthData = {
  readonly payload?: {
    readonly accountId?: unknown;
    readonly result?: { readonly login?: { readonly accountId?: unknown } };
  };
};

/** The records of the authorization server name the account in the words of its library. */
const isOfOAuth = ({ payload }: OAuthData, accountId: number): boolean =>
  [payload?.accountId, payload?.result?.login?.accountId].includes(String(accountId));

/** True for an item outside of the account's partition that goes with the account. */
const namesAccount = ({ pk, data }: ItemEntry, accountId: number): boolean => {
  const first = firstOf(pk);
  if (!Object.hasOwn(OUTSIDE, first)) return false;
  if (first === 'REPLAY') return pk.split('#', 2)[1] === String(accountId);
  return first === 'OAUTH'
    ? isOfOAuth(data, accountId)
    : (data as { readonly account_id?: unknown }).account_id === accountId;
};

type AuditData = { readonly account_id?: unknown; readonly by?: { readonly account_id?: unknown } };

/** True for an entry of the audit log about the account, or about what the account did. */
const isAuditOf = ({ pk, data }: ItemEntry, accountId: number): boolean =>
  pk.startsWith('AUDIT#') && [(data as AuditData).account_id, (data as AuditData).by?.account_id].includes(accountId);

const isSaleOf = ({ pk, data }: ItemEntry, accountId: number): boolean =>
  pk.startsWith('SALE#') && (data as Partial<OrderSale | SubscriptionSale>).made?.account_id === accountId;

/** The partition of all that belongs to a ticket. */
const partsOf = (id: number) => ({ pk: supportKeys.ticketFiles(id).pk });

const objectKeyOf = (data: object): string | undefined => ('object_key' in data ? String(data.object_key) : undefined);

/** The tickets of an account, the objects of their files, and those objects that tickets of other accounts name too. */
type ErasedTickets = {
  readonly ids: readonly number[];
  readonly objects: ReadonlySet<string>;
  readonly shared: Set<string>;
};

/** Takes notice of an item of the store, which may name an object of the tickets. */
const note = ({ pk, data }: ItemEntry, { ids, objects, shared }: ErasedTickets): void => {
  const key = objectKeyOf(data);
  if (key !== undefined && objects.has(key) && !ids.some((id) => partsOf(id).pk === pk)) shared.add(key);
};

/** The tickets of an account. Tickets lie by their ids, so that all of the store are looked at. */
const findTickets = async (table: TypedTable, accountId: number): Promise<ErasedTickets> => {
  const ids: number[] = [];
  for (let shard = 0; shard < SHARDS; shard++) {
    for await (const { data } of allItems(table, supportKeys.tickets(shard))) {
      if (data.account_id === accountId) ids.push(data.id);
    }
  }
  const objects = new Set<string>();
  for (const id of ids) {
    for (const { object_key } of await allRecords(table, supportKeys.ticketFiles(id))) objects.add(object_key);
  }
  return { ids, objects, shared: new Set() };
};

/**
 * Erases the text, the details and the files of a ticket, or counts them where there is no permit. An object goes
 * before the record that names it, so that a call that broke off can be repeated.
 */
const eraseTicket = async (
  { table, objects }: { readonly table: TypedTable; readonly objects: ObjectStore },
  permit: Permit | null,
  id: number,
  tickets: ErasedTickets,
): Promise<{ readonly texts: 0 | 1; readonly files: number }> => {
  let files = 0;
  for await (const item of allItems(table, partsOf(id))) {
    const key = objectKeyOf(item.data);
    if (key !== undefined) files += 1;
    if (permit === null) continue;
    if (key !== undefined && !tickets.shared.has(key)) await objects.remove(permit, key);
    await table.remove(item);
  }
  return { texts: await emptied(table, permit, supportKeys.ticket(id), erasedTicket), files };
};

/**
 * Erases the links and reasons of an account's orders and invoices, or counts the records that have some where there is
 * no permit. A call that broke off can be repeated.
 */
const eraseSales = async (table: TypedTable, permit: Permit | null, accountId: number): Promise<number> => {
  let count = 0;
  for await (const { data } of allItems(table, billingKeys.orders(accountId))) {
    count += await emptied(table, permit, billingKeys.order(accountId, data.id), erasedOrder);
  }
  for await (const { data } of allItems(table, billingKeys.invoices(accountId))) {
    count += await emptied(table, permit, billingKeys.invoice(accountId, data.id), erasedInvoice);
  }
  return count;
};

/**
 * Writes the emptied record, or counts it where there is no permit; 0 where it is empty or gone. A record that is
 * written meanwhile is read again.
 */
const emptied = async <T extends object>(
  table: TypedTable,
  permit: Permit | null,
  key: KeyOf<T>,
  empty: (record: T) => T,
): Promise<0 | 1> => {
  for (;;) {
    const item = await table.get(key);
    if (!item) return 0;
    const record = empty(item.data);
    if (isSameJson(item.data, record)) return 0;
    if (permit === null) return 1;
    if (await table.put(itemOf<T>(key, record, item.expires_at), { version: item.version })) return 1;
  }
};
