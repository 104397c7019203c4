import { hash, randomInt, randomUUID } from 'node:crypto';
import type * as z from 'zod';
import { DISCLOSURE_FIELDS } from '../../domain/catalog/catalog.ts';
import type { EndpointSpec } from '../../ports/inbound/endpoint.ts';
import type { EndpointId, Endpoints } from '../../ports/inbound/endpoints.ts';
import { assetFields, captureFields, runBody } from './captures.ts';
import { dayFromNow } from './times.ts';

export type BodiedId = {
  [Id in EndpointId]: Endpoints[Id] extends { body: () => z.ZodObject } ? Id : never;
}[EndpointId];

export type Bodies = Record<BodiedId, (product: number) => object>;

/** The bytes of an asset of a run. */
export const ASSET_BYTES = Buffer.from('body { color: #123456 }');

/** A company of a disclosure. */
export const COMPANY = {
  ...Object.fromEntries(DISCLOSURE_FIELDS.map((field) => [field, ''])),
  company_name: 'Example Ltd.',
};

/** The texts of leaked keys by their ids. */
export const LEAKED = new Map<number, string>();

/** A product with sessions, and the lease of a session that a case may save for its account. */
export const FLOATING = 7;
export const LEASE = '0123456789abcdef';
/** A license key of a batch that nobody used yet. */
export const UNUSED_KEY = { value: '' };

/** A file of releases, which the shop has from the start. */
export const PUBLISHED = 'a file of a release';

/** A valid body of each endpoint. The type requires one for each new endpoint. */
const GOOD_BODIES: Bodies = {
  checkLicense: (product_id) => ({ product_id, device_id: 'a-device' }),
  startTrial: () => ({ bundle_id: 'com.example.notes', device_id: randomUUID() }),
  releaseLicenseDevice: (product_id) => ({ product_id, device_id: 'a-device' }),
  revokeLicenseDevice: () => ({}),
  leaseLicense: () => ({ product_id: FLOATING, device_id: 'a-device' }),
  returnLease: (product_id) => ({ product_id, lease_id: LEASE }),
  releaseLease: (product_id) => ({ product_id, lease_id: LEASE }),
  redeemLicenseKey: () => ({ key: UNUSED_KEY.value }),
  inviteToTeam: () => ({ email: `${randomUUID()}@example.com` }),
  removeFromTeam: () => ({ person_id: 1 }),
  saveSetupProgress: () => ({ completed_step_indexes: [0] }),
  recordInstall: (product_id) => ({ product_id, version: '1.0.0' }),
  callMcp: () => ({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  callDesignMcp: () => ({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  reportError: () => ({
    app_bundle_id: 'com.example.timer',
    app_version: '1.4.0',
    error_type: 'crash',
    error_message: 'Index out of range',
  }),
  reportProblem: () => ({ kind: 'general', summary: 'It stops', detail: 'After a minute it stops.' }),
  createDocumentVersion: () => ({ body: '# A page\n', base_version: 1 }),
  createReview: (document) => ({ slug: slugOf(document), version: PENDING, verdict: 'approved', reason: 'As agreed.' }),
  openCollectRun: () => runBody,
  uploadCollectAsset: () => assetFields(ASSET_BYTES),
  uploadCollectCapture: () => captureFields(),
  failCollectRun: () => ({ error: 'The browser was closed.' }),
  submitCollectRun: () => ({ build_versions: ['2026.11.3'] }),
  callShopMcp: () => ({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  recordSale: () => ({
    reference: randomUUID(),
    email: `${randomUUID()}@example.com`,
    ordered_at: '2026-01-01T00:00:00Z',
    currency: 'KRW',
    lines: [{ product: 'tool', total_cents: 300 }],
  }),
  replayEvents: () => ({}),
  searchShop: (account) => ({ text: String(account) }),
  addProduct: () => ({
    slug: randomUUID(),
    type: 'app',
    type_label: { en: 'Application' },
    name: { en: 'Note Pad' },
    unit_price_cents: 1900,
    currency: 'USD',
    active: false,
    published: false,
  }),
  changeProduct: () => ({ list_price_cents: randomInt(1_000_000) }),
  changeStorefront: () => ({ tax_number: randomUUID().slice(0, 12) }),
  sendTestMail: () => ({ kind: 'order' }),
  setDisclosure: () => ({ ko: COMPANY, en: { ...COMPANY, phone: randomUUID() } }),
  importLicenseKeys: () => ({
    licenses: [{ line: 2, key: randomUUID(), email: `${randomUUID()}@example.com`, quantity: 1 }],
  }),
  setPolicy: () => ({ min_client_version: `0.0.${randomInt(1_000_000)}`, ttl_days: 14, recheck_hours: 24 }),
  refundOrder: () => ({}),
  findAccount: (account) => ({ account: String(account) }),
  addAccount: () => ({ email: `${randomUUID()}@example.com` }),
  suspendAccount: () => ({ suspended: true }),
  lockOut: () => ({}),
  mergeAccounts: (account) => ({ into: account - 1 }),
  withdrawDevice: () => ({ product: 'tool' }),
  changeTrial: () => ({ product: 'notes', days: 20 }),
  restoreDevice: () => ({ product: 'tool' }),
  createLicenseKey: () => ({ product: 'other' }),
  revokeLeakedKey: (key) => ({ key: LEAKED.get(key) }),
  renameAccount: () => ({ name: 'Ada Kim' }),
  limitAccount: () => ({ requests_per_minute: 900 }),
  eraseAccount: () => ({}),
  grantEntitlement: () => ({ product_id: 1 }),
  extendGrant: () => ({ device_limit: 9 }),
  revokeGrant: () => ({}),
  transferGrant: () => ({ email: 'new-owner@example.com' }),
  inviteToAccountTeam: () => ({ product: 'tool', email: `${randomUUID()}@example.com` }),
  removeFromAccountTeam: () => ({ product: 'tool', person_id: 1 }),
  releaseAccountDevice: () => ({ product: 'tool' }),
  createApiKey: () => ({ name: 'Build server' }),
  uploadReleaseFile: () => ({ sha256: hash('sha256', ASSET_BYTES, 'hex') }),
  signReleaseUpload: () => ({ sha256: hash('sha256', randomUUID(), 'hex'), size: 36 }),
  publishRelease: () => ({
    sha256: hash('sha256', PUBLISHED, 'hex'),
    filename: 'tool.zip',
    version: `0.0.${randomInt(1_000_000)}`,
    channel: 'dev',
  }),
  changeRelease: () => ({
    change: { kind: 'schedule', released_at: new Date(Date.UTC(2999, 0, 1, 0, 0, 0, randomInt(60_000))).toISOString() },
  }),
  answerTicket: () => ({ text: 'Thank you.' }),
  addMember: (account) => ({ email: `member-${account}@example.com`, name: 'Bo', role: 'support' }),
  changeMember: () => ({ role: 'orders' }),
  createMemberLink: () => ({}),
  createAgentToken: () => ({ role: 'orders', name: 'Warehouse' }),
  createKeyBatch: () => ({ product: 'other', count: 2, name: 'Reviewers' }),
  revokeKeyBatch: () => ({}),
  createWebhook: () => ({ url: 'https://example.com/hook' }),
  changeWebhook: () => ({ url: 'https://example.com/hook' }),
  uploadUsage: (product_id) => ({ consent: true, days: [{ product_id, usage_date: dayFromNow(0), launches: 1 }] }),
};

/** The slug of a document that `aDocument` created. */
export const slugOf = (document: number | string): string => `document-${document}`;

/** The caller's own draft of such a document, and its version in review. */
export const DRAFT = 2;
const PENDING = 3;

export const bodyFrom = (bodies: Bodies, { id, body }: EndpointSpec, product: number): object | undefined =>
  body && bodies[id as BodiedId](product);

export const goodBody = (endpoint: EndpointSpec, product: number): object | undefined =>
  bodyFrom(GOOD_BODIES, endpoint, product);

/** The id of the order that a case may save for its account. */
export const ORDER = 1;

/** The path of a content asset of the tool. */
export const ASSET = 'docs/guide.md';

/** The device of an account that `aShoppedAccount` created. */
export const deviceOf = (account: number | string): string => `device-${account}`;

/** The delivery of each webhook that `aWebhook` created. */
export const DELIVERIES = new Map<number, number>();

/** A version of the tool that the shop's own systems change. */
const SHOP_VERSION = '9.0.0';

/** The id of a release of the skill. */
export const RELEASE = 21;

/** The slug of a lineage of the shop. */
export const LINEAGE = 'tools';

/** The id of a screen of the shop, and of an app. */
const SCREEN = '1';

export const pathOf = ({ path, host }: EndpointSpec, product: number | string): string =>
  path
    .replace('{product}', String(product))
    .replace('{path}', ASSET)
    .replace('{file}', 'latest.yml')
    .replace('{target}/{arch}/{installed}', 'windows/x86_64/1.0.0')
    .replace('{order}', host === 'shop' ? `id:${product}` : String(ORDER))
    .replace(/\{(?:account|event|subscription|key|ticket|token|report|named|webhook|batch)\}/g, String(product))
    .replace('{delivery}', String(DELIVERIES.get(Number(product)) ?? product))
    .replace('{device_id}', deviceOf(product))
    .replace('{version}', SHOP_VERSION)
    .replace('{id}', host === 'design' ? SCREEN : String(product))
    .replace('{release}', String(RELEASE))
    .replace('{number}', String(DRAFT))
    .replace('{run}', String(product))
    .replace('{slug}', host === 'design' ? slugOf(product) : LINEAGE);
