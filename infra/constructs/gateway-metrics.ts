import type { IMetric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';

type MetricOf = (options?: MetricOptions) => IMetric;

/**
 * The metrics of one gateway that alarms and the dashboard read. They are those of the whole API, which cost nothing;
 * those of each method cost $0.30 a month each and are off.
 */
export type GatewayMetrics = {
  /** The host, or the host and `-streams`. It is unique in a stage. */
  readonly name: string;
  readonly count: MetricOf;
  /** Answers of the 500s. */
  readonly serverError: MetricOf;
  /** Milliseconds from the request to the answer. */
  readonly latency: MetricOf;
};
