import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { csrfToken } from '../../../../adapters/web/account/csrf.ts';
import { grantPermit } from '../../../../domain/access/grant-permit.ts';
import type { ShopRole } from '../../../../domain/access/principal.ts';
import { newDevice } from '../../../../domain/devices/seat.ts';
import type { PaymentEvent } from '../../../../domain/sales/payment-event.ts';
import { ticketNumber } from '../../../../domain/support/ticket.ts';
import { anAccount } from '../../../support/account-builders.ts';
import { anOrder, aProduct } from '../../../support/builders.ts';
import { type Console, MEMBER, openConsole } from '../../../support/console.ts';
import { put } from '../../../support/contents.ts';
import { done } from '../../../support/outcomes.ts';
import { hiddenFields } from '../../../support/page-browser.ts';
import { shopEvent, shopOrder } from '../../../support/payment-bodies.ts';
import { passed } from '../../../support/permits.ts';
import { A_STOREFRONT } from '../../../support/public-builders.ts';
import { aCrash, aFile, aReport, SENDER } from '../../../support/report-builders.ts';

const permit = grantPermit();

let shop: Console;
const get: Console['service']['get'] = (name) => shop.service.get(name);
const open = async (role?: ShopRole) => {
  await shop?.close();
  shop = await openConsole(
    {
      accounts: [anAccount({ id: 7, email: 'ann@example.com' })],
      products: [aProduct({ id: 1, slug: 'tool' })],
      orders: [anOrder({ account_id: 7 })],
    },
    role,
  );
};
beforeEach(() => open());
afterEach(async () => {
  await shop.close();
  expect(shop.faults).toEqual([]);
});

const page = async (path: string): Promise<string> => (await shop.browser.get(path)).body;
/** The rows of the list on a page. */
const rows = async (path: string): Promise<string[]> =>
  [...(await page(path)).matchAll(/<tr><th scope="row">(.*?)<\/th>/gs)].map(([, cell = '']) =>
    cell.replaceAll(/<[^>]*>/g, ''),
  );

describe('the tickets in the console', () => {
  const report = async (summary: string, bytes?: string): Promise<number> => {
    const files = { bundle: bytes === undefined ? null : aFile(bytes) };
    const received = get('receiveSupportReport')({ account_id: 7, body: aReport({ summary }), files });
    return done(await passed(received)).ticket.id;
  };
  const files = async (id: number) => (await get('tickets').files(id)).map(({ name, answer }) => [name, answer]);

  test('an answer that is sent after the session ended is shown to copy, and stands in its form if it was kept', async () => {
    const id = await report('It stops');
    const [path, text] = [`/tickets/${id}`, 'Update it,\nthen <restart>.'];
    const fields = { ...hiddenFields(await page(path), `${path}/answer`), text };
    const none = new Uint8Array();
    for (const session of await get('sessions').of(MEMBER.account_id)) await get('sessions').end(session);
    const late = await shop.browser.attach(`${path}/answer`, fields, '', none);
    expect([late.status, await files(id)]).toEqual([403, []]);
    expect(late.body).toMatch(/Copy your text[\s\S]*Update it,\nthen &lt;restart&gt;\./);
    const attached = await shop.browser.attach(`${path}/answer`, fields, 'patch.zip', Buffer.from('patch'));
    expect(attached.location).toBe(`/sign-in?next=${encodeURIComponent(path)}`);
    await open();
    const other = `/tickets/${await report('It stops')}`;
    const stale = { ...fields, csrf: csrfToken('x'.repeat(43)) };
    expect(await shop.browser.post(`${other}/answer`, stale)).toMatchObject({ location: `${other}?kept=1` });
    expect(await page(`${other}?kept=1`)).toMatch(
      /You were signed out when you sent[\s\S]*Update it,\nthen &lt;restart&gt;\./,
    );
    expect(await page(other)).not.toContain('Update it');
    expect(await files(id)).toEqual([]);
  });

  test('the inbox lists open tickets, a reply with a file reaches the buyer, and closing removes a ticket', async () => {
    const [first, second] = [await report('It <stops>', 'log'), await report('No sound')];
    expect(await rows('/tickets')).toEqual(['It &lt;stops&gt;', 'No sound']);
    const body = await page(`/tickets/${first}`);
    for (const word of [
      'ann@example.com',
      ticketNumber({ id: first }),
      anOrder().number,
      `/tickets/${first}/files/1`,
    ]) {
      expect(body).toContain(word);
    }
    expect((await shop.browser.get(`/tickets/${first}/files/1`)).location).toMatch(/reports/);
    const path = `/tickets/${first}/answer`;
    const fields = { ...hiddenFields(body, path), text: 'Use this.' };
    const sent = await shop.browser.attach(path, fields, 'patch.zip', Buffer.from('patch'));
    expect(await page(sent.location ?? '')).toMatch(/Answered[\s\S]*The answer was sent\./);
    expect(await page('/')).toMatch(/<strong>1<\/strong> <a href="\/tickets">/);
    expect(await files(first)).toContainEqual(['patch.zip', 1]);
    expect(await rows('/tickets')).toEqual(['No sound', 'It &lt;stops&gt;']);
    await shop.browser.submit(`/tickets/${second}`, `/tickets/${second}/close`, {});
    expect([await rows('/tickets'), await rows('/tickets?state=closed')]).toEqual([['It &lt;stops&gt;'], ['No sound']]);
    await shop.browser.submit(`/tickets/${second}`, `/tickets/${second}/reopen`, {});
    expect(await rows('/tickets')).toHaveLength(2);
  });

  test('an empty reply and an oversized file are refused beside the typed text, without storing anything', async () => {
    const id = await report('It stops');
    const path = `/tickets/${id}/answer`;
    const fields = hiddenFields(await page(`/tickets/${id}`), path);
    const empty = await shop.browser.post(path, { ...fields, text: '' });
    expect([empty.status, empty.body.includes('Check the marked fields.')]).toEqual([422, true]);
    const large = await shop.browser.attach(path, { ...fields, text: 'Use this.' }, 'a.zip', Buffer.alloc(4_000_001));
    expect([large.status, large.body.includes('Use this.</textarea>'), large.body.includes('4 MB')]).toEqual([
      413,
      true,
      true,
    ]);
    expect([await files(id), await get('tickets').answers(id)]).toEqual([[], []]);
  });

  test('a withdrawal stays on the first page until its ticket is closed', async () => {
    await report('No sound');
    const now = get('clock').now();
    const order = anOrder({ id: 5, account_id: 7, ordered_at: now, paid_at: now });
    await put(shop.service, { storefront: A_STOREFRONT, orders: [order] });
    const text = (number: string) => ({ summary: `Withdrawal from ${number}`, detail: 'I withdraw.' });
    const { ticket_id } = done(
      await get('withdrawFromOrder')(permit, { account_id: 7, order_id: 5, locale: 'en', text }),
    );
    const waiting = async () => [...(await page('/')).matchAll(/<strong>(.*?)<\/strong> <a href="\/tickets">(.*?)</g)];
    const shown = async () => (await waiting()).map(([, count, name]) => `${count} ${name}`);
    expect(await shown()).toEqual(['1 Withdrawals to refund', '1 Tickets that wait for an answer']);
    await shop.browser.submit(`/tickets/${ticket_id}`, `/tickets/${ticket_id}/close`, {});
    expect(await shown()).toEqual(['1 Tickets that wait for an answer']);
  });

  test('an unknown ticket is 404, and a role without tickets can’t open one', async () => {
    expect((await shop.browser.get('/tickets/5')).status).toBe(404);
    await open('catalog');
    expect((await shop.browser.get('/tickets')).status).toBe(403);
  });
});

describe('the payment events in the console', () => {
  const event = (id: string, more: Partial<PaymentEvent>) =>
    get('paymentEvents').save(permit, {
      provider: 'shop',
      id,
      type: 'order',
      received_at: get('clock').now(),
      state: 'refused',
      reason: 'No product has the price price_1 of shop; name it in “prices”.',
      fault: 'product_not_found',
      account_id: null,
      body: JSON.stringify(shopEvent('order', shopOrder())),
      ...more,
    });

  test('each event shows its reason and remedy in a seller’s words, an older one its stored message, and filters narrow the list', async () => {
    await event('evt_price', { buyer: 'ann@example.com' });
    await event('evt_old', { fault: undefined });
    await event('evt_done', { state: 'done', reason: null, fault: undefined });
    expect(await rows('/events')).toHaveLength(2);
    expect(await rows('/events?show=all')).toHaveLength(3);
    expect(await rows('/events?fault=product_not_found&provider=shop')).toHaveLength(1);
    const body = await page('/events/shop/evt_price');
    for (const word of ['Unknown price or product', 'add this price of the provider', 'ann@example.com', '<pre']) {
      expect(body).toContain(word);
    }
    expect(await page('/events/shop/evt_old')).toContain('Other reason');
    expect((await shop.browser.get('/events/shop/evt_none')).status).toBe(404);
  });

  test('one event runs again at once, and all of a reason are left to the server, which the page counts', async () => {
    const settings = { webhookSecrets: { shop: ['s'.repeat(32)] } } as never;
    await shop.close();
    shop = await openConsole({ products: [aProduct({ id: 1, slug: 'tool' })] }, 'orders', { settings });
    for (const id of ['evt_1', 'evt_2', 'evt_3']) await event(id, {});
    await event('evt_4', { fault: 'currency_unknown' });
    const again = await shop.browser.submit('/events/shop/evt_1', '/events/shop/evt_1/replay', {});
    expect(await page(again.location ?? '')).toMatch(/The event (is recorded|was refused again)\./);
    await event('evt_1', {});
    const list = '/events?fault=product_not_found';
    const queued = await shop.browser.submit(list, '/events/replay', {});
    expect(queued.location).toContain(`${list}&`);
    const body = await page(queued.location ?? '');
    for (const word of ['3 events are tried again.', '3 left to try again.']) expect(body).toContain(word);
    await get('askProviders')(permit);
    expect(await page(list)).not.toContain('left to try again');
  });
});

describe('the errors in the console', () => {
  test('equal errors are one row with count and versions, and its page has the newest reports', async () => {
    for (const app_version of ['1.0', '1.1']) {
      await passed(get('receiveErrorReport')({ body: aCrash('tick', { app_version }), owner: SENDER }));
    }
    const body = await page('/errors');
    const [id] = /(?<=href="\/errors\/)(?!usage|versions)[^"]+/.exec(body) ?? [];
    for (const word of ['TypeError: no hands', 'Crash', '1.1 and 1 more', '<td class="number">2</td>']) {
      expect(body).toContain(word);
    }
    const group = await page(`/errors/${id}`);
    for (const word of ['1.1, 1.0', 'Where in the program', 'tick']) expect(group).toContain(word);
  });

  test('the versions in use are shown by product with their share, also to the role for tickets', async () => {
    await open('support');
    expect(await page('/errors/versions')).toContain('No devices yet');
    for (const [n, app_version] of ['2.0', '2.0', '2.0', '<1>'].entries()) {
      const device = newDevice(`device-${n}`, null, new Date().toISOString(), undefined, { app_version });
      const { slots } = await get('devices').find(1, 1, null);
      await get('devices').activate(grantPermit(), 1, 1, device, slots, { unlimited: true });
    }
    const body = await page('/errors/versions');
    for (const word of ['tool: 4 devices', '75%', '25%', '&lt;1&gt;']) expect(body).toContain(word);
  });

  test('usage is shown only to a permitted role, and its source is explained while there is none', async () => {
    expect(await page('/errors/usage?product=tool&days=7')).toContain('No usage in these days');
    await open('support');
    expect((await shop.browser.get('/errors/usage')).status).toBe(403);
    expect(await page('/errors')).not.toContain('/errors/usage');
  });
});
