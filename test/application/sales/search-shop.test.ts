import { describe, expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { ticketNumber } from '../../../domain/support/ticket.ts';
import type { Service } from '../../../runtimes/composition/bootstrap.ts';
import { anAccount } from '../../support/account-builders.ts';
import { aDevice, anOrder, aProduct, NOW } from '../../support/builders.ts';
import { put } from '../../support/contents.ts';
import { done } from '../../support/outcomes.ts';
import { memoryService } from '../../support/service.ts';
import { aTicket } from '../../surface/shop-targets.ts';

const PERMIT = grantPermit();
const TERMS = { access_days: null, updates_days: null, device_limit: null };
const OLD_DEVICE = aDevice({ device_id: 'macbook-of-ada' });

const EVENT = { provider: 'stripe', type: 'invoice.paid', state: 'done', reason: null, account_id: 1 } as const;

const sale = (reference: string, email: string) =>
  ({
    provider: 'stripe',
    happened_at: NOW,
    facts: {
      kind: 'order',
      reference,
      buyer: { email, name: null, locale: null },
      status: 'paid',
      ordered_at: NOW,
      paid_at: NOW,
      currency: 'KRW',
      payment_method: 'card',
      total_cents: 300,
      vat_cents: null,
      receipt_url: null,
      subscription: null,
      lines: [{ product: 'memo', quantity: 1, total_cents: 300, discount_cents: 0 }],
    },
  }) as const;

const shop = async () => {
  const service = memoryService();
  await put(service, {
    products: [aProduct({ id: 7, slug: 'memo', name: { en: 'Memo Pad', ko: '메모' } })],
    accounts: [anAccount({ id: 1, email: 'ada@example.com' })],
    orders: [anOrder({ id: 5, number: 'O-5', account_id: 1 })],
  });
  return service;
};

const kindsOf = async (service: Service, text: string) =>
  (await service.get('searchShop')(text)).map(({ kind, id }) => `${kind} ${id}`);

describe('a search of the shop', () => {
  test.each([
    [' ADA@example.com ', ['account 1']],
    ['Ada@ex', ['account 1']],
    ['da@', []],
    ['1', ['account 1']],
    ['O-5', ['order 5']],
    ['5', ['order 5']],
    ['memo', ['product memo']],
    ['메모', ['product memo']],
    ['evt_1', ['event evt_1']],
    ['nobody@example.com', []],
    ['   ', []],
    ['svc_short', []],
  ])('the search for %j finds %j', async (text, expected) => {
    const service = await shop();
    await service.get('paymentEvents').save(PERMIT, { ...EVENT, id: 'evt_1', received_at: NOW, body: '{}' });
    expect(await kindsOf(service, text)).toEqual(expected);
  });

  test('accounts and devices of an older store are found by prefix once the lists are filled', async () => {
    const service = await shop();
    const table = service.get('table');
    await table.put({ pk: 'ACCOUNT#1', sk: 'DEVICE#0000000000000007#=macbook-of-ada', data: OLD_DEVICE });
    await table.remove({ pk: 'ADDRESSES#a', sk: 'ada@example.com#0000000000000001' });
    expect([await kindsOf(service, 'ada@'), await kindsOf(service, 'macbook-')]).toEqual([[], []]);
    await service.get('completeSums')(PERMIT);
    expect(await kindsOf(service, 'ada@')).toEqual(['account 1']);
    expect(await service.get('searchShop')('macbook-…')).toEqual([
      { kind: 'device', id: 'macbook-of-ada', title: 'macbook-of-ada', account_id: 1, provider: null },
    ]);
  });

  test('a merge moves the searchable devices and addresses, and an erasure removes them', async () => {
    const service = await shop();
    await put(service, { accounts: [anAccount({ id: 2, email: 'bob@example.com' })] });
    const { devices, slots } = { devices: service.get('devices'), slots: { used: 0, held: [], version: null } };
    const device = aDevice({ device_id: 'macbook-of-bob' });
    await devices.activate(PERMIT, 2, 7, device, slots);
    done(await service.get('mergeAccounts')(PERMIT, { from: 2, into: 1 }));
    expect(await devices.named('macbook-', 5)).toEqual([{ account_id: 1, product_id: 7, device_id: 'macbook-of-bob' }]);
    expect(await kindsOf(service, 'bob@')).toEqual(['account 1']);
    done(await service.get('eraseAccount')(PERMIT, { account_id: 1 }));
    expect([await kindsOf(service, 'macbook-'), await kindsOf(service, 'bob@'), await kindsOf(service, 'ada')]).toEqual(
      [[], [], []],
    );
    const left = service.get('table');
    for (const pk of ['ADDRESSES#a', 'ADDRESSES#b']) expect((await left.query({ pk })).items).toEqual([]);
  });

  test('a payment is found by its id at the provider, and by an id that an event linked to it', async () => {
    const service = await shop();
    const { order_id } = done(await service.get('recordSale')(PERMIT, sale('pi_1', 'ada@example.com')));
    await service
      .get('paymentEvents')
      .keepMeaning(PERMIT, 'stripe', 'ch_1', { meaning: { order_reference: 'pi_1' }, account_id: 1 });
    for (const text of ['pi_1', 'ch_1']) expect(await kindsOf(service, text)).toEqual([`order ${order_id}`]);
  });

  test('a ticket is found by the number that its buyer sees', async () => {
    const service = await shop();
    const id = await aTicket(service);
    expect(await kindsOf(service, ticketNumber({ id }).toLowerCase())).toEqual([`ticket ${id}`]);
  });

  test('a key is found by its value or its beginning, even after its revocation, and no result shows the value', async () => {
    const service = await shop();
    const { key, value } = done(await service.get('createApiKey')(PERMIT, { account_id: 1, name: 'Build' }));
    const texts = [value, key.prefix, `${key.prefix}…`, String(key.id)];
    for (const text of texts) expect(await kindsOf(service, text)).toEqual([`key ${key.id}`]);
    done(await service.get('revokeApiKey')(PERMIT, { key_id: key.id }));
    for (const text of texts) {
      const found = await service.get('searchShop')(text);
      expect(found.map(({ id }) => id)).toEqual([key.id]);
      expect(JSON.stringify(found)).not.toContain(value);
    }
  });

  test('a license key that nobody has used yet is found by its value, with its batch', async () => {
    const service = memoryService();
    await put(service, { products: [aProduct({ id: 1, slug: 'tool', license_keys: true })] });
    const made = done(
      await service.get('createKeyBatch')(PERMIT, { ...TERMS, product_id: 1, name: 'Reviewers', count: 1 }),
    );
    expect(await service.get('searchShop')(made.keys[0] ?? '')).toMatchObject([
      {
        kind: 'key',
        account_id: null,
        title: expect.stringMatching(`^Unused license key of batch ${made.batch.id} \\(lic_`),
      },
    ]);
  });

  test('an erased account leaves no key prefix, and a merged one leads to its heir', async () => {
    const service = await shop();
    await put(service, {
      accounts: [anAccount({ id: 2, email: 'bob@example.com' }), anAccount({ id: 3, email: 'c@example.com' })],
    });
    const { key } = done(await service.get('createApiKey')(PERMIT, { account_id: 2, name: 'Build' }));
    const moved = done(await service.get('createApiKey')(PERMIT, { account_id: 3, name: 'Other' })).key;
    done(await service.get('eraseAccount')(PERMIT, { account_id: 2 }));
    done(await service.get('mergeAccounts')(PERMIT, { from: 3, into: 1 }));
    expect(await kindsOf(service, key.prefix)).toEqual([]);
    expect(await kindsOf(service, '2')).toEqual([]);
    expect(await kindsOf(service, '3')).toEqual(['account 1']);
    expect(await service.get('searchShop')(moved.prefix)).toMatchObject([{ kind: 'key', account_id: 1 }]);
  });
});
