import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { accessKeys } from '../../adapters/store/keys/access.ts';
import { accountKeys } from '../../adapters/store/keys/accounts.ts';
import { billingKeys } from '../../adapters/store/keys/billing.ts';
import { catalogKeys, policyKey } from '../../adapters/store/keys/catalog.ts';
import { deliveryKeys } from '../../adapters/store/keys/delivery.ts';
import { documentKeys } from '../../adapters/store/keys/design/documents.ts';
import { deviceKeys } from '../../adapters/store/keys/devices.ts';
import { editionKeys } from '../../adapters/store/keys/editions.ts';
import { licensingKeys } from '../../adapters/store/keys/licensing.ts';
import { signInKeys } from '../../adapters/store/keys/sign-in.ts';
import { ownerKey } from '../../adapters/store/keys/store.ts';
import { supportKeys } from '../../adapters/store/keys/support.ts';
import type { Key } from '../../adapters/store/table.ts';
import type { Partition } from '../../adapters/store/typed-table.ts';
import type { DocumentVersion } from '../../domain/design/documents/document.ts';

/** An id as part of a sort key. */
const ID_7 = '0000000000000007';
const ID_8 = '0000000000000008';
const ID_9 = '0000000000000009';
const sha256 = (text: string): string => hash('sha256', text, 'hex');

/** Stores in use have these keys, so none of them may change. */
const KEYS: readonly (readonly [Key, pk: string, sk: string])[] = [
  [ownerKey({ kind: 'order', id: 7 }), `OWNER#ORDER#${ID_7}`, 'OWNER'],
  [ownerKey({ kind: 'invoice', number: 'I-7' }), 'NUMBER#INVOICE#I-7', 'OWNER'],
  [accessKeys.apiKey('ab'), 'KEY#ab', 'KEY'],
  [accessKeys.apiKeyOwner(7), 'KEYID#7', 'KEYID'],
  [accessKeys.keysOfScope(7, null), 'ACCOUNT#7', 'KEYS#RING#account'],
  [accessKeys.keysOfScope(7, 8), 'ACCOUNT#7', `KEYS#RING#${ID_8}`],
  [accessKeys.use(7, 9), 'ACCOUNT#7', `KEYS#USE#${ID_9}`],
  [accessKeys.replay({ kind: 'account', id: 7 }, 'buy', 'k'), `REPLAY#7#buy#${sha256('k')}`, 'REPLAY'],
  [accessKeys.replay({ kind: 'agent', id: 7 }, 'buy', 'k'), `REPLAY#AGENT#7#buy#${sha256('k')}`, 'REPLAY'],
  [accessKeys.agentToken('ab'), 'AGENT#ab', 'AGENT'],
  [accessKeys.listedAgentToken(7), 'AGENTS', `TOKEN#${ID_7}`],
  [documentKeys.document('a-b'), 'DOCUMENTS', 'DOCUMENT#a-b'],
  [documentKeys.documentList(), 'DOCUMENTS', 'ALL'],
  [documentKeys.version('a-b', 7), 'DOCUMENT#a-b', `VERSION#${ID_7}`],
  [documentKeys.body('a-b', 7), 'DOCUMENT#a-b', `BODY#${ID_7}`],
  [documentKeys.current('a-b'), 'DOCUMENT#a-b', 'CURRENT'],
  [documentKeys.pendingCount(), 'PENDINGREVIEWS', 'COUNT'],
  [
    documentKeys.pending({ slug: 'a-b', number: 7, submitted_at: '2026-11-21T08:00:00.000Z' } as DocumentVersion),
    'PENDINGREVIEWS',
    `SUBMITTED#2026-11-21T08:00:00.000Z#a-b#${ID_7}`,
  ],
  [accessKeys.requestCount('key#7', 5), 'RATE#key#7', '5'],
  [accountKeys.account(7), 'ACCOUNT#7', 'PROFILE'],
  [accountKeys.byEmail('a@b.c'), 'EMAIL#a@b.c', 'EMAIL'],
  [accountKeys.listing(9), 'ACCOUNTS#1', ID_9],
  [accountKeys.unfinishedErasure(7), 'ERASURES', ID_7],
  [licensingKeys.entitlement(7, 8, 9), 'ACCOUNT#7', `ENTITLEMENT#${ID_8}#${ID_9}`],
  [licensingKeys.subscription(7, 8), 'ACCOUNT#7', `SUBSCRIPTION#${ID_8}`],
  [deviceKeys.slots(7, 8), 'ACCOUNT#7', `SLOTS#${ID_8}`],
  [deviceKeys.slotsPart(7, 8, 3), 'ACCOUNT#7', `SLOTS#${ID_8}#03`],
  [deviceKeys.lease(7, 8, 9), 'ACCOUNT#7', `LEASE#${ID_8}#000009`],
  [deviceKeys.device(7, 8, 'lap-top'), 'ACCOUNT#7', `DEVICE#${ID_8}#=lap-top`],
  [deviceKeys.device(7, 8, 'lap top'), 'ACCOUNT#7', `DEVICE#${ID_8}##${sha256('lap top')}`],
  [deviceKeys.usage(7, 8, '2026-01-31', 9), 'ACCOUNT#7', `USAGE#${ID_8}#2026-01-31#${ID_9}`],
  [deviceKeys.install(7, 8), 'ACCOUNT#7', `INSTALL#${ID_8}`],
  [deviceKeys.use(7, 8), 'ACCOUNT#7', `PRODUCTUSE#${ID_8}`],
  [catalogKeys.record('product', 7), 'CATALOG', `PRODUCT#${ID_7}`],
  [catalogKeys.content(7), 'PRODUCT#7', 'CONTENT'],
  [catalogKeys.progress(7, 8), 'ACCOUNT#7', `PROGRESS#${ID_8}`],
  [policyKey, 'CATALOG', 'POLICY#0000000000000000'],
  [editionKeys.edition('CATALOG'), 'EDITION#CATALOG', 'EDITION'],
  [editionKeys.snapshot('CATALOG'), 'EDITION#CATALOG', 'SNAPSHOT'],
  [editionKeys.chunk('SUPPLY', 'ab'), 'EDITION#SUPPLY#ab', 'CHUNK'],
  [deliveryKeys.release(7, '1.2.3'), 'PRODUCT#7', 'RELEASE#1.2.3'],
  [deliveryKeys.ledger(7), 'PRODUCT#7', 'LEDGER'],
  [deliveryKeys.owner(7), 'RELEASE#7', 'RELEASE'],
  [billingKeys.order(7, 8), 'ACCOUNT#7', `ORDER#${ID_8}`],
  [billingKeys.invoice(7, 8), 'ACCOUNT#7', `INVOICE#${ID_8}`],
  [billingKeys.paymentMethod(7, 8), 'ACCOUNT#7', `PAYMENT#${ID_8}`],
  [signInKeys.session('ab'), 'SESSION#ab', 'SESSION'],
  [signInKeys.sessionOfAccount(7, 8), 'ACCOUNT#7', `SESSION#${ID_8}`],
  [signInKeys.knownBrowser('ab'), 'BROWSER#ab', 'BROWSER'],
  [signInKeys.link('ab'), 'SIGNINLINK#ab', 'SIGNINLINK'],
  [signInKeys.deviceSignIn('ab'), 'DEVICESIGNIN#ab', 'DEVICESIGNIN'],
  [signInKeys.userCode('ab'), 'USERCODE#ab', 'USERCODE'],
  [signInKeys.passkey(7, 'ab'), 'ACCOUNT#7', `PASSKEY#${sha256('ab')}`],
  [signInKeys.passkeyOwner('ab'), `PASSKEY#${sha256('ab')}`, 'PASSKEY'],
  [signInKeys.passkeyChallenge('ab'), 'PASSKEY#CHALLENGE#ab', 'PASSKEY'],
  [signInKeys.upstreamSignIn('ab'), 'UPSTREAMSIGNIN#ab', 'UPSTREAMSIGNIN'],
  [signInKeys.upstreamLink('https://i', 's'), `UPSTREAM#${sha256('["https://i","s"]')}`, 'UPSTREAM'],
  [supportKeys.errorGroup('abcdef'), 'ERRORS#7', 'abcdef'],
  [supportKeys.errorCount('abc'), 'ERROR#abc', 'COUNT'],
  [supportKeys.newErrorGroups('app', '2026-01-31'), 'NEWERRORS#app', '2026-01-31'],
  [supportKeys.errorReport('abc', 2), 'ERROR#abc#2', 'REPORT'],
  [supportKeys.opening(7, 'x'), 'ACCOUNT#7', `REPORTED#${sha256('x')}`],
  [supportKeys.reportBytes(7, '2026-01-31'), 'REPORTBYTES#7', '2026-01-31'],
  [supportKeys.ticket(9), 'TICKETS#1', ID_9],
  [supportKeys.ticketCount(9), 'TICKET#9', 'COUNT'],
  [supportKeys.ticketFile(9, 7), 'TICKET#9', `FILE#${ID_7}`],
];

/** Each partition has those of the keys above that belong to it. */
const PARTITIONS: readonly (readonly [Partition, Partition])[] = [
  [accessKeys.keysOfAccount(7), { pk: 'ACCOUNT#7', prefix: 'KEYS#' }],
  [accountKeys.listed(3), { pk: 'ACCOUNTS#3', from: '0000000000000000' }],
  [licensingKeys.entitlements(7), { pk: 'ACCOUNT#7', prefix: 'ENTITLEMENT#' }],
  [licensingKeys.entitlements(7, 8), { pk: 'ACCOUNT#7', prefix: `ENTITLEMENT#${ID_8}#` }],
  [licensingKeys.subscriptions(7), { pk: 'ACCOUNT#7', prefix: 'SUBSCRIPTION#' }],
  [deviceKeys.allLeases(7), { pk: 'ACCOUNT#7', prefix: 'LEASE#' }],
  [deviceKeys.leases(7, 8), { pk: 'ACCOUNT#7', prefix: `LEASE#${ID_8}#` }],
  [deviceKeys.devices(7, 8), { pk: 'ACCOUNT#7', prefix: `DEVICE#${ID_8}#` }],
  [deviceKeys.allSlots(7), { pk: 'ACCOUNT#7', prefix: 'SLOTS#' }],
  [deviceKeys.slotsOf(7, 8), { pk: 'ACCOUNT#7', prefix: `SLOTS#${ID_8}` }],
  [deviceKeys.devicesFrom(7, 8, 'a'), { pk: 'ACCOUNT#7', from: `DEVICE#${ID_8}#=a`, to: `DEVICE#${ID_8}#~` }],
  [deviceKeys.usages(7), { pk: 'ACCOUNT#7', prefix: 'USAGE#' }],
  [deviceKeys.installs(7), { pk: 'ACCOUNT#7', prefix: 'INSTALL#' }],
  [deviceKeys.uses(7), { pk: 'ACCOUNT#7', prefix: 'PRODUCTUSE#' }],
  [catalogKeys.catalog(), { pk: 'CATALOG' }],
  [catalogKeys.progresses(7), { pk: 'ACCOUNT#7', prefix: 'PROGRESS#' }],
  [deliveryKeys.releases(7), { pk: 'PRODUCT#7', prefix: 'RELEASE#' }],
  [billingKeys.orders(7), { pk: 'ACCOUNT#7', prefix: 'ORDER#' }],
  [billingKeys.invoices(7), { pk: 'ACCOUNT#7', prefix: 'INVOICE#' }],
  [billingKeys.invoices(7, 9), { pk: 'ACCOUNT#7', prefix: 'INVOICE#', to: `INVOICE#${ID_8}` }],
  [billingKeys.paymentMethods(7), { pk: 'ACCOUNT#7', prefix: 'PAYMENT#' }],
  [signInKeys.sessions(7), { pk: 'ACCOUNT#7', prefix: 'SESSION#' }],
  [supportKeys.errorGroups(3), { pk: 'ERRORS#3' }],
  [supportKeys.tickets(3), { pk: 'TICKETS#3' }],
  [supportKeys.ticketFiles(7), { pk: 'TICKET#7', prefix: 'FILE#' }],
];

test.each(KEYS)('the key %j stays as in existing stores', (key, pk, sk) => {
  expect(key).toEqual({ pk, sk });
});

test.each(PARTITIONS)('the partition %j stays as in existing stores', (partition, expected) => {
  expect(partition).toEqual(expected);
});
