import type { Account } from '../accounts/account.ts';
import { addressKey, canonicalAddress } from '../accounts/address.ts';
import type { Erasure } from '../accounts/erasure.ts';
import type { Order } from '../billing/order.ts';
import type { PaymentMethod } from '../billing/payment-method.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Bundle, Category, Price, Product, Tag } from '../catalog/product.ts';
import { productsBrought } from '../licensing/access.ts';
import type { Holdings } from '../licensing/entitlement.ts';
import { editionsOf } from '../licensing/terms.ts';
import { policyFaults } from '../policy/client-policy.ts';
import { countOf, plural } from '../shared/count-of.ts';
import { dangling, type Fault, faultsAt, type Rule, repeats } from '../shared/fault.ts';
import { isSameJson } from '../shared/same-json.ts';
import type { AccountEntry, StoreDocument } from './store-document.ts';

type PlacedValue = { readonly path: string; readonly value: unknown };

/**
 * The values of a document at a pattern such as `products.*.tag_ids.*`, each with its path. Null counts as no value.
 */
const valuesAt = (from: PlacedValue, pattern: string): PlacedValue[] =>
  (pattern === '' ? [] : pattern.split('.'))
    .reduce(
      (found, part) =>
        found.flatMap(({ path, value }) => {
          const members = (value ?? {}) as Readonly<Record<string, unknown>>;
          const names = part === '*' ? Object.keys(members) : [part];
          return names.map((name) => ({ path: path === '' ? name : `${path}.${name}`, value: members[name] }));
        }),
      [from],
    )
    .filter(({ value }) => value !== null && value !== undefined);

type KnownIds<Kind extends string> = Readonly<Record<Kind, { has(id: number): boolean }>>;

/** The fields that refer to other records: the pattern of their paths, and the kind of record. */
type References<Kind extends string> = readonly (readonly [pattern: string, kind: Kind])[];

const REFERENCES: References<'category' | 'tag' | 'product'> = [
  ['categories.*.parent_id', 'category'],
  ['products.*.primary_category_id', 'category'],
  ['products.*.category_ids.*', 'category'],
  ['products.*.tag_ids.*', 'tag'],
  ['bundles.*.product_id', 'product'],
  ['bundles.*.product_ids.*', 'product'],
  ['key_batches.*.product_id', 'product'],
  ['lineages.*.product_ids.*', 'product'],
  ['lineages.*.current_product_id', 'product'],
  ['accounts.*.entitlements.*.product_id', 'product'],
  ['accounts.*.entitlements.*.source_product_id', 'product'],
  ['accounts.*.subscriptions.*.product_ids.*', 'product'],
  ['accounts.*.orders.*.items.*.product_id', 'product'],
  ['accounts.*.license_keys.*.product_id', 'product'],
  ['accounts.*.devices.*.product_id', 'product'],
];

/** The references within an account, to its records in the document or in the store. */
const ACCOUNT_REFERENCES: References<'order' | 'payment method'> = [
  ['invoices.*.order_id', 'order'],
  ['entitlements.*.order_id', 'order'],
  ['subscriptions.*.billing.order_id', 'order'],
  ['subscriptions.*.billing.payment_method_id', 'payment method'],
];

const danglingFaults = <Kind extends string>(
  from: PlacedValue,
  references: References<Kind>,
  known: KnownIds<Kind>,
): Fault[] =>
  references.flatMap(([pattern, kind]) =>
    valuesAt(from, pattern).flatMap(({ path, value }) => dangling(path, kind, value as number, known[kind])),
  );

/** Rows with a unique field: the scope of the uniqueness, the pattern of the rows' paths within it, and the field. */
const UNIQUE: readonly (readonly [within: string, rows: string, member: string])[] = [
  ...['categories', 'tags', 'products', 'bundles', 'lineages', 'releases', 'key_batches', 'accounts'].map(
    (section) => ['', `${section}.*`, 'id'] as const,
  ),
  ['', 'products.*', 'slug'],
  ['', 'products.*', 'bundle_id'],
  ['products.*', 'outputs.*', 'id'],
  ['products.*', 'mcp_server.tools.*', 'id'],
  ['', 'lineages.*', 'slug'],
  ['taxonomy.*', '*', 'key'],
  ['', 'accounts.*', 'email'],
  ['', 'accounts.*.orders.*', 'number'],
  ['', 'accounts.*.invoices.*', 'number'],
  ['accounts.*.orders.*', 'items.*', 'id'],
  ['', 'accounts.*.license_keys.*', 'hash'],
];

/**
 * Rows whose ids are unique in a document, so that a copied but unchanged row is found. An export is not written by
 * hand: its ids are unique within an account, as in the store, and orders and invoices have owners.
 */
const OWN_ROWS = ['entitlements', 'subscriptions', 'orders', 'invoices', 'payment_methods'];

const repeatedFaults = (document: StoreDocument): Fault[] => {
  const within = document.exported_at === undefined ? '' : 'accounts.*';
  // The previous version could store two accounts of one mailbox, which a store that imports them could not tell apart.
  const merge = within === '' ? '' : '; merge the two with "account merge" in the store of the export';
  const own = OWN_ROWS.map((rows) => [within, within === '' ? `accounts.*.${rows}.*` : `${rows}.*`, 'id'] as const);
  return [...UNIQUE, ...own].flatMap(([together, rows, member]) =>
    valuesAt({ path: '', value: document }, together).flatMap((from) => {
      const found = valuesAt(from, `${rows}.${member}`);
      const owner = (n: number): string | undefined => found[n]?.path.slice(0, -member.length - 1);
      return repeats(
        found,
        ({ value }) => (member === 'email' ? addressKey(value as string) : (value as string | number)),
        (n, first) => ({
          path: `${owner(n)}.${member}`,
          message: `${JSON.stringify(found[n]?.value)} is already the ${member} of ${owner(first)}${member === 'email' ? merge : ''}`,
        }),
      );
    }),
  );
};

/** The catalog after the import: the stored one, with the document's entries replacing those with the same id. */
type KnownCatalog = {
  readonly products: ReadonlyMap<number, Product>;
  readonly categories: ReadonlyMap<number, Category>;
  readonly tags: ReadonlyMap<number, Tag>;
};

const replaced = <T extends { readonly id: number }>(
  stored: ReadonlyMap<number, T>,
  entries: readonly T[],
): ReadonlyMap<number, T> => new Map([...stored, ...entries.map((entry) => [entry.id, entry] as const)]);

export const knownAfter = (document: StoreDocument, stored: Catalog): KnownCatalog => ({
  products: replaced(stored.products, document.products),
  categories: replaced(stored.categories, document.categories),
  tags: replaced(stored.tags, document.tags),
});

/** True if the category is one of its own ancestors. */
const isBelowItself = (category: Category, categories: ReadonlyMap<number, Category>): boolean => {
  const passed = new Set<number>();
  let above = category.parent_id;
  while (above !== null && above !== category.id && !passed.has(above)) {
    passed.add(above);
    above = categories.get(above)?.parent_id ?? null;
  }
  return above === category.id;
};

/** The entries that take the name of a stored row that no entry replaces. Null is no name. */
const takenNames = <Field extends string>(
  what: string,
  entries: readonly ({ readonly id: number } & Readonly<Record<Field, string | null>>)[],
  field: Field,
  stored: Iterable<{ readonly id: number } & Readonly<Record<Field, string | null>>>,
): Fault[] => {
  const entryIds = new Set(entries.map(({ id }) => id));
  const owners = new Map([...stored].filter(({ id }) => !entryIds.has(id)).map((row) => [row[field], row.id]));
  return entries.flatMap(({ [field]: name }, n) =>
    faultsAt(`${what}s.${n}`, [
      [name !== null && owners.has(name), field, `"${name}" is already the ${field} of ${what} ${owners.get(name)}`],
    ]),
  );
};

/** A price is of one kind: an upgrade, an add-on or a renewal. An add-on has no edition. */
const kindRule = ({ edition, renewal, upgrades_from, requires }: Price, n: number): Rule => [
  [renewal, upgrades_from, requires].filter(Boolean).length > 1 || (requires && edition !== undefined),
  String(n),
  'a price is either an upgrade (upgrades_from), an add-on (requires, without edition) or a renewal; make one for each',
];

/**
 * The faults of prices: different terms in several products, which would give a sale two sets of terms, and editions
 * that no product of the price has.
 */
const priceFaults = (
  document: StoreDocument,
  products: ReadonlyMap<number, Product>,
  bundles: readonly Bundle[],
): Fault[] => {
  const byPrice = Map.groupBy(
    [...products.values()].flatMap(({ id, prices = [] }) => prices.map((price) => ({ id, price }))),
    ({ price }) => `${price.provider} ${price.id}`,
  );
  return document.products.flatMap(({ prices = [] }, i) =>
    prices.flatMap((price, n) => {
      const others = byPrice.get(`${price.provider} ${price.id}`) ?? [];
      const other = others.find((one) => !isSameJson(one.price, price));
      const why = `product ${other?.id} sells the price ${price.id} of ${price.provider} with other terms; give both the same`;
      const sold = others.flatMap(({ id }) => productsBrought(id, bundles)).flatMap((id) => products.get(id) ?? []);
      const editions = editionsOf(sold);
      const unknown = [price.edition ?? [], price.upgrades_from ?? [], price.requires ?? []]
        .flat()
        .find((name) => !editions.has(name));
      return faultsAt(`products.${i}.prices`, [
        [other, String(n), why],
        kindRule(price, n),
        [unknown, String(n), `there is no edition ${unknown}; add it to the product’s editions`],
      ]);
    }),
  );
};

/** The faults of a document's records, among each other and against the stored catalog. */
export const documentFaults = (document: StoreDocument, stored: Catalog): Fault[] => {
  const { products, categories, tags } = knownAfter(document, stored);
  const known = { product: products, category: categories, tag: tags };
  return [
    ...repeatedFaults(document),
    ...takenNames('product', document.products, 'slug', stored.products.values()),
    ...takenNames('product', document.products, 'bundle_id', stored.products.values()),
    ...takenNames('lineage', document.lineages, 'slug', stored.lineages),
    ...danglingFaults({ path: '', value: document }, REFERENCES, known),
    ...priceFaults(document, products, [...stored.bundles, ...document.bundles]),
    ...document.categories.flatMap((category, i) =>
      faultsAt(`categories.${i}`, [
        [isBelowItself(category, categories), 'parent_id', `category ${category.id} would be below itself`],
      ]),
    ),
    ...(document.policy ? policyFaults(document.policy, 'policy.', products) : []),
  ];
};

/** The stored data of an account in a document: its records, and the account with its email address. */
export type StoredAccount = {
  readonly owner: Account | undefined;
  readonly erasure: Erasure | undefined;
  readonly held: Holdings;
  readonly orders: readonly Order[];
  readonly payment_methods: readonly PaymentMethod[];
};

type OrderRow = Pick<Order, 'id' | 'number' | 'items'>;

/**
 * The reason why an entitlement does not match its order item; undefined if it does, or if there is no such order. A
 * revoked one may be of an item that the order had before the shop changed it. The price of an item may include several
 * products, of which the item names one.
 */
const itemFault = (
  { order_id, order_item_id, source_product_id, revoked_at }: AccountEntry['entitlements'][number],
  orders: ReadonlyMap<number | null, OrderRow>,
  entitlements: AccountEntry['entitlements'],
): string | undefined => {
  const order = orders.get(order_id);
  if (!order || order_item_id === null || revoked_at !== null) return undefined;
  const item = order.items.find(({ id }) => id === order_item_id);
  if (!item) return `order ${order_id} has no item ${order_item_id}`;
  if (item.product_id === null) return `item ${order_item_id} is of no product`;
  const granted = entitlements.filter((one) => one.order_id === order_id && one.order_item_id === order_item_id);
  const isOfItem = source_product_id === item.product_id || granted.some((one) => one.product_id === item.product_id);
  return isOfItem ? undefined : `item ${order_item_id} is of product ${item.product_id}`;
};

/**
 * The faults of one account's entry against the stored account. An undeliverable address is accepted from an export,
 * and if the account already has it, because the previous version accepted such addresses.
 */
export const accountFaults = (entry: AccountEntry, path: string, stored: StoredAccount, exported: boolean): Fault[] => {
  const { owner, erasure, held } = stored;
  const orders = new Map<number | null, OrderRow>(
    [...stored.orders, ...entry.orders].map((order) => [order.id, order]),
  );
  const methods = new Set([...stored.payment_methods, ...entry.payment_methods].map(({ id }) => id));
  const productOf = new Map(held.entitlements.map(({ id, product_id }) => [id, product_id]));
  const numberOf = new Map(stored.orders.map(({ id, number }) => [id, number]));
  const rules: Rule[] = [
    [
      erasure,
      'id',
      `account ${erasure?.account_id} was erased at ${erasure?.erased_at} and stays so; leave the account out, or give it another id where the buyer has come back`,
    ],
    [
      !exported && !owner && canonicalAddress(entry.email) === null,
      'email',
      'must be an email address that mail can reach',
    ],
    [owner && owner.id !== entry.id, 'email', `${entry.email} is already the address of account ${owner?.id}`],
    ...entry.orders.map(({ id, number }, n) => {
      const before = numberOf.get(id) ?? number;
      return [before !== number, `orders.${n}.number`, `order ${id} has the number ${before}`] satisfies Rule;
    }),
    ...entry.entitlements.flatMap((row, n) => {
      const before = productOf.get(row.id) ?? row.product_id;
      const ofOther = `entitlement ${row.id} of this account is for product ${before} already`;
      const item = itemFault(row, orders, entry.entitlements);
      return [
        [before !== row.product_id, `entitlements.${n}.product_id`, ofOther],
        [item, `entitlements.${n}.order_item_id`, item ?? ''],
      ] satisfies Rule[];
    }),
  ];
  return [
    ...faultsAt(path, rules),
    ...danglingFaults({ path, value: ownOrders(entry) }, ACCOUNT_REFERENCES, {
      order: orders,
      'payment method': methods,
    }),
  ];
};

/** The entry, where a transferred entitlement names no order, because that is in its buyer's account. */
const ownOrders = (entry: AccountEntry): AccountEntry => ({
  ...entry,
  entitlements: entry.entitlements.map((row) => (row.transferred ? { ...row, order_id: null } : row)),
});

/** One warning for all accounts that keep their password instead of the document's, which may be older. */
export const keptPasswordWarnings = (accounts: number): Fault[] => {
  const why = `${countOf(accounts, 'account')} ${plural(accounts, 'has', 'have')} another password than the document and ${plural(accounts, 'keeps', 'keep')} it; "account password --account ID" sets a new one`;
  return faultsAt('accounts', [[accounts > 0, '', why]]);
};
