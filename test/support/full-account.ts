import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { installRecord } from '../../domain/devices/usage.ts';
import { addDays, toInstant } from '../../domain/shared/instant.ts';
import { decided, newDeviceSignIn } from '../../domain/sign-in/device-sign-in.ts';
import type { Service } from '../../runtimes/composition/bootstrap.ts';
import { anAccount } from './account-builders.ts';
import { aDevice, anEntitlement, anInvoice, anOrder, aPaymentMethod, aSubscription } from './builders.ts';
import { put } from './contents.ts';
import { done } from './outcomes.ts';
import { passed } from './permits.ts';

/* Helpers for tests that erase or export accounts. */

const permit = grantPermit();
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The file in the tickets of several accounts. */
export const SHARED_FILE = 'the log that two buyers sent';

/**
 * Gives an account a record of every kind. All personal texts contain `word`. Returns the strings that must not be
 * found after the account's erasure, and its credentials. The store needs product 1.
 */
export const fillAccount = async ({ get }: Service, id: number, word: string) => {
  const now = toInstant(Date.now());
  const base = id * 100;
  const password = `${word} has a password`;
  await put({ get } as Service, {
    accounts: [
      anAccount({
        id,
        email: `${word}@example.com`,
        name: `${word} B`,
        password_hash: await get('passwords').hash(password),
      }),
    ],
    entitlements: [anEntitlement({ id: base, account_id: id })],
    subscriptions: [aSubscription({ id: base + 1, account_id: id })],
    orders: [
      anOrder({
        id: base,
        account_id: id,
        receipt_url: `https://example.com/receipts/${word}`,
        refunds: [{ refunded_at: now, item_ids: null, keeps_access: true, reason: `${word} has moved` }],
      }),
    ],
    invoices: [
      anInvoice({
        id: base,
        account_id: id,
        order_id: base,
        pdf_url: `https://example.com/invoices/${word}.pdf`,
        receipt_url: `https://example.com/receipts/${word}`,
      }),
    ],
    paymentMethods: [aPaymentMethod({ id: base, account_id: id, brand: `${word} bank` })],
  });
  const device = { device_id: `device-${id}`, name: `${word}'s laptop` };
  const input = { account_id: id, name: `${word}'s key` };
  const key = done(await get('createApiKey')(permit, input));
  const deviceKey = done(await get('createApiKey')(permit, { ...input, device: { client: 'cli', device } }));
  await get('apiKeys').touch(key.key, now);
  const { session, value: cookie } = done(
    await get('openSession')(id, 'password', { browser: `${word} browser`, address: `${word} address` }),
  );
  const known = await get('rememberBrowser')(session);
  const link = done(await get('createSignInLink')(permit, id));
  const buyer = { email: `${word}@example.com`, name: `${word} B`, locale: null };
  await get('paymentEvents').keepMeaning(permit, 'stripe', `cus_${id}`, { meaning: { buyer }, account_id: id });
  await get('paymentEvents').save(permit, {
    provider: 'stripe',
    id: `evt_${id}_${word}`,
    type: 'invoice.paid',
    received_at: now,
    state: 'done',
    reason: null,
    account_id: id,
    body: JSON.stringify(buyer),
  });
  await get('upstreamLinks').add({ issuer: 'https://id.example.com', subject: `${word}-subject` }, id);
  const hashes = { hash: sha256(`${word} code`), user_code_hash: sha256(`${word} user code`) };
  const signIn = newDeviceSignIn(hashes, { id: 'cli', name: { en: 'CLI', ko: 'CLI' } } as never, device, now);
  await get('deviceSignIns').add(decided(signIn, id, 'approve', device.name));
  await connect({ get } as Service, id, word);
  const seat = await get('devices').find(id, 1, device.device_id);
  await get('devices').activate(
    permit,
    id,
    1,
    aDevice({
      ...device,
      activated_at: now,
      last_seen_at: now,
      name_is_sent: true,
      continuation: { current: `${word}-2`, before: `${word}-1`, mismatches: [now] },
    }),
    seat.slots,
  );
  const day = { product_id: 1, usage_date: now.slice(0, 10), launches: 1 };
  await get('usage').save(permit, id, key.key.id, [day]);
  const install = {
    product_id: 1,
    version: '1',
    bundle_id: word,
    installed_at: null,
    release_id: null,
    artifact_sha256: null,
  };
  await get('installs').record(permit, installRecord(install, { id: base, account_id: id, key_id: null }, now));
  await get('productUses').note(permit, id, new Map(), [{ product_id: 1, used_at: now }]);
  await get('setupProgresses').save(permit, id, 1, { completed_step_indexes: [0], completed_at: null });
  const replay = { fingerprint: word, begun_at: now, answer: { device_name: device.name }, answered: true };
  const owner = { kind: 'account', id } as const;
  await get('replays').begin(permit, { owner, endpoint: 'x', key: word }, replay, { version: null });
  for (const text of [SHARED_FILE, `${word}'s own log`]) await report({ get } as Service, id, word, text);
  return {
    /** The SHA-256 of its application's access token. */
    accessToken: sha256(`${word} access_token`),
    credentials: {
      email: `${word}@example.com`,
      password,
      key: key.value,
      deviceKey: deviceKey.value,
      cookie,
      code: link.code,
    },
    traces: [
      word,
      key.key.hash,
      deviceKey.key.hash,
      session.hash,
      sha256(known),
      sha256(link.code),
      hashes.hash,
      hashes.user_code_hash,
    ],
  };
};

/** Authorizes an application, which has two tokens. */
const connect = async ({ get }: Service, account_id: number, word: string): Promise<void> => {
  const now = toInstant(Date.now());
  const records = get('oauthRecords');
  const record = (payload: object, grant_id: string | null = null) => ({
    payload: { ...payload },
    grant_id,
    expires_at: addDays(now, 1),
    consumed_at: null,
  });
  const interaction = { kind: 'interaction', hash: sha256(`${word} interaction`) } as const;
  await records.save(interaction, record({ uid: word }));
  const read = await records.find(interaction);
  const app = {
    grant_id: `grant-of-${account_id}`,
    account_id,
    client_id: 'agent',
    client_name: `${word}'s agent`,
    redirect_host: 'localhost',
    permissions: ['mcp.read'] as const,
    created_at: now,
    last_used_at: now,
  };
  const payload = { uid: word, result: { login: { accountId: String(account_id) } } };
  if (!read) throw new Error('The interaction is gone.');
  await records.decide(permit, { interaction: { ...interaction, read }, payload, app });
  const grant = await records.grant(app.grant_id);
  if (!grant) throw new Error('The grant is gone.');
  const token = (kind: 'access_token' | 'refresh_token') => ({
    kind,
    hash: sha256(`${word} ${kind}`),
    record: record({ accountId: String(account_id), clientId: 'agent', scope: word, aud: 'x' }, app.grant_id),
  });
  await records.issue(grant, { tokens: [token('access_token'), token('refresh_token')] });
};

/** Opens a ticket with a file; the same report joins it once. */
const report = async ({ get }: Service, account_id: number, word: string, text: string): Promise<void> => {
  const details = { app_bundle_id: null, app_version: word, macos_version: null, device_id: `${word}'s device` };
  const bytes = Buffer.from(text);
  for (let time = 0; time < 2; time++) {
    const file = {
      name: `${word}.log`,
      type: 'text/plain',
      size: bytes.length,
      sha256: sha256(text),
      open: () => Readable.from([bytes]),
    };
    const told = { kind: 'general', summary: `${word}: ${text}`, detail: `Call me, ${word}.`, ...details } as const;
    const input = { account_id, body: told, files: { bundle: file } };
    done(await passed(get('receiveSupportReport')(input as never), Promise.resolve(permit)));
  }
};
