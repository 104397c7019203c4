import { describe, expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import type { Order } from '../../../domain/billing/order.ts';
import { anAccount } from '../../support/account-builders.ts';
import { anOrder, NOW } from '../../support/builders.ts';
import { put } from '../../support/contents.ts';
import { aClock } from '../../support/fakes.ts';
import { aMailer, MAILING, sendAll } from '../../support/mail.ts';
import { memoryEngines } from '../../support/memory-engines.ts';
import { done } from '../../support/outcomes.ts';
import { A_STOREFRONT } from '../../support/public-builders.ts';
import { memoryService } from '../../support/service.ts';

const ENGLISH = (number: string) => ({ summary: `Withdrawal from order ${number}`, detail: 'I withdraw.' });
const KOREAN = (number: string) => ({ summary: `주문 ${number} 청약철회`, detail: '청약을 철회합니다.' });

const BUYER = grantPermit(() => ({ kind: 'page', id: '1', account_id: 1, through: '/orders/withdraw', from: null }));

const aShop = async (order: Partial<Order> = {}, storefront = A_STOREFRONT) => {
  const mailer = aMailer();
  const service = memoryService({ clock: aClock(), mailer }, memoryEngines(), MAILING);
  const orders = [anOrder({ id: 5, ordered_at: NOW, paid_at: NOW, ...order })];
  await put(service, { accounts: [anAccount()], storefront, orders });
  const { get } = service;
  return {
    get,
    mailed: async () => {
      await sendAll(service);
      return mailer.sent;
    },
    withdraw: (text = ENGLISH, order_id: number | null = 5) =>
      get('withdrawFromOrder')(BUYER, { account_id: 1, order_id, locale: text === KOREAN ? 'ko' : 'en', text }),
    stored: () => get('storedOrders').ofAccount(1),
    tickets: () => get('tickets').ofAccount(1, 9),
  };
};

describe('a withdrawal from an order', () => {
  test('of several simultaneous declarations in two languages, the first opens the only ticket', async () => {
    const { withdraw, stored, tickets } = await aShop();
    const declared = await Promise.all([withdraw(ENGLISH), withdraw(KOREAN), withdraw(KOREAN), withdraw(ENGLISH)]);
    const [ticket, ...more] = await tickets();
    expect(more).toEqual([]);
    expect(ticket).toMatchObject({ kind: 'refund_request', withdrawal: { order_id: 5, order_number: 'O-5' } });
    const withdrawal = { declared_at: NOW, ticket_id: ticket?.id };
    expect(declared.map(done)).toEqual(declared.map(() => withdrawal));
    expect(await stored()).toMatchObject([{ status: 'paid', withdrawal }]);
    expect(done(await withdraw(KOREAN))).toEqual(withdrawal);
  });

  test.each([
    ['English', ENGLISH, 'Your withdrawal from order O-5', /Order: O-5\n.*Received: 21 Nov 2026, 17:00 GMT\+9/s],
    ['Korean', KOREAN, '주문 O-5 청약철회 접수 확인', /주문 번호: O-5\n.*접수 일시: 2026년 11월 21일/s],
  ])('a withdrawal is confirmed once by a mail in %s with the order, the time and the next steps', async (_, text, subject, facts) => {
    const { withdraw, mailed } = await aShop();
    const { ticket_id } = done(await withdraw(text));
    await withdraw(ENGLISH);
    const [mail, ...more] = await mailed();
    expect([mail?.subject, more]).toEqual([subject, []]);
    expect(mail?.text).toMatch(facts);
    expect(mail?.text).toContain(`/support/${ticket_id}`);
  });

  test('a withdrawal is refused in a shop without terms, for an unknown order and for each stated reason', async () => {
    const off = await aShop({}, { ...A_STOREFRONT, withdrawal: null });
    expect(await off.withdraw()).toMatchObject({ ok: false, code: 'order_not_found' });
    const { withdraw, tickets } = await aShop({ status: 'partially_refunded' });
    for (const unknown of [6, null])
      expect(await withdraw(ENGLISH, unknown)).toMatchObject({ code: 'order_not_found' });
    expect(await withdraw()).toMatchObject({ ok: false, code: 'withdrawal_barred' });
    expect([...(await tickets()), ...(await off.tickets())]).toEqual([]);
  });

  test('a withdrawal survives an older document and a refund, and appears in both lists', async () => {
    const { get, withdraw, stored } = await aShop();
    const withdrawal = done(await withdraw());
    await get('billingRecords').saveOrder(grantPermit(), anOrder({ id: 5, ordered_at: NOW, paid_at: NOW }));
    const input = { order: '5', item_ids: [], keeps_access: false, reason: null };
    done(await get('refundOrder')(grantPermit(), input));
    expect(await stored()).toMatchObject([{ status: 'refunded', withdrawal }]);
    const described = done(await get('describeOrder')({ order: '5' }));
    expect(described).toMatchObject({ order: { withdrawal }, withdrawal_bar: 'declared' });
    const reports = await get('listReports')({ kind: null, status: null, app: null, since: null, limit: 9 });
    expect(reports).toMatchObject([{ id: String(withdrawal.ticket_id), type: 'withdrawal' }]);
  });
});
