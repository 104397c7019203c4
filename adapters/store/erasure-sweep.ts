import type { Permit } from '../../domain/access/permit.ts';
import type { Account, Membership } from '../../domain/accounts/account.ts';
import { addressKey } from '../../domain/accounts/address.ts';
import { type ErasureCounts, GOES, type GoingKind, STAYS, type StayingKind } from '../../domain/accounts/erasure.ts';
import { erasedInvoice } from '../../domain/billing/invoice.ts';
import { erasedOrder } from '../../domain/billing/order.ts';
import type { Device } from '../../domain/devices/seat.ts';
import { erasedOrderSale, erasedSubscriptionSale } from '../../domain/sales/sale.ts';
import { isSameJson } from '../../domain/shared/same-json.ts';
import type { ConnectedApp } from '../../domain/sign-in/oauth-grant.ts';
import { erasedTicket, type Ticket, type TicketFile } from '../../domain/support/ticket.ts';
import type { Person, Team } from '../../domain/teams/team.ts';
import { type Delivery, takenAlongWith, type WrittenEvents } from '../../domain/webhooks/delivery.ts';
import type { ObjectStore } from '../../ports/outbound/object-store.ts';
import { accessKeys } from './keys/access.ts';
import { accountKeys } from './keys/accounts.ts';
import { billingKeys } from './keys/billing.ts';
import { deviceKeys, productOf } from './keys/devices.ts';
import { licensingKeys, type StoredSubscription } from './keys/licensing.ts';
import { paymentKeys, type StoredEvent } from './keys/payments.ts';
import type { saleKeys } from './keys/sales.ts';
import { accountPartition } from './keys/shared.ts';
import { signInKeys } from './keys/sign-in.ts';
import { supportKeys } from './keys/support.ts';
import { webhookKeys } from './keys/webhooks.ts';
import { dueKey } from './licenses.ts';
import { endGrant } from './oauth-records.ts';
import { bodyOf } from './packed-body.ts';
import { allItems, everyShard, itemOf } from './records.ts';
import type { Item, Key } from './table.ts';
import { type Entry, type ItemEntry, isCounter } from './table-dump.ts';
import { listWrites } from './tickets.ts';
import type { KeyOf, TypedTable, TypedWrite } from './typed-table.ts';

type Parts = { readonly table: TypedTable; readonly objects: ObjectStore };

/** Sign-in methods, sessions and keys, which are deleted first. */
const WAYS_IN = ['KEYS#', 'PASSKEY#', 'SESSION#', 'APPS#', 'BROWSER#', 'SIGNINLINK#'];

/** The number of final reads of the partition after the scan: a request that was in progress may still have written. */
const LAST_LOOKS = 3;

const zeros = <K extends string>(kinds: Readonly<Record<K, unknown>>): Record<K, number> =>
  Object.fromEntries(Object.keys(kinds).map((kind) => [kind, 0])) as Record<K, number>;

/** The keys of the items elsewhere that belong to an item of the account's partition. */
export const dependentKeys = ({ sk, data }: Pick<Item, 'sk' | 'data'>): Key[] => {
  if ('keys' in data && Array.isArray(data.keys)) {
    return data.keys.flatMap(({ hash, id, prefix }) => [
      accessKeys.apiKey(hash),
      accessKeys.apiKeyOwner(id),
      accessKeys.apiKeyPrefix(prefix),
    ]);
  }
  if (sk.startsWith('SESSION#') && 'hash' in data) return [signInKeys.session(String(data.hash))];
  if (sk.startsWith('PASSKEY#') && 'id' in data) return [signInKeys.passkeyOwner(String(data.id))];
  if (sk.startsWith('SIGNINLINK#') && 'hash' in data) return [signInKeys.link(String(data.hash))];
  if (sk.startsWith('BROWSER#') && 'hash' in data) return [signInKeys.knownBrowser(String(data.hash))];
  return [];
};

/** Everything that the store has about an account. It is counted and, with a permit, erased. */
export class ErasureSweep {
  readonly #parts: Parts;
  readonly #account_id: number;
  readonly #permit: Permit | null;
  readonly #goes = zeros<GoingKind>(GOES);
  readonly #stays = zeros<StayingKind>(STAYS);
  readonly #tickets = new Set<number>();

  constructor(parts: Parts, account_id: number, permit: Permit | null) {
    [this.#parts, this.#account_id, this.#permit] = [parts, account_id, permit];
  }

  /**
   * Deletes sign-in methods, sessions and keys. It reads only the account's partition, so it is fast on a store of any
   * size.
   */
  async close(): Promise<void> {
    for (const prefix of WAYS_IN) await this.#own(prefix);
  }

  /**
   * Deletes the items of the partition, except the list of tickets, which goes with the tickets. Returns the tickets'
   * files.
   */
  async begin(keepsOwn: boolean): Promise<Item<TicketFile>[]> {
    const { table } = this.#parts;
    if (this.#permit !== null) await this.close();
    if (!keepsOwn) await this.#own('');
    const files: Item<TicketFile>[] = [];
    for await (const { data } of allItems(table, supportKeys.ticketsOf(this.#account_id))) {
      this.#tickets.add(data.ticket_id);
      files.push(...(await Array.fromAsync(allItems(table, supportKeys.ticketFiles(data.ticket_id)))));
    }
    this.#goes.files += files.length;
    return files;
  }

  /** Deletes the rest, after the whole table was read. */
  async finish(): Promise<ErasureCounts> {
    const { table, objects } = this.#parts;
    for (const id of this.#tickets) {
      this.#goes.tickets += await eraseTicket({ table, objects }, this.#permit, id);
      if (this.#permit !== null) await table.remove(supportKeys.ticketOf(this.#account_id, id));
    }
    this.#goes.sale_notes += await eraseSales(table, this.#permit, this.#account_id);
    for (let look = 0; this.#permit !== null && look < LAST_LOOKS; look++) {
      if ((await this.#own('')) === 0) break;
    }
    this.#stays.mark = 1;
    return { goes: this.#goes, stays: this.#stays };
  }

  /**
   * Deletes an item outside the account's partition that concerns the account. Returns its id if it is a ticket with a
   * text that is missing from the account's list, as after an interrupted erasure of an earlier version.
   */
  async outside(entry: ItemEntry): Promise<number | undefined> {
    const first = firstOf(entry.pk);
    if (first === 'AUDIT') this.#stays.audit += 1;
    else if (first === 'WEBHOOKEVENTS') {
      const { id } = entry.data as WrittenEvents;
      await emptied(this.#parts.table, this.#permit, webhookKeys.written(id), (written) => ({
        id,
        events: written.events.filter((event) => takenAlongWith(event) !== this.#account_id),
      }));
    } else if (first === 'SALE') this.#goes.sale_notes += await this.#emptySale(entry);
    else if (first === 'TICKETS') {
      const ticket = entry.data as Ticket;
      this.#stays.tickets += 1;
      return this.#tickets.has(ticket.id) || isSameJson(erasedTicket(ticket), ticket) ? undefined : ticket.id;
    } else {
      this.#count(OUTSIDE[first]);
      if (this.#permit !== null) await this.#removeOutside(entry);
    }
    return undefined;
  }

  /** Deletes the items of the account's partition, or of the part with a prefix. Returns their number. */
  async #own(prefix: string): Promise<number> {
    const staying = zeros<StayingKind>(STAYS);
    let going = 0;
    const partition = { pk: accountPartition(this.#account_id), prefix: prefix === '' ? undefined : prefix };
    for await (const item of allItems(this.#parts.table, partition)) {
      if (item.sk.startsWith('TICKET#')) continue;
      const stays = STAYING[firstOf(item.sk)];
      if (stays) {
        staying[stays] += 1;
        continue;
      }
      going += 1;
      this.#count(OWN[firstOf(item.sk)]);
      if ('keys' in item.data && Array.isArray(item.data.keys)) this.#goes.keys += item.data.keys.length;
      if (this.#permit !== null) await this.#removeOwn(item);
    }
    if (prefix === '') Object.assign(this.#stays, { orders: staying.orders, invoices: staying.invoices });
    return going;
  }

  /** The item goes last, so that an interrupted sweep finds its related items again. */
  async #removeOwn(item: Item): Promise<void> {
    const { table } = this.#parts;
    if (item.sk.startsWith('APPS#')) {
      const app = item.data as ConnectedApp;
      await endGrant(table, app.grant_id, app);
    }
    const listed = item.sk.startsWith('SUBSCRIPTION#') ? dueKey(item.data as StoredSubscription) : undefined;
    const device = item.sk.startsWith('DEVICE#') ? (item.data as Device) : undefined;
    const ofDevice = device && { account_id: this.#account_id, product_id: productOf(item.sk), ...device };
    const listings = [...(listed ? [listed] : []), ...(ofDevice ? [deviceKeys.listed(ofDevice)] : [])];
    for (const key of [...dependentKeys(item), ...listings]) await table.remove(key);
    await table.remove(item);
  }

  /** Counts a deleted record. The kind is undefined if another record represents it. */
  #count(kind: GoingKind | null | undefined): void {
    if (kind) this.#goes[kind] += 1;
  }

  /**
   * Empties the record of a sale. The record stays, so that the next event of the sale creates no new account for the
   * buyer.
   */
  #emptySale({ pk, sk }: ItemEntry): Promise<0 | 1> {
    const { table } = this.#parts;
    const key = { pk, sk } as unknown;
    return sk === 'ORDER'
      ? emptied(table, this.#permit, key as ReturnType<typeof saleKeys.order>, erasedOrderSale)
      : emptied(table, this.#permit, key as ReturnType<typeof saleKeys.subscription>, erasedSubscriptionSale);
  }

  async #removeOutside({ pk, sk, data }: ItemEntry): Promise<void> {
    const { table } = this.#parts;
    if (pk.startsWith('OAUTHGRANT#')) await endGrant(table, pk.slice('OAUTHGRANT#'.length), data as ConnectedApp);
    if ('user_code_hash' in data) await table.remove(signInKeys.userCode(String(data.user_code_hash)));
    await table.remove({ pk, sk });
  }
}

/**
 * The move of a merged account's records to its heir. `own` moves the items of its partition; `outside` returns
 * whether an item outside of it moves too.
 */
type Move = { own(): Promise<void>; outside(entry: ItemEntry): Promise<boolean> };

/** Erases several accounts in one scan of the table, because some records can be found only by a hash. */
export class ErasureSweeps {
  readonly #parts: Parts;
  readonly #permit: Permit | null;
  readonly #sweeps = new Map<number, ErasureSweep>();
  readonly #moves = new Map<number, Move>();
  /** The records of files by the key of their object. */
  readonly #files = new Map<string, Item[]>();
  readonly #ticketParts = new Set<string>();
  /** The addresses that led to an account, and the ids that payment providers gave it, as `provider#id`. */
  readonly #emails = new Map<number, Set<string>>();
  readonly #ids = new Map<number, Set<string>>();

  constructor(parts: Parts, permit: Permit | null) {
    [this.#parts, this.#permit] = [parts, permit];
  }

  /**
   * Deletes the items of the account's partition, or moves them to its heir. Runs before the first page, and again
   * after a crash.
   */
  async begin(account_id: number, move?: Move): Promise<void> {
    await move?.own();
    if (move) this.#moves.set(account_id, move);
    const sweep = new ErasureSweep(this.#parts, account_id, this.#permit);
    this.#sweeps.set(account_id, sweep);
    const unfinished = await this.#parts.table.get(accountKeys.unfinishedErasure(account_id));
    this.#emails.set(account_id, new Set(unfinished?.data.emails));
    this.#ids.set(account_id, new Set(unfinished?.data.provider_ids));
    for (const file of await sweep.begin(move !== undefined)) {
      this.#ticketParts.add(file.pk);
      this.#files.set(file.data.object_key, [...(this.#files.get(file.data.object_key) ?? []), file]);
    }
  }

  /** Erases the accounts' records on one page of the scan. Returns tickets that the accounts' own lists lack. */
  async page(entries: readonly Entry[]): Promise<TicketOf[]> {
    const lacking: TicketOf[] = [];
    const meant: { readonly account_id: number; readonly entry: ItemEntry }[] = [];
    const noted = new Set<number>();
    for (const entry of entries) {
      if (isCounter(entry)) continue;
      await this.#spare(entry);
      if (await this.#isMoved(entry)) continue;
      if (entry.sk.startsWith('TEAM#')) await this.#leaveTeam(entry.data as Team);
      if (entry.sk === 'PROFILE') await this.#endPlaces(entry.data as Account);
      for (const account_id of new Set([...accountsIn(entry), ...this.#addressed(entry)])) {
        meant.push({ account_id, entry });
        if (this.#isNews(account_id, entry)) noted.add(account_id);
      }
    }
    for (const account_id of noted) await this.#keepNoted(account_id);
    for (const { account_id, entry } of meant) {
      const id = await this.#sweeps.get(account_id)?.outside(entry);
      if (id !== undefined) lacking.push({ account_id, id });
    }
    return lacking;
  }

  /** True for a further id of a provider, or address of an account that was merged into this one, which it notes. */
  #isNews(account_id: number, { pk }: ItemEntry): boolean {
    const [known, text] = pk.startsWith(NAMES)
      ? [this.#ids.get(account_id), pk.slice(NAMES.length)]
      : [this.#emails.get(account_id), addressKey(pk.slice('EMAIL#'.length))];
    if (!known || known.has(text) || !(pk.startsWith(NAMES) || pk.startsWith('EMAIL#'))) return false;
    known.add(text);
    return true;
  }

  /** Stores what was noted before the records of a page go, for the sweep that continues after a crash. */
  async #keepNoted(account_id: number): Promise<void> {
    const unfinished = this.#permit && (await this.#parts.table.get(accountKeys.unfinishedErasure(account_id)));
    if (!unfinished) return;
    const emails = [...(this.#emails.get(account_id) ?? [])];
    const provider_ids = [...(this.#ids.get(account_id) ?? [])].slice(0, MOST_IDS);
    await this.#parts.table.put(itemOf(unfinished, { ...unfinished.data, emails, provider_ids }));
  }

  /** The erased accounts whose address is stored under a provider's id that no account has yet. */
  #addressed({ pk, data }: ItemEntry): number[] {
    if (!pk.startsWith(NAMES) || (data as Naming).account_id !== null) return [];
    const named = textsIn(data);
    return [...this.#emails].flatMap(([id, emails]) => ([...emails].some((email) => named.has(email)) ? id : []));
  }

  /**
   * Removes payment events without an account that contain an erased account's address or provider id. Runs after the
   * last page, because the scan finds addresses and ids in any order.
   */
  async events(): Promise<void> {
    const identifiers = [...this.#emails.values(), ...this.#ids.values()].flatMap((texts) => [...texts]);
    for (const partition of identifiers.length === 0 ? [] : everyShard(paymentKeys.events)) {
      for await (const item of allItems(this.#parts.table, partition)) {
        const named = item.data.account_id === null ? textsIn(item.data) : undefined;
        if (named && identifiers.some((text) => named.has(text))) await this.#parts.table.remove(item);
      }
    }
  }

  async finish(account_id: number): Promise<ErasureCounts> {
    await this.#moves.get(account_id)?.own();
    const sweep = this.#sweeps.get(account_id);
    if (!sweep) throw new Error(`The erasure of account ${account_id} has not begun.`);
    return sweep.finish();
  }

  async #isMoved(entry: ItemEntry): Promise<boolean> {
    for (const move of this.#moves.values()) if (await move.outside(entry)) return true;
    return false;
  }

  /** Removes erased accounts, and invitations to their addresses, from a team of another account. */
  async #leaveTeam({ account_id, product_id }: Team): Promise<void> {
    const isErased = (person: Person): boolean =>
      this.#sweeps.has(person.account_id ?? 0) ||
      [...this.#emails.values()].some((emails) => emails.has(addressKey(person.email)));
    await emptied(this.#parts.table, this.#permit, licensingKeys.team(account_id, product_id), (team) => ({
      ...team,
      people: team.people.filter((person) => !isErased(person)),
    }));
  }

  /** Removes the places in teams of erased accounts from another account. */
  async #endPlaces({ id, memberships }: Account): Promise<void> {
    const stays = ({ account_id }: Membership): boolean => !this.#sweeps.has(account_id);
    if (memberships?.every(stays) ?? true) return;
    await emptied(this.#parts.table, this.#permit, accountKeys.account(id), (account) => {
      const { memberships: places = [], ...rest } = account;
      const left = places.filter(stays);
      return { ...rest, ...(left.length > 0 && { memberships: left }) };
    });
  }

  /** Keeps an object that a ticket of another account also names, by removing the erased accounts' records of it. */
  async #spare({ pk, data }: ItemEntry): Promise<void> {
    const key = objectKeyOf(data);
    if (key === undefined || this.#ticketParts.has(pk)) return;
    for (const file of this.#files.get(key) ?? []) if (this.#permit !== null) await this.#parts.table.remove(file);
    this.#files.delete(key);
  }
}

/** The maximum number of stored ids of an account, whose record must stay below an item's largest size. */
const MOST_IDS = 1000;

/** The beginning of the keys of providers' ids. */
const NAMES = 'PAYMENTNAME#';

export type TicketOf = Pick<Ticket, 'account_id' | 'id'>;

/** The first part of a key. */
const firstOf = (key: string): string => key.split('#', 1)[0] ?? '';

/** The items of an account's partition that are counted, by the first part of their sort keys. */
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

const STAYING: Readonly<Record<string, StayingKind>> = { ORDER: 'orders', INVOICE: 'invoices', ERASED: 'mark' };

/**
 * The items outside the account's partition that are deleted if they name the account, by the first part of their key.
 * Null if an item of the partition is counted for them.
 */
const OUTSIDE: Readonly<Record<string, GoingKind | null>> = {
  SIGNINLINK: null,
  DEVICESIGNIN: 'sign_ins',
  UPSTREAM: 'sign_ins',
  REPLAY: 'replays',
  ...Object.fromEntries(
    [
      'EMAIL',
      'ACCOUNTS',
      'ADDRESSES',
      'DEVICEIDS',
      'KEY',
      'KEYID',
      'PASSKEY',
      'SESSION',
      'BROWSER',
      'OAUTH',
      'OAUTHGRANT',
      'OAUTHCLIENT',
    ]
      .concat('MESSAGES', 'FAILEDMESSAGES', 'PAYMENTEVENTS', 'PAYMENTNAME', 'WEBHOOKLOG', 'WEBHOOKQUEUE')
      .map((first) => [first, null]),
  ),
};

type OAuthData = {
  readonly payload?: {
    readonly accountId?: unknown;
    readonly result?: { readonly login?: { readonly accountId?: unknown } };
  };
};

/** The accounts that an item outside their partitions concerns. */
const accountsIn = ({ pk, data }: ItemEntry): number[] => {
  const first = firstOf(pk);
  const { account_id, by, made } = data as NamingData;
  if (first === 'AUDIT') return [Number(account_id), Number(by?.account_id)];
  if (first === 'SALE') return [Number(made?.account_id)];
  if (first === 'REPLAY') return [Number(pk.split('#', 2)[1])];
  if (first === 'OAUTH') {
    // The authorization server's records name the account in the terms of its library.
    const { payload } = data as OAuthData;
    return [Number(payload?.accountId), Number(payload?.result?.login?.accountId)];
  }
  if (first === 'WEBHOOKEVENTS') return (data as WrittenEvents).events.map((event) => Number(takenAlongWith(event)));
  if (first === 'WEBHOOKLOG' || first === 'WEBHOOKQUEUE') return [Number(takenAlongWith(data as Delivery))];
  return first === 'TICKETS' || Object.hasOwn(OUTSIDE, first) ? [Number(account_id)] : [];
};

type Naming = { readonly account_id?: unknown };

type NamingData = Naming & { readonly by?: Naming; readonly made?: Naming };

/** A payment event's addresses, and its other texts as `provider#id`; only the buyer's texts if the buyer is known. */
const textsIn = (data: Partial<StoredEvent>): Set<string> => {
  const { buyer, deflated, provider } = data;
  const found = new Set<string>();
  const content: unknown = buyer ?? (deflated === undefined ? data : JSON.parse(bodyOf({ deflated })));
  JSON.stringify(content, (_, value: unknown) => {
    if (typeof value === 'string') found.add(value.includes('@') ? addressKey(value) : `${provider}#${value}`);
    return value;
  });
  return found;
};

/** The partition of a ticket's items. */
const partsOf = (id: number) => ({ pk: supportKeys.ticketFiles(id).pk });

const objectKeyOf = (data: object): string | undefined => ('object_key' in data ? String(data.object_key) : undefined);

/**
 * Erases the text, the details and the files of a ticket; returns 1 if it had a text. An object is deleted before the
 * record that names it, so that an interrupted call can be repeated.
 */
const eraseTicket = async (
  { table, objects }: Pick<Parts, 'table' | 'objects'>,
  permit: Permit | null,
  id: number,
): Promise<0 | 1> => {
  for await (const item of permit === null ? [] : allItems(table, partsOf(id))) {
    const key = objectKeyOf(item.data);
    if (permit !== null && key !== undefined) await objects.remove(permit, key);
    await table.remove(item);
  }
  return emptied(table, permit, supportKeys.ticket(id), erasedTicket, listWrites);
};

/**
 * Erases the links and reasons in an account's orders and invoices, or without a permit counts the records that have
 * some. An interrupted call can be repeated.
 */
const eraseSales = async (table: TypedTable, permit: Permit | null, account_id: number): Promise<number> => {
  let count = 0;
  for await (const { data } of allItems(table, billingKeys.orders(account_id))) {
    count += await emptied(table, permit, billingKeys.order(account_id, data.id), erasedOrder);
  }
  for await (const { data } of allItems(table, billingKeys.invoices(account_id))) {
    count += await emptied(table, permit, billingKeys.invoice(account_id, data.id), erasedInvoice);
  }
  return count;
};

/**
 * Writes the emptied record, or counts it if there is no permit; 0 if it is already empty or deleted. After a conflict
 * the record is read again.
 */
const emptied = async <T extends object>(
  table: TypedTable,
  permit: Permit | null,
  key: KeyOf<T>,
  empty: (record: T) => T,
  listed: (before: T, after: T) => readonly TypedWrite[] = () => [],
): Promise<0 | 1> => {
  for (;;) {
    const item = await table.get(key);
    if (!item) return 0;
    const record = empty(item.data);
    if (isSameJson(item.data, record)) return 0;
    if (permit === null) return 1;
    const put = { put: itemOf<T>(key, record, item.expires_at), condition: { version: item.version } };
    if (await table.transact([put, ...listed(item.data, record)])) return 1;
  }
};
