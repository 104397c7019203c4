import { productKeyAbilities } from '../../domain/access/abilities.ts';
import { type ApiKey, isLive } from '../../domain/access/api-key.ts';
import { isInScope } from '../../domain/access/gates.ts';
import { admitKey } from '../../domain/access/key-quota.ts';
import type { Product } from '../../domain/catalog/product.ts';
import { accessTo } from '../../domain/licensing/access.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import type { Locale } from '../../domain/shared/locale.ts';
import type { ApiKeys, KeySecrets, ReadRing } from '../../ports/outbound/api-keys.ts';
import type { Catalogs } from '../../ports/outbound/catalogs.ts';
import type { Clock } from '../../ports/outbound/clock.ts';
import type { Ids } from '../../ports/outbound/ids.ts';
import type { Licenses } from '../../ports/outbound/licenses.ts';
import type { Pauses } from '../../ports/outbound/pauses.ts';
import type { RevokeApiKey } from '../access/revoke-api-key.ts';
import { productName } from '../catalog/product-views.ts';
import type { Admission } from '../shared/admission.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';

type Ports = {
  apiKeys: ApiKeys;
  catalogs: Catalogs;
  licenses: Licenses;
  keySecrets: KeySecrets;
  ids: Ids;
  clock: Clock;
  pauses: Pauses;
  revokeApiKey: RevokeApiKey;
};

type Activation = {
  status: 'created' | 'existing' | 'key_limit_reached';
  key: string | null;
  key_prefix: string | null;
};

/**
 * Makes a key bound to each product that the account may use, for the device that calls. Each product is all or
 * nothing; one that already has a live key of this device keeps it, so that a repeated call makes none twice.
 */
export class BulkActivate {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute({ key, locale, admitted }: { key: ApiKey; locale: Locale; admitted: Admission }) {
    const { catalogs, licenses, apiKeys, clock } = this.#ports;
    const [catalog, holdings, rings] = await Promise.all([
      catalogs.current(),
      licenses.held(key.account_id),
      apiKeys.rings(key.account_id),
    ]);
    const now = clock.now();
    const owned = [...catalog.products.values()].filter(
      (product) => isInScope(key, product.id) && accessTo(product, catalog.bundles, holdings, now).granted,
    );
    await admitted;
    const products = await Promise.all(
      owned.map(async (product) => ({
        product_id: product.id,
        name: productName(product, locale),
        ...(await this.#activate(key, product, rings)),
      })),
    );
    const created = products.filter(({ status }) => status === 'created').length;
    if (created > 0) await this.#endWithParent(key);
    return { products, created };
  }

  /** A device that signed out meanwhile may not have seen the keys made here. */
  async #endWithParent({ hash, id }: ApiKey): Promise<void> {
    if (!(await this.#ports.apiKeys.find(hash))) await this.#ports.revokeApiKey.execute(id);
  }

  /** Decides on the rings as they were read first, and reads the product's again where it has changed. */
  #activate(parent: ApiKey, product: Product, rings: readonly ReadRing[]): Promise<Activation> {
    const { apiKeys, clock, pauses } = this.#ports;
    const { account_id } = parent;
    const none: ReadRing = { account_id, product_id: product.id, keys: [], version: null };
    let known: ReadRing | undefined = rings.find((one) => one.product_id === product.id) ?? none;
    return untilWritten(pauses, async () => {
      const now = clock.now();
      const ring = known ?? (await apiKeys.ring(account_id, product.id));
      known = undefined;
      const existing = ring.keys.find(
        (one) => isLive(one, now) && (one.parent_id === parent.id || one.id === parent.id),
      );
      if (existing) return { status: 'existing', key: null, key_prefix: existing.prefix };
      if (!admitKey(ring, now).ok) return { status: 'key_limit_reached', key: null, key_prefix: null };
      const { value, key } = this.#make(parent, product, now);
      const written = await apiKeys.change(ring, { add: key }, now);
      return written ? { status: 'created', key: value, key_prefix: key.prefix } : CONFLICT;
    });
  }

  #make(parent: ApiKey, product: Product, now: Instant): { value: string; key: ApiKey } {
    const { value, hash, prefix } = this.#ports.keySecrets.mint();
    const key: ApiKey = {
      id: this.#ports.ids.next(),
      account_id: parent.account_id,
      hash,
      prefix,
      name: `${product.slug} on ${parent.device?.name ?? parent.name}`,
      kind: 'device',
      abilities: productKeyAbilities(parent.abilities),
      product_id: product.id,
      client: parent.client,
      device: parent.device,
      parent_id: parent.id,
      created_at: now,
      // A child never outlives the expiry that was set for its parent.
      expires_at: parent.expires_at,
      last_used_at: null,
      revoked_at: null,
    };
    return { value, key };
  }
}
