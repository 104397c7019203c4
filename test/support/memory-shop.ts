import { generateKeyPairSync, hash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { Ed25519ArtifactSigner } from '../../adapters/crypto/artifact-signer.ts';
import { Ed25519Signer } from '../../adapters/crypto/ed25519-signer.ts';
import { DownloadSignature } from '../../adapters/filesystem/download-signature.ts';
import { MemoryObjects } from '../../adapters/memory/memory-objects.ts';
import { MemoryTable } from '../../adapters/memory/memory-table.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { Permit } from '../../domain/access/permit.ts';
import type { Disclosure } from '../../domain/catalog/disclosure.ts';
import type { Lineage } from '../../domain/catalog/lineage.ts';
import type { Bundle, Category, Product, ProductContent, Tag } from '../../domain/catalog/product.ts';
import { objectKeyOf } from '../../domain/delivery/object-key.ts';
import type { Release } from '../../domain/delivery/release.ts';
import type { Entitlement } from '../../domain/licensing/entitlement.ts';
import type { Subscription } from '../../domain/licensing/subscription.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import type { Outcome } from '../../domain/shared/outcome.ts';
import type { Settings } from '../../runtimes/composition/engine-settings.ts';
import type { PartsWith } from '../../runtimes/composition/parts.ts';
import type { Service } from '../../runtimes/composition/service.ts';
import { NOW } from './builders.ts';

/* Everything that a unit test of a use case needs: settings, engines in memory, a clock that stands still, and stock to sell. */

export const SETTINGS: Settings = {
  urls: {
    api: 'https://api.example.com',
    app: 'https://app.example.com',
    design: 'https://design.example.com',
    account: 'https://account.example.com',
  },
  perAccount: 1000,
  perAddress: 1000,
  catalogAge: 'unbounded',
};

/** Engines that live as long as the test. Services on the same engines see each other's writes. */
export const memoryEngines = () => {
  const key = () => generateKeyPairSync('ed25519').privateKey;
  return {
    table: new MemoryTable(),
    objects: new MemoryObjects(new DownloadSignature({ secret: randomBytes(32), baseUrl: SETTINGS.urls.api })),
    licenseSigner: new Ed25519Signer(key()),
    artifactSigner: new Ed25519ArtifactSigner(key()),
  };
};

/** A clock that stands still until the test sets `at`. */
export const aClock = (at: Instant = NOW) => ({
  at,
  now(): Instant {
    return this.at;
  },
});

/** Counts up from 1, so that a test knows each id beforehand. */
export const countedIds = () => {
  let last = 0;
  return { next: () => ++last };
};

/** Makes a use case that lost a race try again at once. */
export const noPauses = { before: async () => {} };

/** The permit of a request that has passed every gate. */
export const granted = (): Promise<Permit> => Promise.resolve(grantPermit());

/** The permit of a request that a gate refused: it never resolves. */
export const neverGranted = (): Promise<Permit> => new Promise(() => {});

/** The value of an outcome that has to be right. */
export const done = <T>(outcome: Outcome<T, string>): T => {
  if (!outcome.ok) throw new Error(outcome.message ?? outcome.code);
  return outcome.value;
};

/** True where the work has come as far as it can and is not done, as a use case that waits for its permit. */
export const isWaiting = (work: Promise<unknown>): Promise<boolean> => {
  const asFarAsItCan = new Promise<boolean>((resolve) => setImmediate(() => setImmediate(() => resolve(true))));
  return Promise.race([work.then(() => false), asFarAsItCan]);
};

/** The stock of a shop, and the holdings of its accounts. */
export type Stock = {
  readonly products?: readonly Product[];
  readonly categories?: readonly Category[];
  readonly tags?: readonly Tag[];
  readonly bundles?: readonly Bundle[];
  readonly lineages?: readonly Lineage[];
  readonly contents?: readonly ProductContent[];
  readonly disclosure?: Disclosure;
  readonly releases?: readonly Release[];
  readonly entitlements?: readonly Entitlement[];
  readonly subscriptions?: readonly Subscription[];
};

/** Puts the stock into the store of a service with any areas. */
export const stock = async (service: Service<PartsWith<[]>>, all: Stock): Promise<void> => {
  const catalog = service.get('catalogEditor');
  for (const value of all.products ?? []) await catalog.save({ kind: 'product', value });
  for (const value of all.categories ?? []) await catalog.save({ kind: 'category', value });
  for (const value of all.tags ?? []) await catalog.save({ kind: 'tag', value });
  for (const value of all.bundles ?? []) await catalog.save({ kind: 'bundle', value });
  for (const value of all.lineages ?? []) await catalog.save({ kind: 'lineage', value });
  for (const value of all.contents ?? []) await catalog.save({ kind: 'content', value });
  if (all.disclosure) await catalog.save({ kind: 'disclosure', value: all.disclosure });
  const releases = service.get('releaseEditor');
  for (const one of all.releases ?? []) await releases.save(one, await releases.read(one.product_id, one.version));
  const grants = service.get('grants');
  for (const one of all.entitlements ?? []) await grants.saveEntitlement(one);
  for (const one of all.subscriptions ?? []) await grants.saveSubscription(one);
};

/** Stores a file's bytes and gives its facts, which an artifact or a content asset has. */
export const storedFile = async (service: Service<PartsWith<[]>>, text: string) => {
  const sha256 = hash('sha256', text);
  await service.get('objects').put(grantPermit(), objectKeyOf(sha256), Readable.from([Buffer.from(text)]));
  return { sha256, size: Buffer.byteLength(text) };
};
