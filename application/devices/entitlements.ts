import { deviceKeys } from '../../domain/access/api-key.ts';
import { type AccountPrincipal, isInScope, keyOf, type ProductScope } from '../../domain/access/principal.ts';
import { subscriptionStatus } from '../../domain/billing/subscription-standing.ts';
import type { Catalog } from '../../domain/catalog/catalog.ts';
import type { Bundle } from '../../domain/catalog/product.ts';
import { accessTo } from '../../domain/licensing/access.ts';
import { usableProducts } from '../../domain/licensing/account-products.ts';
import type { Holdings } from '../../domain/licensing/entitlement.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import { inLocale, type Locale } from '../../domain/shared/locale.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { productName } from '../catalog/product-views.ts';

type Ports = Needs<'accounts' | 'apiKeys' | 'catalogs' | 'clock' | 'licenses'>;

/**
 * The products, subscriptions and bundles that a device may use, with its account (`DeviceEntitlementsData` in the
 * OpenAPI document). People share license keys, so the answer to one leaves the account out.
 */
export const showDeviceEntitlements = ({ accounts, apiKeys, catalogs, licenses, clock }: Ports) =>
  async function showDeviceEntitlements({ caller, locale }: { caller: AccountPrincipal; locale: Locale }) {
    const [catalog, holdings, scopes, account] = await Promise.all([
      catalogs.current(),
      licenses.held(caller.account_id, undefined, caller.memberships),
      apiKeys.scopes(caller.account_id),
      accounts.get(caller.account_id),
    ]);
    const now = clock.now();
    const key = keyOf(caller);
    const keys = scopes.flatMap((scope) => scope.keys);
    const ofDevice = key ? deviceKeys(keys, key, now) : [];
    const products = usableProducts(catalog, caller, holdings, now).map(({ product, access }) => {
      const deviceKey = ofDevice.find((one) => one.product_id === product.id);
      return {
        id: product.id,
        name: productName(product, locale),
        type: product.type,
        access_source: access.access_source,
        has_device_key: deviceKey !== undefined,
        license_key_prefix: deviceKey?.prefix ?? null,
        access_expires_at: access.access_expires_at,
        updates_supported_until: access.updates_supported_until,
      };
    });
    const signedIn = key?.kind === 'device' ? key : null;
    return {
      products,
      subscriptions: holdings.subscriptions
        .filter(({ product_ids }) => product_ids.some((id) => isInScope(caller, id)))
        .map((subscription) => {
          const { id, starts_at, ends_at, product_ids } = subscription;
          return { id, status: subscriptionStatus(subscription, now), starts_at, ends_at, product_ids };
        }),
      bundles: catalog.bundles
        .filter((bundle) => bundle.product_ids.some((id) => isInScope(caller, id)))
        .filter((bundle) => ownsBundle(bundle, catalog, holdings, now))
        .map((bundle) => bundleView(bundle, locale)),
      device: {
        id: signedIn?.id ?? null,
        name: signedIn?.device?.name ?? signedIn?.name ?? null,
        activated_at: signedIn?.created_at ?? null,
      },
      user: account && key?.kind !== 'license' ? { id: account.id, email: account.email, name: account.name } : null,
    };
  };

export const bundleView = ({ id, name, product_ids }: Bundle, locale: Locale) => ({
  id,
  name: inLocale(name, locale) ?? '',
  product_ids,
});

/** True if the account has access to the bundle itself, not just to its products. */
export const ownsBundle = (bundle: Bundle, catalog: Catalog, holdings: Holdings, now: Instant): boolean => {
  const product = catalog.products.get(bundle.product_id);
  return product !== undefined && accessTo(product, catalog.bundles, holdings, now).granted;
};

/**
 * The bundles on sale; for a caller bound to one product, only those with that product. An unpublished product appears
 * neither as a bundle nor in one, except to an account with access to it.
 */
export const listBundles = ({ catalogs, licenses, clock }: Needs<'catalogs' | 'clock' | 'licenses'>) =>
  async function listBundles({
    account_id,
    scope,
    caller,
    locale,
  }: {
    account_id: number;
    scope: ProductScope;
    caller?: Pick<AccountPrincipal, 'memberships'> | undefined;
    locale: Locale;
  }) {
    const [catalog, holdings] = await Promise.all([
      catalogs.current(),
      licenses.held(account_id, undefined, caller?.memberships),
    ]);
    const now = clock.now();
    const isVisible = (product_id: number): boolean => {
      const product = catalog.products.get(product_id);
      return product !== undefined && (product.published || accessTo(product, catalog.bundles, holdings, now).granted);
    };
    return {
      bundles: catalog.bundles
        .filter(
          ({ active, product_id, product_ids }) =>
            active && isVisible(product_id) && [product_id, ...product_ids].some((id) => isInScope(scope, id)),
        )
        .map((bundle) => ({
          ...bundleView(bundle, locale),
          product_ids: bundle.product_ids.filter(isVisible),
          product_id: bundle.product_id,
          entitled: ownsBundle(bundle, catalog, holdings, now),
        })),
    };
  };
