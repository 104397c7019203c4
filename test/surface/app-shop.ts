import { Readable } from 'node:stream';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { Product } from '../../domain/catalog/product.ts';
import { objectKeyOf } from '../../domain/delivery/object-key.ts';
import type { Artifact, Delta, Release } from '../../domain/delivery/release.ts';
import { NO_TERMS, type SparkleTerms } from '../../domain/delivery/sparkle-terms.ts';
import type { Service } from '../../runtimes/composition/bootstrap.ts';
import { anApp, aProduct, aRelease } from '../support/builders.ts';
import { artifactBytes, sha256 } from './shop.ts';

/** A public application. */
export const APP = 1;
/** An application whose appcast is for entitled accounts. */
export const PAID = 2;
/** An unpublished application. */
export const HIDDEN = 3;
/** An application that is no longer sold. */
export const GONE = 4;
/** A tool, which is not an application and has no appcast. */
export const SCRIPT = 5;

export const patchBytes = (from: string): string => `patch from ${from}\n`;

/** Stores and signs a file as publishing does. */
const keep = async (service: Service, filename: string, bytes: string) => {
  const sum = sha256(bytes);
  await service.get('objects').put(grantPermit(), objectKeyOf(sum), Readable.from([Buffer.from(bytes)]));
  const signed = await service.get('artifactSigner').sign(Buffer.from(bytes));
  return { filename, sha256: sum, size: Buffer.byteLength(bytes), ...signed };
};

type Draft = Partial<Omit<Release, 'sparkle'>> &
  Pick<Release, 'id' | 'product_id' | 'version'> & {
    platforms?: readonly Artifact['platform'][];
    patches?: readonly string[];
    sparkle?: Partial<SparkleTerms>;
  };

const publish = async (service: Service, { platforms = [null], patches = [], sparkle, ...release }: Draft) => {
  const { version } = release;
  const deltas: Delta[] = [];
  for (const from_build of patches) {
    deltas.push({ from_build, ...(await keep(service, `${from_build}.delta`, patchBytes(from_build))) });
  }
  const artifacts: Artifact[] = [];
  for (const platform of platforms) {
    const file = await keep(service, `App ${version}.zip`, artifactBytes(version, platform));
    artifacts.push({ platform, format: 'zip', ...file, ...(deltas.length > 0 && { deltas }) });
  }
  const made = aRelease({ ...release, artifacts, ...(sparkle && { sparkle: { ...NO_TERMS, ...sparkle } }) });
  const editor = service.get('releaseEditor');
  await editor.save(grantPermit(), made, await editor.read(made.product_id, version));
};

const products: Product[] = [
  anApp({ id: APP, name: { en: 'Memo & more', ko: '메모' } }),
  anApp({ id: PAID, feed: 'entitled' }),
  anApp({ id: HIDDEN, published: false }),
  anApp({ id: GONE, active: false }),
  aProduct({ id: SCRIPT, type: 'tool' }),
];

const releases: Draft[] = [
  { id: 105, product_id: APP, version: '0.9' },
  { id: 101, product_id: APP, version: '1.0', build: '100', released_at: '2025-06-01T00:00:00.000Z' },
  {
    id: 102,
    product_id: APP,
    version: '1.1',
    build: '110',
    released_at: '2026-01-10T00:00:00.000Z',
    notes_en: 'Safe ]]><script>alert(1)</script> & sound',
    notes_ko: '- 새로움',
    patches: ['100'],
    sparkle: { minimum_system_version: '13', critical: { below_version: '100' }, phased_rollout_interval: 86_400 },
  },
  {
    id: 103,
    product_id: APP,
    version: '1.2b1',
    build: '119',
    channel: 'beta',
    released_at: '2026-02-01T00:00:00.000Z',
  },
  {
    id: 104,
    product_id: APP,
    version: '1.3d1',
    build: '125',
    channel: 'dev',
    released_at: '2026-03-01T00:00:00.000Z',
    platforms: ['darwin-amd64', 'darwin-arm64'],
  },
  { id: 201, product_id: PAID, version: '1.0', build: '10', released_at: '2025-06-01T00:00:00.000Z' },
  { id: 202, product_id: PAID, version: '2.0', build: '20', released_at: '2026-01-10T00:00:00.000Z', patches: ['10'] },
  { id: 301, product_id: HIDDEN, version: '1.0', build: '1' },
  { id: 401, product_id: GONE, version: '1.0', build: '1' },
  { id: 501, product_id: SCRIPT, version: '1.0.0', platforms: ['linux-amd64', 'darwin-arm64'] },
];

/** Saves the shop's products and releases in an empty store. */
export const openAppShop = async (service: Service): Promise<void> => {
  for (const value of products) await service.get('catalogEditor').save(grantPermit(), { kind: 'product', value });
  for (const release of releases) await publish(service, release);
};
