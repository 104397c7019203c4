import { chmodSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import type { ServedHost } from '../../adapters/host/addresses.ts';
import { SpoolFolder } from '../../adapters/host/spool.ts';
import { ConnectionLimits, UnreadAnswers } from '../../adapters/http/bounds.ts';
import type { GuardOptions } from '../../adapters/http/guarded-server.ts';
import { isProxy } from '../../adapters/http/node-requests.ts';
import { lostWrites } from '../../adapters/sqlite/cut-log.ts';
import { LocalBell } from '../../adapters/system/bells.ts';
import { needing } from '../../adapters/system/loading.ts';
import { clockFault } from '../../domain/shared/clock.ts';
import { DAY_MS, MINUTE_MS, toInstant } from '../../domain/shared/instant.ts';
import { byHost, type Host } from '../../ports/inbound/hosts.ts';
import { EVERY_AREA } from '../composition/areas/all-areas.ts';
import type { Overrides, Service } from '../composition/bootstrap.ts';
import { bootstrap } from '../composition/bootstrap.ts';
import { settingsOf } from '../composition/settings.ts';
import { isLoopback } from '../configuration/auto-settings.ts';
import { type Config, checkWayIn, endsWithTheProcess, placeOf, readConfig } from '../configuration/config.ts';
import { dataFiles, makeFolder } from '../configuration/data-dir.ts';
import { isInstalled, olderNode } from '../configuration/installation.ts';
import { withSecrets } from '../configuration/secret-variables.ts';
import { examinationOf } from '../doctor/bounded.ts';
import { checksOf } from '../doctor/readiness.ts';
import { watch } from '../doctor/watch.ts';
import type { OwnEngines } from '../engines/kinds.ts';
import { type OpenedEngines, openEngines } from '../engines/open-engines.ts';
import { erasureWorker } from '../worker/erasure-worker.ts';
import { mailWorker } from '../worker/mail-worker.ts';
import { type Poller, startPoller } from '../worker/poller.ts';
import { replayWorker } from '../worker/replay-worker.ts';
import { salesWorker } from '../worker/sales-worker.ts';
import { sumsWorker } from '../worker/sums-worker.ts';
import { webhookWorker } from '../worker/webhook-worker.ts';
import { byHostName, checkPageUrls, hostApps } from './host-apps.ts';
import { logging, loggingEarly, logTo, type OwnLogger, openLog } from './log.ts';
import type { Measuring } from './metrics.ts';
import { onceThereIsRoom } from './room.ts';
import { drain, type HeldSockets, heldSockets, type Listeners, listenOn } from './serve.ts';
import { offerSetup, openShop } from './shop.ts';
import { cliCommand, welcome } from './welcome.ts';

export type { OwnLogger } from './log.ts';

/**
 * The folder to which a server spools files. It is in `DATA_DIR`, on a disk chosen for files, because the system's
 * temporary folder may be memory. It is created readable only by its owner. If table and objects are in memory, the
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

/** The interval at which a server records the current time in the store. */
const NOTED_EVERY_MS = 10 * MINUTE_MS;

/** The interval at which a server examines the store, to notify the shop of problems. */
const WATCHED_EVERY_MS = 10 * MINUTE_MS;

/**
 * Runs `work` now and at regular intervals, until `stop`. An error goes to `fault`, and `work` runs again at the next
 * interval. The timer keeps no process alive.
 */
const regularly = (
  work: () => Promise<void>,
  everyMs: number,
  fault: (error: unknown) => void,
): { readonly stop: () => void } => {
  const run = (): void => void work().catch(fault);
  run();
  const timer = setInterval(run, everyMs).unref();
  return { stop: () => clearInterval(timer) };
};

/** A running server. */
export type Running = {
  readonly service: Service;
  readonly urls: Readonly<Record<Host, string>>;
  /** The address of the metrics; undefined if metrics are off. */
  readonly metricsUrl: string | undefined;
  /**
   * Waits up to 20 seconds for the requests in progress, then closes the store. They have two hours if a successor
   * serves the same sockets; a later call without one shortens that.
   */
  readonly stop: (isSucceeded?: boolean) => Promise<void>;
};

const publicUrls = (config: Config, local: Readonly<Record<Host, string>>): Readonly<Record<Host, string>> =>
  byHost((host) => config.urls[host] ?? local[host]);

/** Measures the process if the configuration has a port for the metrics. Otherwise none of that code is loaded. */
const measuringOf = async (config: Config, held: HeldSockets): Promise<Measuring | undefined> =>
  config.metrics &&
  (await needing('METRICS_PORT', ['@prometheus-io/client'], () => import('./metrics.ts'))).startMeasuring(
    config,
    config.metrics,
    held,
  );

/** Listens on the ports of the hosts, and on the port of the legacy host if it has one. */
const listen = (
  { ports, address, shopAddress, legacy: { port } }: Config,
  guard: GuardOptions,
  held: HeldSockets,
): Promise<Listeners<Host> | Listeners<ServedHost>> => {
  const addressOf = (name: ServedHost): string => (name === 'shop' ? shopAddress : address);
  return port === undefined
    ? listenOn(ports, addressOf, guard, held)
    : listenOn({ ...ports, legacy: port }, addressOf, guard, held);
};

/** The parts of a server that a stop closes. */
type Open = {
  measuring?: Measuring | undefined;
  listeners?: Listeners<string>;
  engines?: OpenedEngines;
  tidying?: ReturnType<typeof regularly>;
  noting?: ReturnType<typeof regularly>;
  watching?: ReturnType<typeof regularly>;
  poller?: Poller;
  eraser?: Poller;
  sender?: Poller;
  seller?: Poller;
  teller?: Poller;
  counter?: Poller;
};

/** The parts that a team's own program passes to the server. */
export type StartOptions = {
  /** Engines in addition to those of this package, under the names that STORE and OBJECTS use. */
  readonly engines?: OwnEngines;
  /** Parts that replace those of the service, such as the team's own `licenses`. */
  readonly overrides?: Overrides;
  /**
   * The team's own command line, such as `node cli.ts`, for the commands in the welcome text. The command line of this
   * package does not know a team's engines.
   */
  readonly command?: string;
  /** Receives the log instead of standard error. `LOG_LEVEL` then has no effect. */
  readonly logger?: OwnLogger;
  /** Receives the text with the addresses for people. By default it goes to standard output. */
  readonly print?: (text: string) => void;
};

/**
 * Starts the five hosts on the engines that the environment names, including those of the options. First, an empty
 * store gets the sample store, if the configuration says so. `untilStopped(start(process.env))` is the whole program of
 * a server. Throws on a Node that is too old; throws ConfigError, PortTaken, RangeError for an override of an unknown
 * part, or the error of an engine that can't be opened.
 */
export const start = async (
  env: Readonly<Record<string, string | undefined>>,
  {
    engines: ownEngines,
    overrides = {},
    command,
    logger,
    print = (text) => process.stdout.write(text),
  }: StartOptions = {},
): Promise<Running> => {
  const older = olderNode();
  if (older !== null) throw new Error(older);
  const config = readConfig(await withSecrets(env), ownEngines);
  checkWayIn(config, Boolean(overrides.upstreamProvider));
  checkPageUrls(config);
  const log = logger ? logTo(logger) : openLog(config.logLevel);
  const lines = logging(log, config);
  const { fault } = lines;
  const open: Open = {};
  const close = async (): Promise<void> => {
    open.tidying?.stop();
    open.noting?.stop();
    open.watching?.stop();
    await open.engines?.close();
    await log.close();
  };
  let closed: Promise<void> | undefined;
  const stop = async (isSucceeded = false): Promise<void> => {
    await Promise.all([
      open.listeners && drain(open.listeners, isSucceeded),
      open.measuring?.stop(),
      open.poller?.stop(),
      open.eraser?.stop(),
      open.sender?.stop(),
      open.seller?.stop(),
      open.teller?.stop(),
      open.counter?.stop(),
    ]);
    closed ??= close();
    await closed;
  };
  try {
    const { trustedProxies } = config;
    const held = heldSockets(env);
    const measuring = await measuringOf(config, held);
    open.measuring = measuring;
    const connections = new ConnectionLimits(config.connections, isProxy(trustedProxies));
    const earlyLog = loggingEarly(log, config);
    const guardLog = measuring?.countingEarly(earlyLog) ?? earlyLog;
    const listeners = await listen(config, { connections, unread: new UnreadAnswers(), log: guardLog }, held);
    open.listeners = listeners;
    if (held.size > 0) log.logger.warn(`Nobody answers on the held ports ${[...held.keys()]}: no setting names them.`);
    const urls = publicUrls(config, listeners.urls);
    const full = (line: string) => log.logger.error(line);
    const openAll = () => openEngines(config, urls, measuring?.measures, (line) => log.logger.info(line));
    const engines = await onceThereIsRoom(config.dataDir, openAll, full);
    open.engines = engines;
    for (const lost of lostWrites(dataFiles(config.dataDir).table)) log.logger.error(lost);
    const settings = settingsOf(config, urls, (error) => fault(error, 'catalog'));
    const jobBell = new LocalBell();
    const examination = examinationOf(() => service, config);
    const service: Service = bootstrap(settings, { ...engines, jobBell }, EVERY_AREA, { examination, ...overrides });
    const spool = openSpool(config);
    const tidy = async (): Promise<void> => {
      await Promise.all([engines.tidy?.(), spool.sweep(Date.now())]);
    };
    open.tidying = regularly(tidy, DAY_MS, (error) => fault(error, 'tidying'));
    const shop = await openShop(config, service, log.logger);
    const setup = await onceThereIsRoom(config.dataDir, () => offerSetup(service), full);
    const noteMoment = async (): Promise<void> => {
      const seen = await engines.storeClock.note(engines.table);
      const wrong = seen && clockFault(seen, toInstant(Date.now()));
      if (wrong) log.logger.warn(wrong.message);
    };
    open.noting = regularly(noteMoment, NOTED_EVERY_MS, (error) => fault(error, 'clock'));
    open.watching = regularly(
      () => watch(service, config),
      WATCHED_EVERY_MS,
      (error) => fault(error, 'watch'),
    );
    const checks = checksOf(engines, (error) => fault(error, 'readiness'));
    const options = { ...lines, ...checks };
    const logOf = measuring && ((host: ServedHost) => measuring.counting(host, lines.log));
    const apps = hostApps({ service, urls, options, logOf, trustedProxies, spool, signed: engines });
    const legacy = config.legacy.url ?? ('legacy' in listeners.urls ? listeners.urls.legacy : undefined);
    const named = { ...config.urls, legacy: config.legacy.url };
    listeners.handle((host: ServedHost) => byHostName(apps, named, host));
    measuring?.answer({ service, spool, connections, log, fault, ready: checks.ready });
    const worker = replayWorker(service, log.logger, measuring?.worked);
    open.poller = startPoller(worker, (error) => fault(error, 'jobs'));
    const eraser = erasureWorker(service.get('completeErasure'), log.logger);
    open.eraser = startPoller(eraser, (error) => fault(error, 'erasures'));
    const counter = sumsWorker(service.get('completeSums'), log.logger);
    open.counter = startPoller(counter, (error) => fault(error, 'sums'));
    if (config.mail) {
      const sender = mailWorker(service.get('sendNextMessage'), config.mail, log.logger);
      open.sender = startPoller(sender, (error) => fault(error, 'mail'));
    }
    const teller = webhookWorker(service.get('sendDeliveries'), log.logger);
    open.teller = startPoller(teller, (error) => fault(error, 'webhooks'));
    if (Object.values(config.apiKeys).some((key) => key !== undefined)) {
      const seller = salesWorker(service.get('askProviders'), log.logger);
      open.seller = startPoller(seller, (error) => fault(error, 'sales'));
    }
    jobBell.onRing(open.poller.wake);
    const alone = isLoopback(config.address) && trustedProxies.length === 0;
    const metrics = measuring?.url;
    const installed = isInstalled();
    const cli = cliCommand(env, config, command);
    const started = { ...shop, setup, legacy, metrics, cli, installed, place: placeOf(config), alone };
    print(welcome(urls, started));
    return { service, urls, metricsUrl: measuring?.url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
