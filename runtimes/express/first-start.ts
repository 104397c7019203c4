import { join } from 'node:path';
import { ABILITIES } from '../../domain/access/abilities.ts';
import type { Service } from '../composition/bootstrap.ts';
import { packageRoot } from '../composition/package-root.ts';
import { loadStoreFile } from '../operations/load-store.ts';

const SAMPLE_STORE = join(packageRoot(), 'examples', 'store', 'store.json');

/** The sample's account to try things with; as the sample store's document has it. */
const DEMO = { accountId: 1, email: 'demo@example.com', password: 'demo-password', productId: 4, appId: 3 };

/** The demo account, with a key that was made just now; null where the store has been started before. */
export type Demo = {
  readonly email: string;
  readonly password: string;
  readonly key: string;
  readonly productId: number;
  /** A Mac application, which has an appcast. */
  readonly appId: number;
};

/** Loads the sample store where there is nothing yet, has its policy signed, and makes a key to try it with. */
export const firstStart = async (service: Service): Promise<Demo | null> => {
  const { products } = await service.get('catalogs').current();
  if (products.size > 0 || !(await hasNoAccounts(service))) return null;
  const loaded = await loadStoreFile(service, SAMPLE_STORE);
  if (!loaded.ok) throw new Error(loaded.message ?? 'The sample store could not be loaded.');
  if ((await service.get('keyRings').read()).ring.length === 0) await service.get('createSigningKey').execute();
  const created = await service.get('createApiKey').execute({
    account_id: DEMO.accountId,
    name: 'First start',
    abilities: ABILITIES,
  });
  if (!created.ok) throw new Error(created.message ?? 'The demo key could not be made.');
  const { email, password, productId, appId } = DEMO;
  return { email, password, productId, appId, key: created.value.value };
};

const hasNoAccounts = async (service: Service): Promise<boolean> => {
  for await (const _account of service.get('accounts').list()) return false;
  return true;
};
