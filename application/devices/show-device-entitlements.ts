import { type ApiKey, isLive } from '../../domain/access/api-key.ts';
import { isInScope } from '../../domain/access/gates.ts';
import { subscriptionStatus } from '../../domain/billing/subscription-standing.ts';
import { accessTo } from '../../domain/licensing/access.ts';
import type { Locale } from '../../domain/shared/locale.ts';
import type { Accounts } from '../../ports/outbound/accounts.ts';
import type { ApiKeys } from '../../ports/outbound/api-keys.ts';
import type { Catalogs } from '../../ports/outbound/catalogs.ts';
import type { Clock } from '../../ports/outbound/clock.ts';
import type { Licenses } from '../../ports/outbound/licenses.ts';
import { productName } from '../catalog/product-views.ts';
import { bundleView, ownsBundle } from './list-bundles.ts';

type Ports = { accounts: Accounts; apiKeys: ApiKeys; catalogs: Catalogs; licenses: Licenses; clock: Clock };

/** What a device needs when it starts (DeviceEntitlementsData of the specification). */
export class ShowDeviceEntitlements {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute({ key, locale }: { key: ApiKey; locale: Locale }) {
    const { accounts, apiKeys, catalogs, licenses, clock } = this.#ports;
    const [catalog, holdings, rings, account] = await Promise.all([
      catalogs.current(),
      licenses.held(key.account_id),
      apiKeys.rings(key.account_id),
      accounts.get(key.account_id),
    ]);
    const now = clock.now();
    const deviceKeys = rings
      .flatMap((ring) => ring.keys)
      .filter((one) => isLive(one, now) && (one.parent_id === key.id || one.id === key.id));
    const products = [...catalog.products.values()]
      .filter((product) => isInScope(key, product.id))
      .flatMap((product) => {
        const access = accessTo(product, catalog.bundles, holdings, now);
        if (!access.granted) return [];
        const deviceKey = deviceKeys.find((one) => one.product_id === product.id);
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
    const isDeviceKey = key.kind === 'device';
    return {
      products,
      subscriptions: holdings.subscriptions
        .filter(({ product_ids }) => product_ids.some((id) => isInScope(key, id)))
        .map((subscription) => {
          const { id, starts_at, ends_at, product_ids } = subscription;
          return { id, status: subscriptionStatus(subscription, now), starts_at, ends_at, product_ids };
        }),
      bundles: catalog.bundles
        .filter((bundle) => bundle.product_ids.some((id) => isInScope(key, id)))
        .filter((bundle) => ownsBundle(bundle, catalog, holdings, now))
        .map((bundle) => bundleView(bundle, locale)),
      device: {
        id: isDeviceKey ? key.id : null,
        name: isDeviceKey ? (key.device?.name ?? key.name) : null,
        activated_at: isDeviceKey ? key.created_at : null,
      },
      user: account ? { id: account.id, email: account.email, name: account.name } : null,
    };
  }
}
