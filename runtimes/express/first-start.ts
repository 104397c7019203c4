import { join } from 'node:path';
import { ABILITIES } from '../../domain/access/abilities.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { packageRoot } from '../composition/package-root.ts';
import type { Service } from '../composition/service.ts';
import { loadStoreFile } from '../operations/load-store.ts';

const SAMPLE_STORE = join(packageRoot(), 'examples', 'store', 'store.json');

/** The demo account and its products, as the document of the sample store has them. */
const DEMO = { accountId: 1, email: 'demo@example.com', password: 'demo-password', productId: 4, appId: 3 };

/** The demo account and the key that was created for it. */
export type Demo = {
  readonly email: string;
  readonly password: string;
  readonly key: string;
  readonly productId: number;
  /** A Mac application, which has an appcast. */
  readonly appId: number;
};

/**
 * Loads the sample store into an empty store, signs its policy, and creates a demo key. Null, with nothing changed, for
 * a store that has products or accounts.
 */
export const firstStart = async (service: Service): Promise<Demo | null> => {
  const { products } = await service.get('catalogs').current();
  if (products.size > 0 || !(await hasNoAccounts(service))) return null;
  const loaded = await loadStoreFile(service, SAMPLE_STORE);
  if (!loaded.ok) throw new Error(loaded.message ?? 'The sample store could not be loaded.');
  if ((await service.get('signingKeyRings').read()).ring.length === 0) await service.get('createSigningKey').execute();
  const created = await service.get('createApiKey').execute(grantPermit(), {
    account_id: DEMO.accountId,
    name: 'First start',
    abilities: ABILITIES,
  });
  if (!created.ok) throw new Error(created.message ?? 'The demo key could not be created.');
  const { email, password, productId, appId } = DEMO;
  return { email, password, productId, appId, key: created.value.value };
};

const hasNoAccounts = async (service: Service): Promise<boolean> => {
  for await (const _account of service.get('accounts').list()) return false;
  return true;
};
