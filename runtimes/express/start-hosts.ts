import { late } from '../../adapters/host/late.ts';
import { ConnectionLimits } from '../../adapters/http/connection-limits.ts';
import type { EarlyLog } from '../../adapters/http/early-answer.ts';
import { isProxy } from '../../adapters/http/node-listener.ts';
import { LocalBell } from '../../adapters/system/local-bell.ts';
import { HOSTS, type Host } from '../../ports/inbound/hosts.ts';
import { CALL_AREAS, type CallParts } from '../composition/areas/calls.ts';
import { bootstrap } from '../composition/bootstrap.ts';
import { type Config, readConfig } from '../composition/config.ts';
import { openEngines } from '../composition/engines.ts';
import type { ServedHost } from '../composition/hosts.ts';
import type { Service } from '../composition/service.ts';
import { settingsOf } from '../composition/settings.ts';
import { type Poller, startPoller } from '../worker/poller.ts';
import type { ReplayWorker, WorkerLog } from '../worker/replay-worker.ts';
import { replayWorker } from '../worker/replay-worker-of.ts';
import { byHostName } from './by-host-name.ts';
import { daily } from './daily.ts';
import { lateHostListeners } from './late-hosts.ts';
import { logging, loggingEarly, openLog } from './log.ts';
import { openShop, placeOf } from './open-shop.ts';
import { drain, type Listeners, listenOn } from './serve.ts';
import { openSpool } from './spool.ts';
import { welcome } from './welcome.ts';

export type RunningHosts = {
  /** The service with every area, which is loaded when it is first asked for. */
  readonly whole: () => Promise<Service>;
  readonly urls: Readonly<Record<Host, string>>;
  /** Ends the requests in flight, then closes the store. */
  readonly stop: () => Promise<void>;
};

const publicUrls = (config: Config, local: Readonly<Record<Host, string>>): Record<Host, string> =>
  Object.fromEntries(HOSTS.map((host) => [host, config.urls[host] ?? local[host]])) as Record<Host, string>;

/** Listens on the ports of the hosts, and on the port of the legacy host if it has one. */
const listen = (
  { ports, address, legacy: { port }, connections, trustedProxies }: Config,
  log: EarlyLog,
): Promise<Listeners<Host> | Listeners<ServedHost>> => {
  const guard = { connections: new ConnectionLimits(connections, isProxy(trustedProxies)), log };
  return port === undefined ? listenOn(ports, address, guard) : listenOn({ ...ports, legacy: port }, address, guard);
};

/**
 * The worker of the jobs. Whatever replays a run is loaded for the first job that waits, before the job is taken: code
 * that can't be loaded is no attempt at the job.
 */
const jobsWorker = (
  calls: Service<CallParts>,
  whole: () => Promise<Service>,
  log: WorkerLog,
): Pick<ReplayWorker, 'workOnce'> => {
  const jobs = calls.get('jobs');
  let worker: ReplayWorker | undefined;
  return {
    workOnce: async (goOn) => {
      if (!worker && (await jobs.waiting(1)).length === 0) return 'idle';
      worker ??= replayWorker(await whole(), log);
      return worker.workOnce(goOn);
    },
  };
};

/** A text as one word of a shell. */
const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** The operator's command line for the store that was started. */
const cliCommand = ({ DATA_DIR }: Readonly<Record<string, string | undefined>>): string =>
  `${DATA_DIR ? `DATA_DIR=${shellWord(DATA_DIR)} ` : ''}npm run -s cli --`;

/**
 * Starts the four hosts on the engines that the environment names. An empty store gets the sample store first, where the
 * configuration says so. Throws ConfigError, PortTaken, or the error of an engine that can't be opened.
 */
export const startHosts = async (env: Readonly<Record<string, string | undefined>>): Promise<RunningHosts> => {
  const config = readConfig(env);
  const log = openLog(config.logLevel);
  const listeners = await listen(config, loggingEarly(log, config)).catch(async (error: unknown) => {
    await log.close();
    throw error;
  });
  const urls = publicUrls(config, listeners.urls);
  const engines = await openEngines(config, urls).catch(async (error: unknown) => {
    await drain(listeners);
    await log.close();
    throw error;
  });
  const lines = logging(log, config);
  const { fault } = lines;
  let tidying: ReturnType<typeof daily> | undefined;
  let poller: Poller | undefined;
  const stop = async (): Promise<void> => {
    await Promise.all([drain(listeners), poller?.stop()]);
    tidying?.stop();
    await engines.close();
    await log.close();
  };
  try {
    const { trustedProxies } = config;
    const settings = settingsOf(config, urls);
    const jobBell = new LocalBell();
    const belled = { ...engines, jobBell };
    const calls = bootstrap(settings, belled, CALL_AREAS);
    const whole = late(async () => {
      const { wholeService } = await import('../composition/whole-service.ts');
      return wholeService(settings, belled, calls);
    });
    const spool = openSpool(config);
    const tidy = async (): Promise<void> => {
      await Promise.all([engines.tidy?.(), spool.sweep(Date.now())]);
    };
    tidying = daily(tidy, (error) => fault(error, 'tidying'));
    const shop = await openShop(config, calls, whole, log.logger);
    const health = async (): Promise<void> => {
      await Promise.all([engines.table.ping(), engines.objects.ping()]);
    };
    const options = { ...lines, health };
    const hosts = lateHostListeners({ calls, whole, urls, options, trustedProxies, spool, signed: engines });
    const legacy = config.legacy.url ?? ('legacy' in listeners.urls ? listeners.urls.legacy : undefined);
    const named = { ...urls, ...(config.legacy.url !== undefined && { legacy: config.legacy.url }) };
    listeners.handle((host: ServedHost) => byHostName(hosts, named, host));
    poller = startPoller(jobsWorker(calls, whole, log.logger), (error) => fault(error, 'jobs'));
    jobBell.onRing(poller.wake);
    const { address } = config;
    const started = { ...shop, legacy, cli: cliCommand(env), place: placeOf(config), address };
    process.stdout.write(welcome(urls, started));
    return { whole, urls, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
