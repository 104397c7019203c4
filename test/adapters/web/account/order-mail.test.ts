import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { grantPermit } from '../../../../domain/access/grant-permit.ts';
import { addDays, toInstant } from '../../../../domain/shared/instant.ts';
import type { Service } from '../../../../runtimes/composition/bootstrap.ts';
import { anAccount } from '../../../support/account-builders.ts';
import { aBuyersService, EMAIL, PASSWORD, type PagesServer, servePages } from '../../../support/account-pages.ts';
import { anArtifact, anEntitlement, anOrder, anOrderItem, aProduct, aRelease } from '../../../support/builders.ts';
import { put } from '../../../support/contents.ts';
import { aClock } from '../../../support/fakes.ts';
import { aMailer, MAILING, payOrder, refundTheOrder, sendAll } from '../../../support/mail.ts';
import { hiddenFields, PageBrowser } from '../../../support/page-browser.ts';
import { A_STOREFRONT } from '../../../support/public-builders.ts';

const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/17.4 Safari/605.1.15';
const PHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 Version/17.4 Mobile/15E148';
const DOWNLOAD = '/library/1?download=1';
const BEGINS =
  'http-equiv="refresh" content="0;url=/library/download?product=1&amp;release=1&amp;platform=darwin-arm64"';

describe('the link in an order mail', () => {
  let service: Service;
  let server: PagesServer;
  let clock: ReturnType<typeof aClock>;
  let mailer: ReturnType<typeof aMailer>;

  beforeEach(async () => {
    clock = aClock();
    clock.at = toInstant(Date.now());
    mailer = aMailer();
    const products = [1, 2].map((id) => aProduct({ id, name: { en: `Clock ${id}` } }));
    const artifacts = [anArtifact({ platform: 'darwin-arm64' }), anArtifact({ platform: 'linux-amd64' })];
    const contents = {
      products,
      releases: [aRelease({ artifacts })],
      entitlements: [anEntitlement({ id: 1, product_id: 1, order_id: 5 })],
      accounts: [anAccount({ id: 2, password_hash: `salt:${PASSWORD}` })],
    };
    service = await aBuyersService(contents, { mailer, clock }, MAILING);
    server = await servePages({ parts: service.parts });
  });

  afterEach(() => server.close());

  /** The path of the link in the mail about an order that account 1 has paid. */
  const bought = async (order = anOrder({ id: 5 })): Promise<{ link: string; receipt: string }> => {
    await payOrder(service, order);
    expect(await sendAll(service)).toEqual(['sent']);
    const [link = '', receipt = ''] = (mailer.sent.at(-1)?.text.match(/https?:\S+/g) ?? []).map((url) => {
      const { pathname, search } = new URL(url);
      return pathname + search;
    });
    return { link, receipt };
  };
  const browse = (agent = MAC) => new PageBrowser(server.url, { 'user-agent': agent });
  const press = (browser: PageBrowser, link: string) => browser.submit(link, '/sign-in/link', {});

  test('the file takes two clicks from the mail: the link, and one button that works without a script', async () => {
    const { link } = await bought();
    const browser = browse();
    expect((await browser.get(link)).body).toMatch(/<button class="main wide">Sign in and download<\/button>/);
    const used = await press(browser, link);
    expect([used.status, used.location]).toEqual([303, DOWNLOAD]);
    const landed = (await browser.get(DOWNLOAD)).body;
    expect(landed).toContain(BEGINS);
    expect(landed).toContain('Your download begins.');
    const file = await browser.get('/library/download?product=1&release=1&platform=darwin-arm64');
    expect([file.status, file.location]).toEqual([303, expect.stringContaining('signature=')]);
  });

  test('the download does not end the right to withdraw, which ends with the first use, as the page warns', async () => {
    const storefront = { ...A_STOREFRONT, withdrawal: { days: 14, time_zone: 'Europe/Berlin', terms_url: null } };
    await put(service, { storefront });
    const items = [anOrderItem({ product_id: 1 })];
    const { link } = await bought(anOrder({ id: 5, items, ordered_at: clock.at, paid_at: clock.at }));
    const browser = browse();
    await press(browser, link);
    const warned =
      /You can withdraw from order O-5 until [^.]*\. [^<]*you lose it once the product is installed, activated/;
    expect((await browser.get(DOWNLOAD)).body).toMatch(warned);
    const file = await browser.get('/library/download?product=1&release=1&platform=darwin-arm64');
    expect(file.status).toBe(303);
    expect((await browser.get('/library/1')).body).toMatch(warned);
    expect((await browser.get('/orders/5')).body).toContain('Withdraw from this order…');
    const uses = service.get('productUses');
    await uses.note(grantPermit(), 1, await uses.of(1), [{ product_id: 1, used_at: clock.at }]);
    for (const path of ['/library/1', '/orders/5']) expect((await browser.get(path)).body).not.toMatch(/ithdraw from/);
  });

  test('the page names the seller of the receipt, which can be a merchant of record', async () => {
    await bought(anOrder({ id: 5, source: { provider: 'paddle', payment: 'pay-1', subscription: null } }));
    expect(mailer.sent.at(-1)?.text).toContain('Seller: Paddle');
  });

  test('the receipt’s link signs in with the same code and opens the receipt', async () => {
    const { link, receipt } = await bought();
    const browser = browse();
    expect((await press(browser, receipt)).location).toBe('/orders/5');
    expect((await browser.get(link)).location).toBe(DOWNLOAD);
  });

  test('a hundred mail scanners that open the link use nothing and get no session, by GET and by HEAD', async () => {
    const { link } = await bought();
    for (let n = 0; n < 50; n++) {
      const scanner = browse('');
      expect((await scanner.get(link)).cookies.join()).not.toContain('account-session');
      await fetch(server.url + link, { method: 'HEAD' });
    }
    expect((await press(browse(), link)).location).toBe(DOWNLOAD);
  });

  test('a used link leads on in the same browser, and elsewhere to the sign-in with the address and the path', async () => {
    const { link } = await bought();
    const browser = browse();
    await press(browser, link);
    expect((await browser.get(link)).location).toBe(DOWNLOAD);
    const other = browse();
    const { status, body } = await other.get(link);
    expect([status, body]).toEqual([404, expect.stringContaining('This link no longer works')]);
    expect(body).toContain(`value="${EMAIL}"`);
    const form = { ...hiddenFields(body, '/sign-in'), email: EMAIL, password: PASSWORD };
    expect((await other.post('/sign-in', form)).location).toBe(DOWNLOAD);
  });

  test('the button leads on when it is pressed in a second tab of the signed-in browser', async () => {
    const { link } = await bought();
    const browser = browse();
    const tabs = [await browser.get(link), await browser.get(link)].map(({ body }) =>
      hiddenFields(body, '/sign-in/link'),
    );
    for (const form of tabs) expect((await browser.post('/sign-in/link', form)).location).toBe(DOWNLOAD);
  });

  test('a double click signs in with both responses, for a minute and only in that browser', async () => {
    const { link } = await bought();
    const browser = browse();
    const form = hiddenFields((await browser.get(link)).body, '/sign-in/link');
    const [name = '', secret = ''] = [...browser.jar].find(([one]) => one.endsWith('form')) ?? [];
    const click = async () => {
      browser.jar.clear();
      browser.jar.set(name, secret);
      return (await browser.post('/sign-in/link', form)).location;
    };
    expect(await Promise.all([click(), click()])).toEqual([DOWNLOAD, DOWNLOAD]);
    expect((await press(browse(), link).catch(() => null))?.location ?? null).toBeNull();
    clock.at = toInstant(Date.parse(clock.at) + 60_000);
    expect(await click()).toBeNull();
  });

  test('of twenty browsers that press the button at once, one is signed in', async () => {
    const { link } = await bought();
    const opened = Array.from({ length: 20 }, async () => {
      const browser = browse();
      return { browser, form: hiddenFields((await browser.get(link)).body, '/sign-in/link') };
    });
    const waiting = await Promise.all(opened);
    const pressed = await Promise.all(waiting.map(({ browser, form }) => browser.post('/sign-in/link', form)));
    expect(pressed.filter(({ status }) => status === 303)).toHaveLength(1);
  });

  test.each([
    [6.9, 303],
    [7, 404],
    [300, 404],
  ])('after %d days the button responds %d, and the next page has the address', async (days, status) => {
    const { link } = await bought();
    clock.at = addDays(clock.at, Math.floor(days));
    clock.at = toInstant(Date.parse(clock.at) + (days % 1) * 86_400_000);
    const browser = browse();
    const page = await browser.get(link);
    const pressed = page.status === 200 ? await press(browser, link) : page;
    expect(pressed.status).toBe(status);
    if (status === 404) expect(page.body).toContain(`value="${EMAIL}"`);
  });

  test('the link is deleted after years, and its page still knows where to go on', async () => {
    const { link } = await bought();
    const unknown = link.replace(/code=[\w-]{43}/, `code=${'x'.repeat(43)}`);
    const browser = browse();
    const { body } = await browser.get(unknown);
    expect(hiddenFields(body, '/sign-in')['next']).toBe(DOWNLOAD);
    await browser.signIn(EMAIL, PASSWORD);
    expect((await browser.get(unknown)).location).toBe(DOWNLOAD);
  });

  test('on a phone the page says to open the mail on the computer, and no download begins', async () => {
    const { link } = await bought();
    const phone = browse(PHONE);
    expect((await phone.get(link)).body).toContain('open the message there');
    expect((await press(phone, link)).location).toBe(DOWNLOAD);
    const { body } = await phone.get(DOWNLOAD);
    expect(body).not.toContain('http-equiv="refresh"');
    expect(body).toContain('darwin-arm64');
  });

  test('a browser signed in to another account sees whose link it is and is asked', async () => {
    const { link } = await bought();
    const browser = browse();
    await browser.signIn('buyer-2@example.com', PASSWORD);
    expect((await browser.get(link)).body).toContain(`<strong>${EMAIL}</strong>`);
    expect((await press(browser, link)).location).toBe(DOWNLOAD);
  });

  test('a forwarded mail adds no sign-in method: a session by an order link older than ten minutes is no proof', async () => {
    const { link } = await bought();
    clock.at = addDays(clock.at, 1);
    const browser = browse();
    await press(browser, link);
    const asked = await browser.submit('/profile', '/profile/email', { email: 'thief@example.com' });
    expect(asked.status).toBe(403);
    const set = await browser.submit('/security/password', '/security/password', { next: 'a new long password' });
    expect(set.status).toBe(422);
    expect((await browse().signIn(EMAIL, PASSWORD)).status).toBe(303);
  });

  test.each<[string, () => Promise<unknown>, string | null]>([
    [
      'the password',
      () => service.get('resetPassword')(grantPermit(), { account_id: 1, password: 'a new password' }),
      EMAIL,
    ],
    ['the address', () => service.get('accounts').save(grantPermit(), anAccount({ email: 'new@example.com' })), null],
    ['a lock-out', () => service.get('lockOut')(grantPermit(), 1), EMAIL],
    ['an erasure', () => service.get('eraseAccount')(grantPermit(), { account_id: 1 }), null],
    ['a merge', () => service.get('mergeAccounts')(grantPermit(), { from: 1, into: 2 }), null],
  ])('the link ends with a change of %s and reveals no new address', async (_, change, address) => {
    const { link } = await bought();
    await change();
    const browser = browse();
    const { status, body } = await browser.get(link);
    expect(status).toBe(404);
    expect(hiddenFields(body, '/sign-in')['next']).toBe(DOWNLOAD);
    expect(body.includes(`value="${EMAIL}"`)).toBe(address === EMAIL);
    expect(body).not.toContain('new@example.com');
  });

  test('a suspended account sees its suspension and keeps the link', async () => {
    const { link } = await bought();
    await service
      .get('accounts')
      .save(grantPermit(), anAccount({ password_hash: `salt:${PASSWORD}`, suspended_at: clock.at }));
    const { status, body } = await press(browse(), link);
    expect([status, body]).toEqual([403, expect.stringContaining('suspended')]);
    await service.get('accounts').save(grantPermit(), anAccount({ password_hash: `salt:${PASSWORD}` }));
    expect((await press(browse(), link)).location).toBe(DOWNLOAD);
  });

  test('after a refund the link still signs in, and no download begins', async () => {
    const { link } = await bought();
    await refundTheOrder(service);
    const browser = browse();
    expect((await press(browser, link)).location).toBe(DOWNLOAD);
    expect((await browser.get(DOWNLOAD)).body).not.toContain('http-equiv="refresh"');
  });

  test('an order of several products, or without files, leads to all products', async () => {
    const items = [1, 2].map((id) => anOrderItem({ id, product_id: id }));
    for (const of of [items, items.slice(1)]) {
      const { link } = await bought(anOrder({ id: 5 + of.length, items: of }));
      expect(new URLSearchParams(link.split('?')[1]).get('next')).toBe('/library');
    }
  });

  test.each([
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/%09/evil.example',
  ])('a link whose path was changed to %s leads to no other host', async (next) => {
    const code = /code=([\w-]+)/.exec((await bought()).link)?.[1] ?? '';
    const { location } = await press(browse(), `/sign-in/link?${new URLSearchParams({ code, next })}`);
    expect(new URL(location ?? '', server.url).origin).toBe(server.url);
  });

  test('the mail says the units and the edition that were bought', async () => {
    const items = [anOrderItem({ product_id: 1, product_name: { en: 'Clock 1' }, quantity: 3 })];
    await put(service, {
      entitlements: [anEntitlement({ id: 9, product_id: 1, order_id: 9, order_item_id: 1, edition: 'pro' })],
    });
    await bought(anOrder({ id: 9, items }));
    expect(mailer.sent.at(-1)?.text).toContain('3 × Clock 1 (pro)');
  });

  test('the link’s code is in no log line and is not sent to other sites', async () => {
    const { link } = await bought();
    const code = /code=([\w-]+)/.exec(link)?.[1] ?? '';
    const browser = browse();
    expect((await browser.get(link)).headers.get('referrer-policy')).toBe('same-origin');
    await press(browser, link);
    expect(JSON.stringify(server.lines)).not.toContain(code);
  });

  test('a waiting order link does not delay a requested sign-in link', async () => {
    await bought();
    await browse().submit('/sign-in/mail', '/sign-in/mail', { email: EMAIL });
    expect(await sendAll(service)).toEqual(['sent']);
  });
});
