import { hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { ABILITIES } from '../../../domain/access/abilities.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { objectKeyOf } from '../../../domain/delivery/object-key.ts';
import type { Service } from '../../../runtimes/composition/bootstrap.ts';
import { anArtifact, anEntitlement, aProduct, aRelease } from '../../support/builders.ts';

export const PRODUCTS = 50;
const ACCOUNT = 1;
/** The id of the product with the big file. */
export const BIG = 1;

const text = (n: number) => ({ en: `Product ${n}`, ko: `제품 ${n}` });
const manual = {
  summary: 'Put it on your PATH.',
  requirements: ['A POSIX shell'],
  install_steps: ['Download the file', 'Compare its sum', 'Put it on your PATH'],
  verification_steps: ['Run it with --version'],
  troubleshooting: ['If it is not found, look at your PATH'],
};

/** Saves 50 products with three releases each and an account that owns them, and returns its key. */
export const fillStore = async (service: Service, bigFile?: string): Promise<{ key: string }> => {
  const editor = service.get('catalogEditor');
  const releases = service.get('releaseEditor');
  await service.get('accounts').save(grantPermit(), {
    id: ACCOUNT,
    email: 'bench@example.com',
    name: 'Bench',
    created_at: '2025-01-01T00:00:00.000Z',
    password_hash: null,
  });
  for (let id = 1; id <= PRODUCTS; id++) {
    await editor.save(grantPermit(), {
      kind: 'product',
      value: aProduct({
        id,
        slug: `product-${id}`,
        name: text(id),
        description: text(id),
        bundle_id: `com.example.product${id}`,
        manual: { en: manual, ko: manual },
        setup_steps: [text(1), text(2), text(3)],
        platforms: ['darwin-arm64', 'linux-amd64'],
        hero: { path: 'hero.svg', alt: text(id) },
      }),
    });
    for (let n = 1; n <= 3; n++) {
      const release = aRelease({
        id: id * 10 + n,
        product_id: id,
        version: `1.${n}.0`,
        artifacts: [await artifact(service, id, n, bigFile)],
      });
      await releases.save(grantPermit(), release, await releases.read(id, release.version));
    }
    await service
      .get('grants')
      .saveEntitlement(grantPermit(), anEntitlement({ id, account_id: ACCOUNT, product_id: id }));
  }
  const created = await service.get('createApiKey')(grantPermit(), {
    account_id: ACCOUNT,
    name: 'bench',
    abilities: ABILITIES,
  });
  if (!created.ok) throw new Error(created.message);
  return { key: created.value.value };
};

/** Sets the account's device limit for each of its products. */
export const limitDevices = async (service: Service, limit: number): Promise<true> => {
  for (let id = 1; id <= PRODUCTS; id++) {
    const entitlement = anEntitlement({ id, account_id: ACCOUNT, product_id: id, device_limit: limit });
    await service.get('grants').saveEntitlement(grantPermit(), entitlement);
  }
  return true;
};

const artifact = async (service: Service, product: number, n: number, bigFile: string | undefined) => {
  if (product !== BIG || n !== 3 || !bigFile) return anArtifact({ sha256: hash('sha256', `${product} ${n}`) });
  const sha256 = process.env['BENCH_SHA256'] ?? '';
  const { info } = await service
    .get('objects')
    .put(grantPermit(), objectKeyOf(sha256), createReadStream(bigFile), { sha256 });
  return anArtifact({ sha256, size: info.size, filename: 'big.bin', format: 'bin' });
};
