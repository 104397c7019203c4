import type { Config } from '../composition/config.ts';
import { type OpenedEngines, openEngines, openStores } from '../composition/open-engines.ts';
import type { SignedUrls } from '../composition/opened-objects.ts';
import { makesKeys, openKeys, openReadKeys } from '../composition/signing-keys.ts';

/**
 * Opens the engines that the configuration names. A function that signs has its license keys in a secret, and reads it
 * beside its stores. On AWS a function without such a secret signs nothing, and reads no keys: its folder ends with the
 * instance. On a store that makes keys, they are files in DATA_DIR, as on a server.
 */
export const openLambdaEngines = async (config: Config, urls: SignedUrls): Promise<OpenedEngines> => {
  const signs = config.keySecrets.license !== '';
  if (!signs && makesKeys(config)) return openEngines(config, urls);
  const [stores, keys] = await Promise.all([openStores(config, urls), signs ? openReadKeys(config) : openKeys(config)]);
  return { ...stores, ...keys };
};
