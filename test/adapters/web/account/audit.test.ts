import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { grantPermit } from '../../../../domain/access/grant-permit.ts';
import type { AuditEntry } from '../../../../domain/audit/entry.ts';
import { toInstant } from '../../../../domain/shared/instant.ts';
import type { Service } from '../../../../runtimes/composition/bootstrap.ts';
import { aBuyersService, letIn, openPages, PASSWORD, type PagesServer } from '../../../support/account-pages.ts';
import { EVERY_ENTRY } from '../../../support/audited.ts';
import { aDevice, anApiKey, anEntitlement, anOrder, aProduct } from '../../../support/builders.ts';
import { done } from '../../../support/outcomes.ts';
import { hiddenFields, type PageBrowser } from '../../../support/page-browser.ts';
import { PERMIT, passed } from '../../../support/permits.ts';
import { A_STOREFRONT } from '../../../support/public-builders.ts';
import { aReport } from '../../../support/report-builders.ts';

const FOLDERS = ['routes', 'pages'].map((name) => join(import.meta.dirname, '../../../../adapters/web/account', name));

/** Account forms whose changes the log records, with the action of each. */
const LEAVE = {
  '/keys': 'key.created',
  '/keys/revoke': 'key.revoked',
  '/library/license-key': 'key.created',
  /** The tests of key batches redeem a key, and those of teams invite, accept and take back. */
  '/library/redeem': 'entitlement.created',
  '/teams/:owner/:product/accept': 'seat.changed',
  '/teams/:owner/:product/invite': 'seat.created',
  '/teams/:owner/:product/remove': 'seat.removed',
  '/devices/release': 'device.released',
  '/devices/rename': 'device.renamed',
  '/security/password': 'account.changed',
  '/profile': 'account.changed',
  '/support/reply': 'ticket.replied',
  /** The browser tests send these two. */
  '/security/passkeys/add': 'passkey.created',
  '/security/passkeys/remove': 'passkey.revoked',
  /** The profile tests send these two. */
  '/profile/billing': 'account.changed',
  '/profile/email/change': 'account.changed',
  '/profile/erase': 'account.erased',
  '/orders/withdraw': 'order.withdrawn',
  '/device/decide': 'device_sign_in.approved',
  '/apps/disconnect': 'app.disconnected',
  /** The authorization server's tests send this form. */
  '/interaction/:uid': 'app.connected',
} as const;

/**
 * Forms that look something up or show a key again, check a license as an application does, complete a setup step, open a ticket, request a
 * mail whose link is recorded when it is created, or sign browsers out; a session itself records its last use.
 */
const LEAVE_NONE = [
  '/device',
  '/devices/offline',
  '/library/license-key/show',
  '/library/setup',
  '/security/passkeys',
  '/profile/data',
  '/profile/email',
  '/support',
  '/security/end',
  '/security/end-others',
  '/security/end-all',
  '/sign-out',
];

const NOW = toInstant(Date.now());

test('each account form is known to leave an audit entry or none', () => {
  const files = FOLDERS.flatMap((folder) => readdirSync(folder).map((file) => join(folder, file)));
  const forms = files.flatMap((file) =>
    Array.from(readFileSync(file, 'utf8').matchAll(/\.(?:own|bounded)Form\('([^']+)'/g), ([, path]) => path),
  );
  expect(forms.toSorted()).toEqual([...Object.keys(LEAVE), ...LEAVE_NONE].toSorted());
});

describe('the audit log of the pages', () => {
  let service: Service;
  let server: PagesServer;
  let browser: PageBrowser;
  let csrf: string;

  beforeEach(async () => {
    service = await aBuyersService({
      storefront: A_STOREFRONT,
      orders: [anOrder({ id: 5, ordered_at: NOW, paid_at: NOW })],
      products: [aProduct({ id: 1, license_keys: true })],
      entitlements: [anEntitlement({ product_id: 1 })],
      keys: [anApiKey({ id: 50 })],
    });
    ({ server, browser } = await openPages(service));
    csrf = hiddenFields((await browser.get('/security')).body, '/sign-out')['csrf'] as string;
  });
  afterEach(() => server.close());

  const log = () => Array.fromAsync(service.get('auditLog').list(EVERY_ENTRY));

  /** The one entry that a form creates. */
  const leftBy = async (path: keyof typeof LEAVE, fields: Readonly<Record<string, string>>): Promise<AuditEntry> => {
    const before = new Set((await log()).map(({ id }) => id));
    expect((await browser.post(path, { csrf, ...fields })).status).toBeLessThan(400);
    const [entry, ...more] = (await log()).filter(({ id }) => !before.has(id));
    const [session] = await service.get('sessions').of(1);
    expect(more).toEqual([]);
    expect(entry).toMatchObject({
      action: LEAVE[path],
      account_id: 1,
      by: { kind: 'page', id: String(session?.id), account_id: 1, through: path, from: '127.0.0.1' },
    });
    return entry as AuditEntry;
  };

  test('creating and revoking a key on a page is logged with the browser’s session', async () => {
    const form = hiddenFields((await browser.get('/keys')).body, '/keys');
    await leftBy('/keys', { ...form, name: 'Server', ability: 'products.read', product: '', expires: '' });
    expect((await leftBy('/keys/revoke', { key: '50' })).subject_id).toBe('50');
  });

  test('a withdrawal is logged', async () => {
    expect((await leftBy('/orders/withdraw', { order: '5' })).subject_id).toBe('5');
  });

  test('a license key made by its buyer is logged', async () => {
    expect(await leftBy('/library/license-key', { product: '1' })).toMatchObject({ product_id: 1 });
  });

  test('a reply to a ticket is logged without its text', async () => {
    const received = { account_id: 1, body: aReport(), files: { bundle: null }, permit: PERMIT };
    const { ticket } = done(await passed(service.get('receiveSupportReport')(received)));
    const entry = await leftBy('/support/reply', { ticket: String(ticket.id), text: 'It still stops' });
    expect(entry.subject_id).toBe(String(ticket.id));
    expect(JSON.stringify(entry)).not.toContain('still');
  });

  test('a released device is logged', async () => {
    const { slots } = await service.get('devices').find(1, 1, 'laptop');
    await service.get('devices').activate(grantPermit(), 1, 1, aDevice({ device_id: 'laptop' }), slots);
    expect(await leftBy('/devices/release', { product: '1', device: 'laptop' })).toMatchObject({
      subject_id: 'laptop',
      product_id: 1,
    });
  });

  test('a renamed device is logged without its name', async () => {
    const { slots } = await service.get('devices').find(1, 1, 'laptop');
    await service.get('devices').activate(grantPermit(), 1, 1, aDevice({ device_id: 'laptop' }), slots);
    const entry = await leftBy('/devices/rename', { device: 'laptop', name: 'Mum’s laptop' });
    expect(entry).toMatchObject({ subject_id: 'laptop', product_id: 1, changes: [{ field: 'name' }] });
  });

  test('a changed password is logged without any part of it', async () => {
    const entry = await leftBy('/security/password', { current: PASSWORD, next: 'another long one' });
    expect(entry.changes).toEqual([{ field: 'password_hash' }]);
  });

  test('a device that the owner approves is logged', async () => {
    const begun = await service.get('startDeviceSignIn')({
      client_id: 'cli',
      device_id: 'laptop',
      device_name: null,
      address: '192.0.2.1',
    });
    const { user_code } = done(begun);
    expect((await leftBy('/device/decide', { user_code, decision: 'approve' })).subject_id).toBe('laptop');
  });

  test('a disconnected app is logged', async () => {
    await letIn(service, [
      {
        grant_id: 'grant-1',
        account_id: 1,
        client_id: 'https://client.example/metadata',
        client_name: 'Client',
        redirect_host: 'client.example',
        permissions: [],
        created_at: NOW,
        last_used_at: NOW,
      },
    ]);
    expect((await leftBy('/apps/disconnect', { app: 'grant-1' })).subject_id).toBe('https://client.example/metadata');
  });

  test('a refused form leaves no audit entry', async () => {
    const before = await log();
    expect((await browser.post('/keys/revoke', { csrf: 'wrong', key: '50' })).status).toBe(403);
    await browser.post('/security/password', { csrf, current: 'wrong one', next: 'another long one' });
    expect(await log()).toEqual(before);
  });
});
