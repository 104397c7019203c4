import { bodyTypes, type EndpointSpec } from '../../ports/inbound/endpoint.ts';
import { allEndpoints, ENDPOINTS } from '../../ports/inbound/endpoints.ts';
import { assetFields, captureFields, runBody } from './captures.ts';
import { type Reply, type Send, send } from './client.ts';
import { ASSET_BYTES, type Bodies, bodyFrom, COMPANY, goodBody, pathOf, slugOf } from './good-requests.ts';
import type { Mount } from './mount.ts';
import { TOOL } from './shop.ts';
import { dayFromNow } from './times.ts';

/** A body for each endpoint in which only the last field is invalid. */
const BAD_BODIES: Bodies = {
  checkLicense: (product_id) => ({ product_id, device_id: 'a-device', app_version: 'v'.repeat(101) }),
  redeemLicenseKey: () => ({ key: 5 }),
  startTrial: (product_id) => ({ product_id, device_id: 'a-device', app_version: 'v'.repeat(101) }),
  releaseLicenseDevice: (product_id) => ({ product_id, device_id: '' }),
  revokeLicenseDevice: () => ({ device_id: 5 }),
  leaseLicense: (product_id) => ({ product_id, device_id: '' }),
  returnLease: (product_id) => ({ product_id, lease_id: 'a'.repeat(65) }),
  releaseLease: (product_id) => ({ product_id, lease_id: 5 }),
  inviteToTeam: () => ({ email: 'person@example.com', role: 'owner' }),
  removeFromTeam: () => ({ person_id: 1, owner_id: 'none' }),
  saveSetupProgress: () => ({ completed_step_indexes: [0, 1, -1] }),
  recordInstall: (product_id) => ({ product_id, version: '1.0.0', artifact_sha256: 'none' }),
  callMcp: () => ({ jsonrpc: '2.0', id: 1, method: 5 }),
  callDesignMcp: () => ({ jsonrpc: '2.0', id: 1, method: 5 }),
  reportError: () => ({
    app_bundle_id: 'com.example.timer',
    app_version: '1.4.0',
    error_type: 'crash',
    error_message: 'Index out of range',
    context: ['a'],
  }),
  reportProblem: () => ({ kind: 'general', summary: 'It stops', detail: 'After a minute.', device_id: 5 }),
  createDocumentVersion: () => ({ body: '# A page\n', base_version: -1 }),
  createReview: (document) => ({ slug: slugOf(document), version: 1, verdict: 'approved', reason: ' ' }),
  openCollectRun: () => ({ ...runBody, apps: ['shop'] }),
  uploadCollectAsset: () => assetFields(ASSET_BYTES, { url: '' }),
  uploadCollectCapture: () => captureFields({ http_status: '99' }),
  failCollectRun: () => ({ error: 5 }),
  submitCollectRun: () => ({ accounts: [{ found: true }], build_versions: ['v'.repeat(65)] }),
  callShopMcp: () => ({ jsonrpc: '2.0', id: 1, method: 5 }),
  recordSale: () => ({
    reference: 'one',
    email: 'buyer@example.com',
    ordered_at: '2026-01-01T00:00:00Z',
    currency: 'KRW',
    lines: [{ product: 'tool', total_cents: -1 }],
  }),
  searchShop: () => ({ text: '' }),
  replayEvents: () => ({ after: 5 }),
  addProduct: (product) => ({ ...goodBody(ENDPOINTS.addProduct, product), currency: 'won' }),
  changeProduct: () => ({ unit_price_cents: -1 }),
  changeStorefront: () => ({ accent: 'blue' }),
  sendTestMail: () => ({ kind: 'poem' }),
  setDisclosure: () => ({ ko: COMPANY, en: { ...COMPANY, email: 'nobody' } }),
  importLicenseKeys: () => ({ licenses: [{ line: 2, key: 'a', email: 'ada@example.com', quantity: 0 }] }),
  setPolicy: () => ({ min_client_version: '1.0.0', ttl_days: 14, recheck_hours: 0 }),
  refundOrder: () => ({ item_ids: [0] }),
  findAccount: () => ({ account: '' }),
  addAccount: () => ({ email: 'nobody' }),
  suspendAccount: () => ({ suspended: 'maybe' }),
  lockOut: () => ({ trial: 'maybe' }),
  mergeAccounts: () => ({ into: 0 }),
  withdrawDevice: () => ({ product: 'tool', reason: 'Ada <ada@example.com>' }),
  changeTrial: () => ({ product: 'notes', days: 366 }),
  restoreDevice: () => ({ product: 5.5 }),
  createLicenseKey: () => ({ product: 'other', mail: 'maybe' }),
  revokeLeakedKey: () => ({ key: 5 }),
  renameAccount: () => ({ email: 'nobody' }),
  limitAccount: () => ({ requests_per_minute: 0 }),
  eraseAccount: () => ({ trial: 'maybe' }),
  grantEntitlement: () => ({ product_id: 1, access_expires_at: 'soon' }),
  extendGrant: () => ({ access_expires_at: 'soon' }),
  revokeGrant: () => ({ trial: 'maybe' }),
  transferGrant: () => ({ email: 'nobody' }),
  inviteToAccountTeam: () => ({ product: 'tool', email: 'person@example.com', role: 'owner' }),
  removeFromAccountTeam: () => ({ product: 'tool', person_id: 0 }),
  releaseAccountDevice: () => ({ product: 'tool', trial: 'maybe' }),
  createApiKey: () => ({ name: 'Build server', expires_at: 'soon' }),
  uploadReleaseFile: () => ({ sha256: 'short' }),
  signReleaseUpload: () => ({ sha256: 'a'.repeat(64), size: 0 }),
  publishRelease: () => ({ sha256: 'a'.repeat(64), filename: 'tool.zip', version: '0.0.1', channel: 'none' }),
  changeRelease: () => ({ change: { kind: 'move', channel: 'none' } }),
  answerTicket: () => ({ text: ' ' }),
  addMember: () => ({ email: 'bo@example.com', name: 'Bo', role: 'read' }),
  changeMember: () => ({ role: 'read' }),
  createMemberLink: () => ({ mail: 'maybe' }),
  createAgentToken: () => ({ role: 'owner', name: 'Warehouse' }),
  createKeyBatch: () => ({ product: 'other', count: 0, name: 'Reviewers' }),
  revokeKeyBatch: () => ({ claimed: 'maybe' }),
  createWebhook: () => ({ url: 'http://example.com/hook' }),
  changeWebhook: () => ({ url: 'http://example.com/hook' }),
  uploadUsage: (product_id) => ({
    consent: true,
    days: [
      { product_id, usage_date: dayFromNow(0), launches: 1 },
      { product_id, usage_date: dayFromNow(0), launches: -1 },
    ],
  }),
};

export const badBody = (endpoint: EndpointSpec, product: number): object | undefined =>
  bodyFrom(BAD_BODIES, endpoint, product);

type Input = Send & { readonly product?: number | string };

/** The fields of a body as a form, with the files that the endpoint requires. */
const goodForm = ({ files = {} }: EndpointSpec, fields: object): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value));
  for (const [name, { required }] of Object.entries(files)) if (required) form.set(name, new Blob([ASSET_BYTES]), name);
  return form;
};

/** Calls an endpoint with a valid request, except for the values that the case overrides. */
export const callEndpoint = (
  mount: Mount,
  endpoint: EndpointSpec,
  { product = TOOL, ...rest }: Input,
): Promise<Reply> => {
  const json = rest.text === undefined ? goodBody(endpoint, Number(product)) : undefined;
  if (json && rest.json === undefined && rest.form === undefined && !bodyTypes(endpoint).includes('application/json')) {
    return send(mount, endpoint.method, pathOf(endpoint, product), { form: goodForm(endpoint, json), ...rest });
  }
  return send(mount, endpoint.method, pathOf(endpoint, product), json === undefined ? rest : { json, ...rest });
};

const requires = ({ access }: EndpointSpec, what: 'entitlement' | 'scoped'): boolean =>
  access.credential === 'key' && access.requires?.includes(what) === true;

export const abilityOf = ({ access }: EndpointSpec) => (access.credential === 'key' ? access.ability : undefined);

export const KEYED = allEndpoints.filter(({ access }) => access.credential === 'key');
export const OF_AGENTS = allEndpoints.filter(({ access }) => access.credential === 'agent');
/** Every endpoint that answers 401 without a credential. */
export const CREDENTIALED = [...KEYED, ...OF_AGENTS];

/** The endpoints of a list that a suite calls. */
export type Choice = <E extends EndpointSpec>(endpoints: readonly E[]) => readonly E[];

export const all: Choice = (endpoints) => endpoints;

/** The first endpoint of each kind that a mount could treat otherwise: by host, method, credential, input and answer. */
export const onePerKind: Choice = (endpoints) =>
  Map.groupBy(endpoints, ({ host, method, access, protocol, query, body, files, output, cache }) =>
    [host, method, access.credential, protocol, !query, !body, !files, output.kind, typeof cache].join(),
  )
    .values()
    .flatMap((alike) => alike.slice(0, 1))
    .toArray();

export const OF_A_PRODUCT = allEndpoints.filter(({ path }) => path.includes('{product}'));
export const ENTITLED = allEndpoints.filter((endpoint) => requires(endpoint, 'entitlement'));
export const SCOPED = allEndpoints.filter((endpoint) => requires(endpoint, 'scoped'));
/** The POSTs that write nothing: two have a text in the body, so that it is not logged; one signs an upload. */
const READING = ['findAccount', 'searchShop', 'signReleaseUpload'];

/** The endpoints that write. */
export const WRITING = CREDENTIALED.filter(({ id, method }) => method !== 'GET' && !READING.includes(id));
