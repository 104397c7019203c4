import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServedHost } from '../../adapters/host/addresses.ts';
import {
  framed,
  type HostFunction,
  type HostOptions,
  type Readiness,
  type RequestLog,
} from '../../adapters/host/host.ts';
import { NO_STORE, refusalReply, wholeReply, wrongMethodReply } from '../../adapters/host/reply.ts';
import { Routes } from '../../adapters/host/routes.ts';
import type { SpoolFolder } from '../../adapters/host/spool.ts';
import { ConnectionLimits, SERVER_BOUNDS } from '../../adapters/http/bounds.ts';
import type { EarlyLog, GuardOptions } from '../../adapters/http/guarded-server.ts';
import { nodeListener } from '../../adapters/http/node-requests.ts';
import { measuredObjects, measuredTable } from '../../adapters/metrics/measured-stores.ts';
import { Metrics } from '../../adapters/metrics/metrics.ts';
import { lastRunKey, RUNS } from '../../adapters/store/keys/store.ts';
import type { TypedTable } from '../../adapters/store/typed-table.ts';
import { millis, toInstant } from '../../domain/shared/instant.ts';
import { refuse } from '../../domain/shared/outcome.ts';
import type { Service } from '../composition/bootstrap.ts';
import type { Config } from '../configuration/config.ts';
import { packageRoot } from '../configuration/installation.ts';
import { diskOf } from '../doctor/files.ts';
import type { Measures } from '../engines/open-engines.ts';
import type { TurnResult } from '../worker/replay-worker.ts';
import type { Log } from './log.ts';
import { drain, type HeldSockets, listenOn } from './serve.ts';

/**
 * The maximum number of connections to the metrics, in total and per client. A scraper needs one, and no other client
 * should be able to hold them all.
 */
const CONNECTIONS = { all: 16, perAddress: 8 };

/** The limits of the metrics' own server. Its requests are short and have no body. */
const metricsGuard = (): GuardOptions => ({
  bounds: { ...SERVER_BOUNDS, headerBytes: 8 * 1024, headersMs: 5000, requestMs: 30_000, bodyGraceMs: 5000 },
  connections: new ConnectionLimits(CONNECTIONS),
});

/** The metrics in a text format, which the media type names. */
type Exposition = { readonly contentType: string; readonly text: () => Promise<string> };

/**
 * The host that serves only `/metrics`. It takes no credential: anybody who can reach its address may read the metrics.
 * Its requests are not logged, because there is one every few seconds.
 */
const metricsHost = (metrics: Exposition, fault: HostOptions['fault']): HostFunction => {
  const routes = new Routes([{ method: 'GET', path: '/metrics', entry: metrics }]);
  const handle = framed({ log: () => {}, fault }, async ({ method, path }) => {
    const found = routes.find(path);
    if (!found) return refusalReply(refuse('not_found'));
    const entry = found.entries.get(method);
    if (!entry) return wrongMethodReply([...found.entries.keys()]);
    return wholeReply(200, entry.contentType, await entry.text(), { 'cache-control': NO_STORE });
  });
  return { handle, serves: (path) => routes.find(path) !== undefined };
};

/** The maximum number of jobs that are counted. */
const MOST_JOBS = 1000;

/** The parts of a running service whose numbers are in the metrics. */
type WatchedParts = {
  readonly service: Service;
  readonly spool: SpoolFolder;
  readonly connections: ConnectionLimits;
  readonly log: Pick<Log, 'linesLost'>;
  readonly fault: HostOptions['fault'];
  readonly ready: () => Promise<Readiness>;
};

/** The measurement of one process, and the server that publishes it. */
export type Measuring = {
  /** The address of the metrics. */
  readonly url: string;
  /** Measures the calls of the stores. */
  readonly measures: Measures;
  /** Counts the requests of a host in addition to its log. */
  readonly counting: (host: ServedHost, log: RequestLog) => RequestLog;
  /** Counts requests that were refused before they reached a host, in addition to the log. */
  readonly countingEarly: (log: EarlyLog) => EarlyLog;
  /** Counts the result of one turn of the worker. */
  readonly worked: (worked: TurnResult) => void;
  /** Starts answering. Until then every request for the metrics gets 503. */
  readonly answer: (watched: WatchedParts) => void;
  readonly stop: () => Promise<void>;
};

const versionOf = (): string =>
  (JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { version: string }).version;

/** The last runs on a store. A run that never happened is omitted, except the backup that a store in a folder needs. */
const lastRunsOf = async (table: TypedTable, isBackedUp: boolean) => {
  const stored = await table.getMany(RUNS.map(lastRunKey));
  const read = RUNS.map((run, n) => [run, stored[n]?.data ?? { at: toInstant(0), faults: 0 }] as const);
  const known = read.filter(([run], n) => stored[n] || (run === 'backup' && isBackedUp));
  return Object.fromEntries(known.map(([run, { at, faults }]) => [run, { at: millis(at) / 1000, faults }]));
};

/**
 * Measures this process, and listens on the address of the metrics. The module is loaded only if the configuration has
 * a port for them. Throws PortTaken.
 */
export const startMeasuring = async (
  { store, objects, dataDir }: Pick<Config, 'store' | 'objects' | 'dataDir'>,
  { port, address }: NonNullable<Config['metrics']>,
  held?: HeldSockets,
): Promise<Measuring> => {
  const listeners = await listenOn({ metrics: port }, () => address, metricsGuard(), held);
  const metrics = new Metrics({
    version: versionOf(),
    node: process.version,
    store: store.name,
    objects: objects.name,
  });
  const isBackedUp = store.name === 'sqlite' && objects.name === 'filesystem';
  return {
    url: `${listeners.urls.metrics}/metrics`,
    measures: {
      table: (table) => measuredTable(table, metrics.table),
      objects: (opened) => measuredObjects(opened, metrics.objects),
    },
    counting: (host, log) => {
      const count = metrics.requests.at(host);
      return (line) => {
        count(line);
        log(line);
      };
    },
    countingEarly: (log) => (line) => {
      metrics.early.add(line.code);
      log(line);
    },
    worked: (worked) => {
      if (worked === 'done' || worked === 'failed') metrics.jobs.add(worked);
    },
    answer: ({ service, spool, connections, log, fault, ready }) => {
      const [jobs, jsonBodies] = [service.get('jobs'), service.get('jsonBodies')];
      metrics.watch({
        connectionsOpen: () => connections.open,
        connectionsRefused: () => connections.refused,
        largeBodyBytes: () => jsonBodies.bytesTaken,
        formsOpen: () => spool.formsOpen,
        logLinesLost: () => log.linesLost(),
        jobsWaiting: async () => (await jobs.waiting(MOST_JOBS)).length,
        openEvents: () => service.get('countOpenEvents')(),
        unsentMail: () => service.get('countUnsent')(),
        lastRuns: () => lastRunsOf(service.get('table'), isBackedUp),
        disk: () => diskOf(dataDir),
        ready,
      });
      const host = metricsHost({ contentType: metrics.contentType, text: () => metrics.text() }, fault);
      listeners.handle(() => nodeListener(host));
    },
    stop: () => drain(listeners),
  };
};
