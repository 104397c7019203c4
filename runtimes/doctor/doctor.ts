import { lostWrites } from '../../adapters/sqlite/cut-log.ts';
import { lastRunKey } from '../../adapters/store/keys/store.ts';
import { itemOf } from '../../adapters/store/records.ts';
import { StoreUnavailable } from '../../adapters/store/table.ts';
import type { TypedTable } from '../../adapters/store/typed-table.ts';
import type { Progress } from '../../application/shared/progress.ts';
import { toInstant } from '../../domain/shared/instant.ts';
import { EVERY_AREA } from '../composition/areas/all-areas.ts';
import type { Service } from '../composition/bootstrap.ts';
import { bootstrap } from '../composition/bootstrap.ts';
import { settingsOf } from '../composition/settings.ts';
import type { Config } from '../configuration/config.ts';
import { dataFiles } from '../configuration/data-dir.ts';
import { type OpenedEngines, openExamined } from '../engines/open-engines.ts';
import { checkCatalog, checkFeeds } from './catalog.ts';
import { checkConfiguration, type Environment, type StartOptions, type Urls } from './configuration.ts';
import { checkDisk, checkFiles, probeObjects } from './files.ts';
import { type Finding, wrong } from './finding.ts';
import {
  checkAccounts,
  checkBackup,
  checkClock,
  checkDemoAccount,
  checkDevices,
  checkErasures,
  checkKeys,
  checkMail,
  checkPausedWebhooks,
  checkPolicy,
  checkSums,
  checkTable,
  checkWebhooks,
  unreadable,
} from './store.ts';

export type Thoroughness = StartOptions & {
  /** If true, checks that files exist with their sizes, and reads no bytes of them. */
  readonly quick?: boolean;
  readonly progress?: Progress;
};

/** Checks an open store, its files and its keys. */
const checkService = async (service: Service, config: Config, how: Thoroughness): Promise<Finding[]> => {
  const found = [await checkTable(service, config), await probeObjects(service)];
  const works = found.every(({ ok }) => ok);
  found.push(...(await checkDisk(config.dataDir)));
  if (!works) return found;
  found.push(...lostWrites(dataFiles(config.dataDir).table).map((lost) => wrong('store', lost)));
  const lost = await checkKeys(service, config);
  found.push(...lost);
  // A store without its keys is not asked to sign anything.
  if (lost.length === 0) found.push(await checkPolicy(service));
  found.push(...(await checkCatalog(service)));
  if (lost.length === 0) found.push(...(await checkFeeds(service)));
  found.push(
    ...(await checkDemoAccount(service, config)),
    ...(await checkFiles(service, how)),
    ...(await checkAccounts(service, how.progress)),
    ...(await checkSums(service)),
    ...(await checkDevices(service)),
    ...(await checkErasures(service)),
    ...(await checkMail(service, config)),
    ...(await checkBackup(service, config)),
    ...(await checkWebhooks(service)),
    ...(await checkPausedWebhooks(service)),
    ...(await checkClock(service)),
  );
  return found;
};

/** Records this examination for a server's metrics, unless the store is read-only. */
const note = async (table: TypedTable, found: readonly Finding[]): Promise<void> => {
  const faults = found.filter(({ ok }) => !ok).length;
  const run = itemOf(lastRunKey('doctor'), { at: toInstant(Date.now()), faults });
  await table.put(run).catch((error: unknown) => {
    if (!(error instanceof StoreUnavailable)) throw error;
  });
};

/**
 * Checks everything that a service needs, from the environment to the bytes of its files, with one finding for each
 * check. If a check fails, those that depend on it are skipped. Creates no folder. The probe of the object store writes
 * the same object each time. The result of a full examination is recorded in the store.
 */
export const examine = async (
  env: Environment,
  urlsOf: (config: Config) => Urls,
  how: Thoroughness = {},
): Promise<Finding[]> => {
  const { findings, opens } = await checkConfiguration(env, urlsOf, how);
  if (!opens) return findings;
  const { config, urls } = opens;
  let engines: OpenedEngines;
  try {
    engines = await openExamined(config, urls);
  } catch (error) {
    return [...findings, unreadable(error)];
  }
  try {
    const service = bootstrap(settingsOf(config, urls), engines, EVERY_AREA);
    const short = ((await engines.faults?.()) ?? []).map((fault) => wrong('store', fault));
    const found = [...findings, ...short, ...(await checkService(service, config, how))];
    if (!how.quick) await note(engines.table, found);
    return found;
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    return [...findings, unreadable(error)];
  } finally {
    await engines.close();
  }
};
