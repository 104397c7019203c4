import type { GoingKind, StayingKind } from '../../domain/accounts/erasure.ts';
import type { Item } from './table.ts';
import type { ItemEntry } from './table-dump.ts';

/** The kind of an item and the number of records that it stands for; 0 where another item counts them. */
export type Found<K> = { readonly kind: K; readonly records: number };

/** The items of an account's partition, by the beginning of their sort keys. */
const OWN: readonly (readonly [prefix: string, kind: GoingKind, records: 0 | 1])[] = [
  ['PROFILE', 'profile', 1],
  ['KEYS#', 'keys', 0],
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
export const keptKind = ({ sk }: Pick<Item, 'sk'>): StayingKind | undefined =>
  KEPT.find(([prefix]) => sk.startsWith(prefix))?.[1];

/** The kind under which an item of the account's own partition goes. An item of no known kind is the profile's. */
export const ownKind = ({ sk, data }: Pick<Item, 'sk' | 'data'>): Found<GoingKind> => {
  if ('keys' in data && Array.isArray(data.keys)) return { kind: 'keys', records: data.keys.length };
  const [, kind = 'profile', records = 0] = OWN.find(([prefix]) => sk.startsWith(prefix)) ?? [];
  return { kind, records };
};

/** The items outside of the account's partition that name their account in their data, by the first part of the key. */
const NAMING: Readonly<Record<string, Found<GoingKind>>> = {
  EMAIL: { kind: 'profile', records: 0 },
  ACCOUNTS: { kind: 'profile', records: 0 },
  KEY: { kind: 'keys', records: 0 },
  KEYID: { kind: 'keys', records: 0 },
  SESSION: { kind: 'browsers', records: 0 },
  BROWSER: { kind: 'browsers', records: 0 },
  SIGNINLINK: { kind: 'sign_ins', records: 1 },
  DEVICESIGNIN: { kind: 'sign_ins', records: 1 },
  UPSTREAM: { kind: 'sign_ins', records: 1 },
  OAUTHGRANT: { kind: 'apps', records: 0 },
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
export const namingKind = ({ pk, data }: ItemEntry, accountId: number): Found<GoingKind> | undefined => {
  const [first = '', second = ''] = pk.split('#', 2);
  if (first === 'REPLAY') return second === String(accountId) ? { kind: 'replays', records: 1 } : undefined;
  if (first === 'OAUTH') return isOfOAuth(data, accountId) ? { kind: 'apps', records: 0 } : undefined;
  return (data as { readonly account_id?: unknown }).account_id === accountId ? NAMING[first] : undefined;
};

type AuditData = { readonly account_id?: unknown; readonly by?: { readonly account_id?: unknown } };

/** True for an entry of the audit log about the account, or about what the account did. */
export const isAuditOf = ({ pk, data }: ItemEntry, accountId: number): boolean =>
  pk.startsWith('AUDIT#') && [(data as AuditData).account_id, (data as AuditData).by?.account_id].includes(accountId);
