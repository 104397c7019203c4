import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const KEYS = 'adapters/store/keys';

/** A kind of record that moves, and the keys of its entries as `PARTITION SORT-KEY`. */
export type RecordKind = { readonly name: string; readonly keys: RegExp };

/** The records of an account's partition whose sort keys begin with one of these words. */
const ofAccount = (...words: string[]): string => `ACCOUNT#\\d+ (?:${words.join('|')})`;

const kind = (name: string, ...keys: string[]): RecordKind => ({ name, keys: new RegExp(`^(?:${keys.join('|')})`) });

/** Every kind of record in a store. */
export const RECORDS: readonly RecordKind[] = [
  kind('Accounts with their passwords', ofAccount('PROFILE'), 'EMAIL#', 'ACCOUNTS#', 'ADDRESSES#'),
  kind('The note that an account was erased, and that an erasure has not ended', ofAccount('ERASED'), 'ERASURES '),
  kind('API keys and their last use', 'KEY#', 'KEYID#', ofAccount('KEYS#')),
  kind('Batches of license keys and their first uses', 'KEYBATCHES ', 'KEYBATCH#\\d+ KEYS#', 'KEYBATCH#\\d+ CLAIM#'),
  kind('License keys that are shown again', ofAccount('KEYVALUE#')),
  kind('Tokens of design agents', 'AGENT#', 'AGENTS '),
  kind('Members of the shop', 'MEMBERS '),
  kind(
    'Passkeys, sessions and known browsers',
    'PASSKEY#',
    'SESSION#',
    'BROWSER#',
    ofAccount('PASSKEY#', 'SESSION#', 'BROWSER#'),
  ),
  kind(
    'One-time links, device sign-ins and upstream sign-ins under way',
    'SIGNINLINK#',
    'DEVICESIGNIN#',
    'USERCODE#',
    'UPSTREAMSIGNIN#',
    ofAccount('SIGNINLINK#', 'DRAFT'),
  ),
  kind('Identities at the upstream provider', 'UPSTREAM#', ofAccount('UPSTREAM#')),
  kind('OAuth clients, connected apps and their tokens', 'OAUTH#', 'OAUTHGRANT#', 'OAUTHCLIENT#', ofAccount('APPS#')),
  kind('Catalog, content of products and client policy', 'CATALOG ', 'PRODUCT#\\d+ CONTENT', 'EDITION#CATALOG'),
  kind('Releases', 'PRODUCT#\\d+ (?:RELEASE#|LEDGER)', 'RELEASE#', 'SUPPLY ', 'EDITION#SUPPLY'),
  kind('Entitlements and subscriptions', ofAccount('ENTITLEMENT#', 'SUBSCRIPTION#')),
  kind(
    'Orders, invoices and payment methods',
    ofAccount('ORDER#', 'INVOICE#', 'PAYMENT#'),
    'OWNER#(?:ORDER|INVOICE)#',
    'NUMBER#(?:ORDER|INVOICE)#',
  ),
  kind('Sums of sales, and the lists of orders and subscriptions', 'ORDERS#', 'SUMS#', 'SUBSCRIPTIONS '),
  kind(
    'Sales by the references of payment providers, their events and ids',
    'SALE#',
    'PAYMENTEVENTS#',
    'OPENEVENTS ',
    'PAYMENTNAME#',
  ),
  kind('Messages that wait, and those that failed', 'MESSAGES ', 'FAILEDMESSAGES '),
  kind('Webhooks, their events and deliveries', 'WEBHOOKS ', 'WEBHOOKEVENTS ', 'WEBHOOKQUEUE#', 'WEBHOOKLOG#'),
  kind('Devices and their slots', ofAccount('DEVICE#', 'SLOTS#'), 'DEVICEIDS#'),
  kind('Sessions of floating licenses', ofAccount('LEASE#')),
  kind('Teams and offers of licenses', ofAccount('TEAM#', 'OFFER#')),
  kind('Trials and their counts', 'TRIAL#', 'TRIALS#'),
  kind('Usage, installs and uses of products', ofAccount('USAGE#', 'INSTALL#', 'PRODUCTUSE#'), 'VERSIONS#'),
  kind('Setup progress', ofAccount('PROGRESS#')),
  kind('Answers to repeat for an Idempotency-Key', 'REPLAY#'),
  kind('Error reports', 'ERRORS#', 'ERROR#', 'NEWERRORS#'),
  kind(
    'Tickets, their files and answers',
    'TICKETS#',
    'TICKET#',
    'TICKETLIST#',
    'TICKETNUMBER#',
    'REPORTBYTES#',
    ofAccount('TICKET#', 'REPORTED#'),
  ),
  kind('Design documents and their reviews', 'DOCUMENTS ', 'DOCUMENT#', 'PENDINGREVIEWS '),
  kind('Collect runs with captures, and the lock', 'COLLECTLOCK ', 'COLLECTRUNS ', 'COLLECTRUN#'),
  kind('Jobs that wait', 'JOBS '),
  kind('Screens of the gallery and their index', 'GALLERY(?:#|\\b)'),
  kind('Audit log', 'AUDIT#'),
  kind('Counts toward limits of a minute or a day', 'RATE#', 'DAILY#'),
  kind('Id of the store, and the uses that it has keys for', 'STORE '),
];

/** The parts of a key literal that name a kind of record, such as `KEYS` and `RING` of `KEYS#RING#`. */
const wordsIn = (literal: string): string[] =>
  literal
    .replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '')
    .split(/[# ]/)
    .filter((word) => /^[A-Z][A-Z-]+$/.test(word));

/** The words of the claim that a first start holds until it is done. */
const OF_A_FIRST_START = ['FIRST-START', 'CLAIM'];

/**
 * Every word with which the sources name a kind of record in its key, except those of the record that no store keeps.
 */
export const wordsOfKeys = (): ReadonlySet<string> => {
  const sources = globSync('**/*.ts', { cwd: KEYS }).map((file) => readFileSync(join(KEYS, file), 'utf8'));
  const literals = sources.flatMap((text) => [
    ...text.replaceAll(/\/\*[\s\S]*?\*\//g, '').matchAll(/'([^'\n]*)'|`([^`]*)`/g),
  ]);
  const words = literals.flatMap(([, plain, template]) => wordsIn(plain ?? template ?? ''));
  return new Set(words.filter((word) => !OF_A_FIRST_START.includes(word)));
};
