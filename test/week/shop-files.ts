import { card, entitlement, invoice, order, subscription } from '../support/billing-entries.ts';
import { productEntry } from '../support/store-folder.ts';

/* The documents and files of the shop in the story of its first week. */

export const MEMO = 1;
export const TOOL = 2;

export type Buyer = { readonly id: number; readonly email: string; readonly name: string; readonly created_at: string };

const COMPANY = {
  company_name: 'A shop',
  representative_name: '',
  business_registration_number: '',
  mail_order_registration_number: '',
  address: '',
  phone: '',
  email: 'help@example.com',
  website: '',
  ftc_biz_info_url: '',
};

/** The products on Monday: an application for Macs, for two devices, and a command-line tool. */
export const CATALOG = {
  format: 1,
  categories: [{ id: 1, name: { en: 'Apps' } }],
  products: [
    productEntry({
      id: MEMO,
      slug: 'memo',
      name: { en: 'Memo' },
      primary_category_id: 1,
      category_ids: [1],
      device_limit: 2,
      bundle_id: 'com.example.memo',
      version_scheme: 'sparkle',
      delivery: { strategy: 'macos-app' },
      content: { detail_html: { en: '<p>Dated notes.</p>' }, assets_dir: 'assets' },
    }),
    productEntry({ id: TOOL, slug: 'tool', name: { en: 'Tool' }, content: { assets_dir: 'assets' } }),
  ],
  lineages: [{ id: 1, slug: 'notes', name: { en: 'Notes' }, product_ids: [TOOL, MEMO] }],
  disclosure: { en: COMPANY, ko: COMPANY },
};

/** The sales on Tuesday: Ann's order with its subscription, and Bob's order. */
export const sales = (ann: Buyer, bob: Buyer) => ({
  format: 1,
  accounts: [
    {
      ...ann,
      orders: [order()],
      invoices: [invoice()],
      payment_methods: [card()],
      entitlements: [entitlement()],
      subscriptions: [subscription({ product_ids: [TOOL], billing: { order_id: 5, payment_method_id: 7 } })],
    },
    {
      ...bob,
      orders: [order({ id: 15, number: 'O-15' })],
      invoices: [invoice({ id: 16, number: 'I-16', order_id: 15 })],
      entitlements: [entitlement({ id: 18, order_id: 15 })],
    },
  ],
});

/** The files in the shop's folder, by name. */
export const FILES = {
  'store.json': JSON.stringify(CATALOG),
  'assets/guide.md': '# Guide\n',
  'memo-1.0.zip': 'memo 1.0',
  'memo-1.1.zip': 'memo 1.1, which loses notes',
  'memo-1.2.zip': 'memo 1.2, which keeps them',
  'tool-1.0.0.zip': 'tool 1.0',
};
