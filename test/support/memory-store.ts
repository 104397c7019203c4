import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { Ed25519ArtifactSigner } from '../../adapters/crypto/artifact-signer.ts';
import { Ed25519Signer } from '../../adapters/crypto/ed25519-signer.ts';
import { DownloadSignature } from '../../adapters/filesystem/download-signature.ts';
import { MemoryObjects } from '../../adapters/memory/memory-objects.ts';
import { MemoryTable } from '../../adapters/memory/memory-table.ts';
import type { ApiKey } from '../../domain/access/api-key.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { Account } from '../../domain/accounts/account.ts';
import type { Invoice } from '../../domain/billing/invoice.ts';
import type { Order } from '../../domain/billing/order.ts';
import type { PaymentMethod } from '../../domain/billing/payment-method.ts';
import type { Bundle, Product } from '../../domain/catalog/product.ts';
import type { Release } from '../../domain/delivery/release.ts';
import type { Entitlement } from '../../domain/licensing/entitlement.ts';
import type { Subscription } from '../../domain/licensing/subscription.ts';
import { amendPolicy, type ClientPolicy, DEFAULT_POLICY } from '../../domain/policy/client-policy.ts';
import type { Area, Complete, NeededBy } from '../../runtimes/composition/area.ts';
import { bootstrap } from '../../runtimes/composition/bootstrap.ts';
import type { Base, PartsWith } from '../../runtimes/composition/parts.ts';
import type { Overrides, Service } from '../../runtimes/composition/service.ts';
import { NOW } from './builders.ts';

export const API = 'https://api.example.com';

/** The contents to put into a store. A record replaces the one with the same id; a key is always a new one. */
export type Contents = {
  readonly accounts?: readonly Account[];
  readonly products?: readonly Product[];
  readonly bundles?: readonly Bundle[];
  readonly releases?: readonly Release[];
  readonly policy?: Partial<ClientPolicy>;
  readonly entitlements?: readonly Entitlement[];
  readonly subscriptions?: readonly Subscription[];
  readonly keys?: readonly ApiKey[];
  readonly orders?: readonly Order[];
  readonly invoices?: readonly Invoice[];
  readonly paymentMethods?: readonly PaymentMethod[];
};

const putInto = async ({ get }: Service<PartsWith<[]>>, contents: Contents): Promise<void> => {
  const { accounts = [], products = [], bundles = [], releases = [], policy, keys = [] } = contents;
  const { entitlements = [], subscriptions = [], orders = [], invoices = [], paymentMethods = [] } = contents;
  for (const account of accounts) await get('accounts').save(account);
  for (const value of products) await get('catalogEditor').save({ kind: 'product', value });
  for (const value of bundles) await get('catalogEditor').save({ kind: 'bundle', value });
  for (const release of releases) {
    const editor = get('releaseEditor');
    await editor.save(release, await editor.read(release.product_id, release.version));
  }
  if (policy) {
    const read = await get('policies').read();
    await get('policies').save(amendPolicy(read.policy, { ...DEFAULT_POLICY, ...policy }, NOW), read);
  }
  for (const entitlement of entitlements) await get('grants').saveEntitlement(entitlement);
  for (const subscription of subscriptions) await get('grants').saveSubscription(subscription);
  for (const key of keys) {
    const scope = await get('apiKeys').scope(key.account_id, key.product_id);
    await get('apiKeys').change(grantPermit(), scope, { add: key }, NOW);
  }
  for (const order of orders) await get('billingRecords').saveOrder(order);
  for (const invoice of invoices) await get('billingRecords').saveInvoice(invoice);
  for (const method of paymentMethods) await get('billingRecords').savePaymentMethod(method);
};

/** Ids from 1001 on, so that none is one that a builder gives. */
const countedIds = () => {
  let last = 1000;
  return { next: () => ++last };
};

/**
 * A service in memory with the areas that a test is about. Its clock shows `clock.at`, at first NOW, until the test sets
 * it; nothing waits, and a part can be replaced by name.
 */
export const aStore = async <const A extends readonly Area[]>(
  areas: A & Complete<PartsWith<A>, NeededBy<[...Base, ...A]>>,
  contents: Contents = {},
  overrides: Overrides = {},
) => {
  const clock = { at: NOW, now: () => clock.at };
  const table = new MemoryTable();
  const aKey = () => generateKeyPairSync('ed25519').privateKey;
  const engines = {
    table,
    objects: new MemoryObjects(new DownloadSignature({ secret: randomBytes(32), baseUrl: API })),
    licenseSigner: new Ed25519Signer(aKey()),
    artifactSigner: new Ed25519ArtifactSigner(aKey()),
  };
  const urls = { api: API, design: API, app: API, account: 'https://account.example.com' };
  const settings = { urls, perAccount: 120, perAddress: 60, catalogAge: 'unbounded' } as const;
  const pauses = { before: async () => {} };
  const service = bootstrap<A>(settings, engines, areas, { clock, ids: countedIds(), pauses, ...overrides });
  const put = (more: Contents): Promise<void> => putInto(service as unknown as Service<PartsWith<[]>>, more);
  await put(contents);
  return {
    get: service.get,
    clock,
    put,
    /** All that is stored, to compare before and after. */
    entries: async () => (await table.dump(0)).entries,
  };
};
