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
import { type ItemEntry, isCounter, type TableDump } from './table-dump.ts';
import type { KeyOf, TypedTable } from './typed-table.ts';

type Parts = { readonly table: TypedTable; readonly objects: ObjectStore; readonly tableScan: Pick<TableDump, 'dump'> };

/** The ways into an account, which end before everything else; '' is all that the account has. */
const ORDER = ['KEYS#', 'PASSKEY#', 'SESSION#', 'APPS#', 'BROWSER#', ''];

/** A request that was under way may write once more. Looks at the partition after the whole table was read. */
const LAST_LOOKS = 3;

const zeros = <K extends string>(kinds: Readonly<Record<K, unknown>>): Record<K, number> =>
  Object.fromEntries(Object.keys(kinds).map((kind) => [kind, 0])) as Record<K, number>;

/** The keys, beside an item of the account's partition, of the items that belong to it. */
const besides = ({ sk, data }: Item): Key[] => {
  if ('keys' in data && Array.isArray(data.keys)) {
    return data.keys.flatMap(({ hash, id }) => [accessKeys.apiKey(hash), accessKeys.apiKeyOwner(id)]);
  }
  if (sk.startsWith('SESSION#') && 'hash' in data) return [signInKeys.session(String(data.hash))];
  if (sk.startsWith('PASSKEY#') && 'id' in data) return [signInKeys.passkeyOwner(String(data.id))];
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

  /** Without a permit it only counts. Memory is bounded by a page of the table and the tickets of the account. */
  async run(permit: Permit | null): Promise<ErasureCounts> {
    if (permit === null) await this.#own(permit, '');
    else for (const prefix of ORDER) await this.#own(permit, prefix);
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
      const stays = keptKind(item);
      if (stays) {
        kept[stays] += 1;
        continue;
      }
      going += 1;
      const { kind, records } = ownKind(item);
      this.#goes[kind] += records;
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
    for await (const entry of this.#entries()) {
      tickets.note(entry);
      if (entry.pk === partition) continue;
      if (isAuditOf(entry, this.#accountId)) this.#stays.audit += 1;
      if (isSaleOf(entry, this.#accountId)) this.#goes.sale_notes += await this.#emptySale(permit, entry);
      const found = namingKind(entry, this.#accountId);
      if (!found) continue;
      this.#goes[found.kind] += found.records;
      if (permit !== null) await this.#removeOutside(entry);
    }
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

  async *#entries(): AsyncGenerator<ItemEntry> {
    let after: string | undefined;
    do {
      const page = await this.#parts.tableScan.dump(0, after);
      for (const entry of page.entries) if (!isCounter(entry)) yield entry;
      after = page.next;
    } while (after !== undefined);
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

/** The kind of an item and the number of records that it stands for; 0 where another item counts them. */
type KindCount<K> = { readonly kind: K; readonly records: number };

/** The items of an account's partition, by the beginning of their sort keys. */
const OWN: readonly (readonly [prefix: string, kind: GoingKind, records: 0 | 1])[] = [
  ['PROFILE', 'profile', 1],
  ['KEYS#', 'keys', 0],
  ['PASSKEY#', 'passkeys', 1],
  ['SESSION#', 'browsers', 1],
  ['BROWSER#', 'browsers', 1],
  ['UPSTREAM#', 'sign_ins', 0],
  ['APPS#', 'apps', 1],
  ['DEVICE#', 'devices', 1],
  ['SLOTS#', 'devices', 0],
  ['USAGE#', 'usage', 1],
  ['INSTALL#', 'usage', 1],
  ['PRODUCTUSE#', 'usage', 1],
  ['PROGRESS#', 'usage', 1],
  ['ENTITLEMENT#', 'grants', 1],
  ['SUBSCRIPTION#', 'grants', 1],
  ['PAYMENT#', 'payment_methods', 1],
  ['REPORTED#', 'tickets', 0],
  ['TICKET#', 'tickets', 0],
];

const KEPT: readonly (readonly [prefix: string, kind: StayingKind])[] = [
  ['ORDER#', 'orders'],
  ['INVOICE#', 'invoices'],
  ['ERASED', 'mark'],
];

/** The kind under which an item of the account's own partition stays; undefined where it goes. */
const keptKind = ({ sk }: Pick<Item, 'sk'>): StayingKind | undefined =>
  KEPT.find(([prefix]) => sk.startsWith(prefix))?.[1];

/** The kind under which an item of the account's own partition goes. An item of no known kind is the profile's. */
const ownKind = ({ sk, data }: Pick<Item, 'sk' | 'data'>): KindCount<GoingKind> => {
  if ('keys' in data && Array.isArray(data.keys)) return { kind: 'keys', records: data.keys.length };
  const [, kind = 'profile', records = 0] = OWN.find(([prefix]) => sk.startsWith(prefix)) ?? [];
  return { kind, records };
};

/** The items outside of the account's partition that name their account in their data, by the first part of the key. */
const NAMING: Readonly<Record<string, KindCount<GoingKind>>> = {
  EMAIL: { kind: 'profile', records: 0 },
  ACCOUNTS: { kind: 'profile', records: 0 },
  KEY: { kind: 'keys', records: 0 },
  KEYID: { kind: 'keys', records: 0 },
  PASSKEY: { kind: 'passkeys', records: 0 },
  SESSION: { kind: 'browsers', records: 0 },
  BROWSER: { kind: 'browsers', records: 0 },
  SIGNINLINK: { kind: 'sign_ins', records: 1 },
  DEVICESIGNIN: { kind: 'sign_ins', records: 1 },
  UPSTREAM: { kind: 'sign_ins', records: 1 },
  OAUTHGRANT: { kind: 'apps', records: 0 },
  MESSAGES: { kind: 'profile', records: 0 },
  FAILEDMESSAGES: { kind: 'profile', records: 0 },
  PAYMENTEVENTS: { kind: 'profile', records: 0 },
  PAYMENTNAME: { kind: 'profile', records: 0 },
  OAUTHCLIENT: { kind: 'apps', records: 0 },
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

/** The kind under which an item outside of the account's partition goes; undefined where it is not the account's. */
const namingKind = ({ pk, data }: ItemEntry, accountId: number): KindCount<GoingKind> | undefined => {
  const [first = '', second = ''] = pk.split('#', 2);
  if (first === 'REPLAY') return second === String(accountId) ? { kind: 'replays', records: 1 } : undefined;
  if (first === 'OAUTH') return isOfOAuth(data, accountId) ? { kind: 'apps', records: 0 } : undefined;
  return (data as { readonly account_id?: unknown }).account_id === accountId ? NAMING[first] : undefined;
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

/** The tickets of an account, and the objects of their files that tickets of other accounts name too. */
class ErasedTickets {
  readonly ids: readonly number[];
  readonly #partitions: ReadonlySet<string>;
  readonly #objects: ReadonlySet<string>;
  readonly #shared = new Set<string>();

  constructor(ids: readonly number[], objects: ReadonlySet<string>) {
    this.ids = ids;
    this.#partitions = new Set(ids.map((id) => partsOf(id).pk));
    this.#objects = objects;
  }

  /** Takes notice of an item of the store, which may name one of the objects. */
  note({ pk, data }: ItemEntry): void {
    const key = objectKeyOf(data);
    if (key !== undefined && this.#objects.has(key) && !this.#partitions.has(pk)) this.#shared.add(key);
  }

  isShared(objectKey: string): boolean {
    return this.#shared.has(objectKey);
  }
}

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
  return new ErasedTickets(ids, objects);
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
    if (key !== undefined && !tickets.isShared(key)) await objects.remove(permit, key);
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
