import { Counter, collectDefaultMetrics, Gauge, type Histogram, Registry } from '@prometheus-io/client';
import { type Operations, objectOperations, tableOperations } from './measured-stores.ts';
import { Requests } from './requests.ts';
import { type Durations, Tally } from './tally.ts';

const PREFIX = 'account_service_';

type Labels = Readonly<Record<string, string>>;

type Sample = { readonly labels?: Labels; readonly value: number };

type DurationSeries = { readonly labels: Labels; readonly durations: Durations };

type MetricText = { readonly name: string; readonly help: string };

/** A metric with labels. Its values are read at each scrape. */
type Metric<T> = MetricText & {
  readonly labels?: readonly string[];
  readonly read: () => Iterable<T> | Promise<Iterable<T>>;
};

/** Registers a counter, whose values never fall while the process runs. */
const counter = (registry: Registry, { name, help, labels = [], read }: Metric<Sample>): void => {
  const collect = async function (this: Counter<string>): Promise<void> {
    const samples = await read();
    this.reset();
    for (const sample of samples) this.inc(sample.labels ?? {}, sample.value);
  };
  new Counter({ name, help, labelNames: labels, registers: [registry], collect });
};

/** Registers a gauge, whose values rise and fall. */
const gauge = (registry: Registry, { name, help, labels = [], read }: Metric<Sample>): void => {
  const collect = async function (this: Gauge<string>): Promise<void> {
    const samples = await read();
    this.reset();
    for (const sample of samples) this.set(sample.labels ?? {}, sample.value);
  };
  new Gauge({ name, help, labelNames: labels, registers: [registry], collect });
};

/**
 * Registers a histogram of durations that are already counted. The library's own histogram only accepts single
 * observations, so this one provides the values itself.
 */
const histogram = (registry: Registry, { name, help, read }: Metric<DurationSeries>): void => {
  const get: Histogram<string>['get'] = async () => {
    const values = [...(await read())].flatMap(({ labels, durations }) => {
      const buckets = durations.upTo();
      return [
        ...buckets.map(({ bound, count }) => ({
          metricName: `${name}_bucket`,
          labels: { le: bound, ...labels },
          value: count,
        })),
        { metricName: `${name}_sum`, labels, value: durations.sum },
        { metricName: `${name}_count`, labels, value: buckets.at(-1)?.count ?? 0 },
      ];
    });
    return { name, help, type: 'histogram', aggregator: 'sum', collect: () => {}, values };
  };
  registry.registerMetric({ name, help, type: 'histogram', get, reset: () => {} } as unknown as Histogram);
};

const labeled = (tally: Tally, label: string, labels: Labels = {}): Sample[] =>
  [...tally.entries()].map(([name, value]) => ({ labels: { ...labels, [label]: name }, value }));

const aboutRequests = (registry: Registry, requests: Requests): void => {
  counter(registry, {
    name: `${PREFIX}http_requests_total`,
    help: 'Requests that were answered. The endpoint is none for pages, files, unknown paths and wrong methods.',
    labels: ['host', 'endpoint', 'method', 'status'],
    read: () =>
      requests.each().flatMap(({ host, endpoint, requests: { byMethod } }) =>
        [...byMethod].flatMap(([method, byStatus]) =>
          [...byStatus].map(([status, value]) => ({
            labels: { host, endpoint, method, status: String(status) },
            value,
          })),
        ),
      ),
  });
  histogram(registry, {
    name: `${PREFIX}http_request_duration_seconds`,
    help: 'Time from a request to the end of its answer.',
    read: () =>
      requests.each().map(({ host, endpoint, requests: { durations } }) => ({ labels: { host, endpoint }, durations })),
  });
  counter(registry, {
    name: `${PREFIX}refusals_total`,
    help: 'Refused calls, and all answers with a status of 400 and above, by the code of the refusal.',
    labels: ['host', 'endpoint', 'code'],
    read: () =>
      requests
        .each()
        .flatMap(({ host, endpoint, requests: { refusals } }) => labeled(refusals, 'code', { host, endpoint })),
  });
  counter(registry, {
    name: `${PREFIX}decisions_total`,
    help: 'Decisions that are answered with 200, such as that of a license check, by their code.',
    labels: ['host', 'endpoint', 'code'],
    read: () =>
      requests
        .each()
        .flatMap(({ host, endpoint, requests: { decisions } }) => labeled(decisions, 'code', { host, endpoint })),
  });
};

/** Registers the metrics of an interface, given its name in metrics and in sentences. */
const aboutOperations = (
  registry: Registry,
  { name, words }: { readonly name: string; readonly words: string },
  operations: Operations<string>,
): void => {
  histogram(registry, {
    name: `${PREFIX}${name}_operation_duration_seconds`,
    help: `Time of the calls of the ${words}, those that failed too.`,
    read: () => operations.each().map(({ operation, durations }) => ({ labels: { operation }, durations })),
  });
  counter(registry, {
    name: `${PREFIX}${name}_errors_total`,
    help: `Calls of the ${words} that failed, by the kind of the error.`,
    labels: ['operation', 'kind'],
    read: () => operations.each().flatMap(({ operation, errors }) => labeled(errors, 'kind', { operation })),
  });
};

/** Gauges of other parts of the process, read at each scrape. */
export type Readings = {
  readonly connectionsOpen: () => number;
  readonly connectionsRefused: () => number;
  readonly largeBodyBytes: () => number;
  readonly formsOpen: () => number;
  readonly logLinesLost: () => number;
  /** Rejects if the store does not answer. */
  readonly jobsWaiting: () => Promise<number>;
  /** Rejects if the store does not answer. */
  readonly openEvents: () => Promise<Readonly<Record<string, number>>>;
  /** Rejects if the store does not answer. */
  readonly unsentMail: () => Promise<Readonly<Record<string, number>>>;
  /** The last runs by name, in seconds since 1970. Rejects if the store does not answer. */
  readonly lastRuns: () => Promise<Readonly<Record<string, { readonly at: number; readonly faults: number }>>>;
  /** The free and total bytes of the data folder's disk. Rejects if there is no data folder. */
  readonly disk: () => Promise<{ readonly free: number; readonly size: number }>;
  /** Whether each part accepts a write; see `/readyz`. */
  readonly ready: () => Promise<Readonly<Record<string, boolean>>>;
};

/** Constant facts of the process, as labels of one metric. */
export type BuildInfo = Readonly<Record<'version' | 'node' | 'store' | 'objects', string>>;

const one = (value: number): Sample[] => [{ value }];

/** A value, or NaN if it can't be read. */
const orNothing = async (reading: Promise<number>): Promise<Sample[]> => one(await reading.catch(() => Number.NaN));

/** The values of a reading by label; none if they can't be read. */
const byLabel = async <T>(
  label: string,
  reading: Promise<Readonly<Record<string, T>>>,
  numberIn: (one: T) => number = Number,
): Promise<Sample[]> => {
  const read = await reading.catch((): Readonly<Record<string, T>> => ({}));
  return Object.entries(read).map(([name, one]) => ({ labels: { [label]: name }, value: numberIn(one) }));
};

/** The metrics of a process. It counts into plain numbers and formats them at each scrape. */
export class Metrics {
  readonly requests = new Requests();
  readonly table = tableOperations();
  readonly objects = objectOperations();
  /** The requests and connections refused before they reached a host, by code. */
  readonly early = new Tally();
  /** The worker's turns that had a job, by result. */
  readonly jobs = new Tally(['done', 'failed']);
  readonly #registry = new Registry();

  constructor(build: BuildInfo) {
    collectDefaultMetrics({ register: this.#registry });
    gauge(this.#registry, {
      name: `${PREFIX}build_info`,
      help: 'Always 1. The labels are the version of the service, of Node, and the engines.',
      labels: Object.keys(build),
      read: () => [{ labels: build, value: 1 }],
    });
    aboutRequests(this.#registry, this.requests);
    aboutOperations(this.#registry, { name: 'store', words: 'store' }, this.table);
    aboutOperations(this.#registry, { name: 'object_store', words: 'object store' }, this.objects);
    counter(this.#registry, {
      name: `${PREFIX}early_refusals_total`,
      help: 'Requests and connections that were answered with a refusal before a host saw them.',
      labels: ['code'],
      read: () => labeled(this.early, 'code'),
    });
    counter(this.#registry, {
      name: `${PREFIX}job_turns_total`,
      help: 'Turns of the worker that had a job. A job that was done, or had its turn of a minute, is done; a fault is failed.',
      labels: ['result'],
      read: () => labeled(this.jobs, 'result'),
    });
  }

  /** Adds the metrics that other parts of the process provide. Call it once. */
  watch(readings: Readings): void {
    const registry = this.#registry;
    gauge(registry, {
      name: `${PREFIX}connections`,
      help: 'Connections that are open.',
      read: () => one(readings.connectionsOpen()),
    });
    counter(registry, {
      name: `${PREFIX}connections_refused_total`,
      help: 'Connections beyond the bounds of the process or of their address.',
      read: () => one(readings.connectionsRefused()),
    });
    gauge(registry, {
      name: `${PREFIX}large_body_bytes`,
      help: 'Bytes reserved for large JSON bodies on their way.',
      read: () => one(readings.largeBodyBytes()),
    });
    gauge(registry, {
      name: `${PREFIX}forms`,
      help: 'Forms with files that are being received or answered.',
      read: () => one(readings.formsOpen()),
    });
    counter(registry, {
      name: `${PREFIX}log_lines_lost_total`,
      help: 'Log lines that were lost, because nobody read the log.',
      read: () => one(readings.logLinesLost()),
    });
    gauge(registry, {
      name: `${PREFIX}jobs_waiting`,
      help: 'Jobs that are not done, 1000 at most; NaN while the store does not answer.',
      read: () => orNothing(readings.jobsWaiting()),
    });
    gauge(registry, {
      name: `${PREFIX}sale_events`,
      help: 'Events of payment providers that the shop has to look at, by state: refused, done in part, waiting for an hour; 1000 at most.',
      labels: ['state'],
      read: () => byLabel('state', readings.openEvents()),
    });
    gauge(registry, {
      name: `${PREFIX}unsent_mail`,
      help: 'Messages that do not go out, by state: failed in the last day, waiting after a fault or because nobody sends; 1000 at most.',
      labels: ['state'],
      read: () => byLabel('state', readings.unsentMail()),
    });
    gauge(registry, {
      name: `${PREFIX}last_run_timestamp_seconds`,
      help: 'The moment of the last backup and of the last doctor; 0 for a store in DATA_DIR that has no backup.',
      labels: ['run'],
      read: () => byLabel('run', readings.lastRuns(), ({ at }) => at),
    });
    gauge(registry, {
      name: `${PREFIX}last_run_faults`,
      help: 'Files that the last backup lacks, and findings of the last doctor that are WRONG.',
      labels: ['run'],
      read: () => byLabel('run', readings.lastRuns(), ({ faults }) => faults),
    });
    gauge(registry, {
      name: `${PREFIX}ready`,
      help: '1 for a part of the store, table or files, that takes a small write; 0 for one that fails.',
      labels: ['part'],
      read: () => byLabel('part', readings.ready()),
    });
    gauge(registry, {
      name: `${PREFIX}disk_free_bytes`,
      help: 'Bytes that the process may still write to the disk of DATA_DIR; NaN where there is no such folder.',
      read: () => orNothing(readings.disk().then(({ free }) => free)),
    });
    gauge(registry, {
      name: `${PREFIX}disk_size_bytes`,
      help: 'Bytes of the disk of DATA_DIR; NaN where there is no such folder.',
      read: () => orNothing(readings.disk().then(({ size }) => size)),
    });
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }
}
