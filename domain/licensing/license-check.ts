import type { ProductScope } from '../access/principal.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Product } from '../catalog/product.ts';
import { deviceView, type Seat } from '../devices/seat.ts';
import type { Instant } from '../shared/instant.ts';
import { inLocale, type Locale } from '../shared/locale.ts';
import { type Outcome, type Refused, refuse } from '../shared/outcome.ts';
import type { Access } from './access.ts';
import type { LicenseDecision } from './license-decision.ts';
import { judgeSight, targetProduct } from './product-gate.ts';

/** A client's question about its license. It names the product by its id, by its bundle id, or by both. */
export type LicenseQuestion = {
  readonly product_id: number | null;
  readonly bundle_id: string | null;
  readonly device_id: string | null;
  readonly app_version: string | null;
};

const invalid = (field: string, sentence: string): Refused<'validation_failed'> =>
  refuse('validation_failed', { data: { errors: { [field]: [sentence] } } });

/** The product that a question names. A bound caller learns nothing of other products, not even whether they exist. */
export const productAsked = (
  { products, productsByBundleId }: Pick<Catalog, 'products' | 'productsByBundleId'>,
  scope: ProductScope,
  { product_id, bundle_id }: LicenseQuestion,
): Outcome<Product, 'validation_failed' | 'product_api_key_scope_required' | 'not_found'> => {
  if (product_id === null && bundle_id === null) {
    return invalid('product_id', 'The product id field is required when bundle id is not present.');
  }
  return targetProduct(products, scope, product_id ?? productsByBundleId.get(bundle_id as string)?.id ?? null);
};

/**
 * Whether the account may have an answer: it has or had access to a hidden product, and where two names were sent both
 * are the product's.
 */
export const judgeQuestion = (
  product: Product,
  access: Access,
  { product_id, bundle_id }: LicenseQuestion,
): Outcome<Access, 'validation_failed' | 'not_found'> => {
  const judged = judgeSight(product, access);
  if (!judged.ok) return judged;
  return product_id !== null && bundle_id !== null && bundle_id !== product.bundle_id
    ? invalid('bundle_id', 'The bundle id field names another product than the product id field.')
    : judged;
};

/** The facts that a license check is answered from. */
export type CheckedLicense = {
  readonly decision: LicenseDecision;
  readonly product: Product;
  readonly access: Access;
  readonly seat: Seat;
  /** Whether the update window covers the client's version (`isVersionCovered`); null without access. */
  readonly versionCovered: boolean | null;
  readonly locale: Locale;
  readonly now: Instant;
};

/** The answer to a license check, without its token. The device is shown only where the license is valid. */
export const licenseView = (checked: CheckedLicense) => {
  const { decision, product, access, seat, versionCovered, locale, now } = checked;
  return {
    ...decision,
    product: { id: product.id, name: inLocale(product.name, locale) ?? '', bundle_id: product.bundle_id },
    version_covered: versionCovered,
    device: seat.device && decision.valid ? deviceView(seat.device) : null,
    devices: { used: seat.used, limit: access.granted ? access.device_limit : product.device_limit },
    checked_at: now,
  };
};
