import { hash } from 'node:crypto';
import type { Key } from './table.ts';

/**
 * Where everything is kept. All of one account lies in one partition, so that what a request needs of it comes side by
 * side; keys are found by their hash alone; the catalog is one small partition; each product's releases are their own.
 * Ids are padded, so that the order of sort keys is the order of ids.
 */
const padded = (id: number): string => String(id).padStart(16, '0');
const account = (id: number): string => `ACCOUNT#${id}`;
const ringOf = (productId: number | null): string => (productId === null ? 'account' : padded(productId));

/** Clients name their devices freely; a name too long or too strange to stand in a sort key is represented by its hash. */
const devicePart = (deviceId: string): string =>
  /^[\w.:-]{1,128}$/.test(deviceId) ? `=${deviceId}` : `#${hash('sha256', deviceId, 'hex')}`;

export const keys = {
  apiKey: (sha256: string): Key => ({ pk: `KEY#${sha256}`, sk: 'KEY' }),
  apiKeyOwner: (keyId: number): Key => ({ pk: `KEYID#${keyId}`, sk: 'KEYID' }),
  keyRings: (accountId: number) => ({ pk: account(accountId), prefix: 'KEYS#' }),
  keyRing: (accountId: number, productId: number | null): Key => ({
    pk: account(accountId),
    sk: `KEYS#RING#${ringOf(productId)}`,
  }),
  keyUse: (accountId: number, keyId: number): Key => ({ pk: account(accountId), sk: `KEYS#USE#${padded(keyId)}` }),

  account: (accountId: number): Key => ({ pk: account(accountId), sk: 'PROFILE' }),
  accountByEmail: (normalized: string): Key => ({ pk: `EMAIL#${normalized}`, sk: 'EMAIL' }),
  accountShard: (shard: number) => ({ pk: `ACCOUNTS#${shard}` }),
  accountListing: (accountId: number): Key => ({ pk: `ACCOUNTS#${accountId % SHARDS}`, sk: padded(accountId) }),

  entitlements: (accountId: number, productId?: number) => ({
    pk: account(accountId),
    prefix: productId === undefined ? 'ENTITLEMENT#' : `ENTITLEMENT#${padded(productId)}#`,
  }),
  entitlement: (accountId: number, productId: number, id: number): Key => ({
    pk: account(accountId),
    sk: `ENTITLEMENT#${padded(productId)}#${padded(id)}`,
  }),
  subscriptions: (accountId: number) => ({ pk: account(accountId), prefix: 'SUBSCRIPTION#' }),
  subscription: (accountId: number, id: number): Key => ({ pk: account(accountId), sk: `SUBSCRIPTION#${padded(id)}` }),

  slots: (accountId: number, productId: number): Key => ({ pk: account(accountId), sk: `SLOTS#${padded(productId)}` }),
  devices: (accountId: number, productId: number) => ({
    pk: account(accountId),
    prefix: `DEVICE#${padded(productId)}#`,
  }),
  device: (accountId: number, productId: number, deviceId: string): Key => ({
    pk: account(accountId),
    sk: `DEVICE#${padded(productId)}#${devicePart(deviceId)}`,
  }),

  progresses: (accountId: number) => ({ pk: account(accountId), prefix: 'PROGRESS#' }),
  progress: (accountId: number, productId: number): Key => ({
    pk: account(accountId),
    sk: `PROGRESS#${padded(productId)}`,
  }),
  usages: (accountId: number) => ({ pk: account(accountId), prefix: 'USAGE#' }),
  usage: (accountId: number, productId: number, date: string, keyId: number): Key => ({
    pk: account(accountId),
    sk: `USAGE#${padded(productId)}#${date}#${padded(keyId)}`,
  }),
  installs: (accountId: number) => ({ pk: account(accountId), prefix: 'INSTALL#' }),
  install: (accountId: number, id: number): Key => ({ pk: account(accountId), sk: `INSTALL#${padded(id)}` }),

  orders: (accountId: number) => ({ pk: account(accountId), prefix: 'ORDER#' }),
  order: (accountId: number, id: number): Key => ({ pk: account(accountId), sk: `ORDER#${padded(id)}` }),
  /** With `before` only those with a lower id. */
  invoices: (accountId: number, before?: number) => ({
    pk: account(accountId),
    prefix: 'INVOICE#',
    ...(before !== undefined && { to: `INVOICE#${padded(before - 1)}` }),
  }),
  invoice: (accountId: number, id: number): Key => ({ pk: account(accountId), sk: `INVOICE#${padded(id)}` }),
  paymentMethods: (accountId: number) => ({ pk: account(accountId), prefix: 'PAYMENT#' }),
  paymentMethod: (accountId: number, id: number): Key => ({ pk: account(accountId), sk: `PAYMENT#${padded(id)}` }),

  catalog: () => ({ pk: 'CATALOG' }),
  catalogRecord: (kind: string, id: number): Key => ({ pk: 'CATALOG', sk: `${kind.toUpperCase()}#${padded(id)}` }),
  policy: (): Key => keys.catalogRecord('policy', 0),
  content: (productId: number): Key => ({ pk: `PRODUCT#${productId}`, sk: 'CONTENT' }),
  releases: (productId: number) => ({ pk: `PRODUCT#${productId}`, prefix: 'RELEASE#' }),
  release: (productId: number, version: string): Key => ({ pk: `PRODUCT#${productId}`, sk: `RELEASE#${version}` }),
  releaseLedger: (productId: number): Key => ({ pk: `PRODUCT#${productId}`, sk: 'LEDGER' }),
  releaseOwner: (releaseId: number): Key => ({ pk: `RELEASE#${releaseId}`, sk: 'RELEASE' }),

  replay: (accountId: number, endpoint: string, key: string): Key => ({
    pk: `REPLAY#${accountId}#${endpoint}#${hash('sha256', key, 'hex')}`,
    sk: 'REPLAY',
  }),

  errorGroups: (shard: number) => ({ pk: `ERRORS#${shard}` }),
  errorGroup: (fingerprint: string): Key => ({ pk: `ERRORS#${shardOf(fingerprint)}`, sk: fingerprint }),
  errorCount: (fingerprint: string): Key => ({ pk: `ERROR#${fingerprint}`, sk: 'COUNT' }),
  newErrorGroups: (scope: string, day: string): Key => ({ pk: `NEWERRORS#${scope}`, sk: day }),
  /** Each in a partition of its own, so that a flood of one error is no load on one of them. */
  errorReport: (fingerprint: string, place: number): Key => ({ pk: `ERROR#${fingerprint}#${place}`, sk: 'REPORT' }),

  opening: (accountId: number, identity: string): Key => ({
    pk: account(accountId),
    sk: `REPORTED#${hash('sha256', identity, 'hex')}`,
  }),
  reportBytes: (accountId: number, day: string): Key => ({ pk: `REPORTBYTES#${accountId}`, sk: day }),
  tickets: (shard: number) => ({ pk: `TICKETS#${shard}` }),
  ticket: (id: number): Key => ({ pk: `TICKETS#${id % SHARDS}`, sk: padded(id) }),
  ticketCount: (id: number): Key => ({ pk: `TICKET#${id}`, sk: 'COUNT' }),
  ticketFiles: (id: number) => ({ pk: `TICKET#${id}`, prefix: 'FILE#' }),
  ticketFile: (id: number, number: number): Key => ({ pk: `TICKET#${id}`, sk: `FILE#${padded(number)}` }),

  requestCount: (subject: string, window: number): Key => ({ pk: `RATE#${subject}`, sk: String(window) }),
};

/** What there is one list of is listed from this many partitions, so that no one of them takes all that is new. */
export const SHARDS = 8;

/** The shard of a fingerprint, by its last hex digit. */
const shardOf = (fingerprint: string): number => Number.parseInt(fingerprint.slice(-1), 16) % SHARDS;
