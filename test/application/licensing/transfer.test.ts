import { describe, expect, test } from 'vitest';
import type { TransferInput } from '../../../application/licensing/transfer.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { anAccount } from '../../support/account-builders.ts';
import { aDevice, anEntitlement, aProduct } from '../../support/builders.ts';
import { put } from '../../support/contents.ts';
import { inMemory, onDisk } from '../../support/erasure-shop.ts';
import { aMailer, BY_WEBHOOK, MAILING, sendAll } from '../../support/mail.ts';
import { memoryEngines } from '../../support/memory-engines.ts';
import { done } from '../../support/outcomes.ts';
import { order, refund } from '../../support/sale-events.ts';
import { memoryService } from '../../support/service.ts';

const permit = grantPermit();
const BUYER = { email: 'zaphod@example.com', name: null, locale: null };
const LINES = [{ product: 'tool', quantity: 1, total_cents: 3000, discount_cents: 0 }];
const SOLD = order({ reference: 'o-1', buyer: BUYER, lines: LINES });
const PRODUCT = aProduct({ id: 1, slug: 'tool', device_limit: 2, license_keys: { shown: true } });

describe.each([
  ['in memory', inMemory],
  ['on SQLite', onDisk],
])('a license that moves to another account %s', (_, open) => {
  const aShop = async () => {
    const { engines } = await open();
    const service = memoryService({}, engines);
    const { get } = service;
    await put(service, {
      products: [PRODUCT],
      accounts: [anAccount({ id: 7, email: BUYER.email }), anAccount({ id: 8, email: 'trillian@example.com' })],
    });
    const record = async (event: typeof SOLD) => done(await get('recordSale')(permit, event));
    const { account_id } = await record(SOLD);
    const held = async (id: number) => (await get('storedLicenses').held(id)).entitlements;
    const [grant] = await held(account_id ?? 0);
    const { key, value } = done(await get('makeLicenseKey')(permit, { account_id: 7, product_id: 1 }));
    const seat = async (account: number, device_id: string) => {
      const { slots } = await get('devices').find(account, 1, device_id);
      return get('devices').activate(permit, account, 1, aDevice({ device_id }), slots);
    };
    await seat(7, 'laptop');
    const id = grant?.id ?? 0;
    return {
      ...service,
      engines,
      record,
      held,
      seat,
      /** The process is killed before the second write of a call. */
      killed: async (call: () => Promise<unknown>) => {
        const { table } = engines;
        const whole = table.transact.bind(table);
        table.transact = async (...given) => {
          table.transact = () => Promise.reject(new Error('killed'));
          return whole(...given);
        };
        await expect(call()).rejects.toThrow('killed');
        table.transact = whole;
      },
      grant,
      id,
      value,
      hash: key.hash,
      transfer: (input: Partial<TransferInput> = {}) =>
        get('transferGrant')(permit, { from: 7, id, email: 'trillian@example.com', ...input }),
      used: async (account: number) => (await get('devices').used(account)).get(1)?.used ?? 0,
    };
  };

  test('a transferred license takes its license key and devices along, and its order stays', async () => {
    const { transfer, held, used, get, hash, id, value } = await aShop();
    expect(done(await transfer({ trial: true }))).toMatchObject({ result: 'transferred', into: 8, keys: 1 });
    expect(await held(8)).toEqual([]);
    expect(done(await transfer())).toMatchObject({ result: 'transferred', into: 8, products: [{ id: 1 }] });
    expect([await held(7), await used(7), await used(8)]).toEqual([[], 0, 1]);
    expect(await held(8)).toMatchObject([{ id, account_id: 8, transferred: { from: 7 } }]);
    expect(await get('apiKeys').find(hash)).toMatchObject({ account_id: 8, kind: 'license' });
    expect((await get('apiKeys').scopes(7)).flatMap(({ keys }) => keys)).toEqual([]);
    expect([await get('showLicenseKeys')(7, 1), await get('showLicenseKeys')(8, 1)]).toEqual([[], [value]]);
    const [bought] = await get('storedOrders').ofAccount(7);
    expect(bought?.items[0]?.first_used_at).not.toBeNull();
    expect(done(await transfer())).toMatchObject({ result: 'unchanged' });
  });

  test('keys and devices stay if the sender has another license of the product', async () => {
    const { transfer, used, get, hash } = await aShop();
    await get('grants').saveEntitlement(permit, anEntitlement({ id: 3, account_id: 7, product_id: 1 }));
    expect(done(await transfer())).toMatchObject({ keys: 0, products: [] });
    expect([await used(7), await used(8)]).toEqual([1, 0]);
    expect(await get('apiKeys').find(hash)).toMatchObject({ account_id: 7 });
  });

  test('a refund or a repeated payment reaches a transferred license, even after a second transfer', async () => {
    const { transfer, record, held, get } = await aShop();
    done(await transfer());
    const { into } = done(await transfer({ from: 8, email: 'marvin@example.com' }));
    const later = order({ reference: 'o-1', buyer: BUYER, lines: LINES, receipt_url: 'https://example.com/r' }, 5);
    expect(await record(later)).toMatchObject({ account_id: 7, result: 'updated' });
    expect([await held(7), await held(8)]).toEqual([[], []]);
    expect(await held(into)).toMatchObject([{ revoked_at: null, transferred: { from: 7 } }]);
    await record(refund({ order_reference: 'o-1' }));
    expect(await held(into)).toMatchObject([{ revoked_at: expect.any(String) }]);
    expect(await get('findAccount')('marvin@example.com')).toMatchObject({ value: into });
  });

  test('a refund by command reaches a transferred license', async () => {
    const { transfer, held, get } = await aShop();
    done(await transfer());
    const [bought] = await get('storedOrders').ofAccount(7);
    const named = { order: String(bought?.id), item_ids: [], keeps_access: false, reason: null };
    done(await get('refundOrder')(permit, named));
    expect(await held(8)).toMatchObject([{ account_id: 8, revoked_at: expect.any(String) }]);
  });

  test('a refund to an erased buyer still ends the transferred license and stores nothing else of the buyer', async () => {
    const { transfer, record, held, get } = await aShop();
    done(await transfer());
    done(await get('eraseAccount')(permit, { account_id: 7 }));
    const paidAgain = order({ reference: 'o-1', buyer: BUYER, lines: LINES, receipt_url: 'https://example.com/r' }, 5);
    expect(await get('recordSale')(permit, paidAgain)).toMatchObject({ code: 'account_erased' });
    await record(refund({ order_reference: 'o-1' }));
    expect(await held(8)).toMatchObject([{ revoked_at: expect.any(String) }]);
  });

  test('events of the order restore nothing after the holder was erased', async () => {
    const { transfer, record, held, get } = await aShop();
    done(await transfer());
    done(await get('eraseAccount')(permit, { account_id: 8 }));
    await record(order({ reference: 'o-1', buyer: BUYER, lines: LINES, receipt_url: 'https://example.com/r' }, 5));
    await record(refund({ order_reference: 'o-1' }));
    expect([await held(7), await held(8)]).toEqual([[], []]);
  });

  test.each([7, 8])('a merge of account %i keeps the link from the order to the license', async (merged) => {
    const { transfer, record, held, get } = await aShop();
    await put({ get } as never, { accounts: [anAccount({ id: 9, email: 'ford@example.com' })] });
    done(await transfer());
    done(await get('mergeAccounts')(permit, { from: merged, into: 9 }));
    await record(refund({ order_reference: 'o-1' }));
    expect(await held(merged === 8 ? 9 : 8)).toMatchObject([{ revoked_at: expect.any(String) }]);
  });

  test('an older document that is imported again changes the license at its new account', async () => {
    const { transfer, held, grant, get } = await aShop();
    done(await transfer());
    await get('grants').saveEntitlement(permit, { ...anEntitlement(), ...grant, device_limit: 9 });
    expect(await held(7)).toEqual([]);
    expect(await held(8)).toMatchObject([{ account_id: 8, device_limit: 9, transferred: { from: 7 } }]);
  });

  test('an interrupted transfer is completed by the same call and counts each device once', async () => {
    const { transfer, used, seat, held, engines } = await aShop();
    await seat(7, 'tower');
    await seat(8, 'tower');
    const { table } = engines;
    const whole = table.transact.bind(table);
    let [tries, writes] = [0, 0];
    table.transact = async (...given) => {
      if (++writes > tries) throw new Error('The process was killed.');
      return whole(...given);
    };
    for (;;) {
      tries++;
      writes = 0;
      const ended = await transfer().then(
        ({ ok }) => ok,
        () => false,
      );
      expect((await held(7)).length + (await held(8)).length).toBe(1);
      if (ended) break;
    }
    expect([tries > 1, await used(7), await used(8)]).toEqual([true, 0, 2]);
  });

  test('a second transfer also moves the devices that an interrupted one left behind', async () => {
    const { transfer, used, get, id, killed } = await aShop();
    done(await get('offerTransfer')(permit, { from: 7, id, email: 'trillian@example.com' }));
    const accept = () => get('acceptTransfer')(permit, { account_id: 8, from: 7, id });
    await killed(accept);
    expect([await used(7), await used(8)]).toEqual([1, 0]);
    const { into } = done(await transfer({ from: 8, email: 'marvin@example.com' }));
    expect([await used(7), await used(8), await used(into)]).toEqual([0, 0, 1]);
    expect(await accept()).toMatchObject({ code: 'offer_not_found' });
  });

  test('an accepted offer with missing devices is completed by accepting it again', async () => {
    const { used, get, id, killed } = await aShop();
    done(await get('offerTransfer')(permit, { from: 7, id, email: 'trillian@example.com' }));
    const accept = () => get('acceptTransfer')(permit, { account_id: 8, from: 7, id });
    await killed(accept);
    expect(done(await accept())).toMatchObject({ result: 'unchanged' });
    expect([await used(7), await used(8)]).toEqual([0, 1]);
  });

  test('the recipient of an earlier offer neither sees nor ends the new one', async () => {
    const { get, id } = await aShop();
    const offer = (email: string) => get('offerTransfer')(permit, { from: 7, id, email });
    done(await offer('trillian@example.com'));
    const { into } = done(await offer('marvin@example.com'));
    expect((await get('listTransfers')(8)).received).toEqual([]);
    const cancel = (account_id: number) => get('cancelTransfer')(permit, { account_id, from: 7, id });
    expect(await cancel(8)).toMatchObject({ code: 'offer_not_found' });
    expect((await get('listTransfers')(into)).received).toHaveLength(1);
    done(await cancel(into));
    expect((await get('listTransfers')(7)).given).toEqual([]);
  });

  test('an account gets at most ten license keys of a product by transfers', async () => {
    const { get, transfer, held } = await aShop();
    const terms = { product_id: 1, access_days: 30, updates_days: null, device_limit: null };
    const { keys } = done(await get('createKeyBatch')(permit, { ...terms, name: 'Ten', count: 10 }));
    for (const key of keys) done(await get('redeemKey')(permit, 8, key));
    expect(await transfer()).toMatchObject({
      code: 'not_transferable',
      message: expect.stringContaining('at most 10'),
    });
    expect(await held(7)).toHaveLength(1);
  });

  test('an owner’s offer transfers the license only after the recipient accepts it, within 14 days', async () => {
    const { held, get, id } = await aShop();
    const offer = (email: string) => get('offerTransfer')(permit, { from: 7, id, email });
    expect(await offer('ZAPHOD@example.com')).toMatchObject({ code: 'own_address' });
    expect(done(await offer('marvin@example.com'))).toMatchObject({ from: 7, email: 'marvin@example.com' });
    const marvin = done(await get('findAccount')('marvin@example.com'));
    done(await offer('trillian@example.com'));
    const accept = (account_id: number) => get('acceptTransfer')(permit, { account_id, from: 7, id });
    expect(await accept(marvin)).toMatchObject({ code: 'offer_not_found' });
    expect(await accept(7)).toMatchObject({ code: 'offer_not_found' });
    expect((await get('listTransfers')(8)).received).toMatchObject([
      { sender: BUYER.email, offer: { entitlement_id: id } },
    ]);
    done(await get('cancelTransfer')(permit, { account_id: 7, from: 7, id }));
    expect(await accept(8)).toMatchObject({ code: 'offer_not_found' });
    done(await offer('trillian@example.com'));
    expect(done(await accept(8))).toMatchObject({ result: 'transferred', into: 8 });
    expect((await held(8)).map((one) => one.id)).toEqual([id]);
    expect((await get('listTransfers')(7)).given).toEqual([]);
  });

  test('an account offers at most ten licenses a day', async () => {
    const { get, id } = await aShop();
    const offer = () => get('offerTransfer')(permit, { from: 7, id, email: 'marvin@example.com' });
    for (let n = 0; n < 10; n++) done(await offer());
    expect(await offer()).toMatchObject({ code: 'daily_limit_reached' });
  });
});

test('a transfer by the shop mails both owners, and one by the owner mails the former owner', async () => {
  const mailer = aMailer();
  const service = memoryService({ mailer }, memoryEngines(), MAILING);
  const { get } = service;
  await put(service, {
    products: [PRODUCT],
    accounts: [anAccount({ id: 7, email: BUYER.email })],
    entitlements: [anEntitlement({ id: 3, account_id: 7, product_id: 1 })],
  });
  const { into } = done(await get('transferGrant')(BY_WEBHOOK, { from: 7, id: 3, email: 'trillian@example.com' }));
  await sendAll(service);
  const sent = () => mailer.sent.splice(0).map(({ to, subject }) => [to, subject]);
  expect(sent()).toEqual([
    [BUYER.email, expect.stringContaining('moved to another account')],
    ['trillian@example.com', expect.stringContaining('You have a license')],
  ]);
  done(await get('offerTransfer')(BY_WEBHOOK, { from: into, id: 3, email: BUYER.email }));
  done(await get('acceptTransfer')(BY_WEBHOOK, { account_id: 7, from: into, id: 3 }));
  await sendAll(service);
  expect(sent().filter(([, subject]) => subject?.includes('moved'))).toEqual([
    ['trillian@example.com', expect.any(String)],
  ]);
});
