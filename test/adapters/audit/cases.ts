import type { Actor } from '../../../domain/access/actor.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { auditEvent } from '../../../domain/audit/event.ts';
import { newDevice } from '../../../domain/devices/seat.ts';
import { newTrial } from '../../../domain/licensing/trial.ts';
import { addDays, toInstant } from '../../../domain/shared/instant.ts';
import { DEVICE_CLIENTS, decided, newDeviceSignIn } from '../../../domain/sign-in/device-sign-in.ts';
import { newSignInLink } from '../../../domain/sign-in/sign-in-link.ts';
import type { Service } from '../../../runtimes/composition/bootstrap.ts';
import { anAccount } from '../../support/account-builders.ts';
import { letIn } from '../../support/account-pages.ts';
import {
  aDevice,
  aLease,
  anApiKey,
  anEntitlement,
  anInvoice,
  anOrder,
  aPaymentMethod,
  aProduct,
  aRelease,
  aSubscription,
} from '../../support/builders.ts';
import { AGENT, aRunInput } from '../../support/collect-builders.ts';
import { put } from '../../support/contents.ts';
import { done } from '../../support/outcomes.ts';
import { PERMIT, passed } from '../../support/permits.ts';
import { A_STOREFRONT } from '../../support/public-builders.ts';
import { aReport } from '../../support/report-builders.ts';
import { EMAIL, order, PRODUCTS } from '../../support/sale-events.ts';
import { documentsOf } from '../../surface/documents.ts';

/** The actor of each case's change. */
export const ACTOR: Actor = { kind: 'key', id: '55', account_id: 1, through: 'a-test', from: '192.0.2.1' };

const BY = grantPermit(() => ACTOR);
const TODAY = toInstant(Date.now());

export type Case = {
  readonly action: string;
  /** The further entries of a change that creates several records, newest first. */
  readonly also?: readonly string[];
  /** Prepares what the change needs, and returns the change. */
  readonly prepare: (service: Service) => Promise<() => Promise<unknown>>;
};

const OFFER = {
  from: 1,
  into: 2,
  entitlement_id: 3,
  product_id: 1,
  email: 'new-owner@example.com',
  expires_at: addDays(TODAY, 14),
};

const PASSKEY = {
  id: 'credential',
  account_id: 1,
  name: 'Laptop',
  public_key: 'key',
  counter: 0,
  transports: [],
  created_at: TODAY,
  last_used_at: null,
};

const plain = (action: string, change: (service: Service) => Promise<unknown>): Case => ({
  action,
  prepare: async (service) => () => change(service),
});

const TERMS = { product_id: 1, access_days: null, updates_days: null, device_limit: null };
const A_BATCH = { id: 1, name: 'Reviewers', ...TERMS, created_at: TODAY, count: 0, revoked_at: null };
const AN_UNUSED_KEY = { id: 2, hash: 'b'.repeat(64), prefix: 'lic_0123456789', batch_id: 1, terms: TERMS };

const A_WEBHOOK = {
  id: 1,
  url: 'https://example.com/hook',
  kinds: [],
  secrets: [],
  created_at: TODAY,
  paused: null,
};

const anApp = {
  grant_id: 'grant-1',
  account_id: 1,
  client_id: 'https://client.example/metadata',
  client_name: 'Client',
  redirect_host: 'client.example',
  permissions: [],
  created_at: TODAY,
  last_used_at: TODAY,
};

const aRun = async (service: Service): Promise<number> => {
  const opened = await passed(service.get('openRun')({ caller: AGENT, body: aRunInput() }));
  return done(opened).run.id;
};

/** A change by each port method whose changes the audit log records. */
export const CASES: Readonly<Record<string, Case>> = {
  'Accounts.save': plain('account.created', ({ get }) => get('accounts').save(BY, anAccount({ id: 1 }))),
  'Accounts.revise': {
    action: 'account.changed',
    prepare: async (service) => {
      await put(service, { accounts: [anAccount({ id: 1 })] });
      return () => service.get('renameAccount')(BY, { account_id: 1, name: 'Ann Lee' });
    },
  },
  'AccountErasures.begin': {
    action: 'account.erased',
    prepare: async (service) => {
      await put(service, { accounts: [anAccount({ id: 1 })] });
      return () => service.get('accountErasures').begin(BY, anAccount({ id: 1 }), '2026-11-21T08:00:00.000Z');
    },
  },
  'AgentTokens.add': plain('agent_token.created', ({ get }) =>
    get('createAgentToken')(BY, { role: 'read', name: 'one' }),
  ),
  'AgentTokens.revoke': {
    action: 'agent_token.revoked',
    prepare: async ({ get }) => {
      const { token } = done(await get('createAgentToken')(await PERMIT, { role: 'read', name: 'one' }));
      return () => get('revokeAgentToken')(BY, { token_id: token.id });
    },
  },
  'ApiKeys.change': {
    action: 'key.created',
    prepare: async (service) => {
      await put(service, { accounts: [anAccount({ id: 1 })] });
      const input = { account_id: 1, name: 'one', abilities: [] };
      return () => service.get('createApiKey')(BY, input);
    },
  },
  'ApiKeys.change, revoking': {
    action: 'key.revoked',
    prepare: async (service) => {
      await put(service, { accounts: [anAccount({ id: 1 })], keys: [anApiKey({ id: 50 })] });
      return () => service.get('revokeApiKey')(BY, { key_id: 50 });
    },
  },
  'AuditLog.add': plain('store.export_begun', ({ get }) =>
    get('auditLog').add(BY, auditEvent({ kind: 'store', id: 'all' }, 'export_begun')),
  ),
  'BillingRecords.saveOrder': plain('order.created', ({ get }) => get('billingRecords').saveOrder(BY, anOrder())),
  'BillingRecords.saveInvoice': plain('invoice.created', ({ get }) =>
    get('billingRecords').saveInvoice(BY, anInvoice()),
  ),
  'BillingRecords.savePaymentMethod': plain('payment_method.created', ({ get }) =>
    get('billingRecords').savePaymentMethod(BY, aPaymentMethod()),
  ),
  'CatalogEditor.save': plain('product.created', ({ get }) =>
    get('catalogEditor').save(BY, { kind: 'product', value: aProduct({ id: 1 }) }),
  ),
  'CatalogEditor.revise': plain('product.created', ({ get }) =>
    get('catalogEditor').revise(BY, { kind: 'product', value: aProduct({ id: 1 }) }, null),
  ),
  'CollectRuns.submit': {
    action: 'run.submitted',
    prepare: async (service) => {
      const run_id = await aRun(service);
      const submission = { accounts: null, build_versions: ['7'] };
      const permit = Promise.resolve(BY);
      return () =>
        passed(service.get('submitRun')({ caller: AGENT, params: { run: run_id }, body: submission }), permit);
    },
  },
  'ConnectedApps.disconnect': {
    action: 'app.disconnected',
    prepare: async (service) => {
      await letIn(service, [anApp]);
      return () => service.get('disconnectApp')(BY, 1, anApp.grant_id);
    },
  },
  'DeviceSignIns.decide': {
    action: 'device_sign_in.approved',
    prepare: async ({ get }) => {
      const [client] = DEVICE_CLIENTS;
      if (!client) throw new Error('There is no client of devices.');
      const hashes = { hash: 'a'.repeat(64), user_code_hash: 'b'.repeat(64) };
      const signIn = newDeviceSignIn(hashes, client, { device_id: 'laptop', name: null }, TODAY);
      await get('deviceSignIns').add(signIn);
      const read = await get('deviceSignIns').find(signIn.hash);
      if (!read) throw new Error('The device does not wait.');
      return () => get('deviceSignIns').decide(BY, read, decided(signIn, 1, 'approve', null));
    },
  },
  'Devices.release': {
    action: 'device.released',
    prepare: async ({ get }) => {
      const { slots } = await get('devices').find(1, 1, 'laptop');
      await get('devices').activate(await PERMIT, 1, 1, aDevice({ device_id: 'laptop' }), slots);
      return () => get('devices').release(BY, 1, 1, 'laptop', { now: TODAY });
    },
  },
  'Leases.end': {
    action: 'device.released',
    prepare: async ({ get }) => {
      await get('leases').save(await PERMIT, 1, aLease(), undefined);
      const [lease] = await get('leases').of(1, 1);
      return () => get('leases').end(BY, 1, lease as NonNullable<typeof lease>);
    },
  },
  'Devices.rename': {
    action: 'device.renamed',
    prepare: async ({ get }) => {
      const { slots } = await get('devices').find(1, 1, 'laptop');
      await get('devices').activate(await PERMIT, 1, 1, aDevice({ device_id: 'laptop' }), slots);
      return () => get('devices').rename(BY, 1, 1, 'laptop', 'My laptop');
    },
  },
  'Devices.touch': {
    action: 'device.shared',
    prepare: async ({ get }) => {
      const continuation = { current: 'now', mismatches: [addDays(TODAY, -1), TODAY] };
      const { slots } = await get('devices').find(1, 1, 'laptop');
      await get('devices').activate(await PERMIT, 1, 1, aDevice({ device_id: 'laptop', continuation }), slots);
      const seen = newDevice('laptop', null, TODAY, undefined, { fresh: 'new' });
      return () => get('devices').touch(BY, 1, 1, seen, 'another');
    },
  },
  'Teams.change': {
    action: 'seat.created',
    prepare: async ({ get }) => {
      const read = await get('teams').read(1, 1);
      const after = { id: 5, email: 'a@example.com', role: 'member', invited_at: TODAY, account_id: null } as const;
      return () => get('teams').change(BY, read, { team: { ...read.team, people: [after] }, after });
    },
  },
  'Documents.addVersion': plain('document.drafted', ({ get }) =>
    passed(
      get('createDocumentVersion')({
        slug: 'buttons',
        body: '# Buttons\n',
        base_version: 0,
        author: AGENT,
      }),
      Promise.resolve(BY),
    ),
  ),
  'Documents.submit': {
    action: 'document.submitted',
    prepare: async (service) => {
      await documentsOf(service).draft('buttons', 0, AGENT);
      const input = { slug: 'buttons', number: 1, agent: AGENT, permit: Promise.resolve(BY) };
      return () => passed(service.get('submitDocumentVersion')(input), Promise.resolve(BY));
    },
  },
  'Documents.review': {
    action: 'document.rejected',
    prepare: async (service) => {
      await documentsOf(service).draft('buttons', 0, AGENT);
      await documentsOf(service).submit('buttons', 1, AGENT);
      const reviewer = { id: 9, name: 'reviewer' };
      const input = { slug: 'buttons', number: 1, verdict: 'rejected', reason: 'No.', reviewer } as const;
      return () => passed(service.get('reviewDocumentVersion')({ ...input }), Promise.resolve(BY));
    },
  },
  'GalleryEditor.setTerms': {
    action: 'taxonomy.changed',
    prepare: async ({ get }) => {
      const none = { page_types: [], patterns: [], elements: [] };
      await get('galleryEditor').setTerms(await PERMIT, none);
      const page_types = [{ key: 'home', name: { en: 'Home' } }];
      return () => get('galleryEditor').setTerms(BY, { ...none, page_types });
    },
  },
  'Grants.saveEntitlement': plain('entitlement.created', ({ get }) =>
    get('grants').saveEntitlement(BY, anEntitlement({ id: 3 })),
  ),
  'Grants.reviseEntitlement': {
    action: 'entitlement.extended',
    prepare: async ({ get }) => {
      const read = anEntitlement({ id: 3, device_limit: 1 });
      await get('grants').saveEntitlement(await PERMIT, read);
      return () => get('grants').reviseEntitlement(BY, read, { ...read, device_limit: 5 }, 'extended');
    },
  },
  'Transfers.move': {
    action: 'entitlement.transferred',
    prepare: async ({ get }) => {
      const read = anEntitlement({ id: 3 });
      await get('grants').saveEntitlement(await PERMIT, read);
      const all = { entitlements: [read], keys: [], devices_of: [], messages: [] };
      return () => get('transfers').move(BY, { from: read.account_id, into: 2, at: TODAY, ...all });
    },
  },
  'Transfers.offer': plain('entitlement.offered', ({ get }) => get('transfers').offer(BY, OFFER, [])),
  'Transfers.cancel': {
    action: 'entitlement.offer_canceled',
    prepare: async ({ get }) => {
      await get('transfers').offer(await PERMIT, OFFER, []);
      return () => get('transfers').cancel(BY, OFFER);
    },
  },
  'Grants.saveSubscription': plain('subscription.created', ({ get }) =>
    get('grants').saveSubscription(BY, aSubscription({ id: 4 })),
  ),
  'OAuthRecords.decide': {
    action: 'app.connected',
    prepare: async ({ get }) => {
      const records = get('oauthRecords');
      const name = { kind: 'interaction', hash: '0'.repeat(64) } as const;
      await records.save(name, { payload: {}, grant_id: null, expires_at: addDays(TODAY, 1), consumed_at: null });
      const read = await records.find(name);
      if (!read) throw new Error('There is no request for consent.');
      return () => records.decide(BY, { interaction: { ...name, read }, payload: {}, app: anApp });
    },
  },
  'OrderRecordStore.refund': {
    action: 'order.refunded',
    prepare: async (service) => {
      await put(service, { accounts: [anAccount({ id: 1 })], orders: [anOrder({ id: 5, account_id: 1 })] });
      const input = { order: '5', item_ids: [], keeps_access: false, reason: null };
      return () => service.get('refundOrder')(BY, input);
    },
  },
  'OrderRecordStore.withdraw': {
    action: 'order.withdrawn',
    prepare: async (service) => {
      const orders = [anOrder({ id: 5, account_id: 1, ordered_at: TODAY, paid_at: TODAY })];
      await put(service, { accounts: [anAccount({ id: 1 })], orders, storefront: A_STOREFRONT });
      const text = () => ({ summary: 'Withdrawal', detail: 'I withdraw.' });
      return () => service.get('withdrawFromOrder')(BY, { account_id: 1, order_id: 5, locale: 'en', text });
    },
  },
  'Passkeys.add': plain('passkey.created', ({ get }) => get('passkeys').add(BY, PASSKEY, [])),
  'Passkeys.remove': {
    action: 'passkey.revoked',
    prepare: async ({ get }) => {
      await get('passkeys').add(BY, PASSKEY, []);
      return () => get('passkeys').remove(BY, PASSKEY, []);
    },
  },
  'Policies.save': plain('policy.created', async ({ get }) => {
    const read = await get('policies').read();
    return get('policies').save(BY, { ...read.policy, version: 1 }, read);
  }),
  'ReleaseEditor.save': plain('release.created', async ({ get }) => {
    const release = aRelease({ id: 21 });
    const read = await get('releaseEditor').read(release.product_id, release.version);
    return get('releaseEditor').save(BY, release, read);
  }),
  'Sales.write': {
    action: 'order.created',
    prepare: async (service) => {
      await put(service, { products: PRODUCTS, accounts: [anAccount({ id: 1, email: EMAIL })] });
      return () => service.get('recordSale')(BY, order({ status: 'pending', paid_at: null }));
    },
  },
  'Members.change': plain('member.created', async ({ get }) => {
    const after = { account_id: 1, role: 'support', name: 'Ada', added_at: TODAY } as const;
    return get('members').change(BY, await get('members').read(), { before: undefined, after });
  }),
  'SignInLinks.save': plain('account.link_created', ({ get }) =>
    get('signInLinks').save(BY, newSignInLink({ hash: 'c'.repeat(64), account_id: 1, password_mark: 'm' }, TODAY)),
  ),
  'SignInLinks.mail': plain('account.link_mailed', ({ get }) => get('signInLinks').mail(BY, 1)),
  'Tickets.answer': {
    action: 'ticket.answered',
    prepare: async (service) => {
      await put(service, { accounts: [anAccount({ id: 1 })] });
      const told = { account_id: 1, body: aReport(), files: { bundle: null }, permit: PERMIT };
      const { ticket } = done(await passed(service.get('receiveSupportReport')(told)));
      return () => service.get('answerTicket')(BY, { id: ticket.id, text: 'Thank you.', close: false });
    },
  },
  'Tickets.mark': {
    action: 'ticket.closed',
    prepare: async ({ get }) => {
      const told = { account_id: 1, body: aReport(), files: { bundle: null }, permit: PERMIT };
      const { ticket } = done(await passed(get('receiveSupportReport')(told)));
      return () => get('closeTicket')(BY, { ticket_id: ticket.id });
    },
  },
  'ApiKeys.claim': {
    action: 'entitlement.created',
    also: ['key.created', 'account.created'],
    prepare: async ({ get }) => {
      await get('keyBatches').add(await PERMIT, A_BATCH, [AN_UNUSED_KEY]);
      return () => get('claimKey')(BY, AN_UNUSED_KEY, null);
    },
  },
  'KeyBatches.add': plain('key_batch.created', ({ get }) => get('keyBatches').add(BY, A_BATCH, [AN_UNUSED_KEY])),
  'KeyBatches.revoke': {
    action: 'key_batch.revoked',
    prepare: async ({ get }) => {
      await get('keyBatches').add(await PERMIT, A_BATCH, [AN_UNUSED_KEY]);
      return () => get('keyBatches').revoke(BY, { ...A_BATCH, count: 1 }, TODAY);
    },
  },
  'KeyBatches.dropLast': {
    action: 'key_batch.changed',
    prepare: async ({ get }) => {
      await get('keyBatches').add(await PERMIT, A_BATCH, [AN_UNUSED_KEY]);
      return () => get('keyBatches').dropLast(BY, A_BATCH, 0);
    },
  },
  'KeyBatches.revokeUnclaimed': {
    action: 'key.revoked',
    prepare: async ({ get }) => {
      await get('keyBatches').add(await PERMIT, A_BATCH, [AN_UNUSED_KEY]);
      return () => get('keyBatches').revokeUnclaimed(BY, AN_UNUSED_KEY, TODAY);
    },
  },
  'Trials.revise': {
    action: 'trial.changed',
    prepare: async ({ get }) => {
      const trial = newTrial(1, 14, TODAY);
      await get('trials').start(BY, 'laptop', trial, { trial: undefined, version: null });
      const read = await get('trials').find(1, 'laptop', TODAY);
      return () => get('trials').revise(BY, 'laptop', { ...trial, ends_at: addDays(TODAY, 28) }, read);
    },
  },
  'Webhooks.save': plain('webhook.created', ({ get }) => get('webhooks').save(BY, A_WEBHOOK)),
  'Webhooks.remove': {
    action: 'webhook.deleted',
    prepare: async ({ get }) => {
      await get('webhooks').save(BY, A_WEBHOOK);
      const [read] = await get('webhooks').list();
      return () => get('webhooks').remove(BY, read as NonNullable<typeof read>);
    },
  },
};

/** The port methods that write with a permit and leave no entry, and the reasons. */
export const WITHOUT_ENTRY: Readonly<Record<string, string>> = {
  'AccountErasures.close': 'completes an erasure, which is told',
  'AccountErasures.sweep': 'completes an erasure, which is told',
  'AccountErasures.moveOwn': 'completes a merge, which is told',
  'KeyBatches.revokeClaim': 'follows the end of the key, which is told',
  'AccountErasures.complete': 'completes erasures, which are told',
  'ApiKeys.follow': 'follows a change of the account, which is told',
  'CollectRuns.open': 'the run says when and which agent',
  'CollectRuns.renew': 'the run says so',
  'CollectRuns.end': 'the run says so',
  'CollectRuns.save': 'progress',
  'CollectRuns.addAsset': 'the run has its uploads',
  'CollectRuns.putCapture': 'the run has its uploads',
  'CollectRuns.putProblems': 'progress',
  'DailyBounds.count': 'a count',
  'Transfers.follow': 'completes a transfer, which is told',
  'Members.claimSetup': 'it precedes the use of the offer, which is told',
  'Members.offerSetup': 'each start offers it, and its use is told',
  'Messages.add': 'a request for a link, whose making is told',
  'Messages.fail': 'the message’s own state; its cause is told',
  'Messages.finish': 'the message’s own state; its cause is told',
  'Messages.release': 'the message’s own state; its cause is told',
  'Messages.take': 'the message’s own state; its cause is told',
  'PaymentEvents.awaitMeaning': 'a note of the provider’s ids, which expires',
  'PaymentEvents.endWaiting': 'a note of the provider’s ids, which expires',
  'PaymentEvents.keepMeaning': 'a note of the provider’s ids, which expires',
  'PaymentEvents.save': 'the event is its own record, and its sales are told',
  'Notices.look': 'the mail says so',
  'Notices.test': 'a mail, which goes to those who get notices',
  'DesignFiles.keep': 'a file, which a capture or a document names',
  'Devices.activate': 'the device says when, and buyers do this all day',
  'Devices.hold': 'the device says until when',
  'Leases.save': 'the lease says when, and buyers do this all day',
  'ErrorReports.count': 'a count',
  'ErrorReports.countNewGroup': 'a count',
  'ErrorReports.keep': 'the report says when',
  'ErrorReports.saveGroup': 'the group says when',
  'ErrorReports.uncount': 'a count',
  'GalleryEditor.recount': 'a count of what is there',
  'GalleryEditor.save': 'the screens name their run',
  'Installs.record': 'the install says when and which key',
  'Jobs.add': 'work that a run or a command asks for, which is told',
  'Jobs.endTurn': 'progress',
  'Jobs.finish': 'progress',
  'Jobs.handBack': 'progress',
  'Jobs.keep': 'progress',
  'Jobs.release': 'progress',
  'Jobs.take': 'progress',
  'ObjectStore.put': 'a file, which its record names',
  'ObjectStore.remove': 'a file, whose record is told',
  'ObjectStore.signUpload': 'writes nothing yet',
  'ProductUses.note': 'the use says when',
  'Replays.begin': 'an answer that is kept for a day',
  'Replays.finish': 'an answer that is kept for a day',
  'Replays.forget': 'an answer that is kept for a day',
  'SetupProgresses.save': 'progress',
  'ShopSales.complete': 'counts of orders, which are told',
  'Tickets.countFileBytes': 'a count',
  'Tickets.join': 'a count',
  'Tickets.keepJoined': 'the ticket has its reports and their files',
  'Tickets.open': 'the ticket says when and which account',
  'Trials.convert': 'the trial says when',
  'Trials.start': 'the trial says when',
  'Usage.save': 'the usage says when and which key',
  'WebhookQueue.add': 'a delivery’s own state; its cause is told',
  'WebhookQueue.end': 'a delivery’s own state; its cause is told',
  'WebhookQueue.giveBack': 'a delivery’s own state; its cause is told',
  'WebhookQueue.keep': 'a delivery’s own state; its cause is told',
  'WebhookQueue.lease': 'a delivery’s own state; its cause is told',
  'WebhookQueue.renew': 'a delivery’s own state; its cause is told',
  'WebhookQueue.spread': 'a delivery’s own state; its cause is told',
  'WebhookQueue.wake': 'a delivery’s own state; its cause is told',
};
