import { isLive } from '../../domain/access/api-key.ts';
import { checkNoMember } from '../../domain/access/member.ts';
import type { Permit } from '../../domain/access/permit.ts';
import { type Account, isWithoutPerson, readdressed } from '../../domain/accounts/account.ts';
import { typedAddress } from '../../domain/accounts/address.ts';
import {
  ERASING_SECONDS,
  type ErasureCounts,
  type ErasureWalk,
  erasureSentence,
  NEVER,
} from '../../domain/accounts/erasure.ts';
import { newestOrdersFirst } from '../../domain/billing/order.ts';
import { slotsTaken } from '../../domain/devices/seat.ts';
import { accessTo } from '../../domain/licensing/access.ts';
import { deviceProducts } from '../../domain/licensing/account-products.ts';
import { grantRows } from '../../domain/licensing/grant-change.ts';
import { accountMessages } from '../../domain/mail/message.ts';
import { type Instant, millis, toInstant } from '../../domain/shared/instant.ts';
import { type Outcome, ok, type Refused, refuse } from '../../domain/shared/outcome.ts';
import type { StretchRequest } from '../../domain/shared/paging.ts';
import { plainName } from '../../domain/shared/plain-text.ts';
import { isSameJson } from '../../domain/shared/same-json.ts';
import { judgeNewPassword } from '../../domain/sign-in/password-rules.ts';
import { isLiveSession, type SignInMethods } from '../../domain/sign-in/session.ts';
import type { Ticket } from '../../domain/support/ticket.ts';
import type { Accounts } from '../../ports/outbound/accounts.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { newestInstalls } from '../devices/usage.ts';
import { CONFLICT, rereading, reviseLatest, untilWritten } from '../shared/contended.ts';
import type { EndOtherSessions } from '../sign-in/sessions.ts';

/** The refusal for an unknown account. */
export const accountMissing = (named: number | string): Refused<'account_not_found'> =>
  refuse('account_not_found', { message: `There is no account ${named}; "account list" lists them.` });

/** The refusal for an account to which nobody may sign in. */
export const accountSuspended = (id: number): Refused<'account_suspended'> =>
  refuse('account_suspended', { message: `Account ${id} is suspended; "account reinstate ${id}" reinstates it.` });

/** Refuses what needs a person, for an account that a license key opened. */
export const withPerson = (account: Account): Outcome<Account, 'account_without_person'> =>
  isWithoutPerson(account)
    ? refuse('account_without_person', {
        message: `Nobody can sign in to account ${account.id}, which a license key opened, and it gets no mail; its holder redeems the key in an account of a person, or give it an address first.`,
      })
    : ok(account);

/**
 * The number of an account that the operator names by number or email address.
 *
 * A number is accepted unchecked, because commands about erased accounts need it too. An address must be known.
 */
export const findAccount = ({ accounts }: { accounts: Accounts }) =>
  async function findAccount(named: string): Promise<Outcome<number, 'account_not_found'>> {
    if (/^[1-9]\d*$/.test(named)) return ok(Number(named));
    const account = await accounts.findByEmail(named);
    return account ? ok(account.id) : accountMissing(named);
  };

/**
 * Creates an account, one per email address. The owner of an account without a password signs in with a one-time link
 * or at the upstream provider.
 */
export const addAccount = ({ accounts, passwords, ids, clock }: Needs<'accounts' | 'clock' | 'ids' | 'passwords'>) =>
  async function addAccount(
    permit: Permit,
    { name, password, ...input }: { email: string; name: string | null; password: string | null },
  ): Promise<Outcome<Account, 'email_malformed' | 'email_taken'>> {
    const canonical = typedAddress(input.email);
    if (!canonical.ok) return canonical;
    const email = canonical.value;
    const password_hash = password === null ? null : await passwords.hash(password);
    const account: Account = { id: ids.next(), email, name, created_at: clock.now(), password_hash };
    return (await accounts.save(permit, account)) === 'email_taken'
      ? refuse('email_taken', { message: `Another account has the address ${email}.` })
      : ok(account);
  };

/** The accounts ordered by id, or newest first: at most `limit` of them after `after`, by default all. */
export const listAccounts = ({ accounts }: { accounts: Accounts }) =>
  async function listAccounts({
    limit,
    after,
    newest = false,
  }: Partial<StretchRequest> & { readonly newest?: boolean | null } = {}): Promise<Account[]> {
    const found: Account[] = [];
    for await (const account of accounts.list(
      Number(after ?? (newest ? Number.MAX_SAFE_INTEGER : 0)),
      newest ?? false,
    )) {
      found.push(account);
      if (found.length === limit) break;
    }
    return found;
  };

export type RenameInput = {
  readonly account_id: number;
  /** An absent field stays; a null name removes the name. */
  readonly email?: string;
  readonly name?: string | null;
};

export type RenamedAccount = { readonly account: Account; readonly result: 'renamed' | 'unchanged' };

/**
 * Changes an account's email address or name. The owner then signs in with the new address; the old one is free for
 * another account, and links that undo earlier changes stop working. Signed-in browsers, keys and connected
 * applications stay.
 */
export const renameAccount = ({ accounts, clock, pauses }: Needs<'accounts' | 'clock' | 'pauses'>) =>
  async function renameAccount(
    permit: Permit,
    { account_id, email, ...input }: RenameInput,
  ): Promise<Outcome<RenamedAccount, 'account_not_found' | 'email_malformed' | 'email_taken'>> {
    return untilWritten(pauses, async () => {
      const read = await accounts.get(account_id);
      if (!read) return accountMissing(account_id);
      const canonical = email === undefined ? ok(read.email) : typedAddress(email);
      if (!canonical.ok) return canonical;
      const account: Account = { ...readdressed(read, canonical.value, clock.now()), ...input };
      if (isSameJson(read, account)) return ok({ account, result: 'unchanged' });
      const written = await accounts.revise(permit, read, account, accountMessages(read, account));
      if (written === 'changed') return CONFLICT;
      return written === 'email_taken'
        ? refuse('email_taken', { message: `Another account has the address ${account.email}.` })
        : ok({ account, result: 'renamed' });
    });
  };

/**
 * Changes an account and then its keys, because a request with a key reads only the key. Repeating an interrupted call
 * completes it.
 */
const changeWithKeys = ({ accounts, apiKeys, pauses }: Needs<'accounts' | 'apiKeys' | 'pauses'>) =>
  async function changeWithKeys(permit: Permit, account_id: number, change: (read: Account) => Account) {
    const changed = await untilWritten(pauses, async () => {
      const read = await accounts.get(account_id);
      if (!read) return accountMissing(account_id);
      const account = change(read);
      if (isSameJson(read, account)) return ok({ account, isChanged: false });
      return (await accounts.revise(permit, read, account, [])) === 'updated'
        ? ok({ account, isChanged: true })
        : CONFLICT;
    });
    if (changed.ok) await follow({ apiKeys, pauses }, permit, account_id);
    return changed;
  };

/** Updates the account's state in its keys, where requests read it. */
export const follow = async ({ apiKeys, pauses }: Needs<'apiKeys' | 'pauses'>, permit: Permit, account_id: number) => {
  for (const first of await apiKeys.scopes(account_id)) {
    const read = () => apiKeys.scope(account_id, first.product_id);
    // A scope without a version was deleted with its account.
    await rereading(pauses, first, read, async (scope) =>
      scope.version === null || (await apiKeys.follow(permit, scope)) ? null : CONFLICT,
    );
  }
};

export type SuspendedAccount = {
  readonly account: Account;
  readonly result: 'suspended' | 'reinstated' | 'unchanged';
};

/**
 * Suspends an account, or reinstates it. While it is suspended, no key, session or token of it works, from the next
 * request on, and its licenses are answered as revoked. Nothing is lost: all of them work again afterwards.
 */
export const suspendAccount = (ports: Needs<'accounts' | 'apiKeys' | 'clock' | 'members' | 'pauses'>) =>
  async function suspendAccount(
    permit: Permit,
    { account_id, suspended }: { readonly account_id: number; readonly suspended: boolean },
  ): Promise<Outcome<SuspendedAccount, 'account_not_found' | 'account_of_member'>> {
    const may = checkNoMember(suspended ? (await ports.members.read()).members : [], account_id);
    if (!may.ok) return may;
    const changed = await changeWithKeys(ports)(permit, account_id, (read) => {
      const { suspended_at, ...open } = read;
      return suspended ? { ...open, suspended_at: suspended_at ?? ports.clock.now() } : open;
    });
    if (!changed.ok) return changed;
    const { account, isChanged } = changed.value;
    return ok({ account, result: isChanged ? (suspended ? 'suspended' : 'reinstated') : 'unchanged' });
  };

/** Sets the account's requests per minute, or with null the default, from the next request on. */
export const limitAccount = (ports: Needs<'accounts' | 'apiKeys' | 'pauses'>) =>
  function limitAccount(
    permit: Permit,
    { account_id, requests_per_minute: most }: { account_id: number; requests_per_minute: number | null },
  ) {
    return changeWithKeys(ports)(permit, account_id, ({ requests_per_minute: _, ...account }) => ({
      ...account,
      ...(most !== null && { requests_per_minute: most }),
    }));
  };

/** The browsers and passkeys that a reset ended in addition to the old password. */
export type ResetPassword = { readonly browsers: number; readonly passkeys: number };

/**
 * Sets an account's password, for the operator. All sessions and one-time links of the account end, its known browsers
 * are forgotten, and with `passkeys` those are removed. Keys and connected applications stay, as when the owner changes
 * the password.
 */
export const resetPassword = (
  ports: Needs<'accounts' | 'clock' | 'passwords' | 'pauses' | 'sessions'> & {
    signInMethods: SignInMethods;
    endOtherSessions: EndOtherSessions;
  },
) => {
  const { accounts, clock, passwords, sessions, signInMethods, endOtherSessions } = ports;

  return async function resetPassword(
    permit: Permit,
    input: { account_id: number; password: string; passkeys?: boolean },
  ): Promise<
    Outcome<ResetPassword, 'account_not_found' | 'passwords_off' | 'password_too_short' | 'password_too_long'>
  > {
    const { account_id, password } = input;
    if (!signInMethods.password) return refuse('passwords_off', { message: 'Password sign-in is turned off here.' });
    const judged = judgeNewPassword(password);
    if (!judged.ok) return judged;
    if (!(await accounts.get(account_id))) return accountMissing(account_id);
    const password_hash = await passwords.hash(password);
    // Hashing is slow. If the account was changed meanwhile, the change is kept.
    const isWritten = await reviseLatest(ports, permit, account_id, (latest) => ({ ...latest, password_hash }));
    if (!isWritten) return accountMissing(account_id);
    const ended = (await sessions.of(account_id)).filter((session) => isLiveSession(session, clock.now()));
    const all = { id: null, account_id };
    const removed = await endOtherSessions(permit, all, null, () => input.passkeys ?? false);
    return ok({ browsers: ended.length, passkeys: removed });
  };
};

export type EraseInput = {
  readonly account_id: number;
  /** If true, only counts the records to delete and to keep, and writes nothing. */
  readonly trial?: boolean;
};

export type ErasedAccount = ErasureCounts & {
  /** `completed`: the account was erased before; this deleted the rest. `trial`: nothing was written. */
  readonly result: 'erased' | 'completed' | 'trial';
};

/** The end of a lease on an erasure that begins now. */
const aloneUntil = (now: Instant): Instant => toInstant(millis(now) + ERASING_SECONDS * 1000);

/** Marks an account as erased, so that nobody can sign in to it; null if it was already marked. */
export const beginErasure = ({
  accounts,
  accountErasures,
  members,
  pauses,
}: Needs<'accountErasures' | 'accounts' | 'members' | 'pauses'>) =>
  function beginErasure(
    permit: Permit,
    account_id: number,
    freeAt: Instant,
  ): Promise<Outcome<Account | null, 'account_not_found' | 'account_of_member'>> {
    return untilWritten(pauses, async () => {
      const account = await accounts.get(account_id);
      if (!account) return (await accounts.erasure(account_id)) ? ok(null) : accountMissing(account_id);
      const may = checkNoMember((await members.read()).members, account_id);
      if (!may.ok) return may;
      return (await accountErasures.begin(permit, account, freeAt)) ? ok(account) : CONFLICT;
    });
  };

/**
 * Erases an account and everything that the shop has no duty to keep (`GOES`); the rest (`STAYS`) stays under the
 * account's number, without a name. From the first step on, nobody can sign in, and the email address is free for a
 * new account. An interrupted erasure is completed by the same call or by the worker. A merged account is refused: its
 * records are in the other one, whose erasure the person means.
 */
export const eraseAccount = (ports: Needs<'accountErasures' | 'accounts' | 'clock' | 'members' | 'pauses'>) => {
  const { accounts, accountErasures, clock } = ports;
  const begin = beginErasure(ports);

  return async function eraseAccount(
    permit: Permit,
    { account_id, trial = false }: EraseInput,
  ): Promise<Outcome<ErasedAccount, 'account_erased' | 'account_not_found' | 'account_of_member'>> {
    const mark = await accounts.erasure(account_id);
    if (mark?.merged_into !== undefined) {
      const next = `erase that one; if the merge broke off, run "account merge ${account_id} ${mark.merged_into}"`;
      return refuse('account_erased', { message: `${erasureSentence(mark).slice(0, -1)}; ${next}.` });
    }
    if (trial) {
      const known = mark ?? (await accounts.get(account_id));
      if (!known) return accountMissing(account_id);
      const may = checkNoMember((await ports.members.read()).members, account_id);
      if (!may.ok) return may;
      return ok({ ...(await accountErasures.survey(account_id)), result: 'trial' });
    }
    const begun = await begin(permit, account_id, aloneUntil(clock.now()));
    if (!begun.ok) return begun;
    const { goes, stays } = await accountErasures.sweep(permit, account_id);
    const isFirst = begun.value !== null;
    return ok({ goes: { ...goes, profile: isFirst ? 1 : 0 }, stays, result: isFirst ? 'erased' : 'completed' });
  };
};

/** The records that a merge moves, by kind, besides usage and dependent records. */
const movesOf = ({ goes, stays }: ErasureCounts) => {
  const { grants, devices, keys, tickets, payment_methods } = goes;
  return { grants, orders: stays.orders, invoices: stays.invoices, devices, keys, tickets, payment_methods };
};

type MergeAccountsPorts = Needs<'accountErasures' | 'accounts' | 'apiKeys' | 'clock' | 'members' | 'pauses'>;

/**
 * Merges an account into another of the same person: purchases, devices, keys, tickets and sales move there, and its
 * address leads there, also for the next sale. Its password, passkeys, browsers and applications are removed. A device
 * of both becomes one, and a limit may be exceeded. An interrupted merge is completed by the same call. `trial` writes
 * nothing. With `later`, only the account's own partition moves at once, and a worker moves the rest. The value counts
 * what moves.
 */
export const mergeAccounts = ({ accounts, accountErasures, apiKeys, clock, members, pauses }: MergeAccountsPorts) =>
  function mergeAccounts(
    permit: Permit,
    { from, into, trial = false, later = false }: { from: number; into: number; trial?: boolean; later?: boolean },
  ) {
    return untilWritten(pauses, async (): Promise<Merged | typeof CONFLICT> => {
      const [account, heir, mark] = await Promise.all([accounts.get(from), accounts.get(into), accounts.erasure(from)]);
      const moves = movesOf(await accountErasures.survey(from, 'own'));
      if (mark?.merged_into !== into) {
        if (!account || !heir) return accountMissing(account ? into : from);
        const read = await members.read();
        // The address of an account without a person leads nobody into that of a member.
        for (const id of isWithoutPerson(account) ? [from] : [from, into]) {
          const may = checkNoMember(read.members, id);
          if (!may.ok) return may;
        }
        const why = await accountErasures.unmergeable(account, heir);
        if (why !== null) {
          return refuse('not_mergeable', { message: `Account ${from} can't be merged into account ${into}: ${why}.` });
        }
        const movesAt = later ? aloneUntil(clock.now()) : NEVER;
        if (!trial && !(await accountErasures.begin(permit, account, movesAt, heir))) return CONFLICT;
      }
      if (!trial) {
        await (later ? accountErasures.moveOwn(permit, from) : accountErasures.sweep(permit, from));
        await follow({ apiKeys, pauses }, permit, into);
      }
      return ok(moves);
    });
  };

export type MergeAccounts = ReturnType<typeof mergeAccounts>;

type Merged = Outcome<ReturnType<typeof movesOf>, 'account_not_found' | 'account_of_member' | 'not_mergeable'>;

/**
 * Completes erasures that owners began or that were interrupted, in one scan of the store; returns the erased accounts.
 * If `goOn` stops it, or its process ends, the next call continues from there.
 */
export const completeErasure = ({ accountErasures }: Needs<'accountErasures'>) =>
  function completeErasure(permit: Permit, goOn: (walk: ErasureWalk) => boolean = () => true): Promise<number[]> {
    return accountErasures.complete(permit, goOn);
  };

export type CompleteErasure = ReturnType<typeof completeErasure>;

/** The number of newest orders and tickets shown. */
const SHOWN = 3;

/** The number of newest tickets among which the open ones are counted: an account may send 50 of 60 KB a day. */
const TICKETS_READ = 200;

const latest = (moments: readonly (Instant | null)[]): Instant | null =>
  moments.reduce((last, one) => (one !== null && (last === null || one > last) ? one : last), null);

/**
 * Everything about an account on one page, for support.
 *
 * `named` is the account's id or email address.
 */
export const showAccount = ({
  accounts,
  catalogs,
  licenses,
  devices,
  apiKeys,
  orders,
  sessions,
  connectedApps,
  productUses,
  clock,
  installs,
  tickets,
}: Needs<
  | 'accounts'
  | 'apiKeys'
  | 'catalogs'
  | 'clock'
  | 'connectedApps'
  | 'devices'
  | 'installs'
  | 'licenses'
  | 'orders'
  | 'productUses'
  | 'sessions'
  | 'tickets'
>) => {
  const show = async ({ password_hash, ways_in_ended, ...account }: Account) => {
    const { id } = account;
    const now = clock.now();
    const [catalog, holdings, held, scopes, placed, browsers, apps, uses, tickets, installed] = await Promise.all([
      catalogs.current(),
      licenses.held(id),
      devices.used(id),
      apiKeys.scopes(id),
      orders.ofAccount(id),
      sessions.of(id),
      connectedApps.of(id),
      productUses.of(id),
      openTickets(id),
      newestInstalls(installs, id),
    ]);
    const keys = scopes.flatMap((scope) => scope.keys);
    const products = deviceProducts([...catalog.products.values()], catalog.bundles, holdings, held, now).map(
      ({ product, device_limit, used }) => {
        const access = accessTo(product, catalog.bundles, holdings, now);
        return {
          product_id: product.id,
          slug: product.slug,
          state: access.granted ? access.access_source : access.reason,
          access_expires_at: access.granted ? access.access_expires_at : null,
          devices: used,
          /** Null means no limit. */
          device_limit,
          /** The newest install that a device reported; null if none is known. */
          installed: installed.get(product.id) ?? null,
        };
      },
    );
    return {
      ...account,
      has_password: password_hash !== null,
      /** The day of the latest use by a key, a browser, an application or a device; null if there was none. */
      last_used_at: latest([
        ...keys.map((key) => key.last_used_at),
        ...browsers.map((browser) => browser.last_seen_at),
        ...apps.map((app) => app.last_used_at),
        ...[...uses.values()].map(({ use }) => use.last_used_at),
      ]),
      /**
       * The current numbers of live keys, signed-in browsers, connected applications, slots in use and grants in force.
       */
      counts: {
        keys: keys.filter((key) => isLive(key, now)).length,
        browsers: browsers.filter((browser) => isLiveSession(browser, now)).length,
        apps: apps.length,
        devices: [...held.values()].reduce((sum, slots) => sum + slotsTaken(slots, now), 0),
        grants: grantRows(holdings, catalog, now).filter(({ status }) => status === 'active').length,
        orders: placed.length,
        open_tickets: tickets.length,
      },
      /** The products that the account may use or has devices of. */
      products,
      newest_orders: newestOrdersFirst(placed)
        .slice(0, SHOWN)
        .map(({ id: order_id, number, status, ordered_at }) => ({ id: order_id, number, status, ordered_at })),
      newest_tickets: tickets.slice(0, SHOWN).map(({ id: ticket_id, kind, summary, created_at }) => {
        return { id: ticket_id, kind, summary: plainName(summary) ?? '', created_at };
      }),
    };
  };

  /** The open tickets among an account's newest, newest first. */
  const openTickets = async (account_id: number): Promise<Ticket[]> => {
    const newest = await tickets.ofAccount(account_id, TICKETS_READ);
    return newest.filter(({ status }) => status === 'open');
  };

  return async function showAccount(named: string) {
    const id = /^[1-9]\d*$/.test(named) ? Number(named) : null;
    const account = await (id === null ? accounts.findByEmail(named) : accounts.get(id));
    if (account) return ok(await show(account));
    const erasure = id === null ? undefined : await accounts.erasure(id);
    if (erasure) return refuse('account_erased', { message: erasureSentence(erasure) });
    return accountMissing(named);
  };
};

export type ShownAccount = Extract<Awaited<ReturnType<ReturnType<typeof showAccount>>>, { ok: true }>['value'];

/** The addresses of accounts by their ids; null for an account that was erased. */
export const emailsOf = async (accounts: Accounts, ids: readonly number[]) => {
  const unique = [...new Set(ids)];
  const found = await Promise.all(unique.map((id) => accounts.get(id)));
  const emails = new Map(unique.map((id, n) => [id, found[n]?.email ?? null]));
  return (id: number): string | null => emails.get(id) ?? null;
};
