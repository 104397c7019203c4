import { beforeAll, describe, expect, test } from 'vitest';
import type { Invoice } from '../../../domain/billing/invoice.ts';
import { anInvoice } from '../../support/builders.ts';
import { aStranger, type Buyer, putInvoice } from '../buyers.ts';
import { get } from '../client.ts';
import type { Mount } from '../mount.ts';
import { daysAgo, daysFromNow } from '../times.ts';

const PATH = '/api/invoices';
const COUNT = 45;
const MAX_ID = Number.MAX_SAFE_INTEGER;

const falling = (from: number, count: number): number[] => Array.from({ length: count }, (_, n) => from - n);

export const invoicesSuite = (mount: () => Mount): void => {
  const issue = (buyer: Buyer, overrides: Partial<Invoice>): Promise<unknown> =>
    putInvoice(mount().service, anInvoice({ account_id: buyer.account, ...overrides }));
  const list = ({ key }: Buyer, query = '') => get(mount(), `${PATH}${query}`, key);
  const idsOf = (body: { invoices: { id: number }[] }): number[] => body.invoices.map(({ id }) => id);

  /** Reads all pages by following `next_after`. */
  const walk = async (buyer: Buyer, query: string): Promise<number[][]> => {
    const pages: number[][] = [];
    for (let after: number | null = 0; after !== null && pages.length < 100; ) {
      const { body } = await list(buyer, `?${query}${after ? `&after=${after}` : ''}`);
      pages.push(idsOf(body));
      after = body.next_after;
    }
    return pages;
  };

  test('an invoice is listed with every field, and its status label is localized', async () => {
    const buyer = await aStranger(mount().service);
    const invoice = anInvoice({
      number: 'I-2026-1',
      order_id: 5,
      issued_at: daysAgo(3),
      due_at: daysFromNow(3),
      paid_at: daysAgo(2),
      currency: 'KRW',
      total_cents: 11_000,
      supply_cents: 10_000,
      vat_cents: 1000,
      pdf_url: 'https://pay.example.com/i/1.pdf',
      receipt_url: 'https://pay.example.com/r/1',
    });
    await issue(buyer, { ...invoice, account_id: buyer.account });
    const { account_id, ...shown } = invoice;
    expect((await list(buyer)).body).toEqual({
      invoices: [{ ...shown, status: 'paid', status_label: 'Paid' }],
      next_after: null,
    });
    expect((await get(mount(), PATH, buyer.key, { 'Accept-Language': 'ko' })).body.invoices[0].status_label).toBe(
      '결제 완료',
    );
  });

  describe('the pages of invoices', () => {
    let buyer: Buyer;

    beforeAll(async () => {
      buyer = await aStranger(mount().service);
      for (let id = 1; id <= COUNT; id++) {
        await issue(buyer, id % 3 === 0 ? { id, status: 'open', paid_at: null, due_at: daysAgo(1) } : { id });
      }
    });

    test.each([
      [1, 45],
      [44, 2],
      [45, 1],
      [46, 1],
      [100, 1],
      [15, 3],
    ])('a walk with a limit of %d visits each invoice once, in %d pages', async (limit, pages) => {
      const walked = await walk(buyer, `limit=${limit}`);
      expect(walked.flat()).toEqual(falling(COUNT, COUNT));
      expect(walked).toHaveLength(pages);
    });

    test('a cursor without an invoice continues with the next lower id', async () => {
      const gappy = await aStranger(mount().service);
      for (const id of [10, 20, 30]) await issue(gappy, { id });
      expect(idsOf((await list(gappy, '?after=25')).body)).toEqual([20, 10]);
      expect(idsOf((await list(gappy, '?after=10')).body)).toEqual([]);
      expect(idsOf((await list(gappy, '?after=1')).body)).toEqual([]);
      expect(idsOf((await list(gappy, `?after=${MAX_ID}`)).body)).toEqual([30, 20, 10]);
    });

    test('the cursor accepts the highest possible invoice id', async () => {
      const rich = await aStranger(mount().service);
      for (const id of [1, MAX_ID - 1, MAX_ID]) await issue(rich, { id });
      expect(await walk(rich, 'limit=1')).toEqual([[MAX_ID], [MAX_ID - 1], [1]]);
    });

    test('an empty query value of the invoice list counts as absent', async () => {
      expect(idsOf((await list(buyer, '?status=&limit=&after=')).body)).toEqual(falling(45, 20));
      expect(idsOf((await list(buyer, '?page=9')).body)).toEqual(falling(45, 20));
    });
  });

  test.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=ten', 'limit'],
    ['limit=1e1', 'limit'],
    ['limit=10&limit=20', 'limit'],
    ['limit=99999999999999999999', 'limit'],
    ['after=0', 'after'],
    ['after=9007199254740992', 'after'],
    ['after=1&after=2', 'after'],
    ['status=unpaid', 'status'],
  ])('an invoice list with ?%s is 422', async (query, field) => {
    const { status, body } = await list(await aStranger(mount().service), `?${query}`);
    expect(status).toBe(422);
    expect(Object.keys(body.errors)).toEqual([field]);
  });
};
