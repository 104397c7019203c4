import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApiDocument } from '../../adapters/openapi/document.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { TOKEN_ROLES, type TokenRole } from '../../domain/access/principal.ts';
import { newTicket } from '../../domain/support/ticket.ts';
import { allEndpoints } from '../../ports/inbound/endpoints.ts';
import type { Host } from '../../ports/inbound/hosts.ts';
import { byHost } from '../../ports/inbound/hosts.ts';
import { DEMO, firstStart } from '../../runtimes/express/shop.ts';
import { aDevice, anApiKey, anEntitlement, NOW } from '../support/builders.ts';
import { aLock, aRun } from '../support/collect-builders.ts';
import { storedFile } from '../support/contents.ts';
import { aReport } from '../support/report-builders.ts';
import { aDraft } from '../support/screen-builders.ts';
import { type Agent, anAgent, goodRole } from '../surface/agents.ts';
import { documentsOf } from '../surface/documents.ts';
import { IN_MEMORY, openExpressMount } from '../surface/express-mount.ts';
import { DELIVERIES } from '../surface/good-requests.ts';
import type { Mount } from '../surface/mount.ts';
import { freeLock } from '../surface/runs.ts';
import { aPendingOrder, aWebhook } from '../surface/shop-targets.ts';
import { dayFromNow } from '../surface/times.ts';

type Parameter = { in: string; name: string; schema: { example?: string | number } };
type Operation = {
  operationId: string;
  'x-host': Host;
  'x-access': { credential: string; role?: TokenRole };
  parameters?: Parameter[];
  requestBody?: {
    content: Record<string, { example?: unknown; schema: { $ref: string } }>;
  };
  responses: Record<string, unknown>;
};
type Filled = { example?: unknown; format?: string };
type FormSchema = { properties: Record<string, Filled>; required?: string[] };

const urls = byHost((host) => `http://${host}`);
const { paths, components } = openApiDocument(urls) as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, FormSchema> };
};
const OPERATIONS = Object.entries(paths).flatMap(([path, operations]) =>
  Object.entries(operations).map(([method, operation]) => ({ id: operation.operationId, method, path, operation })),
);

let mount: Mount;
let demoKey: string;

/** Separate keys for the operations that revoke the calling key. */
const keys = new Map<string, string>();

/** An agent with each role. */
const tokens = new Map<TokenRole, Agent>();

const credentialFor = ({ operationId, 'x-access': access }: Operation): string =>
  (access.credential === 'agent' ? tokens.get(goodRole({ id: operationId, access }))?.key : undefined) ??
  keys.get(operationId) ??
  demoKey;

const makeKey = async (id: string, product_id: number | null): Promise<void> => {
  const made = await mount.service.get('createApiKey')(grantPermit(), { account_id: 1, name: id, product_id });
  if (!made.ok) throw new Error(made.message);
  keys.set(id, made.value.value);
};

/** The document of the examples: two approved versions, and a draft that is first submitted and then approved. */
const writeDocument = async (): Promise<void> => {
  const { draft, submit, review } = documentsOf(mount.service);
  for (const number of [1, 2]) {
    await draft('buttons', number - 1);
    await submit('buttons', number);
    await review('buttons', number, 'approved');
  }
  await draft('buttons', 2, { id: tokens.get('write')?.id ?? 0, name: 'writer' });
};

/** Makes the example's run hold the lock, whatever happened to it. */
const reopenRun = async (id: number): Promise<void> => {
  const runs = mount.service.get('collectRuns');
  const { id: agent = 0 } = tokens.get('collect') ?? {};
  const run = aRun({ id, agent: { id: agent, name: 'collector' }, apps: null });
  const lock = aLock(`${dayFromNow(1)}T00:00:00.000Z`, { run_id: id });
  const [read, held] = [await runs.get(id), await runs.lock()];
  if (!read) return void (await runs.open(grantPermit(), run, lock, held));
  await runs.save(grantPermit(), run, read);
  await runs.renew(grantPermit(), lock, held);
};

/** The number of the webhook in place of the example's. */
let webhook = 1;

/** The name of the pending order in place of the example's order, which is paid. */
let pending = '';

const NO_TERMS = { access_days: null, updates_days: null, device_limit: null };

/** Makes the product of the examples one for persons, with a free seat beside the owner's. */
const sellSeats = async (): Promise<void> => {
  const { service } = mount;
  const product = (await service.get('catalogs').current()).products.get(4);
  const value = product && { ...product, slots: 'persons' as const };
  if (value) await service.get('catalogEditor').save(grantPermit(), { kind: 'product', value });
  const seats = anEntitlement({ id: 400, account_id: 1, product_id: 4, source_quantity: 5 });
  await service.get('grants').saveEntitlement(grantPermit(), seats);
};

/** Makes the product of the examples of sessions a floating license. */
const sellSessions = async (): Promise<void> => {
  const { service } = mount;
  const product = (await service.get('catalogs').current()).products.get(7);
  const value = product && { ...product, slots: 'sessions' as const };
  if (value) await service.get('catalogEditor').save(grantPermit(), { kind: 'product', value });
};

/** The records that the examples of some operations name. */
const MAKERS: Readonly<Record<string, () => Promise<unknown>>> = {
  restoreDevice: () =>
    mount.service.get('withdrawDevice')(grantPermit(), {
      account_id: null,
      product: 'hashcheck',
      device_id: 'laptop-3',
      reason: null,
    }),
  showEvent: () => {
    const event = { provider: 'shop', type: 'order', state: 'waiting', reason: 'It waits.', account_id: null } as const;
    const received_at = mount.service.get('clock').now();
    return mount.service
      .get('paymentEvents')
      .save(grantPermit(), { ...event, id: 'evt_example', received_at, body: '{}' });
  },
  settleOrder: async () => {
    pending = `id:${await aPendingOrder(mount.service, 'hashcheck')}`;
  },
  showTeam: sellSeats,
  leaseLicense: sellSessions,
  inviteToTeam: sellSeats,
  removeFromTeam: sellSeats,
  inviteToAccountTeam: sellSeats,
  removeFromAccountTeam: sellSeats,
  revokeLeakedKey: async () => {
    await makeKey('revokeLeakedKey', null);
  },
  redeemLicenseKey: async () => {
    const batch = { product_id: 4, count: 1, name: 'Reviewers', ...NO_TERMS };
    const made = await mount.service.get('createKeyBatch')(grantPermit(), batch);
    if (made.ok) keys.set('a license key', made.value.keys[0] ?? '');
  },
  revokeKeyBatch: () => {
    const batch = { id: 1, product_id: 4, count: 0, name: 'Reviewers', ...NO_TERMS };
    return mount.service.get('keyBatches').add(grantPermit(), { ...batch, created_at: NOW, revoked_at: null }, []);
  },
  changeMember: () => mount.service.get('addMember')(grantPermit(), MEMBER),
  removeMember: () => mount.service.get('addMember')(grantPermit(), MEMBER),
  createMemberLink: () => mount.service.get('addMember')(grantPermit(), MEMBER),
  revokeAgentToken: () => {
    const made = { hash: 'f'.repeat(64), prefix: 'agt_', role: 'orders', name: 'Warehouse' } as const;
    return mount.service.get('agentTokens').add(grantPermit(), { ...made, id: 1, created_at: NOW });
  },
};

/** The account of the examples as a member. */
const MEMBER = { email: DEMO.email, name: 'Demo', role: 'support' } as const;

/** A collector's example is about a run in progress; the one that opens a run needs that there is none. */
const readyFor = async ({ operationId, parameters = [] }: Operation): Promise<void> => {
  await MAKERS[operationId]?.();
  if (parameters.some(({ name }) => name === 'webhook')) webhook = await aWebhook(mount.service);
  const run = parameters.find(({ name }) => name === 'run')?.schema.example;
  if (run === undefined && operationId !== 'openCollectRun') return;
  await freeLock(mount.service);
  if (run !== undefined) await reopenRun(Number(run));
};

/** The file whose sha256 is in the example of an upload. */
const EXAMPLE_FILE = 'test';

/** Signs a file of the application for Tauri's updater, which refuses a product without signatures. */
const signForTauri = async (): Promise<void> => {
  const editor = mount.service.get('releaseEditor');
  const read = await editor.read(3, '2.2');
  if (!read.release) throw new Error('The sample store has no version 2.2.');
  const artifacts = read.release.artifacts.map((artifact) => ({ ...artifact, updater_signature: 'signature' }));
  await editor.save(grantPermit(), { ...read.release, artifacts }, read);
};

/** The records that the shop host's examples name, and the sample store lacks. */
const fillShop = async (): Promise<void> => {
  const { service } = mount;
  const permit = grantPermit();
  const { slots } = await service.get('devices').find(1, 4, null);
  await service.get('devices').activate(permit, 1, 4, aDevice({ device_id: 'mac-7f31' }), slots);
  await storedFile(service, EXAMPLE_FILE);
  const scope = await service.get('apiKeys').scope(1, 3);
  const key = anApiKey({ id: 1, account_id: 1, product_id: 3 });
  await service.get('apiKeys').change(permit, scope, { add: key, revoke: [] }, key.created_at);
  const tickets = service.get('tickets');
  const ticket = newTicket(aReport(), { id: 1, account_id: 1 }, key.created_at);
  await tickets.open(permit, ticket, 'example', await tickets.opening(1, 'example'), undefined);
};

beforeAll(async () => {
  mount = await openExpressMount(IN_MEMORY);
  const demo = await firstStart(mount.service);
  if (demo === null) throw new Error('The sample store did not start.');
  demoKey = demo.key;
  // A running server counts the orders of the sample store, too.
  await mount.service.get('completeSums')(grantPermit());
  for (const role of TOKEN_ROLES) tokens.set(role, await anAgent(mount.service, role));
  await writeDocument();
  await mount.service.get('galleryEditor').save(grantPermit(), [aDraft()]);
  await fillShop();
  await signForTauri();
  await makeKey('logoutDevice', null);
  await makeKey('revokeLicenseDevice', 4);
});
afterAll(() => mount.close());

/** The path and query that the page sends with its prefilled values. */
const fill = (path: string, { parameters = [] }: Operation): string => {
  const query = new URLSearchParams();
  let filled = path;
  for (const { in: place, name, schema } of parameters) {
    if (place === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(String(schema.example)));
    if (place === 'query' && schema.example !== undefined) query.set(name, String(schema.example));
  }
  const own = filled
    .replace('/versions/1/', '/versions/3/')
    .replace(/(?<=\/orders\/)[^/]+(?=\/payments$)/, pending)
    .replace('/webhooks/1/', `/webhooks/${webhook}/`)
    .replace('/deliveries/1/', `/deliveries/${DELIVERIES.get(webhook)}/`);
  return `${own}?${query}`;
};

const ask = (method: string, path: string, operation: Operation, body?: string | FormData): Promise<Response> =>
  fetch(new URL(fill(path, operation), mount.urls[operation['x-host']]), {
    method: method.toUpperCase(),
    redirect: 'manual',
    headers: {
      Authorization: `Bearer ${credentialFor(operation)}`,
      ...(typeof body === 'string' && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body }),
  });

const isForm = ({ requestBody }: Operation): boolean => requestBody?.content['multipart/form-data'] !== undefined;

/** The example as a form, without optional files. */
const exampleForm = ({ requestBody }: Operation): FormData => {
  const form = new FormData();
  const [, name = ''] = /([^/]+)$/.exec(requestBody?.content['multipart/form-data']?.schema.$ref ?? '') ?? [];
  const { properties, required = [] } = components.schemas[name] as FormSchema;
  for (const [field, { example, format }] of Object.entries(properties)) {
    if (format !== 'binary' && example !== undefined) form.set(field, String(example));
    if (format === 'binary' && required.includes(field)) form.set(field, new Blob([EXAMPLE_FILE]), field);
  }
  return form;
};

/**
 * The example with today's usage instead of a day of 2026, which is refused after a year, and with the document's draft
 * instead of its approved first version. A leaked or redeemed key is one that this store has.
 */
const ofToday = (example: unknown): string =>
  JSON.stringify(example)
    .replace(/(?<="usage_date":")[\d-]+/g, dayFromNow(0))
    .replace('"version":1,', '"version":3,')
    .replace('lic_7f3aQm0ZpX1c', keys.get('a license key') ?? '')
    .replace('svc_EXAMPLEKEY', keys.get('revokeLeakedKey') ?? '');

const JSON_OPERATIONS = OPERATIONS.filter(
  ({ operation }) => !operation.requestBody || operation.requestBody.content['application/json'],
);

test.each(JSON_OPERATIONS)('$id succeeds on the sample store with the prefilled values of the reference', async ({
  method,
  path,
  operation,
}) => {
  await readyFor(operation);
  const example = operation.requestBody?.content['application/json']?.example;
  const reply = await ask(method, path, operation, example === undefined ? undefined : ofToday(example));
  expect(reply.status, await reply.text()).toBeLessThan(400);
  expect(Object.keys(operation.responses)).toContain(String(reply.status));
});

test.each(
  OPERATIONS.filter(({ operation }) => isForm(operation)),
)('$id also succeeds as a form with the prefilled values', async ({ method, path, operation }) => {
  await readyFor(operation);
  const reply = await ask(method, path, operation, exampleForm(operation));
  expect(reply.status, await reply.text()).toBeLessThan(400);
  expect(Object.keys(operation.responses)).toContain(String(reply.status));
});

test('the reference contains every endpoint', () => {
  expect(OPERATIONS.map(({ id }) => id).sort()).toEqual(allEndpoints.map(({ id }) => id).sort());
});
