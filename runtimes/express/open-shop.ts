import type { Logger } from 'pino';
import type { CallParts } from '../composition/areas/calls.ts';
import { type Config, ConfigError, placeOf } from '../composition/config.ts';
import { givesSamples } from '../composition/sample-store.ts';
import type { Service } from '../composition/service.ts';
import { openDemoAccount } from '../operations/demo-account.ts';
import { isEmpty, readShop } from './shop.ts';
import type { Started } from './welcome.ts';

/**
 * Looks at the store. An empty one gets the sample store where the configuration says so. Otherwise it stays empty,
 * which the log warns of: the name of the store may be mistyped. Throws ConfigError where others could sign in with the
 * password of the sample store.
 */
export const openShop = async (
  config: Config,
  calls: Service<CallParts>,
  whole: () => Promise<Service>,
  logger: Pick<Logger, 'warn'>,
): Promise<Pick<Started, 'demo' | 'shop'>> => {
  const shop = await readShop(calls);
  if (!isEmpty(shop)) {
    const open = await openDemoAccount(config, calls);
    if (open) throw new ConfigError(open);
    return { demo: null, shop };
  }
  if (givesSamples(config)) {
    const { firstStart } = await import('./first-start.ts');
    const demo = await firstStart(await whole());
    return { demo, shop: demo ? shop : await readShop(calls) };
  }
  logger.warn(`This store is empty: ${placeOf(config)} has no products and no accounts.`);
  return { demo: null, shop };
};
