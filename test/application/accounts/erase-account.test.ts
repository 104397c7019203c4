import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import type { PaymentEvent } from '../../../domain/sales/payment-event.ts';
import type { SaleEvent } from '../../../domain/sales/sale-event.ts';
import type { Service } from '../../../runtimes/composition/bootstrap.ts';
import { anEntitlement, anOrder } from '../../support/builders.ts';
import { anErasureShop, type ErasureShop, inMemory, naming, onDisk } from '../../support/erasure-shop.ts';
import { SHARED_FILE } from '../../support/full-account.ts';
import { BY_WEBHOOK } from '../../support/mail.ts';
import { done } from '../../support/outcomes.ts';
import { order, refund, subscription } from '../../support/sale-events.ts';
import { accountEntry, faultLines, importInto, productEntry } from '../../support/store-folder.ts';
import { aReceiver, aWebhook, deliverAll } from '../../support/webhooks.ts';

const permit = grantPermit();

describe.each([
  ['in memory', inMemory],
  ['on SQLite and files', onDisk],
])('an account that is erased %s', (_, open) => {
  let shop: ErasureShop;

  beforeEach(async () => {
    shop = await anErasureShop(open);
  });

  test('an erased account is found nowhere in the store, neither in items nor in the names of keys', async () => {
    const { erase, entries, zaphod } = shop;
    for (const trace of zaphod.traces) expect(naming(await entries(), trace)).not.toEqual([]);
    expect(await erase()).toMatchObject({ value: { result: 'erased' } });
    const after = await entries();
    for (const trace of zaphod.traces) expect([trace, naming(after, trace)]).toEqual([trace, []]);
  });

  test('a team’s records in the partition of the erased account are removed too', async () => {
    await shop.service.get('table').put({ pk: 'ACCOUNT#7', sk: 'SHOP-RATING#4', data: { stars: 5 } });
    done(await shop.erase());
    expect(naming(await shop.entries(), 'SHOP-RATING')).toEqual([]);
  });

  test('an erased account leaves its mark, orders, invoices, emptied tickets and the audit log', async () => {
    const { erase, entries } = shop;
    done(await erase());
    const left = (await entries()).filter(
      (entry) => 'data' in entry && /"account_id":7\b|ACCOUNT#7"/.test(JSON.stringify(entry)),
    );
    const kinds = left.map(({ pk, sk }) => (pk === 'ACCOUNT#7' ? sk.split('#', 1)[0] : pk.split('#', 1)[0]));
    expect(new Set(kinds)).toEqual(
      new Set(['ERASED', 'ORDER', 'ORDERS', 'INVOICE', 'OWNER', 'NUMBER', 'TICKETS', 'AUDIT']),
    );
    const tickets = left.filter(({ pk }) => pk.startsWith('TICKETS#'));
    const sales = left.filter(({ sk }) => /^(ORDER|INVOICE)#/.test(sk));
    expect(sales).toMatchObject([
      { data: { pdf_url: null, receipt_url: null, total_cents: expect.any(Number) } },
      { data: { receipt_url: null, status: 'refunded', refunds: [{ reason: null, keeps_access: true }] } },
    ]);
    expect(tickets).toMatchObject([{ data: { summary: '', detail: '', device_id: null } }, { data: { summary: '' } }]);
  });

  test('an erased account’s sales keep neither link nor billing details, and later news of them is refused', async () => {
    const { service, erase, entries } = shop;
    const record = (event: SaleEvent) => service.get('recordSale')(permit, event);
    const buyer = { email: 'zaphod@example.com', name: null, locale: null };
    const lines = [{ product: 'product-1', quantity: 1, total_cents: 3000, discount_cents: 0 }];
    const things = [{ product: 'product-1' }];
    const receipt_url = 'https://pay.example.com/receipts/zaphod';
    const billing = { name: 'pay.example.com', address: 'pay.example.com', tax_number: 'pay.example.com' };
    const invoice = { number: 'R-1', url: 'https://pay.example.com/invoices/1' };
    done(await record(order({ buyer, lines, receipt_url, billing, invoice })));
    const update_payment_method_url = 'https://pay.example.com/cards/zaphod';
    done(await record(subscription({ buyer, things, update_payment_method_url })));
    expect(naming(await entries(), 'pay.example.com')).not.toEqual([]);
    const { sale_notes } = done(await erase({ trial: true })).goes;
    expect(done(await erase()).goes).toMatchObject({ sale_notes });
    expect(naming(await entries(), 'pay.example.com')).toEqual([]);
    expect(naming(await entries(), 'R-1')).not.toEqual([]);
    const before = await entries();
    for (const event of [refund(), order({ buyer, lines }, 8), subscription({ buyer, things, ends_at: null }, 8)]) {
      expect(await record(event)).toMatchObject({ ok: false, code: 'account_erased' });
    }
    expect(await entries()).toEqual(before);
  });

  test('an erased account’s webhooks are sent only its sales, and no delivery about it is listed', async () => {
    const receiver = aReceiver();
    shop = await anErasureShop(open, { webhookSender: receiver });
    const { service, erase } = shop;
    const { id } = await aWebhook(service, ['device.*', 'license.*', 'sale.*']);
    const change = async (account_id: number, n: number) => {
      await service.get('grants').saveEntitlement(BY_WEBHOOK, anEntitlement({ id: n, account_id }));
      await service.get('billingRecords').saveOrder(BY_WEBHOOK, anOrder({ id: n, number: `O-${n}`, account_id }));
    };
    const listed = async () => {
      const all = done(await service.get('listDeliveries')({ webhook_id: id, limit: 99, after: null }));
      return all.map(({ kind, state, data }) => [kind, (data as { account_id: number }).account_id, state].join(' '));
    };
    for (const of of [7, 8]) await change(of, of * 10);
    await deliverAll(service);
    receiver.answer = () => 500;
    await change(7, 71);
    await deliverAll(service);
    expect(await listed()).toEqual(
      expect.arrayContaining(['license.created 7 delivered', 'license.created 7 waiting']),
    );
    await change(7, 72);
    done(await erase());
    // A request that was in progress may write later.
    await change(7, 73);
    receiver.got = [];
    receiver.answer = () => 200;
    await deliverAll(service);
    expect(receiver.types()).toEqual(['sale.paid', 'sale.paid']);
    expect((await listed()).toSorted()).toEqual([
      'license.created 8 delivered',
      ...Array(3).fill('sale.paid 7 delivered'),
      'sale.paid 7 waiting',
      'sale.paid 8 delivered',
    ]);
  });

  test('an event without an account is erased by its email address, and those of other addresses stay', async () => {
    const { service, erase } = shop;
    const events = service.get('paymentEvents');
    const EMAIL = 'Zaphod@example.com';
    const name = (id: string, email: string) => {
      const meaning = { buyer: { email, name: null, locale: null } };
      return events.keepMeaning(permit, 'stripe', id, { meaning, account_id: null });
    };
    const event = (id: string, more: Partial<PaymentEvent>) =>
      events.save(permit, {
        provider: 'stripe',
        id,
        type: 'checkout.session.completed',
        received_at: service.get('clock').now(),
        state: 'waiting',
        reason: 'It waits.',
        account_id: null,
        body: '{}',
        ...more,
      });
    const told = (email: string) => JSON.stringify({ data: [{ customer: { email } }] });
    await event('refused', { state: 'refused', buyer: EMAIL });
    await event('waiting', { body: told(EMAIL) });
    await event('ignored', { state: 'ignored', reason: null, body: told(EMAIL) });
    await event('other', { body: told(`x${EMAIL}`) });
    await event('seller', { buyer: 'ford@example.com', body: told(EMAIL) });
    // The address of a letter names no address of mail, and belongs to its customer.
    await event('letter', { state: 'ignored', reason: null, body: JSON.stringify({ id: 'add_1', customer: 'cus_7' }) });
    await event('foreign', { provider: 'shop', body: JSON.stringify({ customer: 'cus_7' }) });
    await name('cus_early', EMAIL);
    await name('cus_other', 'ford@example.com');
    // The addresses of an account that was merged into this one lead to it too, its former ones among them.
    const ford = done(await service.get('addAccount')(permit, { email: 'ix@example.net', name: null, password: null }));
    done(await service.get('renameAccount')(permit, { account_id: ford.id, email: 'ix@example.com' }));
    done(await service.get('mergeAccounts')(permit, { from: ford.id, into: 7 }));
    await event('merged', { body: told('ix@example.com') });
    await event('merged-former', { body: told('ix@example.net') });
    // A former address leads to the account too, until another account has it.
    const rename = async (email: string) => done(await service.get('renameAccount')(permit, { account_id: 7, email }));
    for (const email of ['former@example.com', 'taken@example.com', EMAIL]) await rename(email);
    done(await service.get('addAccount')(permit, { email: 'taken@example.com', name: null, password: null }));
    for (const id of ['former', 'taken']) await event(id, { state: 'refused', buyer: `${id}@example.com` });
    done(await erase());
    expect((await Array.fromAsync(events.list())).map(({ id }) => id).toSorted()).toEqual([
      'evt_8_trillian',
      'foreign',
      'other',
      'seller',
      'taken',
    ]);
    expect(await events.name('stripe', 'cus_early')).toBeUndefined();
    expect(await events.name('stripe', 'cus_other')).toBeDefined();
    expect(naming(await shop.entries(), 'zaphod@example.com')).toEqual([]);
  });

  test('an erased account’s files are removed, and a file that another account also sent stays', async () => {
    const { erase, objects, folder } = shop;
    expect((await objects.list()).keys).toHaveLength(3);
    done(await erase());
    expect((await objects.list()).keys).toHaveLength(2);
    if (folder !== undefined) expect(await readdir(join(folder, 'objects', 'bytes'))).toHaveLength(2);
    const [ticket] = (await Array.fromAsync(shop.service.get('tickets').list())).filter(
      ({ account_id, summary }) => account_id === 8 && summary.includes(SHARED_FILE),
    );
    const [file] = await shop.service.get('tickets').files(ticket?.id ?? 0);
    expect(await shop.service.get('objects').stat(file?.object_key ?? '')).toBeDefined();
  });

  test('an erasure changes no record of another account', async () => {
    const { erase, entries, trillian } = shop;
    const of = async () =>
      (await entries()).filter((entry) => trillian.traces.some((trace) => naming([entry], trace).length > 0));
    const before = await of();
    done(await erase());
    expect(await of()).toEqual(before);
  });

  test('a trial run counts what is erased and what stays, and writes nothing', async () => {
    const { erase, entries, objects } = shop;
    const before = await entries();
    const tried = done(await erase({ trial: true }));
    expect(tried).toMatchObject({
      result: 'trial',
      goes: {
        profile: 1,
        keys: 2,
        passkeys: 0,
        browsers: 2,
        sign_ins: 3,
        apps: 1,
        devices: 1,
        usage: 4,
        grants: 2,
        payment_methods: 1,
        sale_notes: 2,
        tickets: 2,
        files: 4,
        replays: 1,
      },
      stays: { orders: 1, invoices: 1, tickets: 2, mark: 1 },
    });
    expect(await entries()).toEqual(before);
    expect((await objects.list()).keys).toHaveLength(3);
    const { goes, stays } = done(await erase());
    expect(goes).toEqual(tried.goes);
    expect(stays).toMatchObject({ orders: 1, invoices: 1, tickets: 2, mark: 1, audit: tried.stays.audit + 1 });
  });
});

describe('after an erasure', () => {
  let shop: ErasureShop;
  let get: Service['get'];

  beforeEach(async () => {
    shop = await anErasureShop(inMemory);
    get = shop.service.get;
    done(await shop.erase());
  });

  const signIn = (email: string, password: string) =>
    get('signInWithPassword')({ email, password, address: '203.0.113.7', browser: 'Firefox', known: null });

  test('an erased account’s keys, session, application and link are unknown', async () => {
    const { key, deviceKey, cookie, code } = shop.zaphod.credentials;
    for (const value of [key, deviceKey]) {
      expect(await get('authenticate')(value)).toMatchObject({ code: 'invalid_api_key' });
    }
    expect(await get('findSession')(cookie)).toBeUndefined();
    expect(await get('signInTokens').find(shop.zaphod.accessToken)).toBeUndefined();
    expect(await get('signInTokens').find(shop.trillian.accessToken)).toMatchObject({ account_id: 8 });
    const used = await get('useSignInLink')({ code, browser: 'Firefox', address: '203.0.113.7' });
    expect(used).toMatchObject({ code: 'link_not_usable' });
  });

  test('a sign-in to an erased account is refused like one with an unknown address', async () => {
    const { email, password } = shop.zaphod.credentials;
    expect(await signIn(email, password)).toEqual(await signIn('nobody@example.com', password));
    expect(await signIn(shop.trillian.credentials.email, shop.trillian.credentials.password)).toMatchObject({
      ok: true,
    });
  });

  test('the email address and the provider identity of an erased account are free for a new account', async () => {
    const { email } = shop.zaphod.credentials;
    const added = done(await get('addAccount')(permit, { email, name: null, password: null }));
    expect(
      await get('upstreamLinks').add({ issuer: 'https://id.example.com', subject: 'zaphod-subject' }, added.id),
    ).toBe(true);
    expect(await get('licenses').held(added.id)).toEqual({ entitlements: [], subscriptions: [] });
  });

  test('the operator’s commands do not find an erased account, and the audit log records the erasure', async () => {
    expect(await get('showAccount')('7')).toMatchObject({
      code: 'account_erased',
      message: expect.stringMatching(/^Account 7 was erased at 20/),
    });
    expect(await get('listGrants')({ account_id: 7 })).toMatchObject({ code: 'account_not_found' });
    const input = {
      since: null,
      until: null,
      account_id: 7,
      product_id: null,
      action: 'account.erased',
      by: null,
      subject: null,
    };
    expect(await Array.fromAsync(get('auditLog').list(input))).toMatchObject([{ subject_id: '7' }]);
  });

  test('erasing the account again removes what a concurrent request left', async () => {
    await get('setupProgresses').save(permit, 7, 1, { completed_step_indexes: [1], completed_at: null });
    expect(await shop.erase()).toMatchObject({ value: { result: 'completed', goes: { profile: 0, usage: 1 } } });
    expect(await shop.erase()).toMatchObject({ value: { goes: { usage: 0 }, stays: { orders: 1 } } });
  });

  test('an old store document with an erased account is refused, and nothing is imported', async () => {
    const before = await shop.entries();
    const outcome = await importInto(shop.service, '/nowhere', {
      products: [productEntry({ id: 1 })],
      accounts: [accountEntry({ id: 7 })],
    });
    expect(faultLines(outcome)).toEqual([
      expect.stringMatching(/^accounts\.0\.id: account 7 was erased at 20.* and stays so; leave the account out/),
    ]);
    expect(await shop.entries()).toEqual(before);
  });

  test('erasing an unknown account is refused', async () => {
    expect(await shop.erase({ account_id: 9 })).toMatchObject({ code: 'account_not_found' });
  });
});
