import { type Refused, refuse } from '../../domain/shared/outcome.ts';
import type { Service } from '../composition/bootstrap.ts';
import { type Engines, type Settings, settingsOf } from '../composition/settings.ts';
import { type Config, ConfigError, placeOf, readConfig } from '../configuration/config.ts';
import { bellAt } from '../engines/job-bell.ts';
import { isInDataDir } from '../engines/kinds.ts';
import { openOperatorEngines } from '../engines/open-engines.ts';
import { configuration, configuredUrls } from './options.ts';

/** Builds a service with the areas that its commands need. */
export type Wire<S> = (settings: Settings, engines: Engines) => S;

/**
 * The refusal of a command that needs a store, where its place holds none: the name may be mistyped, and opening the
 * store would make an empty one. Throws ConfigError.
 */
export const missingStore = async (): Promise<Refused<'no_store'> | null> => {
  const config = await configuration();
  const { engine, place } = config.store;
  if (engine.exists?.(place) !== false) return null;
  return refuse('no_store', {
    message: `${placeOf(config)} holds no store; name ${isInDataDir(engine) ? 'the folder of yours' : 'yours'}, or create a store there with import, account add or by starting the server.`,
  });
};

/**
 * Runs the work on a service with the engines that the environment names, and closes the engines afterwards. A server
 * may use the same engines meanwhile. Throws ConfigError for wrong variables, and the engine's own error for an engine
 * that can't be opened.
 */
export const withService = async <S, T>(wire: Wire<S>, work: (service: S) => Promise<T>): Promise<T> => {
  const config = await configuration();
  for (const [variable, { name, engine }] of [
    ['STORE', config.store],
    ['OBJECTS', config.objects],
  ] as const) {
    if (engine.variable === null) {
      throw new ConfigError(
        `${variable} is "${name}", which exists only inside a running server; set ${variable} to another engine to use the command line.`,
      );
    }
  }
  return withConfigured(config, wire, work);
};

/** Runs the work on an empty store in memory, which ends with it. Throws ConfigError for wrong variables. */
export const withEmptyService = <S, T>(wire: Wire<S>, work: (service: S) => Promise<T>): Promise<T> =>
  withConfigured(readConfig({ ...process.env, STORE: 'memory', OBJECTS: 'memory' }), wire, work);

const withConfigured = async <S, T>(config: Config, wire: Wire<S>, work: (service: S) => Promise<T>): Promise<T> => {
  const urls = configuredUrls(config);
  const engines = await openOperatorEngines(config, urls);
  try {
    const jobBell = bellAt(config.jobsQueueUrl);
    return await work(wire(settingsOf(config, urls), { ...engines, jobBell }));
  } finally {
    await engines.close();
  }
};

const bootstrap = async () => (await import('../composition/bootstrap.ts')).bootstrap;

/** A service with every area. */
export const whole = async () => {
  const [wire, { EVERY_AREA }] = await Promise.all([bootstrap(), import('../composition/areas/all-areas.ts')]);
  return (settings: Settings, engines: Engines): Service => wire(settings, engines, EVERY_AREA);
};

/** A service with the areas that most commands need, so that they wait for no other. */
export const operations = async () => {
  const [
    wire,
    { buyers },
    { agents, agentTokens, keys },
    { gallery },
    { licensing },
    { shopRecords },
    { storeDocument },
    ...more
  ] = await Promise.all([
    bootstrap(),
    import('../composition/areas/accounts.ts'),
    import('../composition/areas/access.ts'),
    import('../composition/areas/design/gallery.ts'),
    import('../composition/areas/licensing.ts'),
    import('../composition/areas/shop-records.ts'),
    import('../composition/areas/store-document.ts'),
    import('../composition/areas/policy.ts'),
    import('../composition/areas/sign-in-records.ts'),
    import('../composition/areas/support.ts'),
  ]);
  const [{ policy, signing }, { oauth, signInRecords }, { support }] = more;
  const ofBuyers = [buyers, oauth, signInRecords] as const;
  const areas = [
    agentTokens,
    agents,
    gallery,
    keys,
    licensing,
    policy,
    shopRecords,
    signing,
    storeDocument,
    support,
  ] as const;
  return (settings: Settings, engines: Engines) => wire(settings, engines, [...areas, ...ofBuyers]);
};
