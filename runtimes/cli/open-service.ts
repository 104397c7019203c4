import { ConfigError, readConfig } from '../composition/config.ts';
import type { Engines, Settings } from '../composition/engine-settings.ts';
import { openOperatorEngines } from '../composition/engines.ts';
import { bellAt } from '../composition/job-bell.ts';
import { settingsOf } from '../composition/settings.ts';
import { configuredUrls } from './configured-urls.ts';

/** Builds a service with the areas that its commands need. */
export type Wire<S> = (settings: Settings, engines: Engines) => S;

/**
 * Runs the work on a service with the engines that the environment names, and closes the engines afterwards. A server
 * may use the same engines meanwhile. Throws ConfigError for wrong variables, and the engine's own error for an engine
 * that can't be opened.
 */
export const withService = async <S, T>(wire: Wire<S>, work: (service: S) => Promise<T>): Promise<T> => {
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
  const engines = await openOperatorEngines(config, urls);
  try {
    const jobBell = bellAt(config.jobsQueueUrl);
    return await work(wire(settingsOf(config, urls), { ...engines, jobBell }));
  } finally {
    await engines.close();
  }
};
