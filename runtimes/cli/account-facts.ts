import type { ShownAccount } from '../../application/operations/show-account.ts';
import { type ErasureCounts, GOES, type GoingKind, STAYS, type StayingKind } from '../../domain/accounts/erasure.ts';
import { facts, table } from './print.ts';

const day = (moment: string | null): string | null => moment?.slice(0, 10) ?? null;

/** An account as text for one screen. */
export const accountText = (shown: ShownAccount): string => {
  const { counts } = shown;
  const profile = facts([
    ['account', shown.id],
    ['email', shown.email],
    ['name', shown.name],
    ['since', day(shown.created_at)],
    ...(shown.suspended_at ? [['suspended', shown.suspended_at] as const] : []),
    ['last use', day(shown.last_used_at) ?? 'never'],
    ['password', shown.has_password ? 'set' : 'none'],
    ['live keys', counts.keys],
    ['browsers', counts.browsers],
    ['applications', counts.apps],
    ['devices', counts.devices],
    ['grants in force', counts.grants],
    ['orders', counts.orders],
    ['open tickets', counts.open_tickets],
  ]);
  const products = shown.products.map((one) => [
    one.slug,
    one.state,
    day(one.access_expires_at),
    `${one.devices} of ${one.device_limit ?? 'any'}`,
    one.installed && `${one.installed.version} on ${day(one.installed.installed_at)}`,
  ]);
  const orders = shown.newest_orders.map((one) => [one.id, one.number, one.status, day(one.ordered_at)]);
  const tickets = shown.newest_tickets.map((one) => [one.id, one.kind, day(one.created_at), one.summary.slice(0, 60)]);
  return [
    profile,
    ...(products.length > 0 ? [table(['product', 'access', 'until', 'devices', 'installed'], products)] : []),
    ...(orders.length > 0 ? [table(['order', 'number', 'status', 'of'], orders)] : []),
    ...(tickets.length > 0 ? [table(['ticket', 'kind', 'of', 'summary'], tickets)] : []),
  ].join('\n\n');
};

const kindsOf = <K extends string>(kinds: Readonly<Record<K, unknown>>): K[] => Object.keys(kinds) as K[];

/** The counts of an erasure as text: what goes, and what stays and why. */
export const erasureText = ({ goes, stays }: ErasureCounts): string => {
  const going = kindsOf<GoingKind>(GOES).map((kind) => [goes[kind], GOES[kind]]);
  const staying = kindsOf<StayingKind>(STAYS).map((kind) => [stays[kind], STAYS[kind].what, STAYS[kind].why]);
  return `${table(['count', 'goes'], going)}\n\n${table(['count', 'stays', 'because'], staying)}`;
};
