import * as z from 'zod';
import { isPasswordHash, MOST_FORMER, MOST_PER_MINUTE } from '../../../domain/accounts/account.ts';
import { LONGEST_EMAIL } from '../../../domain/accounts/address.ts';
import { LONGEST_BILLING } from '../../../domain/accounts/billing-details.ts';
import { STORED_INVOICE_STATUSES } from '../../../domain/billing/invoice.ts';
import { EXCHANGE_RATE, MAX_RENEWAL_CENTS, MOST_UNITS, sumOf, VAT_RATE } from '../../../domain/billing/money.ts';
import { ORDER_STATUSES, type OrderStatus, PAYMENT_METHOD } from '../../../domain/billing/order.ts';
import { PAYMENT_METHOD_TYPES } from '../../../domain/billing/payment-method.ts';
import { PLATFORMS } from '../../../domain/catalog/platform.ts';
import { deviceIdOf } from '../../../domain/devices/seat.ts';
import { GRANT_TYPES } from '../../../domain/licensing/entitlement.ts';
import { STORED_SUBSCRIPTION_STATUSES } from '../../../domain/licensing/subscription.ts';
import type { Rule } from '../../../domain/shared/fault.ts';
import { LANGUAGES } from '../../../domain/shared/language.ts';
import { MOST_MEMBERSHIPS, TEAM_ROLES } from '../../../domain/teams/team.ts';
import {
  cents,
  currency,
  graceDays,
  id,
  ids,
  instant,
  label,
  licenseTerms,
  line,
  metadata,
  orNull,
  plan,
  ruled,
  rules,
} from './fields.ts';

const deviceLimit = orNull(z.int().min(0), 'null takes the product’s own limit');
const instantOrNull = orNull(instant);
const idOrNull = orNull(id);
const centsOrNull = orNull(cents);
const urlOrNull = orNull(z.url({ protocol: /^https$/ }).max(2000));
const number = z.string().regex(/^[\w.:/#-]{1,64}$/, 'must be 1 to 64 letters, digits and any of . : / # _ -');
const taxes = {
  supply_cents: centsOrNull.meta({ description: 'the price without value added tax' }),
  vat_cents: centsOrNull.meta({ description: 'value added tax' }),
};

const billingDetails = z
  .strictObject({
    name: orNull(line.max(LONGEST_BILLING.name)),
    address: orNull(z.string().max(LONGEST_BILLING.address)),
    tax_number: orNull(line.max(LONGEST_BILLING.tax_number)),
  })
  .optional();

/** The rule that an amount is the sum of others. */
const sumRule = (member: string, amount: number, expected: bigint, why: string): Rule => [
  BigInt(amount) !== expected,
  member,
  `must be ${expected}, ${why}`,
];

/** The rule that two fields are both present or both absent. */
const together = <Name extends string>(row: Readonly<Record<Name, unknown>>, one: Name, other: Name): Rule => [
  (row[one] === null) !== (row[other] === null),
  row[one] === null ? one : other,
  `${one} and ${other} are both there or neither`,
];

type Tax = { supply_cents: number | null; vat_cents: number | null; total_cents: number };

/** Net price and tax add up to the total, and each needs the other. */
const taxRules = (row: Tax): Rule[] => {
  const { supply_cents: supply, vat_cents: vat, total_cents: total } = row;
  return supply === null || vat === null
    ? [together(row, 'supply_cents', 'vat_cents')]
    : [sumRule('total_cents', total, sumOf([supply, vat]), 'which is supply_cents and vat_cents together')];
};

type Totals = { subtotal_cents: number; discount_total_cents: number; total_cents: number };

const totalRule = ({ subtotal_cents: subtotal, discount_total_cents: discount, total_cents: total }: Totals): Rule =>
  discount > subtotal
    ? [true, 'discount_total_cents', 'must not be more than subtotal_cents']
    : sumRule('total_cents', total, sumOf([subtotal, -discount]), 'which is subtotal_cents less discount_total_cents');

const entitlement = ruled(
  {
    id,
    product_id: id,
    source_product_id: idOrNull,
    order_id: idOrNull,
    order_item_id: idOrNull,
    grant_type: z.enum(GRANT_TYPES).default('purchase'),
    source_quantity: z.int().min(1).max(MOST_UNITS).default(1),
    device_limit: deviceLimit,
    granted_at: instant,
    revoked_at: instantOrNull,
    access_expires_at: instantOrNull,
    updates_supported_until: instantOrNull,
    renews: z.boolean().optional().meta({
      description:
        'true begins its days where what the buyer has of the product ends; its ends are those of a first one',
    }),
    ...licenseTerms,
    metadata: metadata.optional(),
    key_batch_id: id.optional().meta({ description: 'the batch of the license key that brought it' }),
    transferred: z
      .strictObject({ at: instant, from: id })
      .optional()
      .meta({ description: 'when it came from another account, and its number; its order is there' }),
  },
  (row) => [together(row, 'order_id', 'order_item_id')],
);

const billing = ruled(
  {
    order_id: idOrNull.meta({ description: 'the order that started the subscription' }),
    payment_method_id: idOrNull,
    trial_ends_at: instantOrNull,
    next_charge_at: instantOrNull,
    renewal_amount_cents: orNull(z.int().min(0).max(MAX_RENEWAL_CENTS)),
    renewal_currency: orNull(currency),
    krw_exchange: orNull(
      z.strictObject({
        rate: z
          .string()
          .regex(EXCHANGE_RATE, 'must be a decimal above 0 in quotes, such as "1385.20"')
          .meta({ description: 'won for one unit of the renewal’s currency' }),
        source: line,
      }),
    ),
    offer: orNull(z.strictObject({ code: line, name: label })),
    update_payment_method_url: urlOrNull,
    renewal_url: urlOrNull,
  },
  (row) => {
    const { renewal_currency, krw_exchange } = row;
    const needsNone = renewal_currency === null || renewal_currency === 'KRW';
    return [
      together(row, 'renewal_amount_cents', 'renewal_currency'),
      [krw_exchange !== null && needsNone, 'krw_exchange', 'is for a renewal_currency other than KRW'],
    ];
  },
);

const subscription = ruled(
  {
    id,
    product_ids: ids.min(1).max(500),
    units: z
      .record(z.string().regex(/^[1-9]\d{0,14}$/), z.int().min(0).max(MOST_UNITS))
      .optional()
      .meta({ description: 'the units of each product, by its id; one of each by default' }),
    status: z.enum(STORED_SUBSCRIPTION_STATUSES).meta({ description: 'access depends only on the dates' }),
    starts_at: instant,
    ends_at: instantOrNull.meta({ description: 'the end of the paid period' }),
    cancelled_at: instantOrNull.meta({ description: 'when the buyer cancelled; access lasts until ends_at' }),
    grace_days: graceDays.meta({ description: 'days of access after ends_at, unless the subscription was cancelled' }),
    device_limit: deviceLimit,
    apps: orNull(plan, 'makes this an apps subscription, whose products are the apps'),
    billing: orNull(billing, 'null where nobody is charged'),
    ...licenseTerms,
    metadata: metadata.optional(),
  },
  (row) => {
    const { status, starts_at, ends_at, cancelled_at } = row;
    const isOver = status === 'expired' || status === 'cancelled' || cancelled_at !== null;
    return [
      [ends_at !== null && ends_at < starts_at, 'ends_at', 'must not lie before starts_at'],
      [isOver && ends_at === null, 'ends_at', 'a subscription that is over or cancelled has an end'],
      [
        status === 'cancelled' && cancelled_at === null,
        'cancelled_at',
        'a subscription that is cancelled was cancelled some time',
      ],
    ];
  },
);

const orderItem = ruled(
  {
    id,
    product_id: id.nullable().meta({ description: 'null for a line that is not a product, such as shipping' }),
    product_name: orNull(
      label,
      'the name at the sale; null takes the present name; the text of a line without a product',
    ),
    list_unit_price_cents: cents,
    unit_price_cents: cents,
    quantity: z.int().min(1).max(MOST_UNITS),
    subtotal_cents: cents.meta({ description: 'unit_price_cents times quantity' }),
    discount_total_cents: cents.default(0),
    total_cents: cents,
    first_used_at: instantOrNull.meta({ description: 'when the buyer first downloaded or used the item' }),
  },
  (item) => [
    sumRule(
      'subtotal_cents',
      item.subtotal_cents,
      BigInt(item.unit_price_cents) * BigInt(item.quantity),
      'which is unit_price_cents times quantity',
    ),
    totalRule(item),
    [item.product_id === null && item.product_name === null, 'product_name', 'a line without a product has a text'],
  ],
);

const refund = z.strictObject({
  refunded_at: instant,
  item_ids: orNull(ids.max(100), 'null is the whole order; [] is money alone'),
  keeps_access: z.boolean().default(false).meta({ description: 'the buyer keeps the access that the items gave' }),
  reason: orNull(line),
  amount_cents: cents.optional(),
  kind: z.enum(['part', 'dispute']).optional().meta({
    description: 'part: a partial refund that ended all access; dispute: the bank claims the money, or has it',
  }),
});

const PAID_FOR: readonly OrderStatus[] = ['paid', 'partially_refunded', 'refunded', 'disputed', 'withdrawn'];
const SUMMED = ['subtotal_cents', 'discount_total_cents', 'total_cents'] as const;

const order = ruled(
  {
    id,
    number,
    status: z.enum(ORDER_STATUSES),
    ordered_at: instant,
    paid_at: instantOrNull,
    currency,
    payment_method: z
      .string()
      .regex(PAYMENT_METHOD, 'must be lower-case letters, digits, _ and -, such as bank_transfer'),
    subtotal_cents: cents,
    discount_total_cents: cents.default(0),
    total_cents: cents,
    ...taxes,
    receipt_url: urlOrNull,
    billing: billingDetails.meta({ description: 'the party that was billed' }),
    invoice: z
      .strictObject({ number: orNull(line.max(64)), url: urlOrNull })
      .optional()
      .meta({ description: 'the invoice of the payment provider' }),
    vat_rate: z
      .string()
      .regex(VAT_RATE, 'must be percent in quotes, such as "19"')
      .optional()
      .meta({ description: 'the tax rate in percent, if there is only one' }),
    test: z.boolean().optional().meta({ description: 'true where no money moved: it counts in no sums' }),
    was_paid: z.boolean().optional().meta({ description: 'true once it was paid and then counted as unpaid' }),
    subscription_name: orNull(label),
    items: z.array(orderItem).min(1).max(100),
    source: z
      .strictObject({
        provider: z.string().max(32),
        payment: z.string().max(255),
        subscription: orNull(z.string().max(255)),
      })
      .optional()
      .meta({ description: 'the ids of the payment provider that reported the order' }),
    refunds: z.array(refund).max(300).optional().meta({
      description: 'added to the stored refunds, which stay in effect; [] undoes them',
    }),
    withdrawal: z
      .strictObject({ declared_at: instant, ticket_id: id })
      .optional()
      .meta({ description: 'the buyer’s withdrawal; a stored one stays' }),
  },
  (row) => {
    const { status, ordered_at, paid_at, items, refunds = [] } = row;
    const isPaid = paid_at !== null;
    return [
      [PAID_FOR.includes(status) && !isPaid, 'paid_at', `an order that is ${status} was paid some time`],
      [status === 'pending' && isPaid, 'paid_at', 'an order that is pending was not paid yet'],
      [
        status === 'cancelled' && isPaid,
        'paid_at',
        'an order that is cancelled was never paid; one whose payment was given back is refunded or withdrawn',
      ],
      [isPaid && paid_at < ordered_at, 'paid_at', 'must not lie before ordered_at'],
      totalRule(row),
      ...SUMMED.map((name) =>
        sumRule(name, row[name], sumOf(items.map((item) => item[name])), 'which is what its items come to'),
      ),
      ...taxRules(row),
      ...refunds.flatMap(({ item_ids }, n) =>
        (item_ids ?? []).map((one, m): Rule => {
          const isItem = items.some((item) => item.id === one);
          return [!isItem, `refunds.${n}.item_ids.${m}`, `there is no item ${one}`];
        }),
      ),
    ];
  },
);

const invoice = ruled(
  {
    id,
    number,
    status: z
      .enum(STORED_INVOICE_STATUSES)
      .meta({ description: 'an open invoice shows as overdue once due_at has passed' }),
    order_id: idOrNull,
    issued_at: instant,
    due_at: instantOrNull,
    paid_at: instantOrNull,
    currency,
    total_cents: cents,
    ...taxes,
    pdf_url: urlOrNull,
    receipt_url: urlOrNull,
  },
  (row) => {
    const { status, issued_at, due_at, paid_at } = row;
    const isSettled = status === 'paid' || status === 'refunded';
    return [
      [isSettled && paid_at === null, 'paid_at', `an invoice that is ${status} was paid some time`],
      [status === 'open' && paid_at !== null, 'paid_at', 'an invoice that is open was not paid yet'],
      [due_at !== null && due_at < issued_at, 'due_at', 'must not lie before issued_at'],
      ...taxRules(row),
    ];
  },
);

/** A payment method without room for a long run of digits, so that no full card number can be imported. */
const paymentMethod = ruled(
  {
    id,
    type: z.enum(PAYMENT_METHOD_TYPES),
    brand: z
      .string()
      .min(1)
      .max(50)
      .regex(/^(?:\D*\d){0,3}\D*$/, 'must be the name of a brand, with no more than 3 digits'),
    last4: orNull(z.string().regex(/^\d{4}$/, 'must be the last 4 digits alone')),
    exp_month: orNull(z.int().min(1).max(12)),
    exp_year: orNull(z.int().min(2000).max(9998)),
    is_default: z.boolean().default(false),
  },
  (row) => [
    ...(['last4', 'exp_month', 'exp_year'] as const).map(
      (name): Rule => [row.type === 'card' && row[name] === null, name, 'a card has one'],
    ),
    together(row, 'exp_month', 'exp_year'),
  ],
);

const licenseKey = z.strictObject({
  product_id: id,
  hash: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'must be 64 characters of 0-9 and a-f')
    .meta({ description: 'the SHA-256 of the key' }),
  prefix: line.max(14).meta({ description: 'the beginning of the key, by which people recognize it' }),
  created_at: instant,
});

const device = z.strictObject({
  product_id: id,
  device_id: z.string().transform(deviceIdOf).pipe(z.string()),
  name: orNull(line),
  activated_at: instant,
  last_seen_at: instant,
  offline_until: instant.optional().meta({ description: 'the expiry of its offline file' }),
  platform: z.enum(PLATFORMS).optional(),
  app_version: z.string().max(100).optional(),
});

const passwordHash = z
  .string()
  .refine(isPasswordHash, 'must be a hash of scrypt as an export has it: scrypt$N$r$p$salt$hash')
  .meta({
    description: 'the password hash from an export, for an account without a password; an existing one stays',
  });

/** A buyer, with entitlements, subscriptions, orders, invoices and payment methods. */
export const account = z
  .strictObject({
    id,
    email: line.max(LONGEST_EMAIL).meta({ description: 'an email address that mail can reach' }),
    name: orNull(line),
    password: orNull(z.string().min(8).max(256), 'the password of an account without one; a present password stays'),
    password_hash: passwordHash.nullable().optional(),
    created_at: instant,
    locale: z.enum(LANGUAGES).optional().meta({ description: 'the language of messages to the buyer' }),
    billing: billingDetails.meta({ description: 'the party on receipts; an existing account keeps its own' }),
    suspended_at: instant
      .optional()
      .meta({ description: 'the suspension of a new account; an existing account is not changed' }),
    requests_per_minute: z.int().min(1).max(MOST_PER_MINUTE).optional().meta({
      description: 'the own limit of a new account; an existing account keeps its own',
    }),
    memberships: z
      .array(z.strictObject({ account_id: id, product_id: id, role: z.enum(['billing', 'member', 'owner']) }))
      .max(MOST_MEMBERSHIPS)
      .optional()
      .meta({ description: 'the places of a new account in teams; an existing account keeps its own' }),
    teams: z
      .array(
        z.strictObject({
          product_id: id,
          gave_up: z.literal(true).optional(),
          told_over: z.literal(true).optional(),
          people: z.array(
            z.strictObject({
              id,
              email: line.max(LONGEST_EMAIL),
              role: z.enum(TEAM_ROLES),
              invited_at: instant,
              account_id: id.nullable(),
            }),
          ),
        }),
      )
      .optional()
      .meta({ description: 'the people who share its units of products; an existing team keeps its own' }),
    ways_in_ended: z
      .strictObject({ from: instant, at: instant })
      .optional()
      .meta({ description: 'the last lock-out of a new account' }),
    former_emails: z
      .array(line.max(LONGEST_EMAIL))
      .max(MOST_FORMER)
      .optional()
      .meta({ description: 'the former addresses of a new account, by which its erasure finds records' }),
    entitlements: z.array(entitlement).max(5000).default([]),
    subscriptions: z.array(subscription).max(1000).default([]),
    orders: z.array(order).max(5000).default([]),
    invoices: z.array(invoice).max(10_000).default([]),
    payment_methods: z
      .array(paymentMethod)
      .max(50)
      .superRefine(
        rules((all) => {
          const first = all.findIndex(({ is_default }) => is_default);
          return all.map(({ is_default }, n) => [
            is_default && n > first,
            `${n}.is_default`,
            `payment_methods.${first} is the default already`,
          ]);
        }),
      )
      .default([]),
    license_keys: z.array(licenseKey).max(5000).optional().meta({ description: 'license keys to add; others stay' }),
    devices: z.array(device).max(100_000).optional().meta({
      description: 'the devices that hold slots of products of which the account has no device yet',
    }),
  })
  .refine(({ password, password_hash }) => password === null || (password_hash ?? null) === null, {
    path: ['password_hash'],
    error: 'stands beside a password; give one of them',
  });
