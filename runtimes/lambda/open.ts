import { boundStreams } from '../../adapters/host/bounded-streams.ts';
import type { Host as HostFunction, HostRoute } from '../../adapters/host/host.ts';
import { SpoolFolder } from '../../adapters/host/spool.ts';
import { StoredRateLimits } from '../../adapters/store/rate-limits.ts';
import { systemClock } from '../../adapters/system/clock.ts';
import { limitStreams } from '../../application/access/limit-rate.ts';
import type { Host } from '../../ports/inbound/hosts.ts';
import type { Config } from '../composition/config.ts';
import type { Engines, Settings } from '../composition/engine-settings.ts';
import { openHost, type Serving } from '../composition/hosts.ts';
import { type OpenedEngines, openEngines, openStores } from '../composition/open-engines.ts';
import type { SignedUrls } from '../composition/opened-objects.ts';
import { settingsOf } from '../composition/settings.ts';
import { makesKeys, openKeys, openReadKeys } from '../composition/signing-keys.ts';
import { type Environment, openRuntime } from './open-runtime.ts';

/**
 * Opens the engines that the configuration names. A function that signs has its license keys in a secret, and reads it
 * beside its stores. On AWS a function without such a secret signs nothing, and reads no keys: its folder ends with the
 * instance. On a store that makes keys, they are files in DATA_DIR, as on a server.
 */
export const openLambdaEngines = async (config: Config, urls: SignedUrls): Promise<OpenedEngines> => {
  const signs = config.keySecrets.license !== '';
  if (!signs && makesKeys(config)) return openEngines(config, urls);
  const [stores, keys] = await Promise.all([openStores(config, urls), signs ? openReadKeys(config) : openKeys(config)]);
  return { ...stores, ...keys };
};

/** The only folder that a function may write to. It is on a disk and ends with the instance. */
const SPOOL = '/tmp';

export type OpenFunction<S> = {
  readonly service: S;
  readonly config: Config;
  readonly urls: Serving['urls'];
  readonly options: Serving['options'];
  /**
   * Creates a host with the endpoints of the function's areas, or of those of another service on the same engines, and
   * other routes beside them.
   */
  readonly host: (name: Host, beside?: readonly HostRoute[], of?: Serving['service']) => HostFunction;
  /** Creates a host whose files are streamed. It bounds the streams of one caller. */
  readonly streamingHost: (name: Host, beside: readonly HostRoute[]) => HostFunction;
  /** The route of signed download URLs; undefined if the object store serves them itself. */
  readonly downloads: HostRoute | undefined;
  /** The route of signed upload URLs; undefined if the object store serves them itself. */
  readonly uploads: HostRoute | undefined;
};

/**
 * Opens the engines and calls `wire`, which builds the service with the function's areas. Each instance calls it once,
 * before its first request.
 */
export const open = async <S extends Serving['service']>(
  name: string,
  env: Environment,
  wire: (settings: Settings, engines: Engines, config: Config) => S,
): Promise<OpenFunction<S>> => {
  const { config, urls, options: told } = openRuntime(name, env);
  const engines = await openLambdaEngines(config, urls);
  const service = wire(
    settingsOf(config, urls, (error) => told.fault(error, 'catalog')),
    engines,
    config,
  );
  const health = async (): Promise<void> => {
    await Promise.all([engines.table.ping(), engines.objects.ping()]);
  };
  const options = { ...told, health };
  const serving = { service, urls, options, spool: new SpoolFolder(SPOOL) };
  return {
    service,
    config,
    urls,
    options,
    host: (host, beside = [], of = service) => openHost(host, { ...serving, service: of, beside }),
    streamingHost: (host, beside) => {
      const limit = limitStreams({ rateLimits: new StoredRateLimits(engines.table), clock: systemClock });
      return openHost(host, { ...serving, options: { ...options, streams: boundStreams(limit) }, beside });
    },
    downloads: engines.downloads,
    uploads: engines.uploads,
  };
};
