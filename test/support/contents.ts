import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ApiKey } from '../../domain/access/api-key.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { Account } from '../../domain/accounts/account.ts';
import type { Invoice } from '../../domain/billing/invoice.ts';
import type { Order } from '../../domain/billing/order.ts';
import type { PaymentMethod } from '../../domain/billing/payment-method.ts';
import type { Disclosure, Storefront } from '../../domain/catalog/catalog.ts';
import type { Lineage } from '../../domain/catalog/lineage.ts';
import type { Bundle, Category, Product, ProductContent, Tag } from '../../domain/catalog/product.ts';
import { objectKeyOf } from '../../domain/delivery/object-key.ts';
import type { Release } from '../../domain/delivery/release.ts';
import type { Entitlement } from '../../domain/licensing/entitlement.ts';
import type { Subscription } from '../../domain/licensing/subscription.ts';
import { amendPolicy, type ClientPolicy, DEFAULT_POLICY } from '../../domain/policy/client-policy.ts';
import type { SavedRecord } from '../../ports/outbound/billing.ts';
import type { PartsWith } from '../../runtimes/composition/areas/all-areas.ts';
import type { Service } from '../../runtimes/composition/bootstrap.ts';
import { NOW } from './builders.ts';

/* Contents with which a test fills the store of any service; `aStore` accepts the same contents. */

/** The contents of a store. A record replaces the one with the same id; a key is always a new one. */
export type Contents = {
  readonly accounts?: readonly Account[];
  readonly products?: readonly Product[];
  readonly categories?: readonly Category[];
  readonly tags?: readonly Tag[];
  readonly bundles?: readonly Bundle[];
  readonly lineages?: readonly Lineage[];
  readonly productContents?: readonly ProductContent[];
  readonly disclosure?: Disclosure;
  readonly storefront?: Storefront;
  readonly releases?: readonly Release[];
  readonly policy?: Partial<ClientPolicy>;
  readonly entitlements?: readonly Entitlement[];
  readonly subscriptions?: readonly Subscription[];
  readonly keys?: readonly ApiKey[];
  readonly orders?: readonly Order[];
  readonly invoices?: readonly Invoice[];
  readonly paymentMethods?: readonly PaymentMethod[];
};

/** A service with any areas. */
type AnyService = Pick<Service<PartsWith<[]>>, 'get'>;

const putCatalog = async ({ get }: AnyService, all: Contents): Promise<void> => {
  const editor = get('catalogEditor');
  for (const value of all.products ?? []) await editor.save(grantPermit(), { kind: 'product', value });
  for (const value of all.categories ?? []) await editor.save(grantPermit(), { kind: 'category', value });
  for (const value of all.tags ?? []) await editor.save(grantPermit(), { kind: 'tag', value });
  for (const value of all.bundles ?? []) await editor.save(grantPermit(), { kind: 'bundle', value });
  for (const value of all.lineages ?? []) await editor.save(grantPermit(), { kind: 'lineage', value });
  for (const value of all.productContents ?? []) await editor.save(grantPermit(), { kind: 'content', value });
  if (all.disclosure) await editor.save(grantPermit(), { kind: 'disclosure', value: all.disclosure });
  if (all.storefront) await editor.save(grantPermit(), { kind: 'storefront', value: all.storefront });
};

const putPolicy = async ({ get }: AnyService, policy: Partial<ClientPolicy>): Promise<void> => {
  const read = await get('policies').read();
  await get('policies').save(grantPermit(), amendPolicy(read.policy, { ...DEFAULT_POLICY, ...policy }, NOW), read);
};

const putKey = async ({ get }: AnyService, key: ApiKey): Promise<void> => {
  const scope = await get('apiKeys').scope(key.account_id, key.product_id);
  await get('apiKeys').change(grantPermit(), scope, { add: key }, NOW);
};

const stored = (saved: SavedRecord, { id }: { readonly id: number }): void => {
  if (saved === 'taken') throw new Error(`Another record of the test has the id ${id}, or the number, already.`);
};

/** Puts contents into the store of a service. */
export const put = async (service: AnyService, all: Contents): Promise<void> => {
  const { get } = service;
  for (const one of all.accounts ?? []) await get('accounts').save(grantPermit(), one);
  await putCatalog(service, all);
  const releases = get('releaseEditor');
  for (const one of all.releases ?? [])
    await releases.save(grantPermit(), one, await releases.read(one.product_id, one.version));
  if (all.policy) await putPolicy(service, all.policy);
  for (const one of all.entitlements ?? []) await get('grants').saveEntitlement(grantPermit(), one);
  for (const one of all.subscriptions ?? []) await get('grants').saveSubscription(grantPermit(), one);
  for (const one of all.keys ?? []) await putKey(service, one);
  for (const one of all.orders ?? []) stored(await get('billingRecords').saveOrder(grantPermit(), one), one);
  for (const one of all.invoices ?? []) stored(await get('billingRecords').saveInvoice(grantPermit(), one), one);
  for (const one of all.paymentMethods ?? []) await get('billingRecords').savePaymentMethod(grantPermit(), one);
};

/** Stores a file's bytes and returns its record, for an artifact or a content asset. */
export const storedFile = async ({ get }: AnyService, text: string) => {
  const sha256 = hash('sha256', text);
  await get('objects').put(grantPermit(), objectKeyOf(sha256), Readable.from([Buffer.from(text)]));
  return { sha256, size: Buffer.byteLength(text) };
};
