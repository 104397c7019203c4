import { EVERY_AREA } from '../composition/areas/everything.ts';
import { bootstrap } from '../composition/bootstrap.ts';
import { ConfigError, readConfig } from '../composition/config.ts';
import { openEngines } from '../composition/engines.ts';
import { bellAt } from '../composition/job-bell.ts';
import type { Service } from '../composition/service.ts';
import { settingsOf } from '../composition/settings.ts';
import { configuredUrls } from './configured-urls.ts';

/**
 * Runs the work on a service with the engines that the environment names, and closes the engines afterwards. A server
 * may use the same engines meanwhile. Throws ConfigError for wrong variables, and the engine's own error for an engine
 * that can't be opened.
 */
export const withService = async <T>(work: (service: Service) => Promise<T>): Promise<T> => {
  const config = readConfig(process.env);
  for (const [variable, engine] of [
    ['STORE', config.store],
    ['OBJECTS', config.objects],
  ]) {
    if (engine === 'memory') {
      throw new ConfigError(
        `${variable} is "memory", which exists only inside a running server; set ${variable} to another engine to use the command line.`,
      );
    }
  }
  const urls = configuredUrls(config);
  const engines = await openEngines(config, urls);
  try {
    const jobBell = bellAt(config.jobsQueueUrl);
    return await work(bootstrap(settingsOf(config, urls), { ...engines, jobBell }, EVERY_AREA));
  } finally {
    await engines.close();
  }
};
