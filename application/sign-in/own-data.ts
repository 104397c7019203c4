import type { Permit } from '../../domain/access/permit.ts';
import type { Locale } from '../../domain/shared/locale.ts';
import { plainName } from '../../domain/shared/plain-text.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { reviseLatest } from '../shared/contended.ts';

export const LONGEST_OWN_NAME = 100;

/** Gives an account the name and the language of messages that its owner wishes; an empty name takes the name away. */
export const saveProfile =
  (ports: Needs<'accounts' | 'pauses'>) =>
  (permit: Permit, accountId: number, wish: { readonly name: string; readonly locale: Locale }): Promise<boolean> =>
    reviseLatest(ports, permit, accountId, (latest) => ({
      ...latest,
      name: plainName(wish.name, LONGEST_OWN_NAME),
      locale: wish.locale,
    }));

export type SaveProfile = ReturnType<typeof saveProfile>;

/** The most days of usage that an export has; the store keeps no more for a product. */
const MOST_USAGE = 10_000;

type Ports = Needs<
  'accounts' | 'apiKeys' | 'clock' | 'devices' | 'licenses' | 'orders' | 'passkeys' | 'sessions' | 'tickets' | 'usage'
>;

/**
 * All that the store has of an account, for its owner (GDPR, articles 15 and 20). It has no secret: neither password
 * nor hashes, and no name of an operator.
 */
export const collectOwnData =
  ({ accounts, apiKeys, clock, devices, licenses, orders, passkeys, sessions, tickets, usage }: Ports) =>
  async (accountId: number): Promise<object | undefined> => {
    const account = await accounts.get(accountId);
    if (!account) return undefined;
    const { password_hash, ways_in_ended, ...profile } = account;
    const [holdings, bought, scopes, slots, opened, keys, reported] = await Promise.all([
      licenses.held(accountId),
      orders.ofAccount(accountId),
      apiKeys.scopes(accountId),
      devices.used(accountId),
      sessions.of(accountId),
      passkeys.of(accountId),
      tickets.ofAccount(accountId, Number.MAX_SAFE_INTEGER),
    ]);
    const used: object[] = [];
    for await (const day of usage.list(accountId)) if (used.push(day) === MOST_USAGE) break;
    return {
      exported_at: clock.now(),
      account: { ...profile, has_password: password_hash !== null },
      orders: bought,
      ...holdings,
      devices: await Promise.all(
        [...slots].map(async ([product_id, { held }]) => ({
          product_id,
          devices: [...held, ...(await devices.list(accountId, product_id))],
        })),
      ),
      keys: scopes.flatMap((scope) => scope.keys.map(({ hash, request_hash, ...key }) => key)),
      passkeys: keys.map(({ name, created_at, last_used_at }) => ({ name, created_at, last_used_at })),
      sessions: opened.map(({ hash, ...session }) => session),
      tickets: await Promise.all(
        reported.map(async ({ has_files, ...ticket }) => ({
          ...ticket,
          answers: (await tickets.answers(ticket.id)).map(({ by, ...answer }) => answer),
          files: (await tickets.files(ticket.id)).map(({ object_key, ...file }) => file),
        })),
      ),
      usage: used,
    };
  };

export type CollectOwnData = ReturnType<typeof collectOwnData>;
