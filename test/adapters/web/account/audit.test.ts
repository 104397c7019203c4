import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { grantPermit } from '../../../../domain/access/grant-permit.ts';
import type { AuditEntry } from '../../../../domain/audit/entry.ts';
import type { Service } from '../../../../runtimes/composition/bootstrap.ts';
import { aBuyersService, openPages, PASSWORD, type PagesServer } from '../../../support/account-pages.ts';
import { EVERY_ENTRY } from '../../../support/audited.ts';
import { aDevice, anApiKey, anEntitlement, aProduct } from '../../../support/builders.ts';
import { hiddenFields, type PageBrowser } from '../../../support/page-browser.ts';

/** The actions of forms. The tests of the ports show that each write leaves an entry. */
const LEAVE = {
  '/keys': 'key.created',
  '/keys/revoke': 'key.revoked',
  '/devices/rename': 'device.renamed',
  '/security/password': 'account.changed',
} as const;

describe('the audit log of the pages', () => {
  let service: Service;
  let server: PagesServer;
  let browser: PageBrowser;
  let csrf: string;

  beforeEach(async () => {
    service = await aBuyersService({
      products: [aProduct({ id: 1 })],
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

  test('a refused form leaves no audit entry', async () => {
    const before = await log();
    expect((await browser.post('/keys/revoke', { csrf: 'wrong', key: '50' })).status).toBe(403);
    await browser.post('/security/password', { csrf, current: 'wrong one', next: 'another long one' });
    expect(await log()).toEqual(before);
  });
});
