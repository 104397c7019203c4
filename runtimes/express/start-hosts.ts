import { chmodSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { late } from '../../adapters/host/late.ts';
import { SpoolFolder } from '../../adapters/host/spool.ts';
import { ConnectionLimits } from '../../adapters/http/connection-limits.ts';
import type { GuardOptions } from '../../adapters/http/guarded-server.ts';
import { isProxy } from '../../adapters/http/node-listener.ts';
import { UnreadAnswers } from '../../adapters/http/unread-answers.ts';
import { LocalBell } from '../../adapters/system/local-bell.ts';
import { DAY_MS } from '../../domain/shared/instant.ts';
import { byHost, type Host } from '../../ports/inbound/hosts.ts';
import { CALL_AREAS, type CallParts } from '../composition/areas/calls.ts';
import { bootstrap } from '../composition/bootstrap.ts';
import {
  type Config,
  ConfigError,
  checkWayIn,
  endsWithTheProcess,
  placeOf,
  readConfig,
  shownPlace,
} from '../composition/config.ts';
import { dataFiles } from '../composition/data-dir.ts';
import { BUILT_IN } from '../composition/engines/built-in.ts';
import type { OwnEngines } from '../composition/engines/kinds.ts';
import type { ServedHost } from '../composition/hosts.ts';
import { makeFolder } from '../composition/make-folder.ts';
import { needing } from '../composition/needing.ts';
import { type OpenedEngines, openEngines } from '../composition/open-engines.ts';
import { isInstalled } from '../composition/package-root.ts';
import type { Overrides, Service } from '../composition/service.ts';
import { settingsOf } from '../composition/settings.ts';
import { isLoopback } from '../composition/this-machine.ts';
import { type Poller, startPoller } from '../worker/poller.ts';
import type { ReplayWorker, Worked, WorkerLog } from '../worker/replay-worker.ts';
import { replayWorker } from '../worker/replay-worker-of.ts';
import { lateHostListeners } from './late-hosts.ts';
import { logging, loggingEarly, logTo, type OwnLogger, openLog } from './log.ts';
import type { Measuring } from './metrics.ts';
import { openShop } from './open-shop.ts';
import { drain, type Listeners, listenOn } from './serve.ts';
import { welcome } from './welcome.ts';

/** A text as one word of a shell. */
const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** The command line of a checkout, or of an installed package. */
const program = (): string => (isInstalled() ? 'npx account-service' : 'npm run -s cli --');

/**
 * The operator's command line for the store that was started, with the variables that name the store. `own` is that of
 * a team's program; without it, a store on an engine of a team has a word to replace. One that ACCOUNT_SERVICE_CLI
 * names knows the variables by itself.
 */
export const cliCommand = (
  env: Readonly<Record<string, string | undefined>>,
  { store, objects }: Pick<Config, 'store' | 'objects'>,
  own?: string,
): string => {
  const { ACCOUNT_SERVICE_CLI } = env;
  if (ACCOUNT_SERVICE_CLI) return ACCOUNT_SERVICE_CLI;
  const isOurs = Object.hasOwn(BUILT_IN.tables, store.name) && Object.hasOwn(BUILT_IN.objects, objects.name);
  const names = new Set(['STORE', 'OBJECTS', 'DATA_DIR', store.engine.variable, objects.engine.variable]);
  const set = [...names].flatMap((name) =>
    name !== null && env[name] ? `${name}=${shellWord(shownPlace(env[name]))} ` : '',
  );
  return `${set.join('')}${own ?? (isOurs ? program() : 'YOUR_CLI')}`;
};

/**
 * The folder that a server spools files to. It is below `DATA_DIR`, because that is a disk chosen for files, while the
 * system's temporary folder may be memory. It is created for its owner alone. If table and objects are in memory, the
 * system's temporary folder is used. Throws the file system's error.
 */
export const openSpool = (config: Pick<Config, 'dataDir' | 'store' | 'objects'>): SpoolFolder => {
  if (endsWithTheProcess(config)) return new SpoolFolder(tmpdir());
  const folder = resolve(dataFiles(config.dataDir).spool);
  makeFolder(folder);
  // An existing folder may be open to others.
  chmodSync(folder, 0o700);
  return new SpoolFolder(folder);
};

/** The hosts with pages, which link from the root of their host, and the variables with their public addresses. */
const WITH_PAGES = [
  ['account', 'ACCOUNT_URL'],
  ['design', 'DESIGN_URL'],
] as const;

/**
 * Throws ConfigError, with a line for each, where the public address of a host with pages has a path. The functions of
 * AWS take such an address, because they show no pages under it.
 */
export const checkPageUrls = ({ urls }: Pick<Config, 'urls'>): void => {
  const lines = WITH_PAGES.flatMap(([host, variable]) => {
    const url = urls[host];
    return url === undefined || URL.parse(url)?.pathname === '/'
      ? []
      : `${variable} takes a URL without a path, because the pages of this host link from its root; it is "${url}". Give the host a name or a port of its own.`;
  });
  if (lines.length > 0) throw new ConfigError(lines.join('\n'));
};

/**
 * Picks the listener by the Host header if it is a public name, so that one port behind a proxy serves all hosts. Any
 * other request goes to the listener of its port. A name that two hosts share does not count.
 */
const byHostName = (
  listeners: Record<ServedHost, RequestListener>,
  urls: Readonly<Partial<Record<ServedHost, string>>>,
  ofPort: ServedHost,
): RequestListener => {
  const hosts = Object.entries(urls) as [ServedHost, string][];
  const byName = Map.groupBy(hosts, ([, url]) => new URL(url).host);
  const named = new Map(
    [...byName].flatMap(([name, [first, ...more]]) => (first && !more.length ? [[name, first[0]]] : [])),
  );
  return (req, res) => listeners[named.get(req.headers.host?.toLowerCase() ?? '') ?? ofPort](req, res);
};

/**
 * Runs `work` now and once a day, until `stop`. An error goes to `fault`, and `work` runs again the next day. The timer
 * keeps no process alive.
 */
const daily = (work: () => Promise<void>, fault: (error: unknown) => void): { readonly stop: () => void } => {
  const run = (): void => void work().catch(fault);
  run();
  const timer = setInterval(run, DAY_MS).unref();
  return { stop: () => clearInterval(timer) };
};

export type RunningHosts = {
  /** The service with every area, which is loaded when it is first asked for. */
  readonly whole: () => Promise<Service>;
  readonly urls: Readonly<Record<Host, string>>;
  /** The address of the metrics; undefined where the process measures nothing. */
  readonly metricsUrl: string | undefined;
  /** Ends the requests in flight, then closes the store. */
  readonly stop: () => Promise<void>;
};

const publicUrls = (config: Config, local: Readonly<Record<Host, string>>): Readonly<Record<Host, string>> =>
  byHost((host) => config.urls[host] ?? local[host]);

/** Measures the process where the configuration names a port for the metrics. Nothing of it is loaded elsewhere. */
const measuringOf = async (config: Config): Promise<Measuring | undefined> =>
  config.metrics &&
  (await needing('METRICS_PORT', ['@prometheus-io/client'], () => import('./metrics.ts'))).startMeasuring(
    config,
    config.metrics,
  );

/** Listens on the ports of the hosts, and on the port of the legacy host if it has one. */
const listen = (
  { ports, address, legacy: { port } }: Config,
  guard: GuardOptions,
): Promise<Listeners<Host> | Listeners<ServedHost>> =>
  port === undefined ? listenOn(ports, address, guard) : listenOn({ ...ports, legacy: port }, address, guard);

/**
 * The worker of the jobs. Whatever replays a run is loaded for the first job that waits, before the job is taken: code
 * that can't be loaded is no attempt at the job.
 */
const jobsWorker = (
  calls: Service<CallParts>,
  whole: () => Promise<Service>,
  log: WorkerLog,
  worked: (worked: Worked) => void = () => {},
): Pick<ReplayWorker, 'workOnce'> => {
  const jobs = calls.get('jobs');
  let worker: ReplayWorker | undefined;
  return {
    workOnce: async (goOn) => {
      if (!worker && (await jobs.waiting(1)).length === 0) return 'idle';
      worker ??= replayWorker(await whole(), log);
      const end = await worker.workOnce(goOn);
      worked(end);
      return end;
    },
  };
};

/** The parts of a server that a stop ends. */
type Open = {
  measuring?: Measuring | undefined;
  listeners?: Listeners<string>;
  engines?: OpenedEngines;
  tidying?: ReturnType<typeof daily>;
  poller?: Poller;
};

/** The parts that a program of a team's own gives to the server. */
export type StartOptions = {
  /** Engines beside those of this package, by the names that STORE and OBJECTS give them. */
  readonly engines?: OwnEngines;
  /** Parts that replace those of the service, such as the team's own `licenses`. */
  readonly overrides?: Overrides;
  /**
   * The team's own command line, such as `node cli.ts`, for the commands that the text of the start shows. The command
   * line of this package knows no engines of a team.
   */
  readonly command?: string;
  /** Gets the log in place of standard error. `LOG_LEVEL` is then the logger's own matter. */
  readonly logger?: OwnLogger;
  /** Gets the text that tells people the addresses. It goes to standard output without this. */
  readonly print?: (text: string) => void;
};

/**
 * Starts the four hosts on the engines that the environment names. An empty store gets the sample store first, where
 * the configuration says so. Throws ConfigError, PortTaken, or the error of an engine that can't be opened.
 */
export const startHosts = async (
  env: Readonly<Record<string, string | undefined>>,
  {
    engines: ownEngines,
    overrides = {},
    command,
    logger,
    print = (text) => process.stdout.write(text),
  }: StartOptions = {},
): Promise<RunningHosts> => {
  const config = readConfig(env, ownEngines);
  checkWayIn(config, Boolean(overrides.upstreamProvider));
  checkPageUrls(config);
  const log = logger ? logTo(logger) : openLog(config.logLevel);
  const lines = logging(log, config);
  const { fault } = lines;
  const open: Open = {};
  const stop = async (): Promise<void> => {
    await Promise.all([open.listeners && drain(open.listeners), open.measuring?.stop(), open.poller?.stop()]);
    open.tidying?.stop();
    await open.engines?.close();
    await log.close();
  };
  try {
    const { trustedProxies } = config;
    const measuring = await measuringOf(config);
    open.measuring = measuring;
    const connections = new ConnectionLimits(config.connections, isProxy(trustedProxies));
    const earlyLog = loggingEarly(log, config);
    const guardLog = measuring?.countingEarly(earlyLog) ?? earlyLog;
    const listeners = await listen(config, { connections, unread: new UnreadAnswers(), log: guardLog });
    open.listeners = listeners;
    const urls = publicUrls(config, listeners.urls);
    const engines = await openEngines(config, urls, measuring?.measures);
    open.engines = engines;
    const settings = settingsOf(config, urls, (error) => fault(error, 'catalog'));
    const jobBell = new LocalBell();
    const belled = { ...engines, jobBell };
    const calls = bootstrap(settings, belled, CALL_AREAS, overrides);
    const whole = late(async () => {
      const { wholeService } = await import('../composition/whole-service.ts');
      return wholeService(settings, belled, calls, overrides);
    });
    const spool = openSpool(config);
    const tidy = async (): Promise<void> => {
      await Promise.all([engines.tidy?.(), spool.sweep(Date.now())]);
    };
    open.tidying = daily(tidy, (error) => fault(error, 'tidying'));
    const shop = await openShop(config, calls, whole, log.logger);
    const health = async (): Promise<void> => {
      await Promise.all([engines.table.ping(), engines.objects.ping()]);
    };
    const options = { ...lines, health };
    const logOf = measuring && ((host: ServedHost) => measuring.counting(host, lines.log));
    const hosts = lateHostListeners({ calls, whole, urls, options, logOf, trustedProxies, spool, signed: engines });
    const legacy = config.legacy.url ?? ('legacy' in listeners.urls ? listeners.urls.legacy : undefined);
    const named = { ...urls, ...(config.legacy.url !== undefined && { legacy: config.legacy.url }) };
    listeners.handle((host: ServedHost) => byHostName(hosts, named, host));
    measuring?.answer({ calls, spool, connections, log, fault });
    const worker = jobsWorker(calls, whole, log.logger, measuring?.worked);
    open.poller = startPoller(worker, (error) => fault(error, 'jobs'));
    jobBell.onRing(open.poller.wake);
    const alone = isLoopback(config.address) && trustedProxies.length === 0;
    const metrics = measuring?.url;
    const installed = isInstalled();
    const cli = cliCommand(env, config, command);
    const started = { ...shop, legacy, metrics, cli, installed, place: placeOf(config), alone };
    print(welcome(urls, started));
    return { whole, urls, metricsUrl: measuring?.url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
