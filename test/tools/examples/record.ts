import { hash } from 'node:crypto';
import { mock } from 'node:test';
import type { EXAMPLES } from '../../../adapters/openapi/document.ts';
import { ABILITIES } from '../../../domain/access/abilities.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { TOKEN_ROLES } from '../../../domain/access/principal.ts';
import { documentationOf } from '../../../ports/inbound/documentation.ts';

import { bodyTypes, type EndpointSpec } from '../../../ports/inbound/endpoint.ts';
import { ENDPOINTS, type EndpointId } from '../../../ports/inbound/endpoints.ts';
import type { RefusalCode } from '../../../ports/inbound/refusals.ts';
import { DEMO, firstStart } from '../../../runtimes/express/shop.ts';
import { ReplayWorker } from '../../../runtimes/worker/replay-worker.ts';
import { anAgent, goodRole } from '../../surface/agents.ts';
import { aPng, uploadForm } from '../../surface/captures.ts';
import { IN_MEMORY, openExpressMount } from '../../surface/express-mount.ts';
import type { Mount } from '../../surface/mount.ts';
import { aPendingOrder } from '../../surface/shop-targets.ts';
import { DESK, openUpdateShop } from '../../surface/update-shop.ts';

/** The service's answers on the sample store, as shown in the OpenAPI document. */
type Recorded = Record<keyof typeof EXAMPLES, Record<string, unknown>>;

/** The moment of the first request. Requests are a minute apart. */
const START = Date.UTC(2026, 10, 21, 8);

/** Ids in the service's form, which start over with each recording. */
const countedIds = () => {
  let last = (START - Date.UTC(2024, 0, 1)) * 4096;
  return { next: () => ++last };
};

/** The fields of a product in the store document that are shown; one example shows all. */
const OF_A_PRODUCT = [
  ...['id', 'slug', 'type', 'currency', 'name', 'active', 'published', 'unit_price_cents', 'platforms', 'bundle_id'],
  ...['delivery', 'device_limit', 'version_scheme', 'shared_devices', 'uncovered_versions'],
];

const isStored = (value: object): boolean => 'slug' in value && 'version_scheme' in value;

/** A value with only the first entries of its lists, because an example shows a form and not a store. */
const short = (value: unknown, depth = 0): unknown => {
  if (Array.isArray(value))
    return value.slice(0, typeof value[0] === 'object' ? 1 : 3).map((one) => short(one, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(
    ([name]) => depth === 0 || !isStored(value) || OF_A_PRODUCT.includes(name),
  );
  const within = depth > 0 && isStored(value);
  return Object.fromEntries(
    members.map(([name, inner]) => [
      name,
      within && name === 'delivery' ? { strategy: inner.strategy } : short(inner, depth + 1),
    ]),
  );
};

/** Values that differ between recordings, or that look like secrets, with their replacements. */
const REPLACED: readonly (readonly [RegExp, string])[] = [
  [/\b(svc|agt|lic)_[0-9A-Za-z]{10}(?:[0-9A-Za-z]{39})?(?![0-9A-Za-z])/g, '$1_EXAMPLEKEY'],
  [/whsec_[0-9A-Za-z+/]{43}=/g, 'whsec_EXAMPLE'],
  [/(?<="lease_id":")[0-9a-f]{32}(?=")/g, '0f3a5c7e9b1d2f4a6c8e0b1d3f5a7c9e'],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'eyJ….eyJ….…'],
  [/(?<=[?&;](?:signature|code|ticket)=)[\w.~%-]+/g, 'EXAMPLE'],
  [/(?<="(?:signature|signed_by|kid)":")(?:[\w+/]{86}==|[\w-]{43})(?=")/g, '…'],
];

const PAGE = '<!doctype html><title>Your orders</title><h1>Your orders</h1><button>Pay</button>';
const CSS = Buffer.from('button { color: #2563eb }');

type Input = {
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: string;
  readonly body?: object;
  readonly files?: Readonly<Record<string, Uint8Array>>;
  readonly key?: string;
  /** The refusal that the call must get. */
  readonly refused?: RefusalCode;
  readonly joins?: true;
};

/** Calls endpoints with the values of their documentation, or with others, and records the answers. */
const recorder = async (mount: Mount, key: string) => {
  const recorded: Recorded = { answers: {}, joined: {}, refusals: {} };
  const tokens = new Map<string, string>();
  for (const role of TOKEN_ROLES)
    tokens.set(role, (await anAgent(mount.service, role, `The shop’s ${role} agent`)).key);

  const keyOf = (endpoint: EndpointSpec): string | undefined => {
    const { access } = endpoint;
    if (access.credential === 'agent') return tokens.get(goodRole(endpoint));
    return access.credential === 'key' ? key : undefined;
  };

  const settled = (text: string): unknown => {
    const named = Object.entries(mount.urls).reduce(
      (changed, [host, url]) => changed.replaceAll(url, `https://${host}.example.com`),
      text,
    );
    return short(JSON.parse(REPLACED.reduce((changed, [pattern, by]) => changed.replaceAll(pattern, by), named)));
  };

  // biome-ignore lint/suspicious/noExplicitAny: a recording continues with parts of answers of every form
  const call = async (id: EndpointId, more: Input = {}): Promise<any> => {
    mock.timers.tick(60_000);
    const endpoint: EndpointSpec = ENDPOINTS[id];
    const { pathExamples = {}, bodyExample } = documentationOf(endpoint);
    const { path = {}, query = '', body = bodyExample, files, refused, joins } = more;
    const values: Readonly<Record<string, unknown>> = { ...pathExamples, ...path };
    const address = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
    const isForm = files !== undefined || !bodyTypes(endpoint).includes('application/json');
    const credential = more.key ?? keyOf(endpoint);
    const reply = await fetch(`${mount.urls[endpoint.host]}${address}${query}`, {
      method: endpoint.method,
      headers: {
        'accept-language': 'en',
        ...(credential && { authorization: `Bearer ${credential}` }),
        ...(body && !isForm && { 'content-type': 'application/json' }),
      },
      ...(body && { body: isForm ? uploadForm(body as Record<string, string>, files) : JSON.stringify(body) }),
    });
    const text = await reply.text();
    if (reply.ok === (refused !== undefined) || text === '') throw new Error(`${id}: ${reply.status} ${text}`);
    if (refused) recorded.refusals[refused] = settled(text);
    else recorded[joins ? 'joined' : 'answers'][id] = settled(text);
    return JSON.parse(text);
  };
  return { recorded, call };
};

type Call = Awaited<ReturnType<typeof recorder>>['call'];

/** The account API, in the order of a buyer's visit. */
const callAccount = async (call: Call, { service }: Mount): Promise<void> => {
  for (const id of ['getDisclosure', 'listLineages', 'getLineage', 'listProducts', 'getProduct'] as const)
    await call(id);
  for (const id of ['getProductDetail', 'listContentAssets', 'listReleases', 'getDownloadPipeline'] as const)
    await call(id);
  await call('saveSetupProgress');
  await call('getSetupProgress');
  await call('getUpdate', { query: '?version=1.1.0&platform=darwin-arm64' });
  await call('planInstall', { query: '?platform=darwin-arm64' });
  await call('startTrial');
  for (const device_id of ['laptop-2', 'laptop-3', 'macbook-7f3a'])
    await call('checkLicense', { body: { product_id: DEMO.product_id, device_id, app_version: '1.2.0' } });
  await call('checkLicense', { body: { product_id: 4, device_id: 'laptop-4' }, refused: 'device_limit_reached' });
  await call('getProductLicense');
  const keyOf = async (product_id: number | null): Promise<string> => {
    const device = { client: 'quiet-desk', device: { device_id: 'macbook-7f3a', name: 'MacBook' } };
    const input = { account_id: DEMO.account_id, name: 'MacBook', abilities: ABILITIES, product_id, device };
    const made = await service.get('createApiKey')(grantPermit(), input);
    if (!made.ok) throw new Error(made.message);
    return made.value.value;
  };
  const key = await keyOf(null);
  for (const id of ['bulkActivate', 'getDeviceEntitlements', 'listBundles', 'recordInstall', 'uploadUsage'] as const)
    await call(id, { key });
  await call('releaseLicenseDevice', { key });
  const terms = { access_days: null, updates_days: null, device_limit: null };
  const batch = { product_id: DEMO.product_id, count: 1, name: 'Giveaway', ...terms };
  const made = await service.get('createKeyBatch')(grantPermit(), batch);
  if (!made.ok) throw new Error(made.message);
  await call('redeemLicenseKey', { key, body: { key: made.value.keys[0] } });
  await call('revokeLicenseDevice', { key: await keyOf(DEMO.product_id) });
  for (const id of ['getLibrary', 'getOrder', 'listInvoices', 'listOrders', 'listPaymentMethods'] as const)
    await call(id);
  for (const id of ['listSubscriptions', 'checkAppsSubscription', 'getClientConfig', 'callMcp'] as const)
    await call(id);
  await call('reportError');
  await call('reportProblem', { files: { bundle: Buffer.from('diagnostics') } });
  await call('reportProblem', { joins: true });
};

/** A document from its first draft to its review, and a collect run up to its screens in the gallery. */
const callDesign = async (call: Call, { service }: Mount): Promise<void> => {
  for (const id of ['createDocumentVersion', 'submitDocumentVersion', 'listPendingReviews', 'createReview'] as const)
    await call(id);
  await call('createReview', { refused: 'document_state_conflict' });
  for (const id of ['getDocument', 'listDocumentVersions', 'getManifest', 'callDesignMcp'] as const) await call(id);
  const failed = await call('openCollectRun');
  await call('failCollectRun', { path: { run: failed.run.id } });
  const { run } = await call('openCollectRun');
  const path = { run: run.id };
  await call('openCollectRun', { refused: 'collect_run_held' });
  const asset = { sha256: hash('sha256', CSS, 'hex'), type: 'css', url: 'https://app.example.com/main.css' };
  await call('uploadCollectAsset', { path, body: asset, files: { file: CSS } });
  const files = { image: aPng(), html: Buffer.from(PAGE) };
  const assets = JSON.stringify([{ url: asset.url, sha256: asset.sha256 }]);
  const { bodyExample } = documentationOf(ENDPOINTS.uploadCollectCapture);
  await call('uploadCollectCapture', { path, body: { ...bodyExample, assets }, files });
  await call('submitCollectRun', { path });
  await call('uploadCollectCapture', { path, refused: 'collect_run_closed' });
  const parts = { log: { info: () => {}, error: (line: object) => console.error(line) } };
  const [jobs, collectRuns] = [service.get('jobs'), service.get('collectRuns')];
  const replayRun = service.get('replayRun');
  await new ReplayWorker({ ...parts, jobs, collectRuns, replayRun, clock: service.get('clock') }).workOnce();
  await call('getCollectRun', { path });
  for (const id of ['listScreens', 'getScreen', 'listPatterns', 'getTaxonomy'] as const) await call(id);
  await call('getApp', { path: { id: 1 } });
};

/** The shop host: sales, buyers, releases and tickets. */
const callShop = async (call: Call, { service }: Mount): Promise<void> => {
  await service.get('completeSums')(grantPermit());
  for (const id of ['listShopOrders', 'describeOrder', 'resendOrderMail', 'refundOrder', 'recordSale'] as const)
    await call(id);
  for (const id of ['searchShop', 'examineShop'] as const) await call(id);
  const about = { provider: 'shop', type: 'order', account_id: null, received_at: service.get('clock').now() };
  const why = { state: 'refused', reason: 'No product has the price price_monthly.', buyer: DEMO.email } as const;
  await service
    .get('paymentEvents')
    .save(grantPermit(), { ...about, ...why, id: 'evt_example', body: '{"id":"evt_example"}' });
  for (const id of ['listEvents', 'showEvent'] as const) await call(id);
  await call('replayEvents');
  await call('describeOrder', { path: { order: 17 }, refused: 'shop_not_found' });
  await call('showSums', { query: '?from=2025-12-01&to=2026-11-30' });
  await call('listTransactions', { query: '?from=2025-12-01&to=2026-11-30' });
  await call('listDueSubscriptions', { query: '?state=ending' });
  for (const id of ['listShopSubscriptions', 'describeSubscription', 'listAccounts', 'findAccount'] as const)
    await call(id);
  const added = await call('addAccount', { body: { email: 'new@example.com', name: 'A Buyer' } });
  await call('addAccount', { body: { email: DEMO.email }, refused: 'shop_refused' });
  for (const id of ['renameAccount', 'limitAccount'] as const) await call(id);
  for (const id of ['showAccount', 'suspendAccount', 'createSignInLink', 'eraseAccount', 'listGrants'] as const)
    await call(id);
  for (const id of ['listWaysIn', 'lockOut', 'withdrawDevice', 'restoreDevice', 'showTrials', 'changeTrial'] as const)
    await call(id);
  await call('mergeAccounts', { body: { into: added.id, trial: true } });
  for (const id of ['grantEntitlement', 'extendGrant', 'transferGrant', 'revokeGrant', 'listAccountDevices'] as const)
    await call(id);
  await call('releaseAccountDevice', { path: { device_id: 'laptop-2' } });
  const { key } = await call('createApiKey');
  await call('listApiKeys');
  await call('revokeApiKey', { path: { key: key.id } });
  await call('createLicenseKey');
  const { batch } = await call('createKeyBatch');
  await call('listKeyBatches');
  await call('revokeKeyBatch', { path: { batch: batch.id } });
  await call('revokeLeakedKey', { body: { key: (await call('createApiKey')).value } });
  for (const id of ['listShopProducts', 'findProduct', 'describeProduct', 'changeRelease'] as const) await call(id);
  await call('addProduct');
  for (const id of [
    'importLicenseKeys',
    'showPolicy',
    'setPolicy',
    'changeProduct',
    'showUsage',
    'listVersionsInUse',
    'showStorefront',
    'changeStorefront',
    'previewMail',
    'sendTestMail',
    'setDisclosure',
    'showShopDisclosure',
    'signReleaseUpload',
    'createPolicyKey',
  ] as const)
    await call(id);
  await call('uploadReleaseFile', { files: { file: Buffer.from('test') } });
  await call('publishRelease');
  await call('listProductReleases');
  const ticket = (await call('listReports', { query: '?kind=support' })).data[0].id;
  await call('showReport', { path: { report: ticket } });
  for (const id of ['closeTicket', 'reopenTicket', 'answerTicket'] as const) await call(id, { path: { ticket } });
  const { id: webhook } = await call('createWebhook');
  const { id: delivery } = await call('pingWebhook', { path: { webhook } });
  for (const id of ['changeWebhook', 'rotateWebhookSecret', 'listWebhooks', 'listDeliveries'] as const)
    await call(id, { path: { webhook } });
  await call('resendDelivery', { path: { webhook, delivery } });
  await call('deleteWebhook', { path: { webhook } });
  const { account_id: member } = await call('addMember');
  for (const id of ['changeMember', 'createMemberLink', 'listMembers'] as const)
    await call(id, { path: { account: member } });
  await call('removeMember', { path: { account: member } });
  const { id: token } = await call('createAgentToken');
  await call('listAgentTokens');
  await call('revokeAgentToken', { path: { token } });
  for (const id of ['listAudit', 'callShopMcp'] as const) await call(id);
  for (const id of ['showNotices', 'testNotices', 'listAudit', 'callShopMcp'] as const) await call(id);
  await call('settleOrder', { path: { order: `id:${await aPendingOrder(service, 'hashcheck')}` } });
};

/** The sessions of a product that becomes a floating license with one slot. */
const callLeases = async (call: Call, { service }: Mount): Promise<void> => {
  const product_id = 7;
  const product = (await service.get('catalogs').current()).products.get(product_id);
  if (!product) throw new Error('The sample store has no product 7.');
  const value = { ...product, slots: 'sessions', device_limit: 1 } as const;
  await service.get('catalogEditor').save(grantPermit(), { kind: 'product', value });
  const { lease } = await call('leaseLicense');
  await call('leaseLicense', { refused: 'session_limit_reached' });
  await call('listLeases', { path: { product: product_id } });
  const body = { product_id, lease_id: lease.lease_id };
  await call('releaseLease', { body });
  await call('returnLease', { body });
};

/** The feeds for updaters, of an application with files for all of them. */
const callFeeds = async (call: Call, { service }: Mount): Promise<void> => {
  await openUpdateShop(service);
  await call('openUpdateFile', { path: { id: DESK, file: 'releases.linux.json' } });
  await call('getTauriUpdate', { path: { id: DESK, installed: '1.0.0' } });
};

/** The calls of a team: its owner gives up the seat, and invites another person to it. */
const callTeam = async (call: Call, { service }: Mount): Promise<void> => {
  const sold = (await service.get('catalogs').current()).products.get(DEMO.product_id);
  if (!sold) throw new Error('The sample store lacks its product.');
  await service.get('catalogEditor').save(grantPermit(), { kind: 'product', value: { ...sold, slots: 'persons' } });
  const input = { account_id: DEMO.account_id, name: 'Owner', abilities: ABILITIES, product_id: null };
  const made = await service.get('createApiKey')(grantPermit(), input);
  if (!made.ok) throw new Error(made.message);
  const key = made.value.value;
  await call('removeFromTeam', { key, body: { person_id: DEMO.account_id } });
  for (const id of ['inviteToTeam', 'showTeam'] as const) await call(id, { key });
  const [path, product] = [{ account: DEMO.account_id }, sold.slug];
  await call('inviteToAccountTeam', { path, body: { product, email: 'colleague@example.com', role: 'billing' } });
  await call('listAccountTeams', { path });
  await call('removeFromAccountTeam', { path, body: { product, person_id: 1 } });
};

/**
 * Starts the service with the sample store, in memory and at a fixed moment, and calls all endpoints that answer with
 * JSON.
 */
export const record = async (): Promise<Recorded> => {
  mock.timers.enable({ apis: ['Date'], now: START });
  const ids = { ids: countedIds(), auditIds: countedIds(), messageIds: countedIds() };
  const mount = await openExpressMount(IN_MEMORY, { webhookSecrets: { shop: ['a-secret-of-the-shop'] } }, ids);
  try {
    const demo = await firstStart(mount.service);
    if (!demo) throw new Error('The store was not empty.');
    const { recorded, call } = await recorder(mount, demo.key);
    for (const part of [callAccount, callDesign, callShop, callFeeds, callLeases, callTeam]) await part(call, mount);
    return recorded;
  } finally {
    await mount.close();
    mock.timers.reset();
  }
};
