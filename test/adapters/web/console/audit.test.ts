import { afterEach, describe, expect, test } from 'vitest';
import { grantPermit } from '../../../../domain/access/grant-permit.ts';
import { anAccount } from '../../../support/account-builders.ts';
import { anOrder } from '../../../support/builders.ts';
import { type Console, MEMBER, openConsole } from '../../../support/console.ts';
import { done } from '../../../support/outcomes.ts';

describe('the audit log in the console', () => {
  let shop: Console;

  afterEach(() => shop.close());

  const open = async (role?: 'support') => {
    shop = await openConsole(
      { accounts: [anAccount({ id: 1 })], orders: [anOrder({ id: 5, number: 'A-1042' })] },
      role,
    );
    const { account_id: id, name } = MEMBER;
    const by = {
      kind: 'member',
      id: String(id),
      name,
      account_id: null,
      through: 'refundOrder',
      from: '192.0.2.1',
    } as const;
    const input = { order: '5', item_ids: [], keeps_access: false, reason: null };
    done(
      await shop.service.get('refundOrder')(
        grantPermit(() => by),
        input,
      ),
    );
  };
  const words = (body: string): string => body.replaceAll(/<[^>]+>/g, '').replaceAll(/\s+/g, ' ');

  test('each change is shown as a sentence with folded details', async () => {
    await open();
    const { body } = await shop.browser.get('/audit');
    expect(words(body)).toContain('Olga Owner refunded order A-1042');
    expect(words(body)).toContain('added a customer');
    expect(body).toContain('href="/orders/id:5"');
    expect(body).toMatch(/<details class="more"><summary>Details<\/summary>[\s\S]*192\.0\.2\.1[\s\S]*<\/details>/);
    expect(words((await shop.browser.get('/audit?lang=ko')).body)).toContain('Olga Owner: 주문 A-1042 환불');
    expect(shop.faults).toEqual([]);
  });

  test.each([
    ['by=member', true],
    ['by=member:900', true],
    ['by=member:901', false],
    ['by=command', false],
    ['by=nonsense', true],
    ['action=order', true],
    ['action=device', false],
    ['account=1', true],
    ['account=2', false],
    ['day=2020-02-29', false],
    ['day=tomorrow', true],
  ])('changes can be filtered by %s', async (query, isShown) => {
    await open();
    expect(words((await shop.browser.get(`/audit?${query}`)).body).includes('refunded order A-1042')).toBe(isShown);
  });
});
