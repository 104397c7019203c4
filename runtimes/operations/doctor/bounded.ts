import type { Config } from '../../composition/config.ts';
import { checkCatalog } from './catalog.ts';
import { probeObjects } from './files.ts';
import type { Finding } from './finding.ts';
import { checkClock, checkDemoAccount, checkErasures, checkMail, checkTable, checkWebhooks } from './store.ts';

/**
 * The checks of a schedule, for a store of any size: what they read does not grow with accounts, sales and files. The
 * whole `doctor` also examines the configuration, the signing keys, the feeds, each file and each account.
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
    ...(await checkClock(service)),
  ];
};

/** A service with the parts that these checks ask. */
type Bounded = Parameters<typeof checkTable>[0] &
  Parameters<typeof probeObjects>[0] &
  Parameters<typeof checkCatalog>[0] &
  Parameters<typeof checkDemoAccount>[0] &
  Parameters<typeof checkErasures>[0] &
  Parameters<typeof checkMail>[0] &
  Parameters<typeof checkWebhooks>[0];
