import { sumOf } from '../billing/money.ts';
import type { OrderItem, OrderStatus } from '../billing/order.ts';
import { dangling, danglingAmong, type Fault, repeatedIds } from '../shared/fault.ts';
import type { AccountEntry } from './store-document.ts';

type OrderEntry = AccountEntry['orders'][number];
type Known = { has(productId: number): boolean };

const PAID_FOR: readonly OrderStatus[] = ['paid', 'partially_refunded', 'refunded', 'withdrawn'];

const unequal = (path: string, amount: number, expected: bigint, why: string): Fault[] =>
  BigInt(amount) === expected ? [] : [{ path, message: `must be ${expected}, ${why}` }];

type Totals = {
  readonly subtotal_cents: number;
  readonly discount_total_cents: number;
  readonly total_cents: number;
};

const totalFaults = (path: string, { subtotal_cents, discount_total_cents, total_cents }: Totals): Fault[] =>
  discount_total_cents > subtotal_cents
    ? [{ path: `${path}.discount_total_cents`, message: 'must not be more than subtotal_cents' }]
    : unequal(
        `${path}.total_cents`,
        total_cents,
        sumOf([subtotal_cents, -discount_total_cents]),
        'which is subtotal_cents less discount_total_cents',
      );

/** The faults of a tax: price without tax and tax must add up to the total, and neither stands alone. */
export const taxFaults = (
  path: string,
  {
    supply_cents,
    vat_cents,
    total_cents,
  }: { readonly supply_cents: number | null; readonly vat_cents: number | null; readonly total_cents: number },
): Fault[] => {
  if (supply_cents === null && vat_cents === null) return [];
  if (supply_cents === null || vat_cents === null) {
    const missing = supply_cents === null ? 'supply_cents' : 'vat_cents';
    return [{ path: `${path}.${missing}`, message: 'supply_cents and vat_cents are both there or neither' }];
  }
  const sum = sumOf([supply_cents, vat_cents]);
  return unequal(`${path}.total_cents`, total_cents, sum, 'which is supply_cents and vat_cents together');
};

const itemFaults = (path: string, item: OrderItem, products: Known): Fault[] => [
  ...dangling(`${path}.product_id`, 'product', item.product_id, products),
  ...unequal(
    `${path}.subtotal_cents`,
    item.subtotal_cents,
    BigInt(item.unit_price_cents) * BigInt(item.quantity),
    'which is unit_price_cents times quantity',
  ),
  ...totalFaults(path, item),
];

const paymentFaults = (path: string, { status, ordered_at, paid_at }: OrderEntry): Fault[] => {
  if (PAID_FOR.includes(status) && paid_at === null) {
    return [{ path: `${path}.paid_at`, message: `an order that is ${status} was paid some time` }];
  }
  if (status === 'pending' && paid_at !== null) {
    return [{ path: `${path}.paid_at`, message: 'an order that is pending was not paid yet' }];
  }
  if (status === 'cancelled' && paid_at !== null) {
    const message =
      'an order that is cancelled was never paid; one whose payment was given back is refunded or withdrawn';
    return [{ path: `${path}.paid_at`, message }];
  }
  return paid_at !== null && paid_at < ordered_at
    ? [{ path: `${path}.paid_at`, message: 'must not lie before ordered_at' }]
    : [];
};

const refundFaults = (path: string, { refunds = [], items }: OrderEntry): Fault[] => {
  const known = new Set(items.map(({ id }) => id));
  return refunds.flatMap(({ item_ids }, n) =>
    danglingAmong(`${path}.refunds.${n}.item_ids`, 'item', item_ids ?? [], known),
  );
};

const SUMMED = ['subtotal_cents', 'discount_total_cents', 'total_cents'] as const;

/** The faults of an order: unknown products, repeated ids, payment dates that contradict its status, wrong sums,
 * and refunds of unknown items. */
export const orderFaults = (path: string, order: OrderEntry, products: Known): Fault[] => [
  ...paymentFaults(path, order),
  ...repeatedIds(`${path}.items`, order.items),
  ...order.items.flatMap((item, n) => itemFaults(`${path}.items.${n}`, item, products)),
  ...totalFaults(path, order),
  ...SUMMED.flatMap((name) => {
    const sum = sumOf(order.items.map((item) => item[name]));
    return unequal(`${path}.${name}`, order[name], sum, 'which is what its items come to');
  }),
  ...taxFaults(path, order),
  ...refundFaults(path, order),
];
