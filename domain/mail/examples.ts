import type { Instant } from '../shared/instant.ts';
import { LINK_MINUTES } from '../sign-in/sign-in-link.ts';
import type { MessageKind } from './message.ts';
import type { Facts } from './texts.ts';

/** The facts of example messages that are those of the shop. */
export type ExampleShop = {
  readonly now: Instant;
  /** The name of a product that the shop sells. */
  readonly product: string;
  readonly currency: string;
  readonly seller: string | null;
  readonly time_zone: string;
  /** The page of the shop to which the links lead; an example has no one-time link. */
  readonly url: string;
};

const ORDER = 'EX-1042';
const KEY = 'EXAMPLE-KEY-9X2M-4T7P';

const saleOf = ({ product, currency, url }: ExampleShop) => ({
  number: ORDER,
  items: [product],
  ended: [],
  total_cents: 4900,
  currency,
  license_keys: [],
  url,
});

/** The facts of an example message of each kind, by which a shop sees how its messages look. Nothing in it is real. */
export const exampleFacts = (kind: MessageKind, shop: ExampleShop): Facts => {
  const { now, product, seller, time_zone, url } = shop;
  const key = { product, prefix: KEY.slice(0, 8), value: KEY };
  const ticket = { number: 'EX-7', subject: product, url };
  switch (kind) {
    case 'order':
      return {
        kind,
        ...saleOf(shop),
        license_keys: [key],
        ordered_at: now,
        time_zone,
        seller,
        vat_cents: 782,
        receipt_url: url,
        download: product,
        signs_in: true,
      };
    case 'refund':
      return { kind, ...saleOf(shop), items: [], ended: [product], refunded: { cents: 4900, is: 'all' } };
    case 'restored':
      return { kind, ...saleOf(shop) };
    case 'key':
      return { kind, name: 'Build server', product: null, url };
    case 'device':
      return { kind, name: 'MacBook Pro', product, url };
    case 'notice': {
      const sale = { name: ORDER, products: product, money: { cents: 4900, currency: shop.currency } };
      const sales = { count: 1, sums: [], entries: [{ ...sale, text: undefined, mended: false }] };
      return { kind, how: 'at_once', more: false, kinds: [{ kind: 'sale', ...sales }], url, change_url: url };
    }
    case 'withdrawal':
      return { kind, order: ORDER, items: [product], declared_at: now, time_zone, url };
    case 'license_key':
      return { kind, key, url };
    case 'transfer':
      return { kind, product, sender: 'buyer@example.com', until: now, time_zone, url };
    case 'transferred':
      return { kind, product, received: false, url };
    case 'team_over_used':
      return { kind, product, url };
    case 'team_invitation':
      return { kind, from: 'owner@example.com', product, role: 'member', url };
    case 'answer':
      return { kind, ...ticket, answer: 'Thank you for telling us. The next version mends it.' };
    case 'ticket':
      return { kind, ...ticket, text: 'The export stops at 90 percent.' };
    case 'email_change':
    case 'console_sign_in':
      return { kind, minutes: LINK_MINUTES, url };
    case 'email_changed':
      return { kind, url, undo: true };
    case 'sign_in':
      return { kind, minutes: LINK_MINUTES, url, passwords: true };
    case 'passkey':
    case 'passkey_removed':
    case 'password_changed':
    case 'locked_out':
      return { kind, url };
  }
};
