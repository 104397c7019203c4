import type { HostFunction, HostRoute } from '../../adapters/host/host.ts';
import { refusalReply } from '../../adapters/host/reply.ts';
import { SpoolFolder } from '../../adapters/host/spool.ts';
import { boundStreams } from '../../adapters/host/streams.ts';
import { checkFormat } from '../../adapters/store/formats.ts';
import { StoredRateLimits } from '../../adapters/store/rate-limits.ts';
import { StoreUnavailable } from '../../adapters/store/table.ts';
import { systemClock } from '../../adapters/system/system.ts';
import { limitStreams } from '../../application/access/limit-rate.ts';
import { refuse } from '../../domain/shared/outcome.ts';
import type { Host } from '../../ports/inbound/hosts.ts';
import { openHost, type Serving } from '../composition/hosts.ts';
import { type Engines, type Settings, settingsOf } from '../composition/settings.ts';
import type { Config } from '../configuration/config.ts';
import type { SignedUrls } from '../engines/kinds.ts';
import { type OpenedEngines, openEngines, openStores } from '../engines/open-engines.ts';
import { makesKeys, openKeys, openReadKeys } from '../engines/signing-keys.ts';
import { type Environment, openRuntime } from './open-runtime.ts';

/** If the table does not respond, each request fails on its own, as later in the life of an instance. */
const unlessUnavailable = (error: unknown): void => {
  if (!(error instanceof StoreUnavailable)) throw error;
};

/**
 * Opens the engines that the configuration names. A function that signs has its license keys in a secret, and reads it
 * in parallel with opening its stores. On AWS, a function without such a secret signs nothing, and reads no keys: its
 * folder ends with the instance. On a store that creates keys, they are files in DATA_DIR, as on a server. A function
 * migrates no data, because that takes a scan of the table.
 */
export const openLambdaEngines = async (config: Config, urls: SignedUrls): Promise<OpenedEngines> => {
  const signs = config.keySecrets.license !== '';
  if (!signs && makesKeys(config)) return openEngines(config, urls);
  const opening = openStores(config, urls);
  const [stores, keys] = await Promise.all([
    opening,
    signs ? openReadKeys(config) : openKeys(config),
    opening.then(({ table }) => checkFormat(table)).catch(unlessUnavailable),
  ]);
  return { ...stores, ...keys };
};

/** The only folder to which a function may write. It is on a disk and ends with the instance. */
const SPOOL = '/tmp';

export type OpenFunction<S> = {
  readonly service: S;
  readonly config: Config;
  readonly urls: Serving['urls'];
  readonly options: Serving['options'];
  readonly spool: Serving['spool'];
  /**
   * Creates a host with the endpoints of the function's areas, or of another service on the same engines, and
   * additional routes.
   */
  readonly host: (name: Host, beside?: readonly HostRoute[], of?: Serving['service']) => HostFunction;
  /** Creates a host that streams files. It limits the concurrent streams of one caller. */
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
  const { config, urls, options: common } = openRuntime(name, env);
  const engines = await openLambdaEngines(config, urls);
  const service = wire(
    settingsOf(config, urls, (error) => common.fault(error, 'catalog')),
    engines,
    config,
  );
  const options = { ...common, health: () => engines.table.ping() };
  const serving = { service, urls, options, spool: new SpoolFolder(SPOOL) };
  return {
    service,
    config,
    urls,
    options,
    spool: serving.spool,
    host: (host, beside = [], of = service) => openHost(host, { ...serving, service: of, beside }),
    streamingHost: (host, beside) => {
      const limit = limitStreams({ rateLimits: new StoredRateLimits(engines.table), clock: systemClock });
      return openHost(host, { ...serving, options: { ...options, streams: boundStreams(limit) }, beside });
    },
    downloads: engines.downloads,
    uploads: engines.uploads,
  };
};

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS'] as const;

/**
 * The routes of paths that belong to another function. API Gateway routes such a path to this function only with a
 * trailing slash, for which it has no resource: the response redirects the client to the path without it (308), for any
 * method. The Location is relative, because a gateway's address may have its own path.
 */
export const slashRoutes = (paths: readonly string[]): HostRoute[] =>
  paths.flatMap((path) =>
    METHODS.map((method) => ({
      method,
      path,
      entry: (request) => {
        const [, last] = /([^/]+)\/$/.exec(request.path) ?? [];
        if (last === undefined) return refusalReply(refuse('not_found'));
        const query = request.query === '' ? '' : `?${request.query}`;
        return { status: 308, headers: { location: `../${last}${query}`, 'content-length': '0' }, body: null };
      },
    })),
  );
