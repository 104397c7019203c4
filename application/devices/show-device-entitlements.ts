import { deviceKeys } from '../../domain/access/device-keys.ts';
import { type AccountPrincipal, isInScope, keyOf } from '../../domain/access/principal.ts';
import { subscriptionStatus } from '../../domain/billing/subscription-standing.ts';
import { usableProducts } from '../../domain/licensing/account-products.ts';
import type { Locale } from '../../domain/shared/locale.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { productName } from '../catalog/product-views.ts';
import { bundleView, ownsBundle } from './list-bundles.ts';

export type Ports = Needs<'accounts' | 'apiKeys' | 'catalogs' | 'clock' | 'licenses'>;

/**
 * The products, subscriptions and bundles that a device may use, with its account (DeviceEntitlementsData of the
 * specification). A license key is passed around, so it tells nobody whose it is.
 */
export const showDeviceEntitlements =
  ({ accounts, apiKeys, catalogs, licenses, clock }: Ports) =>
  async ({ caller, locale }: { caller: AccountPrincipal; locale: Locale }) => {
    const [catalog, holdings, scopes, account] = await Promise.all([
      catalogs.current(),
      licenses.held(caller.account_id),
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

export type ShowDeviceEntitlements = ReturnType<typeof showDeviceEntitlements>;
