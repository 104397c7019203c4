import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { grantPermit } from '../../../../domain/access/grant-permit.ts';
import { addDays, toInstant } from '../../../../domain/shared/instant.ts';
import type { Service } from '../../../../runtimes/composition/bootstrap.ts';
import { anAccount } from '../../../support/account-builders.ts';
import { aBuyersService, EMAIL, openPages, PASSWORD, type PagesServer } from '../../../support/account-pages.ts';
import { aClock } from '../../../support/fakes.ts';
import { aMailer, MAILING, sendAll } from '../../../support/mail.ts';
import { hiddenFields, PageBrowser } from '../../../support/page-browser.ts';
import { aReport } from '../../../support/report-builders.ts';

const OTHER = 'buyer-2@example.com';
const TICKET = {
  kind: 'refund_request',
  product: '',
  summary: 'The clock <stops>',
  detail: '시계가 "멈춥니다".\nEvery night.',
};

describe('a form that is sent after its session ended', () => {
  let service: Service;
  let server: PagesServer;
  let browser: PageBrowser;
  let clock: ReturnType<typeof aClock>;
  let mailer: ReturnType<typeof aMailer>;

  beforeEach(async () => {
    clock = aClock();
    clock.at = toInstant(Date.now());
    mailer = aMailer();
    const accounts = [anAccount({ id: 2, password_hash: `salt:${PASSWORD}` })];
    service = await aBuyersService({ accounts }, { clock, mailer }, MAILING);
    const ticket = { ...aReport(), id: 7, account_id: 1, status: 'open', created_at: clock.at } as const;
    await service
      .get('tickets')
      .open(grantPermit(), ticket, 'report', { opening: undefined, version: null }, undefined);
    ({ server, browser } = await openPages(service));
  });

  afterEach(() => server.close());

  /** Opens the page, ends all sessions of the account, and sends the form. */
  const sendLate = async (page: string, action: string, fields: Record<string, string>, file?: Uint8Array) => {
    const form = { ...hiddenFields((await browser.get(page)).body, action), ...fields };
    for (const session of await service.get('sessions').of(1)) await service.get('sessions').end(session);
    return file ? browser.attach(action, form, 'log.txt', file) : browser.post(action, form);
  };
  const signInWith = (body: string, email: string) =>
    browser.post('/sign-in', { ...hiddenFields(body, '/sign-in'), email, password: PASSWORD });
  const signInAgain = () => browser.submit('/sign-in?again=1', '/sign-in', { email: EMAIL, password: PASSWORD });
  const shown = (text: string): string =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

  test.each<[string, string, string, Record<string, string>]>([
    ['a ticket', '/support', '/support', TICKET],
    ['a reply', '/support/7', '/support/reply', { text: 'Still "broken" <b>' }],
    ['a name', '/profile', '/profile', { name: 'Nina "N" Novak', language: 'ko' }],
    [
      'billing details',
      '/profile',
      '/profile/billing',
      { billed: 'Clock & Co.', lines: '1 Clock Road\nNL', tax_number: 'NL1' },
    ],
  ])('a form is restored in its page after the sign-in: %s', async (_, page, action, fields) => {
    const late = await sendLate(page, action, fields);
    expect([late.status, late.body]).toEqual([403, expect.stringContaining('Your text is kept for a day')]);
    const { location } = await signInWith(late.body, EMAIL);
    expect(location).toBe(`${page}?kept=1`);
    const { body } = await browser.get(location ?? '');
    expect(body).toContain('Your text was kept');
    for (const text of Object.values(fields)) expect(body).toContain(shown(text));
    const sent = await browser.post(action, { ...hiddenFields(body, action), ...fields });
    expect(sent.location).toMatch(/done=(sent|replied|saved|billingSaved)$/);
  });

  test('forms of two pages that were open at the end of the session are both restored, and one of the previous version too', async () => {
    const reply = { ...hiddenFields((await browser.get('/support/7')).body, '/support/reply'), text: 'And it ticks.' };
    const late = await sendLate('/support', '/support', TICKET);
    await browser.post('/support/reply', reply);
    const { location } = await signInWith(late.body, EMAIL);
    expect((await browser.get(location ?? '')).body).toContain(shown(TICKET.detail));
    expect((await browser.get('/support/7?kept=1')).body).toContain('And it ticks.');
    const fields = { name: 'Nina' };
    const old = { account_id: 1, page: '/profile', fields, expires_at: addDays(clock.at, 1) };
    await service.get('table').put({ pk: 'ACCOUNT#1', sk: 'DRAFT', data: old });
    expect((await browser.get('/profile?kept=1')).body).toContain('value="Nina"');
  });

  test('a request for a license file is restored in its form after the sign-in', async () => {
    const request = '{"product_id": 1}';
    const late = await sendLate('/devices/offline', '/devices/offline', { request });
    const { body } = await browser.get((await signInWith(late.body, EMAIL)).location ?? '');
    expect(body).toContain('Your text was kept');
    expect(body).toContain(`>${shown(request)}</textarea>`);
  });

  test('the text of a form is restored without its file', async () => {
    const late = await sendLate('/support', '/support', TICKET, new Uint8Array(70_000));
    const { location } = await signInWith(late.body, EMAIL);
    expect((await browser.get(location ?? '')).body).toContain('choose your file again');
  });

  test('a form is restored after a sign-in by mail', async () => {
    const late = await sendLate('/support', '/support', TICKET);
    const { csrf = '', next = '' } = hiddenFields(late.body, '/sign-in');
    await browser.post('/sign-in/mail', { csrf, next, email: EMAIL });
    await sendAll(service);
    const { pathname, search } = new URL(/https\S+code=\S+/.exec(mailer.sent.at(-1)?.text ?? '')?.[0] ?? '');
    const { location } = await browser.submit(pathname + search, '/sign-in/link', {});
    expect((await browser.get(location ?? '')).body).toContain(shown(TICKET.detail));
  });

  test('a restored form is shown neither to another account nor to its owner after a day', async () => {
    const late = await sendLate('/support', '/support', TICKET);
    await signInWith(late.body, OTHER);
    expect((await browser.get('/support?kept=1')).body).not.toContain(shown(TICKET.summary));
    await signInAgain();
    expect((await browser.get('/support?kept=1')).body).toContain(shown(TICKET.summary));
    clock.at = addDays(clock.at, 1);
    expect((await browser.get('/support?kept=1')).body).not.toContain(shown(TICKET.summary));
  });

  test('an unknown browser sees its text once for copying, and a stranger’s text is stored nowhere', async () => {
    const { status, body } = await new PageBrowser(server.url).post('/support', TICKET);
    expect([status, body]).toEqual([403, expect.stringContaining(` readonly>${shown(TICKET.summary)}\n\n`)]);
    expect(body).toContain('Copy your text before you sign in.');
    expect(await service.get('drafts').of(1)).toEqual([]);
  });

  test('another site’s form is refused without storing it', async () => {
    const refused = await browser.post('/support', TICKET, { origin: 'https://evil.example' });
    expect(refused.status).toBe(403);
    expect(await service.get('drafts').of(1)).toEqual([]);
  });

  test('a form of the previous session is restored in its page and not sent', async () => {
    const form = hiddenFields((await browser.get('/support')).body, '/support');
    await signInAgain();
    const { status, location } = await browser.post('/support', { ...form, ...TICKET });
    expect([status, location]).toEqual([303, '/support?kept=1']);
    expect((await browser.get(location ?? '')).body).toContain(shown(TICKET.detail));
    expect((await service.get('listOwnTickets')(1, null)).data).toHaveLength(1);
  });

  test('an erased account leaves no draft', async () => {
    await sendLate('/support', '/support', TICKET);
    expect(await service.get('drafts').of(1)).toHaveLength(1);
    await service.get('eraseAccount')(grantPermit(), { account_id: 1 });
    expect(await service.get('drafts').of(1)).toEqual([]);
  });
});
