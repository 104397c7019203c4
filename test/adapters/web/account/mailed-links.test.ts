import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { grantPermit } from '../../../../domain/access/grant-permit.ts';
import type { Service } from '../../../../runtimes/composition/bootstrap.ts';
import { aBuyersService, EMAIL, type PagesServer, servePages } from '../../../support/account-pages.ts';
import { aMailer, MAILING, sendAll } from '../../../support/mail.ts';
import { hiddenFields, PageBrowser } from '../../../support/page-browser.ts';

describe('a sign-in link by mail', () => {
  let service: Service;
  let server: PagesServer;
  const mailer = aMailer();

  beforeEach(async () => {
    service = await aBuyersService({}, { mailer }, MAILING);
    server = await servePages({ parts: service.parts });
  });

  afterEach(() => server.close());

  const ask = (email: string, browser = new PageBrowser(server.url)) =>
    browser.submit('/sign-in/mail', '/sign-in/mail', { email });

  test('the response is the same for known and unknown addresses', async () => {
    const answers = [];
    for (const email of [EMAIL, 'nobody@example.com']) {
      const { status, location, body } = await ask(email);
      answers.push({ status, location, body });
    }
    expect(answers).toEqual(Array(2).fill({ status: 303, location: '/sign-in/mail/sent', body: '' }));
  });

  test.each([
    'nothing',
    '',
    '<t@example.com>',
    't\u200b@example.com',
  ])('the address %j is refused with a reason', async (email) => {
    const { status, body } = await ask(email);
    expect([status, body]).toEqual([422, expect.stringContaining('Enter an email address')]);
  });

  test('all spellings of a mailbox count as one, and mail goes to its normal form', async () => {
    const address = 'user@xn--mnchen-3ya.de';
    await service.get('addAccount')(grantPermit(), { email: 'User@MÜNCHEN.de', name: null, password: null });
    const spellings = ['user@münchen.de', 'USER@münchen.de', address, 'ｕｓｅｒ@münchen.de', 'user@mu\u0308nchen.de'];
    const browsers = spellings.concat('uSer@München.de').map((email) => ask(email));
    expect((await Promise.all(browsers)).map(({ status }) => status).toSorted()).toEqual([...Array(5).fill(303), 429]);
    await sendAll(service);
    expect(mailer.sent.map(({ to }) => to)).toContain(address);
    expect(new Set(mailer.sent.map(({ to }) => to).filter((to) => to !== EMAIL))).toEqual(new Set([address]));
  });

  test('the sign-in page leads to the form, and the mailed link signs in and offers a new password', async () => {
    const browser = new PageBrowser(server.url);
    expect((await browser.get('/sign-in')).body).toContain('formaction="/sign-in/mail"');
    await ask(EMAIL, browser);
    expect((await browser.get('/sign-in/mail/sent')).body).toContain('Check your inbox');
    expect(await sendAll(service)).toEqual(['sent']);
    const { pathname, search } = new URL(/https\S+code=\S+/.exec(mailer.sent.at(-1)?.text ?? '')?.[0] ?? '');
    const used = await browser.submit(pathname + search, '/sign-in/link', {});
    expect([used.status, used.location]).toEqual([303, '/security/password?first=1']);
  });

  /** The paths of the links in all mails. */
  const mailedPaths = () =>
    mailer.sent.map(({ text }) => {
      const { pathname, search } = new URL(/https\S+code=\S+/.exec(text)?.[0] ?? '');
      return pathname + search;
    });
  const DEVICE = '/device?user_code=WDJB-MJHT';

  test.each([
    'browser that asked',
    'other browser',
  ])('a device’s code survives the form, mail and link of an account without a password: %s', async (which) => {
    await service.get('addAccount')(grantPermit(), { email: 'new@example.com', name: null, password: null });
    const browser = new PageBrowser(server.url);
    const { location } = await browser.get(DEVICE);
    const form = hiddenFields((await browser.get(location ?? '')).body, '/sign-in');
    const asked = await browser.post('/sign-in/mail', { ...form, email: 'new@example.com', password: '' });
    expect(asked.location).toBe('/sign-in/mail/sent');
    const sent = (await browser.get('/sign-in/mail/sent')).body;
    expect(sent).toContain('<strong>new@example.com</strong>');
    expect(sent).toContain(`href="/sign-in?next=${encodeURIComponent(DEVICE)}"`);
    await sendAll(service);
    const user = which === 'other browser' ? new PageBrowser(server.url) : browser;
    expect((await user.submit(mailedPaths().at(-1) ?? '', '/sign-in/link', {})).location).toBe(DEVICE);
    expect((await user.get(DEVICE)).body).toContain('value="WDJB-MJHT"');
  });

  test('an earlier mail’s link without a path leads to the path that the browser requested since', async () => {
    const browser = new PageBrowser(server.url);
    await ask(EMAIL, browser);
    await browser.submit(`/sign-in/mail?next=${encodeURIComponent(DEVICE)}`, '/sign-in/mail', { email: EMAIL });
    expect(await sendAll(service)).toEqual(['sent', 'dropped']);
    expect((await browser.submit(mailedPaths().at(-1) ?? '', '/sign-in/link', {})).location).toBe(DEVICE);
    expect(browser.jar.has('account-asked')).toBe(false);
  });

  test('a wrong password, an invalid address and a rate limit keep the address and the path', async () => {
    const browser = new PageBrowser(server.url);
    const next = encodeURIComponent(DEVICE);
    const wrong = await browser.submit(`/sign-in?next=${next}`, '/sign-in', { email: EMAIL, password: 'wrong' });
    const malformed = await browser.submit(`/sign-in/mail?next=${next}`, '/sign-in/mail', { email: 'buyer@' });
    for (let n = 0; n < 5; n++) await ask('nobody@example.com', browser);
    const limited = await browser.submit(`/sign-in/mail?next=${next}`, '/sign-in/mail', {
      email: 'nobody@example.com',
    });
    for (const [{ status, body }, action, code, email] of [
      [wrong, '/sign-in', 422, EMAIL],
      [malformed, '/sign-in/mail', 422, 'buyer@'],
      [limited, '/sign-in/mail', 429, 'nobody@example.com'],
    ] as const) {
      expect([status, hiddenFields(body, action)['next']]).toEqual([code, DEVICE]);
      expect(body).toContain(`value="${email}"`);
      expect(body).toContain(`next=${next}&amp;lang=ko`);
    }
  });

  test('the sixth request of an IP address for one email address is refused with the minutes to wait', async () => {
    for (let n = 0; n < 5; n++) await ask('nobody@example.com');
    const { status, body } = await ask('nobody@example.com');
    expect(status).toBe(429);
    expect(body).toMatch(/again in \d+ minutes?/);
  });

  test('a service without mail has no sign-in link page', async () => {
    const silent = await servePages({ parts: (await aBuyersService()).parts });
    const browser = new PageBrowser(silent.url);
    expect((await browser.get('/sign-in/mail')).status).toBe(404);
    expect((await browser.get('/sign-in')).body).not.toContain('/sign-in/mail');
    await silent.close();
  });
});
