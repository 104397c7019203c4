import type { Host } from '../../../ports/inbound/hosts.ts';
import { EVERY_AREA } from '../../composition/areas/everything.ts';
import { bootstrap } from '../../composition/bootstrap.ts';
import { type Config, ConfigError, readConfig } from '../../composition/config.ts';
import { dataFiles } from '../../composition/data-dir.ts';
import { type OpenedEngines, openEngines } from '../../composition/engines.ts';
import { oneLine } from '../../composition/faults.ts';
import { settingsOf } from '../../composition/settings.ts';
import { signInSettings } from '../../composition/sign-in-settings.ts';
import { checkAccounts } from './accounts.ts';
import { checkCatalog } from './catalog.ts';
import { checkDataDir, checkKeyFile } from './data-dir.ts';
import { type Finding, fine, wrong } from './finding.ts';
import { misspelt } from './misspelt.ts';
import { probeObjects } from './object-probe.ts';
import { checkPolicy } from './policy.ts';
import { checkUpstream } from './upstream.ts';

type Environment = Readonly<Record<string, string | undefined>>;
type Urls = Readonly<Record<Host, string>>;

const readOrFind = (env: Environment): Config | Finding[] => {
  try {
    return readConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message.split('\n').map((message) => wrong('configuration', message));
  }
};

const checkStore = async ({ table }: OpenedEngines, { store }: Config): Promise<Finding> => {
  try {
    await table.ping();
    return fine('store', `The ${store} store opens and answers, and its schema is known.`);
  } catch (error) {
    return wrong('store', oneLine(error));
  }
};

const checkOpened = async (engines: OpenedEngines, config: Config, urls: Urls): Promise<Finding[]> => {
  const service = bootstrap(settingsOf(config, urls), engines, EVERY_AREA);
  const parts = [await checkStore(engines, config), await probeObjects(engines.objects)];
  if (!parts.every(({ ok }) => ok)) return parts;
  return [...parts, await checkPolicy(service), ...(await checkCatalog(service)), ...(await checkAccounts(service))];
};

const checkEngines = async (config: Config, urls: Urls): Promise<Finding[]> => {
  let engines: OpenedEngines;
  try {
    engines = await openEngines(config, urls);
  } catch (error) {
    return [wrong('store', oneLine(error))];
  }
  try {
    return await checkOpened(engines, config, urls);
  } finally {
    await engines.close();
  }
};

/**
 * Checks everything that a service needs, from the environment to the bytes of its releases, with one finding for each
 * check. After a wrong finding, the checks that depend on it are left out. Creates no folder. The probe of the object
 * store writes the same object each time.
 */
export const examine = async (env: Environment, urlsOf: (config: Config) => Urls): Promise<Finding[]> => {
  const config = readOrFind(env);
  const slips = misspelt(env);
  if (Array.isArray(config)) return [...config, ...slips];
  const { store, objects, dataDir } = config;
  const { licenseKey, artifactKey, downloadSecret } = dataFiles(dataDir);
  const before = [
    fine('configuration', `Every variable has a valid value: store ${store}, objects ${objects}.`),
    await checkDataDir(dataDir),
  ];
  if (before.every(({ ok }) => ok)) {
    for (const file of [licenseKey, artifactKey, downloadSecret]) before.push(await checkKeyFile(file));
  }
  const urls = urlsOf(config);
  const { upstream } = signInSettings(config, urls);
  const found = [...slips, ...before, ...(upstream ? [await checkUpstream(upstream)] : [])];
  return before.every(({ ok }) => ok) ? [...found, ...(await checkEngines(config, urls))] : found;
};
