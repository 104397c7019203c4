import type { Permit } from '../../domain/access/permit.ts';
import { type BillingDetails, plainDetails } from '../../domain/accounts/billing-details.ts';
import type { Language } from '../../domain/shared/language.ts';
import { plainName, utf8Length } from '../../domain/shared/plain-text.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { reviseLatest } from '../shared/contended.ts';
import { OneAtATime } from '../shared/one-at-a-time.ts';

export const LONGEST_OWN_NAME = 100;

/** Sets the account's name and message language; an empty name removes the name. */
export const saveProfile = (ports: Needs<'accounts' | 'pauses'>) =>
  function saveProfile(
    permit: Permit,
    account_id: number,
    input: { readonly name: string; readonly locale: Language },
  ): Promise<boolean> {
    return reviseLatest(ports, permit, account_id, (latest) => ({
      ...latest,
      name: plainName(input.name, LONGEST_OWN_NAME),
      locale: input.locale,
    }));
  };

/** Stores the party that the owner's receipts name; without any part, removes it. */
export const saveBilling = (ports: Needs<'accounts' | 'pauses'>) =>
  function saveBilling(permit: Permit, account_id: number, input: BillingDetails): Promise<boolean> {
    return reviseLatest(ports, permit, account_id, ({ billing: _, ...latest }) => {
      const billing = plainDetails(input);
      return { ...latest, ...(billing && { billing }) };
    });
  };

/** The maximum size of tickets and of usage in an export, in bytes of JSON. The newest entries are included. */
const MOST_BYTES = 4_000_000;

/** The number of tickets read concurrently. */
const AT_ONCE = 20;

/** The first entries that fit into an export, and whether all did. */
const firstOf = async <T>(entries: AsyncIterable<T>) => {
  const first: T[] = [];
  let room = MOST_BYTES;
  for await (const entry of entries) {
    room -= utf8Length(JSON.stringify(entry));
    if (room < 0) return { first, isWhole: false };
    first.push(entry);
  }
  return { first, isWhole: true };
};

async function* ownTickets({ tickets }: Pick<Ports, 'tickets'>, account_id: number) {
  for (let before: number | undefined; ; ) {
    const page = await tickets.ofAccount(account_id, AT_ONCE, before);
    for (const { has_files, ...ticket } of page) {
      const [answers, files] = await Promise.all([tickets.answers(ticket.id), tickets.files(ticket.id)]);
      yield {
        ...ticket,
        answers: answers.map(({ by, ...answer }) => answer),
        files: files.map(({ object_key, ...file }) => file),
      };
    }
    before = page.at(-1)?.id;
    if (before === undefined) return;
  }
}

type Ports = Needs<
  | 'accounts'
  | 'apiKeys'
  | 'clock'
  | 'devices'
  | 'drafts'
  | 'invoices'
  | 'licenses'
  | 'orders'
  | 'passkeys'
  | 'paymentMethods'
  | 'sessions'
  | 'teams'
  | 'tickets'
  | 'usage'
>;

/**
 * Everything stored about an account, for its owner (GDPR, articles 15 and 20), without secrets: no password, no hashes except
 * those of license keys, and no operators' names. A process collects one export at a time, because each is held in memory.
 */
export const collectOwnData = (ports: Ports) => {
  const { accounts, apiKeys, clock, devices, drafts, invoices, licenses, orders, passkeys, paymentMethods } = ports;
  const { sessions, teams, usage } = ports;
  const exports = new OneAtATime();

  const collect = async (account_id: number): Promise<object | undefined> => {
    const account = await accounts.get(account_id);
    if (!account) return undefined;
    const { password_hash, ways_in_ended, ...profile } = account;
    const [{ places: _, ...held }, bought, billed, methods, scopes, slots, opened, keys, written, led] =
      await Promise.all([
        licenses.held(account_id),
        orders.ofAccount(account_id),
        invoices.newest(account_id, { limit: Number.MAX_SAFE_INTEGER }),
        paymentMethods.ofAccount(account_id),
        apiKeys.scopes(account_id),
        devices.used(account_id),
        sessions.of(account_id),
        passkeys.of(account_id),
        drafts.of(account_id),
        teams.ofAccount(account_id),
      ]);
    const reported = await firstOf(ownTickets(ports, account_id));
    const used = await firstOf(usage.list(account_id));
    return {
      exported_at: clock.now(),
      account: { ...profile, has_password: password_hash !== null },
      orders: bought,
      invoices: billed,
      payment_methods: methods,
      ...held,
      memberships: profile.memberships ?? [],
      teams: led,
      devices: await Promise.all(
        [...slots].map(async ([product_id, { held, sessions: leased = [] }]) => ({
          product_id,
          ...(leased.length > 0 && { sessions: leased.map(({ lease_id, ...lease }) => lease) }),
          devices: [...held, ...(await devices.list(account_id, product_id))],
        })),
      ),
      // With the hash of a license key, another shop accepts the key that its applications have.
      keys: scopes.flatMap((scope) =>
        scope.keys.map(({ hash, request_hash, ...key }) => (key.kind === 'license' ? { ...key, hash } : key)),
      ),
      passkeys: keys.map(({ name, created_at, last_used_at }) => ({ name, created_at, last_used_at })),
      sessions: opened.map(({ hash, ...session }) => session),
      drafts: written,
      tickets: reported.first,
      usage: used.first,
      /** The lists whose older entries did not fit into the file. */
      left_out: [...(reported.isWhole ? [] : ['tickets']), ...(used.isWhole ? [] : ['usage'])],
    };
  };

  return function collectOwnData(account_id: number) {
    return exports.run('export', () => collect(account_id));
  };
};
