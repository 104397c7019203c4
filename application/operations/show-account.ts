import { isLive } from '../../domain/access/api-key.ts';
import type { Account } from '../../domain/accounts/account.ts';
import { erasureSentence } from '../../domain/accounts/erasure.ts';
import { newestOrdersFirst } from '../../domain/billing/order.ts';
import { accessTo } from '../../domain/licensing/access.ts';
import { deviceProducts } from '../../domain/licensing/account-products.ts';
import { grantRows } from '../../domain/licensing/grant-change.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import { ok, refuse } from '../../domain/shared/outcome.ts';
import { isLiveSession } from '../../domain/sign-in/session.ts';
import type { Ticket } from '../../domain/support/ticket.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { newestInstalls } from '../devices/usage.ts';
import { accountMissing } from './accounts.ts';

/** The newest orders and tickets that are shown. */
const SHOWN = 3;

const latest = (moments: readonly (Instant | null)[]): Instant | null =>
  moments.reduce((last, one) => (one !== null && (last === null || one > last) ? one : last), null);

/**
 * An account on one page, as somebody needs it who answers the buyer's first call.
 *
 * `named` is the account's id or its e-mail address.
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
  const show = async ({ password_hash, ...account }: Account) => {
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
          /** Null is no limit. */
          device_limit,
          /** The newest install that a device reported; null where none is known. */
          installed: installed.get(product.id) ?? null,
        };
      },
    );
    return {
      ...account,
      has_password: password_hash !== null,
      /** The latest use by a key, a browser, an application or a device, exact to the day; null where there was none. */
      last_used_at: latest([
        ...keys.map((key) => key.last_used_at),
        ...browsers.map((browser) => browser.last_seen_at),
        ...apps.map((app) => app.last_used_at),
        ...[...uses.values()].map(({ use }) => use.last_used_at),
      ]),
      /** The counts of now: live keys, signed-in browsers, connected applications, taken slots, grants in force. */
      counts: {
        keys: keys.filter((key) => isLive(key, now)).length,
        browsers: browsers.filter((browser) => isLiveSession(browser, now)).length,
        apps: apps.length,
        devices: [...held.values()].reduce((sum, used) => sum + used, 0),
        grants: grantRows(holdings, catalog.products, now).filter(({ status }) => status === 'active').length,
        orders: placed.length,
        open_tickets: tickets.length,
      },
      /** The products that the account may use or has devices of. */
      products,
      newest_orders: newestOrdersFirst(placed)
        .slice(0, SHOWN)
        .map(({ id: orderId, number, status, ordered_at }) => ({ id: orderId, number, status, ordered_at })),
      newest_tickets: tickets
        .slice(0, SHOWN)
        .map(({ id: ticketId, kind, summary, created_at }) => ({ id: ticketId, kind, summary, created_at })),
    };
  };

  /** The open tickets of an account, newest first. */
  const openTickets = async (accountId: number): Promise<Ticket[]> => {
    const all = await tickets.ofAccount(accountId, Number.POSITIVE_INFINITY);
    return all.filter(({ status }) => status === 'open');
  };

  return async (named: string) => {
    const id = /^[1-9]\d*$/.test(named) ? Number(named) : null;
    const account = await (id === null ? accounts.findByEmail(named) : accounts.get(id));
    if (account) return ok(await show(account));
    const erasure = id === null ? undefined : await accounts.erasure(id);
    if (erasure) return refuse('account_erased', { message: erasureSentence(erasure) });
    return accountMissing(named);
  };
};

export type ShownAccount = Extract<Awaited<ReturnType<ReturnType<typeof showAccount>>>, { ok: true }>['value'];
