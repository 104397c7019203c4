import { beforeAll, expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { CHANGES_ON_PAGES } from '../../../domain/audit/bounds.ts';
import { toInstant } from '../../../domain/shared/instant.ts';
import { ticketNumber } from '../../../domain/support/ticket.ts';
import { allEndpoints } from '../../../ports/inbound/endpoints.ts';
import type { LambdaMount } from '../../lambda/lambda-mount.ts';
import { sendMail } from '../../lambda/mail-suite.ts';
import { anOrder } from '../../support/builders.ts';
import { anOpenidUpstream, browse } from '../../support/openid-upstream.ts';
import { hiddenFields, PageBrowser } from '../../support/page-browser.ts';
import { aBuyer, type Buyer } from '../../surface/buyers.ts';
import { callerOf } from '../../surface/callers.ts';
import { get, post } from '../../surface/client.ts';
import { TOOL } from '../../surface/shop.ts';

const PASSWORD = 'a long enough password';

/**
 * The part of the account host that the black-box suite leaves to the tests of its pages: a person's changes of an
 * account.
 */
export const accountWalk = (mount: () => LambdaMount, upstreamPort: number): void => {
  let buyer: Buyer;
  let email: string;
  let ticket: number;

  const aBrowser = () => new PageBrowser(mount().urls.account);
  const signedIn = async (): Promise<PageBrowser> => {
    const browser = aBrowser();
    const answer = await browser.signIn(email, PASSWORD);
    expect([answer.status, answer.location]).toEqual([303, '/library']);
    return browser;
  };
  /** Submits the first form with this path on a page. */
  const sendFirst = async (browser: PageBrowser, page: string, action: string, more = {}) =>
    (await browser.submit(page, action, more)).location;

  beforeAll(async () => {
    const { service } = mount();
    buyer = await aBuyer(service);
    email = (await service.get('accounts').get(buyer.account))?.email ?? '';
    const input = { account_id: buyer.account, password: PASSWORD };
    expect((await service.get('resetPassword')(grantPermit(), input)).ok).toBe(true);
    await post(mount(), '/api/license/check', buyer.key, { product_id: TOOL, device_id: 'walked' });
    const problem = { kind: 'general', summary: 'The walk stops', detail: 'After a minute it stops.' };
    ticket = (await post(mount(), '/api/support/reports', buyer.key, problem)).body.ticket.id;
  });

  test('a person makes and revokes a key', async () => {
    const browser = await signedIn();
    const made = await browser.submit('/keys', '/keys', { name: 'walk', product: '', ability: ['products.read'] });
    expect(made.status, made.body).toBe(201);
    expect(await sendFirst(browser, '/keys', '/keys/revoke')).toBe('/keys?done=revoked');
  });

  test('a person names a device and releases it', async () => {
    const browser = await signedIn();
    const named = await browser.submit('/devices', '/devices/rename', { name: 'Walker' });
    expect(named.location).toMatch(/^\/devices\?done=renamed&device=/);
    const page = `/devices?product=${TOOL}`;
    expect(await sendFirst(browser, page, '/devices/release')).toMatch(
      new RegExp(`^/devices\\?product=${TOOL}&done=freed`),
    );
  });

  test('a person finds no picture of an unknown product, and withdraws from an order', async () => {
    const browser = await signedIn();
    expect((await browser.get('/assets/pictures/99')).status).toBe(404);
    const now = toInstant(Date.now());
    const order = anOrder({ id: 77, account_id: buyer.account, number: 'WALK-77', ordered_at: now, paid_at: now });
    await mount().service.get('billingRecords').saveOrder(grantPermit(), order);
    expect(await sendFirst(browser, '/orders/77', '/orders/withdraw')).toBe('/orders/77?done=withdrawn');
  });

  test('a person ends the other sessions, sets a password, and signs out', async () => {
    const [browser] = [await signedIn(), await signedIn()];
    expect(await sendFirst(browser, '/security', '/security/end')).toMatch(/^\/(security\?done=ended|sign-in)/);
    const again = await signedIn();
    expect(await sendFirst(again, '/security', '/security/end-others')).toBe('/security?done=othersEnded');
    const fields = { current: PASSWORD, next: PASSWORD };
    expect(await sendFirst(again, '/security/password', '/security/password', fields)).toBe(
      '/security?done=passwordSet',
    );
    const { body } = await again.get('/library');
    expect((await again.post('/sign-out', hiddenFields(body, '/sign-out'))).status).toBe(303);
    expect((await again.signIn(email, PASSWORD)).status).toBe(303);
  });

  test('an application ends its own registration', async () => {
    const registered = await fetch(`${mount().urls.account}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_name: 'Walk', redirect_uris: ['http://127.0.0.1:33418/callback'] }),
    });
    const client = (await registered.json()) as Record<'registration_client_uri' | 'registration_access_token', string>;
    const headers = { authorization: `Bearer ${client.registration_access_token}` };
    expect((await fetch(client.registration_client_uri, { method: 'DELETE', headers })).status).toBe(204);
  });

  test('a person writes two support requests and replies to one', async () => {
    const browser = await signedIn();
    const question = { kind: 'general', summary: 'The walk goes on', detail: 'Where does it end?' };
    for (const _ of ['first', 'again'])
      expect((await browser.submit('/support', '/support', question)).location).toMatch(/^\/support\/\d+\?done=sent$/);
    const [page = ''] = /\/support\/\d+/.exec((await browser.get('/support')).body) ?? [];
    expect(await sendFirst(browser, page, '/support/reply', { text: 'At the sea.' })).toBe(`${page}?done=replied`);
  });

  test('the shop finds a ticket by its owner’s number', async () => {
    const endpoint = allEndpoints.find(({ id }) => id === 'showReport') as (typeof allEndpoints)[number];
    const { key } = await callerOf(mount().service, endpoint);
    const number = ticketNumber({ id: ticket });
    expect((await get(mount(), `/api/shop/reports/${number}`, key)).body.ticket.id).toBe(ticket);
  });

  test('a person reads the replies to reports, replies with a file, and downloads it', async () => {
    const { service } = mount();
    await service.get('answerTicket')(grantPermit(), { id: ticket, text: 'Walk on.', close: false });
    const browser = await signedIn();
    const page = `/support/${ticket}`;
    const { body } = await browser.get(page);
    expect(body).toContain('Walk on.');
    const fields = { ...hiddenFields(body, '/support/reply'), text: 'It stops.' };
    const sent = await browser.attach('/support/reply', fields, 'walk.log', Buffer.from('stopped'));
    expect(sent.location).toBe(`${page}?done=replied`);
    const [, link = ''] = /href="(\/support\/file[^"]*)"/.exec((await browser.get(page)).body) ?? [];
    const { location } = await browser.get(link.replaceAll('&amp;', '&'));
    expect(await (await fetch(location ?? '')).text()).toBe('stopped');
  });

  test('a person at the daily limit of changes is told so', async () => {
    const { service } = mount();
    const browser = await signedIn();
    const now = toInstant(Date.now());
    const { most } = CHANGES_ON_PAGES;
    const bounds = service.get('dailyBounds');
    const before = await bounds.count(grantPermit(), CHANGES_ON_PAGES, String(buyer.account), 0, now);
    await bounds.count(grantPermit(), CHANGES_ON_PAGES, String(buyer.account), most - 1 - before, now);
    const input = { name: 'walk', product: '', ability: ['products.read'] };
    const statuses = [await browser.submit('/keys', '/keys', input), await browser.submit('/keys', '/keys', input)];
    expect(statuses.map(({ status }) => status)).toEqual([201, 429]);
  });

  test('a person signs in at the shop’s own provider twice', async () => {
    const callback = `${mount().urls.account}/sign-in/callback`;
    const { person } = await anOpenidUpstream(upstreamPort, callback);
    person.is = { sub: 'walker', email: 'walker@example.com', email_verified: true, name: 'Walker' };
    for (const _ of ['first', 'again']) {
      const browser = aBrowser();
      const begun = await browser.get('/sign-in/upstream');
      const { pathname, search } = new URL(await browse(begun.location ?? '', callback));
      const finished = await browser.get(pathname + search);
      expect([finished.status, finished.location], finished.body).toEqual([303, '/library']);
    }
  });

  test('a person erases the account, and the scheduled function removes the rest', async () => {
    const { get } = mount().service;
    const [accounts, tickets] = [get('accounts'), get('tickets')];
    const own = await tickets.ofAccount(buyer.account, 10);
    const files = async () => (await Promise.all(own.map(({ id }) => tickets.files(id)))).flat();
    const browser = await signedIn();
    expect((await browser.submit('/profile/erase', '/profile/erase', { confirm: email })).location).toBe('/erased');
    expect((await browser.get('/library')).location).toBe('/sign-in?next=%2Flibrary');
    expect(await accounts.erasure(buyer.account)).toMatchObject({ finished_at: null });
    expect(await files()).toHaveLength(1);
    await sendMail(mount());
    expect(await accounts.erasure(buyer.account)).toMatchObject({ finished_at: expect.any(String) });
    expect(await files()).toEqual([]);
  });
};
