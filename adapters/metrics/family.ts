import { Counter, Gauge, type Histogram, type Registry } from '@prometheus-io/client';
import type { Durations } from './durations.ts';
import type { Tally } from './tally.ts';

/** The start of the name of every metric of ours. */
export const PREFIX = 'account_service_';

type Labels = Readonly<Record<string, string>>;

/** One value of a metric. */
export type Sample = { readonly labels?: Labels; readonly value: number };

/** The durations of one series of a histogram. */
export type Timed = { readonly labels: Labels; readonly durations: Durations };

/** A metric by its name in Prometheus, and the sentence about it. */
export type Named = { readonly name: string; readonly help: string };

/** A metric with labels. The values are read when somebody asks for the metrics. */
type Read<T> = Named & {
  readonly labels?: readonly string[];
  readonly read: () => Iterable<T> | Promise<Iterable<T>>;
};

/** Registers a counter, whose values never fall while the process runs. */
export const counter = (registry: Registry, { name, help, labels = [], read }: Read<Sample>): void => {
  const collect = async function (this: Counter<string>): Promise<void> {
    const samples = await read();
    this.reset();
    for (const sample of samples) this.inc(sample.labels ?? {}, sample.value);
  };
  new Counter({ name, help, labelNames: labels, registers: [registry], collect });
};

/** Registers a gauge, whose values rise and fall. */
export const gauge = (registry: Registry, { name, help, labels = [], read }: Read<Sample>): void => {
  const collect = async function (this: Gauge<string>): Promise<void> {
    const samples = await read();
    this.reset();
    for (const sample of samples) this.set(sample.labels ?? {}, sample.value);
  };
  new Gauge({ name, help, labelNames: labels, registers: [registry], collect });
};

/**
 * Registers a histogram of durations that are counted already. The library's own histogram takes single observations
 * alone, so that this one gives the registry the values of a histogram itself.
 */
export const histogram = (registry: Registry, { name, help, read }: Read<Timed>): void => {
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

/** The counts of a tally, each with its label and the labels given. */
export const labelled = (tally: Tally, label: string, labels: Labels = {}): Sample[] =>
  [...tally.entries()].map(([name, value]) => ({ labels: { ...labels, [label]: name }, value }));
