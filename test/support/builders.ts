import type { ApiKey } from '../../domain/access/api-key.ts';
import type { Invoice } from '../../domain/billing/invoice.ts';
import type { Order, OrderItem } from '../../domain/billing/order.ts';
import type { PaymentMethod } from '../../domain/billing/payment-method.ts';
import { type Catalog, type CatalogParts, catalogOf } from '../../domain/catalog/catalog.ts';
import type { Bundle, Category, DeliveryManifest, Product, Tag } from '../../domain/catalog/product.ts';
import { type ReleaseLine, releaseLine } from '../../domain/delivery/offered-release.ts';
import type { Artifact, Release } from '../../domain/delivery/release.ts';
import { sparkleOrder } from '../../domain/delivery/version-order.ts';
import type { Lease } from '../../domain/devices/lease.ts';
import type { Device } from '../../domain/devices/seat.ts';
import type { Entitlement } from '../../domain/licensing/entitlement.ts';
import type { Subscription, SubscriptionBilling } from '../../domain/licensing/subscription.ts';
import { addDays, type Instant } from '../../domain/shared/instant.ts';

/** The default present of the tests. Every built record with a start began a year earlier and is in force. */
export const NOW: Instant = '2026-11-21T08:00:00.000Z';
const A_YEAR_AGO: Instant = '2025-11-21T08:00:00.000Z';

const MANUAL_DELIVERY: DeliveryManifest = {
  schema_version: 1,
  strategy: 'manual',
  payload: {
    artifact: null,
    root: null,
    skill_manifest: null,
    vsix_path: null,
    extension_id: null,
    app_path: null,
    bundle_id: null,
    binary_path: null,
    executable_name: null,
  },
  targets: [],
  dependencies: [],
  launch: { kind: 'none' },
  requires_confirmation: false,
  compatibility: true,
};

/** A product on sale for any platform and any number of devices. Its slug and name contain its id. */
export const aProduct = (overrides: Partial<Product> = {}): Product => ({
  id: 1,
  slug: `product-${overrides.id ?? 1}`,
  type: 'app',
  type_label: { en: 'App', ko: '앱' },
  name: { en: `Product ${overrides.id ?? 1}` },
  description: null,
  list_price_cents: null,
  unit_price_cents: 1900,
  currency: 'USD',
  active: true,
  published: true,
  primary_category_id: null,
  category_ids: [],
  tag_ids: [],
  bundle_id: null,
  delivery: MANUAL_DELIVERY,
  runtime: null,
  platforms: [],
  version_scheme: 'semver',
  device_limit: null,
  setup_steps: [],
  manual: null,
  outputs: [],
  install_assets: [],
  mcp_server: null,
  hero: null,
  thumbnail_html: null,
  created_at: A_YEAR_AGO,
  ...overrides,
});

/** A macOS application with Sparkle versions and a public feed. */
export const anApp = (overrides: Partial<Product> = {}): Product =>
  aProduct({ version_scheme: 'sparkle', delivery: { ...MANUAL_DELIVERY, strategy: 'macos-app' }, ...overrides });

export const aCategory = (overrides: Partial<Category> = {}): Category => ({
  id: 1,
  parent_id: null,
  name: { en: `Category ${overrides.id ?? 1}` },
  active: true,
  visibility: 'public',
  ...overrides,
});

export const aTag = (overrides: Partial<Tag> = {}): Tag => ({
  id: 1,
  name: { en: `Tag ${overrides.id ?? 1}` },
  type: null,
  active: true,
  ...overrides,
});

/** Product 100, sold as a bundle of product 1. */
export const aBundle = (overrides: Partial<Bundle> = {}): Bundle => ({
  id: 1,
  product_id: 100,
  name: { en: 'Bundle' },
  product_ids: [1],
  active: true,
  ...overrides,
});

/** A catalog with the given parts; the others are empty. */
export const aCatalog = (parts: Partial<CatalogParts> = {}): Catalog =>
  catalogOf({ products: [], categories: [], tags: [], bundles: [], ...parts });

/** Account 1's purchase of product 1, without an end. */
export const anEntitlement = (overrides: Partial<Entitlement> = {}): Entitlement => ({
  id: 1,
  account_id: 1,
  product_id: 1,
  source_product_id: null,
  order_id: null,
  order_item_id: null,
  grant_type: 'purchase',
  source_quantity: 1,
  device_limit: null,
  granted_at: A_YEAR_AGO,
  revoked_at: null,
  access_expires_at: null,
  updates_supported_until: null,
  ...overrides,
});

/** Account 1's subscription to product 1, without an end. */
export const aSubscription = (overrides: Partial<Subscription> = {}): Subscription => ({
  id: 1,
  account_id: 1,
  product_ids: [1],
  status: 'active',
  starts_at: A_YEAR_AGO,
  ends_at: null,
  cancelled_at: null,
  grace_days: 0,
  device_limit: null,
  apps: null,
  billing: null,
  ...overrides,
});

/** One unit of product 1 at its price. */
export const anOrderItem = (overrides: Partial<OrderItem> = {}): OrderItem => ({
  id: 1,
  product_id: 1,
  product_name: null,
  list_unit_price_cents: 1900,
  unit_price_cents: 1900,
  quantity: 1,
  subtotal_cents: 1900,
  discount_total_cents: 0,
  total_cents: 1900,
  first_used_at: null,
  ...overrides,
});

/** Account 1's order, paid immediately, by default of one unit of product 1. Its sums are those of its items. */
export const anOrder = (overrides: Partial<Order> = {}): Order => {
  const items = overrides.items ?? [anOrderItem()];
  const sum = (name: 'subtotal_cents' | 'discount_total_cents' | 'total_cents') =>
    items.reduce((total, item) => total + item[name], 0);
  return {
    id: 1,
    account_id: 1,
    number: `O-${overrides.id ?? 1}`,
    status: 'paid',
    ordered_at: A_YEAR_AGO,
    paid_at: overrides.ordered_at ?? A_YEAR_AGO,
    currency: 'USD',
    payment_method: 'card',
    subtotal_cents: sum('subtotal_cents'),
    discount_total_cents: sum('discount_total_cents'),
    total_cents: sum('total_cents'),
    supply_cents: null,
    vat_cents: null,
    receipt_url: null,
    subscription_name: null,
    items,
    ...overrides,
  };
};

/** Account 1's invoice, paid when it was issued. */
export const anInvoice = (overrides: Partial<Invoice> = {}): Invoice => ({
  id: 1,
  account_id: 1,
  number: `I-${overrides.id ?? 1}`,
  status: 'paid',
  order_id: null,
  issued_at: A_YEAR_AGO,
  due_at: null,
  paid_at: A_YEAR_AGO,
  currency: 'USD',
  total_cents: 1900,
  supply_cents: null,
  vat_cents: null,
  pdf_url: null,
  receipt_url: null,
  ...overrides,
});

/** Account 1's card, valid until 2099. */
export const aPaymentMethod = (overrides: Partial<PaymentMethod> = {}): PaymentMethod => ({
  id: 1,
  account_id: 1,
  type: 'card',
  brand: 'visa',
  last4: '4242',
  exp_month: 12,
  exp_year: 2099,
  is_default: false,
  ...overrides,
});

/** The billing of a subscription without any details. */
export const aBill = (overrides: Partial<SubscriptionBilling> = {}): SubscriptionBilling => ({
  order_id: null,
  order_number: null,
  payment_method_id: null,
  trial_ends_at: null,
  next_charge_at: null,
  renewal_amount_cents: null,
  renewal_currency: null,
  krw_exchange: null,
  offer: null,
  update_payment_method_url: null,
  renewal_url: null,
  ...overrides,
});

/** A file for every platform. */
export const anArtifact = (overrides: Partial<Artifact> = {}): Artifact => ({
  platform: null,
  filename: 'product.zip',
  sha256: '0'.repeat(64),
  size: 1024,
  format: 'zip',
  signature: null,
  ...overrides,
});

/** Version 1.0.0 of product 1 on `stable`, with one file for every platform. */
export const aRelease = (overrides: Partial<Release> = {}): Release => ({
  id: 1,
  product_id: 1,
  version: '1.0.0',
  build: null,
  channel: 'stable',
  notes_en: null,
  notes_ko: null,
  source_ref: null,
  released_at: A_YEAR_AGO,
  artifacts: [anArtifact()],
  ...overrides,
});

/** A product's releases for every platform with Sparkle's versions, as clients see them ten days after NOW. */
export const aLine = (releases: readonly Release[], platforms: readonly string[] = []): ReleaseLine =>
  releaseLine(aProduct({ platforms }), releases, '2026-12-01T08:00:00.000Z', sparkleOrder());

/** A live, unused, account-wide personal key of account 1. Its hash and prefix contain its id. */
export const anApiKey = (overrides: Partial<ApiKey> = {}): ApiKey => ({
  id: 1,
  account_id: 1,
  hash: (overrides.id ?? 1).toString(16).padStart(64, '0'),
  prefix: `svc_${String(overrides.id ?? 1).padStart(10, '0')}`,
  name: 'Key',
  kind: 'personal',
  abilities: ['products.read', 'mcp.read', 'device.install'],
  product_id: null,
  client: null,
  device: null,
  parent_id: null,
  created_at: NOW,
  expires_at: null,
  last_used_at: null,
  revoked_at: null,
  ...overrides,
});

/** A session that holds a slot for ten years, so that it is live at any test's clock. */
export const aLease = (overrides: Partial<Lease> = {}): Lease => ({
  slot: 1,
  lease_id: 'a-lease',
  product_id: 1,
  device_id: 'laptop',
  name: null,
  taken_at: NOW,
  renewed_at: NOW,
  expires_at: addDays(NOW, 3650),
  ...overrides,
});

/** A device that takes its slot now. */
export const aDevice = (overrides: Partial<Device> = {}): Device => ({
  device_id: 'device-1',
  name: null,
  activated_at: NOW,
  last_seen_at: NOW,
  revoked_at: null,
  ...overrides,
});
