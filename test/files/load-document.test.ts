import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { Service } from '../../runtimes/composition/bootstrap.ts';
import { loadStoreFile } from '../../runtimes/files/load-document.ts';
import { memoryService } from '../support/service.ts';
import { accountEntry, addFiles, aFolder, faultLines, productEntry, releaseEntry } from '../support/store-folder.ts';

let folder: string;
let service: Service;

beforeEach(async () => {
  folder = await aFolder({ 'tool.zip': 'tool' });
  service = memoryService();
});

const loadText = async (text: string) => {
  await addFiles(folder, { 'store.json': text });
  return loadStoreFile(service, join(folder, 'store.json'), grantPermit());
};
const load = (document: object) => loadText(JSON.stringify({ format: 1, ...document }));
const faultsOf = async (document: object) => {
  const outcome = await load(document);
  return outcome.ok ? [] : faultLines(outcome);
};

describe('a store document', () => {
  test('a store document is loaded with the files beside it, even with a byte order mark', async () => {
    const document = JSON.stringify({
      format: 1,
      products: [productEntry({ id: 1 })],
      releases: [releaseEntry({ id: 1 })],
    });
    expect(await loadText(`\uFEFF${document}`)).toMatchObject({ ok: true, value: { releases: { created: 1 } } });
  });

  test('a store document is refused with all faults of form at once, and then with all of content', async () => {
    const broken = {
      products: [
        productEntry({ id: 1, currency: 'won', category_ids: [9], colour: 'red' }),
        productEntry({ id: 2, slug: 'product-1', created_at: 'yesterday' }),
        productEntry({ id: 3, delivery: { strategy: 'teleport' }, name: undefined, unit_price_cents: -1 }),
      ],
      releases: [
        releaseEntry({ id: 1, artifacts: [{ file: 'no.zip' }] }),
        releaseEntry({ id: 2, version: '2', artifacts: [] }),
      ],
      accounts: [accountEntry({ id: 1, email: 'nobody', entitlements: [{ id: 1, product_id: 7, granted_at: 5 }] })],
    };
    expect(await faultsOf(broken)).toEqual([
      'products.0.currency: must be an ISO 4217 code such as KRW',
      'products.0.colour: is not a known member',
      'products.1.created_at: must be a date and time with an offset, such as 2026-11-21T08:00:00Z',
      'products.2.name: is missing',
      'products.2.unit_price_cents: must be at least 0',
      'products.2.delivery.strategy: must be one of agent-skill, vscode-vsix, macos-app, binary, managed-directory, manual',
      'releases.1.artifacts: must have at least 1 item',
      'accounts.0.entitlements.0.granted_at: must be a text',
    ]);
    const wellFormed = {
      products: [productEntry({ id: 1, category_ids: [9] }), productEntry({ id: 2, slug: 'product-1' })],
      releases: [releaseEntry({ id: 1, artifacts: [{ file: 'no.zip' }] })],
      accounts: [
        accountEntry({
          id: 1,
          email: 'nobody',
          entitlements: [{ id: 1, product_id: 7, granted_at: '2025-01-01T00:00:00Z' }],
        }),
      ],
    };
    expect(await faultsOf(wellFormed)).toEqual([
      'products.1.slug: "product-1" is already the slug of products.0',
      'products.0.category_ids.0: there is no category 9',
      'accounts.0.entitlements.0.product_id: there is no product 7',
      'releases.0.artifacts.0.file: there is no file "no.zip" in the document’s folder',
      'accounts.0.email: must be an email address that mail can reach',
    ]);
  });

  test('a sum is not reported as wrong when one of its amounts is not a valid number', async () => {
    const item = { id: 1, product_id: 7, list_unit_price_cents: 5, unit_price_cents: 5, quantity: 1, total_cents: 5 };
    const order = (id: number, more: object) => ({
      id,
      number: `O-${id}`,
      status: 'pending',
      ordered_at: '2026-01-05T00:00:00Z',
      currency: 'USD',
      payment_method: 'Credit card',
      subtotal_cents: 5,
      total_cents: 5,
      items: [{ ...item, subtotal_cents: 5 }],
      ...more,
    });
    const billing = { krw_exchange: { rate: 'much', source: 'us' }, renewal_amount_cents: 5, renewal_currency: 'USD' };
    const subscriptions = [{ id: 1, product_ids: [8], status: 'active', starts_at: '2026-01-05T00:00:00Z', billing }];
    const orders = [
      order(1, { items: [{ ...item, subtotal_cents: 5.5 }] }),
      order(2, { payment_method: 'card', total_cents: 4 }),
    ];
    expect(await faultsOf({ accounts: [accountEntry({ id: 1, orders, subscriptions })] })).toEqual([
      'accounts.0.subscriptions.0.billing.krw_exchange.rate: must be a decimal above 0 in quotes, such as "1385.20"',
      'accounts.0.orders.0.payment_method: must be lower-case letters, digits, _ and -, such as bank_transfer',
      'accounts.0.orders.0.items.0.subtotal_cents: must be a whole number',
      'accounts.0.orders.1.total_cents: must be 5, which is subtotal_cents less discount_total_cents',
    ]);
  });

  test('references to a section that is malformed as a whole are not reported as faults', async () => {
    expect(await faultsOf({ products: {}, releases: [releaseEntry({ id: 1 })] })).toEqual(['products: must be a list']);
  });

  test.each([
    ['[]', 'the document: must be an object'],
    ['{}', 'format: is missing'],
    ['{"format": 2}', 'format: must be 1'],
  ])('the document %s is refused with the fault: %s', async (text, fault) => {
    const outcome = await loadText(text);
    expect(outcome.ok ? [] : faultLines(outcome)).toEqual([fault]);
  });

  test.each([
    ['{"a": }', 'line 1, column 7: value expected'],
    ['{\n  "a": 1,\n  "b": tru\n}', 'line 3, column 8: invalid symbol'],
    ['{"a": 1,}', 'line 1, column 9: property name expected'],
    ['// a\n{}', 'line 1, column 1: invalid comment token'],
    ['', 'line 1, column 1: value expected'],
  ])('the malformed document %j is refused with the position of its fault: %s', async (text, where) => {
    const message = `${join(folder, 'store.json')} is not JSON, ${where}; nothing was imported.`;
    expect(await loadText(text)).toMatchObject({ ok: false, code: 'malformed_json', message });
  });

  test('a document that cannot be read is refused by name', async () => {
    const missing = join(folder, 'none.json');
    expect(await loadStoreFile(service, missing, grantPermit())).toMatchObject({
      ok: false,
      message: `${missing} does not exist; nothing was imported.`,
    });
    expect(await loadStoreFile(service, folder, grantPermit())).toMatchObject({
      ok: false,
      message: `${folder} can't be read (EISDIR); nothing was imported.`,
    });
  });

  test('a document of more than 64 MiB is refused unread', async () => {
    await addFiles(folder, { 'large.json': '' });
    await truncate(join(folder, 'large.json'), 64 * 1024 * 1024 + 1);
    const refused = await loadStoreFile(service, join(folder, 'large.json'), grantPermit());
    expect(refused).toMatchObject({ ok: false, message: expect.stringContaining('has more than 67108864 bytes') });
  });
});
