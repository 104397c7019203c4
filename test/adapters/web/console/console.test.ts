import { afterEach, describe, expect, test } from 'vitest';
import { csrfToken } from '../../../../adapters/web/account/csrf.ts';
import { Form } from '../../../../adapters/web/account/form.ts';
import { fieldsOf } from '../../../../adapters/web/console/fields.ts';
import { grantPermit } from '../../../../domain/access/grant-permit.ts';
import type { ShopRole } from '../../../../domain/access/principal.ts';
import { recordSale, refundOrder } from '../../../../ports/inbound/shop/orders.ts';
import { aProduct } from '../../../support/builders.ts';
import { addMember, type Console, MEMBER, openConsole } from '../../../support/console.ts';

const SENDER = { browser: 'Firefox', address: '127.0.0.1' };

describe('the console', () => {
  let shop: Console;

  afterEach(() => shop.close());

  test('the console shows the day to a member, the sign-in to others and links to a program', async () => {
    shop = await openConsole();
    const { status, body, headers } = await shop.browser.get('/');
    expect([status, body.includes('<h1>Today</h1>')]).toEqual([200, true]);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('cache-control')).toContain('no-store');
    const out = await shop.stranger().get('/');
    expect([out.status, out.location]).toEqual([303, '/sign-in']);
    const program = await shop.stranger().get('/', { accept: '*/*' });
    expect(JSON.parse(program.body)).toMatchObject({ host: 'shop' });
  });

  test('the sign-in addresses the shop’s people, and the frame marks the sample shop', async () => {
    shop = await openConsole();
    const { body } = await shop.stranger().get('/sign-in');
    expect(body).toMatch(/Your shop[\s\S]*For the people who run this shop/);
    expect(body).not.toMatch(/Your account|your products/);
    expect((await shop.browser.get('/')).body).not.toContain('sample shop');
    await shop.close();
    shop = await openConsole({ products: [aProduct({ id: 4, slug: 'hashcheck' })] });
    expect((await shop.browser.get('/orders')).body).toContain('This is the sample shop.');
  });

  test('the console is closed to a buyer session and to a member whose membership ended', async () => {
    shop = await openConsole();
    const buyers = await shop.service.get('openSession')(MEMBER.account_id, 'link', SENDER);
    const stranger = shop.stranger();
    stranger.jar.set('console-session', buyers.ok ? buyers.value.value : '');
    expect((await stranger.get('/')).location).toBe('/sign-in');
    const members = shop.service.get('members');
    const read = await members.read();
    await members.change(grantPermit(), read, { before: read.members[0], after: null });
    expect((await shop.browser.get('/')).location).toBe('/sign-in');
  });

  test.each<[ShopRole, string, number]>([
    ['everything', '/products', 200],
    ['catalog', '/products', 200],
    ['support', '/products', 403],
    ['orders', '/sales', 200],
    ['catalog', '/sales', 403],
  ])('a member with the role %s gets %s with %i, and the navigation matches the role', async (...row) => {
    const [role, path, status] = row;
    shop = await openConsole({}, role);
    const answer = await shop.browser.get(path);
    expect(answer.status).toBe(status);
    expect((await shop.browser.get('/')).body.includes(`<a href="${path}"`)).toBe(status === 200);
  });

  test('a changed role takes effect with the next request', async () => {
    shop = await openConsole();
    expect((await shop.browser.get('/products')).status).toBe(200);
    await addMember(shop.service, 'orders');
    expect((await shop.browser.get('/products')).status).toBe(403);
  });

  test('a console at an IP address says at which address browsers offer passkeys', async () => {
    shop = await openConsole();
    const { body } = await shop.browser.get('/security');
    expect(body).toContain(`Browsers offer no passkeys at ${shop.url}`);
    expect(body).toContain(shop.url.replace('127.0.0.1', 'localhost'));
  });

  test('a form without the session’s token, or from another site, changes nothing', async () => {
    shop = await openConsole();
    const own = csrfToken(shop.browser.jar.get('console-session') ?? '');
    expect((await shop.browser.post('/security/end-all', { csrf: csrfToken('x'.repeat(43)) })).status).toBe(403);
    const foreign = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' };
    expect((await shop.browser.post('/security/end-all', { csrf: own }, foreign)).status).toBe(403);
    expect((await shop.browser.get('/')).status).toBe(200);
    expect((await shop.browser.post('/security/end-all', { csrf: own })).status).toBe(303);
    expect((await shop.browser.get('/')).location).toBe('/sign-in');
  });

  test('a notice in a URL is shown only with the token of the same session', async () => {
    shop = await openConsole();
    expect((await shop.browser.get('/?done=Call+0900&said=x')).body).not.toContain('Call 0900');
  });

  test('the operator’s link creates the first member once, with a console session', async () => {
    shop = await openConsole();
    const members = shop.service.get('members');
    const read = await members.read();
    await members.change(grantPermit(), read, { before: read.members[0], after: null });
    const code = (await shop.service.get('offerSetup')(grantPermit())) ?? '';
    const stranger = shop.stranger();
    const typed = { code, email: 'first@example.com', name: ' ' };
    expect((await stranger.submit(`/setup?code=${code}`, '/setup', typed)).status).toBe(422);
    const made = await stranger.submit(`/setup?code=${code}`, '/setup', { ...typed, name: 'Fay' });
    expect([made.status, made.location]).toEqual([303, '/']);
    expect((await stranger.get('/')).status).toBe(200);
    expect((await shop.stranger().get(`/setup?code=${code}`)).status).toBe(404);
  });

  test('the style sheets of the console and its shared pages have at most 20 KB together', async () => {
    shop = await openConsole();
    const { body } = await shop.browser.get('/');
    const paths = [...body.matchAll(/href="(\/assets\/[^"]+\.css)"/g)].map(([, path]) => path);
    const sizes = await Promise.all(paths.map(async (path) => (await (await fetch(shop.url + path)).bytes()).length));
    expect(paths).toHaveLength(2);
    expect(sizes.reduce((a, b) => a + b)).toBeLessThanOrEqual(20 * 1024);
  });
});

describe('the fields of a form as a request body', () => {
  test.each([
    [
      { reason: '', keeps_access: ['false', 'true'], item_ids: ['7', '8'] },
      refundOrder,
      { reason: null, keeps_access: true, item_ids: [7, 8] },
    ],
    [{ keeps_access: 'false' }, refundOrder, { keeps_access: false }],
    [{ vat_cents: '12,50', 'vat_cents:currency': 'EUR' }, recordSale, { vat_cents: 1250 }],
    [{ vat_cents: '1250', 'vat_cents:currency': 'KRW', unknown: 'x' }, recordSale, { vat_cents: 1250 }],
    [{ vat_cents: '1.5', 'vat_cents:currency': 'KRW' }, recordSale, { vat_cents: '1.5' }],
    [{ vat_cents: 'much', 'vat_cents:currency': 'EUR' }, recordSale, { vat_cents: 'much' }],
  ])('the form fields of %j become the request body', (fields, endpoint, body) => {
    expect(fieldsOf(new Form(fields), endpoint)).toEqual(body);
  });
});
