/**
 * The metrics of CloudWatch that the alarms and the dashboard may use, as their owners document them. An alarm on
 * another metric, or on these dimensions in another combination, gets no data and never fires.
 */
export type DocumentedMetric = {
  readonly unit: 'Bytes' | 'Count' | 'Milliseconds' | 'None' | 'Seconds';
  /** The sets of dimensions under which the metric is sent; each is sorted. */
  readonly dimensions: readonly (readonly string[])[];
  /** The statistics that say something; `p` stands for every percentile. */
  readonly statistics: readonly string[];
};

export type Documented = {
  /** The page of the owner, read on the day `read`. */
  readonly page: string;
  readonly read: string;
  readonly metrics: Readonly<Record<string, DocumentedMetric>>;
};

const read = '2026-11-22';

const TIMES = ['Average', 'Maximum', 'Minimum', 'p'];

/** A REST API is known by its name, and an HTTP API by its id. */
const GATEWAY = [['ApiName'], ['ApiName', 'Stage'], ['ApiName', 'Method', 'Resource', 'Stage']];
const HTTP_GATEWAY = [['ApiId'], ['ApiId', 'Stage'], ['ApiId', 'Method', 'Resource', 'Stage']];

/** The whole of a function, one of its aliases or versions, or a version that an alias leads to. */
const FUNCTION = [['FunctionName'], ['FunctionName', 'Resource'], ['ExecutedVersion', 'FunctionName', 'Resource']];

const TABLE = [['TableName'], ['GlobalSecondaryIndexName', 'TableName']];
const QUEUE = [['QueueName']];

export const DOCUMENTED: Readonly<Record<string, readonly Documented[]>> = {
  'AWS/ApiGateway': [
    {
      page: 'https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-metrics-and-dimensions.html',
      read,
      metrics: {
        '4XXError': { unit: 'Count', dimensions: GATEWAY, statistics: ['Average', 'Sum'] },
        '5XXError': { unit: 'Count', dimensions: GATEWAY, statistics: ['Average', 'Sum'] },
        Count: { unit: 'Count', dimensions: GATEWAY, statistics: ['SampleCount'] },
        IntegrationLatency: { unit: 'Milliseconds', dimensions: GATEWAY, statistics: TIMES },
        Latency: { unit: 'Milliseconds', dimensions: GATEWAY, statistics: TIMES },
      },
    },
    {
      page: 'https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-metrics.html',
      read,
      metrics: {
        '4xx': { unit: 'Count', dimensions: HTTP_GATEWAY, statistics: ['Average', 'Sum'] },
        '5xx': { unit: 'Count', dimensions: HTTP_GATEWAY, statistics: ['Average', 'Sum'] },
        Count: { unit: 'Count', dimensions: HTTP_GATEWAY, statistics: ['SampleCount'] },
        DataProcessed: { unit: 'Bytes', dimensions: HTTP_GATEWAY, statistics: ['Sum'] },
        IntegrationLatency: { unit: 'Milliseconds', dimensions: HTTP_GATEWAY, statistics: TIMES },
        Latency: { unit: 'Milliseconds', dimensions: HTTP_GATEWAY, statistics: TIMES },
      },
    },
  ],
  'AWS/Lambda': [
    {
      page: 'https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-types.html',
      read,
      metrics: {
        ConcurrentExecutions: { unit: 'Count', dimensions: [['FunctionName'], []], statistics: ['Average', 'Maximum'] },
        Duration: { unit: 'Milliseconds', dimensions: [...FUNCTION, []], statistics: TIMES },
        Errors: { unit: 'Count', dimensions: [...FUNCTION, []], statistics: ['Sum'] },
        Invocations: { unit: 'Count', dimensions: [...FUNCTION, []], statistics: ['Sum'] },
        ProvisionedConcurrencySpilloverInvocations: { unit: 'Count', dimensions: FUNCTION, statistics: ['Sum'] },
        ProvisionedConcurrencyUtilization: {
          unit: 'None',
          dimensions: [
            ['FunctionName', 'Resource'],
            ['ExecutedVersion', 'FunctionName', 'Resource'],
          ],
          statistics: ['Average', 'Maximum'],
        },
        Throttles: { unit: 'Count', dimensions: [...FUNCTION, []], statistics: ['Sum'] },
      },
    },
  ],
  'AWS/DynamoDB': [
    {
      page: 'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/metrics-dimensions.html',
      read,
      metrics: {
        ConsumedReadCapacityUnits: { unit: 'Count', dimensions: TABLE, statistics: ['Average', 'Maximum', 'Sum'] },
        ConsumedWriteCapacityUnits: { unit: 'Count', dimensions: TABLE, statistics: ['Average', 'Maximum', 'Sum'] },
        ReadThrottleEvents: { unit: 'Count', dimensions: TABLE, statistics: ['SampleCount', 'Sum'] },
        SuccessfulRequestLatency: { unit: 'Milliseconds', dimensions: [['Operation', 'TableName']], statistics: TIMES },
        ThrottledRequests: {
          unit: 'Count',
          dimensions: [['Operation', 'TableName']],
          statistics: ['SampleCount', 'Sum'],
        },
        WriteThrottleEvents: { unit: 'Count', dimensions: TABLE, statistics: ['SampleCount', 'Sum'] },
      },
    },
  ],
  'AWS/SQS': [
    {
      page: 'https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-available-cloudwatch-metrics.html',
      read,
      metrics: {
        ApproximateAgeOfOldestMessage: { unit: 'Seconds', dimensions: QUEUE, statistics: ['Average', 'Maximum'] },
        ApproximateNumberOfMessagesVisible: { unit: 'Count', dimensions: QUEUE, statistics: ['Average', 'Maximum'] },
      },
    },
  ],
  // The service's own, by its log lines: infra/test/own-metrics.test.ts holds these against the lines.
  AccountService: [
    {
      page: 'https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html',
      read,
      metrics: {
        cold_start: { unit: 'Count', dimensions: [['function', 'stage']], statistics: ['Sum'] },
        latency: {
          unit: 'Milliseconds',
          dimensions: [['endpoint', 'function', 'stage', 'status_class']],
          statistics: [...TIMES, 'SampleCount'],
        },
        probe_ms: { unit: 'Milliseconds', dimensions: [['stage']], statistics: TIMES },
        probe_ok: { unit: 'Count', dimensions: [['stage']], statistics: ['Minimum'] },
      },
    },
  ],
};

export type UsedMetric = {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: readonly string[];
  readonly statistic: string;
};

/** The documented metric that these dimensions belong to; undefined where its owner sends no such metric. */
export const documentedOf = ({ namespace, name, dimensions }: UsedMetric): DocumentedMetric | undefined => {
  const set = dimensions.toSorted().join();
  const sent = (DOCUMENTED[namespace] ?? []).flatMap(({ metrics }) => metrics[name] ?? []);
  const found = sent.filter((metric) => metric.dimensions.some((one) => one.join() === set));
  return found.length === 1 ? found[0] : undefined;
};

/** The complaint about a metric that nobody sends, or whose statistic says nothing; undefined where it is sound. */
export const faultOf = (used: UsedMetric): string | undefined => {
  const { namespace, name, dimensions, statistic } = used;
  const metric = documentedOf(used);
  if (!metric) return `${namespace} ${name} is not sent by {${dimensions.join(', ')}}`;
  const kind = /^p\d/.test(statistic) ? 'p' : statistic;
  return metric.statistics.includes(kind) ? undefined : `${statistic} of ${namespace} ${name} says nothing`;
};
