import { afterEach, describe, expect, test } from 'vitest';
import { grantPermit } from '../../../../domain/access/grant-permit.ts';
import { keyAddress } from '../../../../domain/accounts/account.ts';
import { newTrial } from '../../../../domain/licensing/trial.ts';
import { addDays } from '../../../../domain/shared/instant.ts';
import { anAccount } from '../../../support/account-builders.ts';
import { aDevice, anEntitlement, anOrder, aProduct } from '../../../support/builders.ts';
import { type Console, openConsole } from '../../../support/console.ts';
import { MAILING } from '../../../support/mail.ts';
import { done } from '../../../support/outcomes.ts';

const PERMIT = grantPermit();

const CONTENTS = {
  products: [
    aProduct({ id: 7, slug: 'memo', name: { en: 'Memo Pad', ko: '메모' }, license_keys: true }),
    aProduct({ id: 9, slug: 'team', name: { en: 'Team Pad' }, slots: 'persons' }),
  ],
  accounts: [
    anAccount({ id: 1, email: 'ada@example.com', name: 'Ada' }),
    anAccount({ id: 2, email: 'bob@example.com' }),
  ],
  orders: [anOrder({ id: 5, number: 'O-5', account_id: 1 })],
  entitlements: [
    anEntitlement({ id: 8, account_id: 1, product_id: 7, device_limit: 2 }),
    anEntitlement({ id: 10, account_id: 1, product_id: 9, source_quantity: 2 }),
  ],
};

describe('the customer pages of the console', () => {
  let shop: Console;
  afterEach(() => shop.close());

  const open = async (role: Parameters<typeof openConsole>[1] = 'everything') => {
    shop = await openConsole(CONTENTS, role, { settings: MAILING });
    const { devices } = shop.service.parts;
    const { slots } = await devices.find(1, 7, null);
    await devices.activate(PERMIT, 1, 7, aDevice({ device_id: 'laptop', name: 'Studio', app_version: '2.4.1' }), slots);
    return shop;
  };
  const page = async (path: string) => {
    const { status, body } = await shop.browser.get(path);
    expect([path, status, shop.faults]).toEqual([path, 200, []]);
    return body;
  };

  const submit = (path: string, fields: Record<string, string>) =>
    shop.browser.submit(path.slice(0, path.lastIndexOf('/')), path, fields);

  test('customers are listed newest first with what they have', async () => {
    await open();
    const list = await page('/customers');
    expect(list.indexOf('bob@example.com')).toBeLessThan(list.indexOf('ada@example.com'));
    expect(list.match(/Runs the shop/g)).toHaveLength(1);
    const body = await page('/customers/1');
    for (const text of ['ada@example.com', 'memo', 'O-5', 'Studio', '2.4.1', '/customers/1/licenses/8'])
      expect(body).toContain(text);
    expect(await page('/customers/1/devices/memo/laptop')).toContain('2.4.1');
    expect(await page('/customers/1/licenses/8')).toContain('Revoke');
    expect((await shop.browser.get('/customers/77')).status).toBe(404);
  });

  test('the new owner of a transferred license is shown, and an anonymous account is not mailed', async () => {
    await open();
    const moved = await submit('/customers/1/licenses/8/transfer', { email: 'bob@example.com' });
    expect(moved.location?.split('?')[0]).toBe('/customers/2');
    expect(await page('/customers/2')).toContain('action="/customers/2/mailLink"');
    const { accounts } = shop.service.parts;
    await accounts.save(PERMIT, anAccount({ id: 30, email: keyAddress(30), name: null }));
    expect(await page('/customers/30')).not.toMatch(/mailLink|mailKey/);
  });

  test('support can extend the trial of a device, which belongs to no customer', async () => {
    await open('support');
    const { trials, catalogEditor } = shop.service.parts;
    const now = shop.service.get('clock').now();
    const value = aProduct({ id: 7, slug: 'memo', trial_days: 14 });
    await catalogEditor.save(PERMIT, { kind: 'product', value });
    await trials.start(PERMIT, 'laptop', newTrial(7, 14, now), { trial: undefined, version: null });
    const fields = { product: 'memo', days: '40' };
    const extended = await submit('/customers/trial', { ...fields, device_id: 'laptop' });
    expect(extended.status).toBe(303);
    expect((await trials.find(7, 'laptop', now)).trial?.ends_at.slice(0, 10)).toBe(addDays(now, 40).slice(0, 10));
    const unknown = await submit('/customers/trial', { ...fields, device_id: 'tablet' });
    expect([unknown.status, unknown.body.includes('has no trial')]).toEqual([404, true]);
  });

  test.each([
    ['/customers/add', { email: 'new@example.com' }, 'The customer was added.'],
    ['/customers/1/rename', { name: 'Countess' }, 'The customer was changed.'],
    ['/customers/1/limit', { requests_per_minute: '30' }, 'The limit was saved.'],
    ['/customers/1/give', { product_id: '7', access_expires_at: '2999-01-01' }, 'The license was given.'],
    ['/customers/1/mailLink', {}, 'A sign-in link goes to the customer by mail.'],
    ['/customers/1/mailKey', { product: 'memo', mail: 'true' }, 'The license key goes to the customer by mail.'],
    ['/customers/1/suspend', {}, 'The customer is suspended.'],
    ['/customers/1/lockOut', {}, 'All ways in have ended.'],
    ['/customers/1/merge', { into: 'bob@example.com' }, 'The customers were merged.'],
    ['/customers/1/licenses/8/extend', { device_limit: '9' }, 'The license was extended.'],
    ['/customers/1/licenses/8/revoke', {}, 'The license was revoked.'],
    ['/customers/1/devices/memo/laptop/release', { product: 'memo' }, 'The device was released.'],
    ['/customers/1/devices/memo/laptop/block', { product: 'memo', reason: 'Lost' }, 'The device is blocked.'],
    ['/customers/1/erasure/erase', {}, 'The customer was erased.'],
  ])('the action %s with %j is carried out and confirmed', async (path, fields, said) => {
    await open();
    const answer = await submit(path, fields);
    expect([answer.status, shop.faults]).toEqual([303, []]);
    const to = new URL(answer.location ?? '', shop.url);
    expect(to.searchParams.get('done')).toBe(said);
  });

  test('the seats of a team are shown, and an open invitation has its page', async () => {
    await open('support');
    const { location } = await submit('/customers/1/seat', {
      product: 'team',
      email: 'new@example.com',
      role: 'member',
    });
    expect(location).toContain('/customers/1?done=');
    const body = await page('/customers/1');
    expect(body).toContain('team: 2 of 2 seats taken');
    const path = /\/customers\/1\/seats\/team\/\d+/.exec(body)?.[0] ?? '';
    expect(await page(path)).toContain('/teams/1/9');
    await submit(`${path}/unseat`, { product: 'team', person_id: path.split('/').at(-1) ?? '' });
    expect(await page('/customers/1')).toContain('team: 1 of 2 seats taken');
    expect(await page('/customers/2')).not.toContain('/customers/2/seat');
  });

  test('a refused change is shown beside its form with the typed text', async () => {
    await open();
    const { status, body } = await submit('/customers/1/rename', { email: 'bob@example.com', name: 'Ada' });
    expect(status).toBe(409);
    expect(body).toContain('value="bob@example.com"');
    expect(body).toContain('role="alert"');
  });

  test('support sees no action of the role everything, and the role orders sees no customers', async () => {
    await open('support');
    const body = await page('/customers/1');
    for (const word of ['rename', 'merge', 'erasure']) expect(body).not.toContain(`/customers/1/${word}`);
    expect(body).toContain('/customers/1/suspend');
    await shop.close();
    await open('orders');
    expect((await shop.browser.get('/customers')).status).toBe(403);
  });

  test('a search opens its only match, groups several, and finds a key by its value without repeating it', async () => {
    await open();
    const at = async (q: string) => shop.browser.get(`/search?${new URLSearchParams({ q })}`);
    expect((await at('ada@example.com')).location).toBe('/customers/1');
    const { key, value } = done(await shop.service.get('createApiKey')(PERMIT, { account_id: 1, name: 'Build' }));
    expect((await at(value)).location).toBe(`/customers/1/keys/${key.id}`);
    const end = await submit(`/customers/1/keys/${key.id}/end`, {});
    expect(end.status).toBe(303);
    const none = await at('nobody@example.com');
    expect([none.status, none.body.includes('Nothing found')]).toEqual([200, true]);
    await shop.service.get('billingRecords').saveOrder(PERMIT, anOrder({ id: 7, number: '1', account_id: 2 }));
    const several = await at('1');
    expect(several.body).toContain('/customers/1');
    expect(several.body).toContain('/orders/id:7');
    expect(shop.faults).toEqual([]);
  });
});
