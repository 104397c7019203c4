import { createHash, randomBytes } from 'node:crypto';
import { accessKeys } from '../../../adapters/store/keys/access.ts';
import { licensingKeys } from '../../../adapters/store/keys/licensing.ts';
import { webhookKeys } from '../../../adapters/store/keys/webhooks.ts';
import { itemOf } from '../../../adapters/store/records.ts';
import { ABILITIES } from '../../../domain/access/abilities.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { INSTALLS_A_DAY } from '../../../domain/devices/usage.ts';
import { EMPTY_BOX } from '../../../domain/notices/notice.ts';
import { type Instant, MINUTE_MS, toInstant } from '../../../domain/shared/instant.ts';
import { newFormDraft } from '../../../domain/sign-in/form-draft.ts';
import { newChallenge } from '../../../domain/sign-in/passkey.ts';
import type { Service } from '../../../runtimes/composition/bootstrap.ts';
import { aLease, anOrder } from '../../support/builders.ts';
import { fillAccount } from '../../support/full-account.ts';
import { authorizationUrl, letIn } from '../../support/let-in.ts';
import { done } from '../../support/outcomes.ts';
import { PageBrowser } from '../../support/page-browser.ts';
import { passed } from '../../support/permits.ts';
import { order, PRODUCTS, subscription } from '../../support/sale-events.ts';
import { type Agent, anAgent } from '../../surface/agents.ts';
import {
  aCaptureKey,
  aPng,
  assetFields,
  captureFields,
  RUNS,
  runBody,
  sha256Of,
  uploadForm,
} from '../../surface/captures.ts';
import { post, type Reply, send } from '../../surface/client.ts';
import { DOCS, documentCalls, TEXT } from '../../surface/document-calls.ts';
import type { Mount } from '../../surface/mount.ts';
import { REPORTS, reportFields, reportForm } from '../../surface/report-forms.ts';

/** The demo account of the sample store. */
export const DEMO = { id: 1, email: 'demo@example.com', password: 'demo-password' };
/** A product of the demo account. */
export const PRODUCT = 4;
export const SLUG = 'buttons';
const REDIRECT = 'http://127.0.0.1:33418/callback';
const IMAGE = aPng(4000);
const STYLE = Buffer.from('main { color: #123456 }');

/** The value of a response with one of these statuses. Throws for any other. */
const expected = ({ status, body, text }: Reply, ...statuses: number[]) => {
  if (!statuses.includes(status)) throw new Error(`${status} ${text}`);
  return body;
};

const formTo = (mount: Mount, path: string, fields: Record<string, string>): Promise<Response> =>
  fetch(mount.urls.account + path, { method: 'POST', body: new URLSearchParams(fields) });

/** Authorizes an application, and returns its credentials. */
const anApplication = async (mount: Mount, browser: PageBrowser) => {
  const { account, api } = mount.urls;
  const registered = await fetch(`${account}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Ada’s agent', redirect_uris: [REDIRECT] }),
  });
  const { client_id } = (await registered.json()) as { client_id: string };
  const code_verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(code_verifier).digest('base64url');
  const asked = { client_id, challenge, resource: `${api}/api/mcp`, redirect: REDIRECT };
  const code = (await letIn(browser, authorizationUrl(account, asked))).searchParams.get('code') ?? '';
  const fields = { grant_type: 'authorization_code', client_id, code, code_verifier, redirect_uri: REDIRECT };
  const tokens = await (await formTo(mount, '/oauth/token', fields)).json();
  return { client_id, ...(tokens as { access_token: string; refresh_token: string }) };
};

/** Redeems the refresh token of an application. */
export const refreshed = async <A extends { readonly client_id: string; readonly refresh_token: string }>(
  mount: Mount,
  app: A,
): Promise<A & { readonly access_token: string }> => {
  const { client_id, refresh_token } = app;
  const answer = await formTo(mount, '/oauth/token', { grant_type: 'refresh_token', client_id, refresh_token });
  const body = await answer.json();
  if (answer.status !== 200) throw new Error(JSON.stringify(body));
  return { ...app, ...(body as object) } as A & { readonly access_token: string };
};

/** Begins a device sign-in that its owner has not decided yet. */
export const aWaitingDevice = async (mount: Mount, device_id: string) =>
  (await (await formTo(mount, '/oauth/device_authorization', { client_id: 'cli', device_id })).json()) as {
    readonly device_code: string;
    readonly user_code: string;
  };

export const pollDevice = (mount: Mount, device_code: string): Promise<Response> =>
  formTo(mount, '/oauth/token', {
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    client_id: 'cli',
    device_code,
  });

/**
 * Opens a collect run with two pages: one with an image and a style sheet, and one without its image, which is a
 * problem of the replay. `n` names the pages.
 */
export const aCollectRun = async (mount: Mount, { key }: Agent, n: number): Promise<number> => {
  const { id } = expected(await post(mount, RUNS, key, runBody), 201).run;
  const url = 'https://app.example.com/main.css';
  const asset = uploadForm(assetFields(STYLE, { url }), { file: STYLE });
  expected(await send(mount, 'POST', `${RUNS}/${id}/assets`, { key, form: asset }), 200, 201);
  const html = Buffer.from(
    `<!doctype html><title>Page ${n}</title><link rel="stylesheet" href="/main.css"><h1>${n}</h1>`,
  );
  const assets = JSON.stringify([{ url, sha256: sha256Of(STYLE) }]);
  const fields = captureFields({ key: aCaptureKey(n), url: `https://app.example.com/orders/${n}`, assets });
  const form = uploadForm(fields, { image: IMAGE, html });
  expected(await send(mount, 'POST', `${RUNS}/${id}/captures`, { key, form }), 201);
  const withoutImage = uploadForm(captureFields({ key: aCaptureKey(1000 + n) }), { html });
  expected(await send(mount, 'POST', `${RUNS}/${id}/captures`, { key, form: withoutImage }), 201);
  return id;
};

/** Submits a run on a service without a worker, so that its job waits, and opens another one, which holds the lock. */
export const submitAlone = async ({ get }: Service, agent: Agent, run_id: number): Promise<number> => {
  const permit = Promise.resolve(grantPermit());
  const submission = { accounts: null, build_versions: null };
  done(await passed(get('submitRun')({ caller: agent, params: { run: run_id }, body: submission }), permit));
  const opened = await passed(get('openRun')({ caller: { id: agent.id, name: 'collector' }, body: runBody }), permit);
  return done(opened).run.id;
};

/** Writes a document by the same request each time, with the same Idempotency-Key. */
export const writeOnce = (mount: Mount, { key }: Agent): Promise<Reply> =>
  send(mount, 'POST', `${DOCS}/once/versions`, {
    key,
    json: { body: TEXT, base_version: 0 },
    headers: { 'Idempotency-Key': 'once' },
  });

const reportTo = async (mount: Mount, key: string): Promise<number> => {
  const error = { app_bundle_id: 'com.example.app', app_version: '1', error_type: 'crash', error_message: 'Range' };
  expected(await post(mount, '/api/error-reports', undefined, error), 201);
  const form = reportForm(reportFields(), { bytes: randomBytes(50_000) });
  const { ticket } = expected(await send(mount, 'POST', REPORTS, { key, form }), 201);
  done(await mount.service.get('answerTicket')(grantPermit(), { id: ticket.id, text: 'Soon.', close: false }));
  return ticket.id;
};

/**
 * Fills a sample store with a record of every kind, through the calls and commands that create such records. Returns
 * the credentials that must stay valid after a move. `linked` is a browser on its way back from the shop's own login.
 */
export const fillShop = async (mount: Mount) => {
  const { service } = mount;
  const browser = new PageBrowser(mount.urls.account);
  await browser.signIn(DEMO.email, DEMO.password);
  const input = { account_id: DEMO.id, name: 'all', abilities: ABILITIES };
  const key = done(await service.get('createApiKey')(grantPermit(), input)).value;
  await fillAccount(service, 7, 'zaphod');
  await fillAccount(service, 8, 'trillian');
  done(await service.get('eraseAccount')(grantPermit(), { account_id: 8 }));
  const leaving = { email: 'marvin@example.com', name: null, password: null };
  const account = done(await service.get('addAccount')(grantPermit(), leaving));
  // No worker takes this erasure within the hour, so it is unfinished when the shop moves.
  const free_at = toInstant(Date.now() + 59 * MINUTE_MS);
  await service.get('accountErasures').begin(grantPermit(), account, free_at);
  const linked = new PageBrowser(mount.urls.account);
  await linked.get('/sign-in/upstream?next=/library');
  const now = toInstant(Date.now());
  await service.get('dailyBounds').count(grantPermit(), INSTALLS_A_DAY, 'account 7', INSTALLS_A_DAY.most, now);
  const documents = await documentCalls(mount);
  await documents.approved(SLUG, 0);
  await documents.submitted(SLUG, 1, '# Buttons\n\nA button has two lines.\n');
  const collector = await anAgent(service, 'collect', 'collector');
  const device = { product_id: PRODUCT, device_id: 'a-laptop' };
  expected(await post(mount, '/api/license/trial', undefined, device), 200);
  const { token } = expected(await post(mount, '/api/license/check', key, device), 200);
  return {
    key,
    browser,
    linked,
    app: await anApplication(mount, browser),
    waiting: await aWaitingDevice(mount, 'a-second-laptop'),
    ticket: await reportTo(mount, key),
    license: { token: token as string, device, publicKey: mount.licenseKey },
    documents,
    written: await writeOnce(mount, documents.writer),
    collector,
  };
};

export type Shop = Awaited<ReturnType<typeof fillShop>>;

/** Creates payment events, and messages: one waits for a thousand years, and one failed permanently. */
export const leaveRecords = async (service: Service): Promise<void> => {
  const permit = grantPermit();
  for (const value of PRODUCTS.map((product) => ({ ...product, id: product.id + 100 })))
    await service.get('catalogEditor').save(permit, { kind: 'product', value });
  for (const event of [order(), subscription()]) done(await service.get('recordSale')(permit, event));
  const now = new Date().toISOString();
  const told = { provider: 'stripe', type: 'invoice.paid', state: 'done', reason: null, account_id: null } as const;
  await service.get('paymentEvents').save(permit, { ...told, id: 'evt_1', received_at: now, body: '{}' });
  const refused = {
    ...told,
    state: 'refused',
    reason: 'No product has the price p-1.',
    buyer: 'a@example.com',
  } as const;
  await service.get('paymentEvents').save(permit, { ...refused, id: 'evt_2', received_at: now, body: '{}' });
  const known = { meaning: { order_reference: 'pay-1' }, account_id: null };
  await service.get('paymentEvents').keepMeaning(permit, 'stripe', 'pi_1', known);
  const passkey = { id: 'aGVsbG8', account_id: DEMO.id, name: 'Laptop', public_key: 'cQ', counter: 0, transports: [] };
  await service.get('passkeys').add(permit, { ...passkey, created_at: now, last_used_at: null }, []);
  await service.get('passkeyChallenges').keep(newChallenge({ bound_to: 'a'.repeat(64), challenge: 'b' }, now));
  const draft = { account_id: DEMO.id, page: '/support', fields: { summary: 'It stops' } };
  await service.get('drafts').save(newFormDraft(draft, now));
  const messages = service.get('messages');
  const about = { kind: 'order', account_id: DEMO.id, subject_id: '1', product_id: null } as const;
  for (const end of ['waits', 'failed']) {
    await messages.add(permit, about);
    const taken = await messages.take(permit, '2999-01-01T00:00:00.000Z', '2999-01-02T00:00:00.000Z');
    if (typeof taken === 'string') throw new Error(`There is no message to take: ${taken}.`);
    if (end === 'failed') await messages.fail(permit, taken, 'No such mailbox.', now);
    else await messages.release(permit, taken, '3999-01-01T00:00:00.000Z', 'No answer.');
  }
  const taken = { platform: 'linux-amd64', nonce: 'a-nonce', borrowed_until: '2036-01-01T00:00:00.000Z' } as const;
  const session = aLease({ product_id: PRODUCT, ...taken });
  await service.get('leases').save(permit, DEMO.id, session, undefined);
  await leaveWebhook(service, now);
  const terms = { product_id: 4, access_days: null, updates_days: null, device_limit: null };
  const { keys } = done(await service.get('createKeyBatch')(permit, { name: 'Reviewers', count: 2, ...terms }));
  done(await service.get('authenticate')(keys[0] ?? '', false, permit));
  await service.get('table').put(itemOf(accessKeys.keyValue(DEMO.id, 9900), { sealed: 'a-key.a-text' }));
  await leaveTeamAndTransfer(service, now);
  await service.get('offerSetup')(permit);
  done(await service.get('addMember')(permit, { email: 'owner@example.com', name: 'Ada', role: 'everything' }));
  // The shop of this test sends no mail, and so no notices.
  await service.get('table').put(itemOf(webhookKeys.noticeBox, EMPTY_BOX));
};

/** A team with an invitation, a license that came from another account, and an offer to transfer it. */
const leaveTeamAndTransfer = async (service: Service, now: Instant): Promise<void> => {
  const table = service.get('table');
  const account_id = DEMO.id;
  const invited = { id: 9901, email: 'person@example.com', role: 'member', invited_at: now, account_id: null } as const;
  await table.put(itemOf(licensingKeys.team(account_id, 4), { account_id, product_id: 4, people: [invited] }));
  const moved = { account_id, product_id: 4, id: 9902, from: 9904 };
  await table.put(itemOf(licensingKeys.moved(account_id, { order_id: 9900, id: 9902 }), moved));
  const offer = { from: account_id, into: 9903, entitlement_id: 9902, product_id: 4, email: 'new@example.com' };
  await table.put(itemOf(licensingKeys.offer(account_id, offer), { ...offer, expires_at: now }));
};

/** Leaves a paused webhook with an event that waits, one that ended, and one that no worker has queued. */
const leaveWebhook = async (service: Service, now: string): Promise<void> => {
  const permit = grantPermit('a-script');
  const queue = service.get('webhookQueue');
  const { id } = done(await service.get('createWebhook')(permit, { url: 'https://hook.invalid/', kinds: [] }));
  for (const _ of ['ends', 'waits']) done(await service.get('pingWebhook')(permit, { webhook_id: id }));
  const [queued] = await Array.fromAsync(queue.waiting(id));
  if (queued) await queue.end(permit, queued, { ...queued.delivery, state: 'delivered', ended_at: now });
  const lease = await queue.lease(permit, id, now, now);
  if (lease) await queue.giveBack(permit, lease, lease.sending);
  done(await service.get('changeWebhook')(permit, { webhook_id: id, url: null, kinds: null, paused: true }));
  await service.get('billingRecords').saveOrder(permit, anOrder({ account_id: DEMO.id, id: 9900, number: 'HOOK' }));
};
