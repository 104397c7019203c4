import { collectDefaultMetrics, Registry } from '@prometheus-io/client';
import { aboutOperations, aboutRequests } from './about-calls.ts';
import { counter, gauge, labelled, PREFIX, type Sample } from './family.ts';
import { objectOperations } from './measured-objects.ts';
import { tableOperations } from './measured-table.ts';
import { Requests } from './requests.ts';
import { Tally } from './tally.ts';

/** Numbers that other parts of the process keep. Each is read when somebody asks for the metrics. */
export type Readings = {
  readonly connectionsOpen: () => number;
  readonly connectionsRefused: () => number;
  readonly largeBodyBytes: () => number;
  readonly formsOpen: () => number;
  readonly logLinesLost: () => number;
  /** Rejects where the store does not answer. */
  readonly jobsWaiting: () => Promise<number>;
  /** Bytes of the disk of the data folder: those that are free for the process, and all. Rejects where there is none. */
  readonly disk: () => Promise<{ readonly free: number; readonly size: number }>;
};

/** Facts of the process that never change, as labels of one metric. */
export type BuildInfo = Readonly<Record<'version' | 'node' | 'store' | 'objects', string>>;

const one = (value: number): Sample[] => [{ value }];

/** A value that is NaN where it can't be read just now. */
const orNothing = async (reading: Promise<number>): Promise<Sample[]> => one(await reading.catch(() => Number.NaN));

/** The metrics of a process, which counts into plain numbers and writes them out when it is asked. */
export class Metrics {
  readonly requests = new Requests();
  readonly table = tableOperations();
  readonly objects = objectOperations();
  /** The requests and connections that were refused before a host saw them, by code. */
  readonly early = new Tally();
  /** The turns of the worker that had a job, by result. */
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
      read: () => labelled(this.early, 'code'),
    });
    counter(this.#registry, {
      name: `${PREFIX}job_turns_total`,
      help: 'Turns of the worker that had a job. A job that was done, or had its turn of a minute, is done; a fault is failed.',
      labels: ['result'],
      read: () => labelled(this.jobs, 'result'),
    });
  }

  /** Adds the metrics that read numbers of other parts. Call it once. */
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

  /** The media type of `text`. */
  get contentType(): string {
    return this.#registry.contentType;
  }

  /** All metrics in the text format of Prometheus. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }
}
