import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Service } from '../../../../runtimes/composition/service.ts';
import { aBuyersService, openPages, type PagesServer } from '../../../support/account-pages.ts';
import { anEntitlement, aProduct } from '../../../support/builders.ts';
import type { PageBrowser } from '../../../support/page-browser.ts';

describe('the page of the profile', () => {
  let service: Service;
  let server: PagesServer;
  let browser: PageBrowser;

  beforeEach(async () => {
    service = await aBuyersService({ products: [aProduct()], entitlements: [anEntitlement()] });
    ({ server, browser } = await openPages(service));
  });
  afterEach(() => server.close());

  test('the owner saves a name and a language, in which the pages answer from then on', async () => {
    const saved = await browser.submit('/profile', '/profile', { name: '  Kim  ', language: 'ko' });
    expect(saved.location).toBe('/profile?done=saved');
    expect(await service.get('accounts').get(1)).toMatchObject({ name: 'Kim', locale: 'ko' });
    const { body } = await browser.get('/profile?done=saved');
    expect(body).toContain('내 정보를 저장했습니다.');
    expect(body).toContain('value="Kim"');
  });

  test('a language that there is none of changes no language, and an empty name takes the name away', async () => {
    await browser.submit('/profile', '/profile', { name: '', language: 'xx' });
    expect(await service.get('accounts').get(1)).toMatchObject({ name: null, locale: 'en' });
  });

  test('the copy of one’s data is a file that has no hash and no secret', async () => {
    const { status, headers, body } = await browser.submit('/profile', '/profile/data', {});
    expect(status).toBe(200);
    expect(headers.get('content-disposition')).toBe('attachment; filename="account-1.json"');
    const data = JSON.parse(body);
    expect(data).toMatchObject({
      account: { id: 1, email: 'buyer-1@example.com', has_password: true },
      entitlements: [{ account_id: 1 }],
      sessions: [{ method: 'password' }],
    });
    for (const part of ['orders', 'devices', 'keys', 'passkeys', 'subscriptions', 'tickets', 'usage'])
      expect(data[part], part).toEqual([]);
    expect(body).not.toMatch(/hash/);
  });
});
