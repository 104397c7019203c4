import type { Config } from '../composition/config.ts';
import { type OpenedEngines, openEngines, openStores } from '../composition/engines.ts';
import type { SignedUrls } from '../composition/opened-objects.ts';
import { openReadKeys } from '../composition/signing-keys.ts';

/**
 * Opens the engines that the configuration names. A function that signs has its license keys in a secret, and reads it
 * beside its stores. Without such a secret, the keys are files in DATA_DIR, as on a server.
 */
export const openLambdaEngines = async (config: Config, urls: SignedUrls): Promise<OpenedEngines> => {
  if (config.keySecrets.license === '') return openEngines(config, urls);
  const [stores, keys] = await Promise.all([openStores(config, urls), openReadKeys(config)]);
  return { ...stores, ...keys };
};
