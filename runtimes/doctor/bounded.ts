import type { Config } from '../configuration/config.ts';
import { checkCatalog } from './catalog.ts';
import { probeObjects } from './files.ts';
import type { Finding, Part } from './finding.ts';
import {
  checkClock,
  checkDemoAccount,
  checkErasures,
  checkMail,
  checkPausedWebhooks,
  checkTable,
  checkWebhooks,
} from './store.ts';

type Bounded = Part<
  | ('table' | 'objects' | 'catalogs' | 'releases' | 'storedCatalogs' | 'supplyCopy' | 'accounts' | 'passwords')
  | ('accountErasures' | 'messages' | 'webhookSecrets' | 'webhooks' | 'paymentProviders' | 'paymentEvents')
>;

/**
 * Scheduled checks, for a store of any size: the amount that they read does not grow with accounts, sales and files.
 * The full `doctor` also examines the configuration, the signing keys, the feeds, each file and each account.
 */
export const checkBounded = async (service: Bounded, config: Config): Promise<Finding[]> => {
  const found = [await checkTable(service, config), await probeObjects(service)];
  if (!found.every(({ ok }) => ok)) return found;
  return [
    ...found,
    ...(await checkCatalog(service)),
    ...(await checkDemoAccount(service, config)),
    ...(await checkErasures(service)),
    ...(await checkMail(service, config)),
    ...(await checkWebhooks(service)),
    ...(await checkPausedWebhooks(service)),
    ...(await checkClock(service)),
  ];
};
