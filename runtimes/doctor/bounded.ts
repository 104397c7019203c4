import { setTimeout as delay } from 'node:timers/promises';
import { MINUTE_MS } from '../../domain/shared/instant.ts';
import type { ShopExamination } from '../../ports/outbound/system.ts';
import type { Config } from '../configuration/config.ts';
import { checkCatalog } from './catalog.ts';
import { checkDisk, probeObjects } from './files.ts';
import { type Finding, type Part, wrong } from './finding.ts';
import {
  checkClock,
  checkDemoAccount,
  checkErasures,
  checkMail,
  checkPausedWebhooks,
  checkTable,
  checkWebhooks,
  unreadable,
} from './store.ts';

export type Examined = Part<
  | ('table' | 'objects' | 'catalogs' | 'releases' | 'storedCatalogs' | 'supplyCopy' | 'accounts' | 'passwords')
  | ('accountErasures' | 'messages' | 'webhookSecrets' | 'webhooks' | 'paymentProviders' | 'paymentEvents')
>;

/**
 * Scheduled checks, for a store of any size: the amount that they read does not grow with accounts, sales and files.
 * The full `doctor` also examines the configuration, the signing keys, the feeds, each file and each account.
 */
export const checkBounded = async (service: Examined, config: Config): Promise<Finding[]> => {
  const found = [await checkTable(service, config), await probeObjects(service)];
  const works = found.every(({ ok }) => ok);
  found.push(...(await checkDisk(config.dataDir)));
  if (!works) return found;
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

const LONGEST_MS = 10_000;

/** The bounded examination for requests: at most one runs a minute, and none takes longer than ten seconds. */
export const examinationOf = (serviceOf: () => Examined, config: Config): ShopExamination => {
  let last: Promise<Finding[]> | undefined;
  const slow = async (): Promise<Finding[]> => {
    const message = 'The checks took longer than ten seconds; run: doctor';
    return [await delay(LONGEST_MS, wrong('store', message), { ref: false })];
  };
  return async () => {
    if (!last) {
      last = Promise.race([checkBounded(serviceOf(), config).catch((error: unknown) => [unreadable(error)]), slow()]);
      setTimeout(() => {
        last = undefined;
      }, MINUTE_MS).unref();
    }
    return (await last).map(({ check, kind, message }) => ({ check, kind, message }));
  };
};
