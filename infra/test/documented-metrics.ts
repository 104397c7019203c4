/**
 * The metrics of CloudWatch that the alarms and the dashboard use, as their owners document them (read in November
 * 2026). An alarm on another metric, or on its dimensions in another combination, gets no data and never fires.
 */
export type DocumentedMetric = {
  /** The sets of dimensions under which the metric is sent; each is sorted. */
  readonly dimensions: readonly (readonly string[])[];
  /** The statistics that make sense; `p` stands for every percentile. */
  readonly statistics: readonly string[];
};

const metric = (
  dimensions: DocumentedMetric['dimensions'],
  ...statistics: DocumentedMetric['statistics']
): DocumentedMetric => ({ dimensions, statistics });

const TIMES = ['Average', 'Maximum', 'Minimum', 'p'];

const REST = [['ApiName'], ['ApiName', 'Stage'], ['ApiName', 'Method', 'Resource', 'Stage']];
/** The whole of a function, one of its aliases or versions, or a version that an alias leads to. */
const FUNCTION = [[], ['FunctionName'], ['FunctionName', 'Resource'], ['ExecutedVersion', 'FunctionName', 'Resource']];
const TABLE = [['TableName'], ['GlobalSecondaryIndexName', 'TableName']];
const QUEUE = [['QueueName']];
const BALANCER = [['LoadBalancer']];
const TARGETS = [['LoadBalancer', 'TargetGroup']];

/** By namespace and name; an address stands for the page of the owner. */
export const DOCUMENTED: Readonly<Record<string, Readonly<Record<string, DocumentedMetric>>>> = {
  // https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-metrics-and-dimensions.html
  'AWS/ApiGateway': {
    '4XXError': metric(REST, 'Average', 'Sum'),
    '5XXError': metric(REST, 'Average', 'Sum'),
    Count: metric(REST, 'SampleCount'),
    IntegrationLatency: metric(REST, ...TIMES),
    Latency: metric(REST, ...TIMES),
  },
  // https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-types.html
  'AWS/Lambda': {
    ConcurrentExecutions: metric([[], ['FunctionName']], 'Average', 'Maximum'),
    Duration: metric(FUNCTION, ...TIMES),
    Errors: metric(FUNCTION, 'Sum'),
    Invocations: metric(FUNCTION, 'Sum'),
    Throttles: metric(FUNCTION, 'Sum'),
  },
  // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/metrics-dimensions.html
  'AWS/DynamoDB': {
    ConsumedReadCapacityUnits: metric(TABLE, 'Average', 'Maximum', 'Sum'),
    ConsumedWriteCapacityUnits: metric(TABLE, 'Average', 'Maximum', 'Sum'),
    ReadThrottleEvents: metric(TABLE, 'SampleCount', 'Sum'),
    // ThrottledRequests is sent for each operation and never for a table.
    SuccessfulRequestLatency: metric([['Operation', 'TableName']], ...TIMES),
    WriteThrottleEvents: metric(TABLE, 'SampleCount', 'Sum'),
  },
  // https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-available-cloudwatch-metrics.html
  'AWS/SQS': {
    ApproximateAgeOfOldestMessage: metric(QUEUE, 'Average', 'Maximum'),
    ApproximateNumberOfMessagesVisible: metric(QUEUE, 'Average', 'Maximum'),
  },
  // https://docs.aws.amazon.com/elasticloadbalancing/latest/application/load-balancer-cloudwatch-metrics.html
  'AWS/ApplicationELB': {
    HTTPCode_ELB_5XX_Count: metric(BALANCER, 'Sum'),
    HTTPCode_Target_5XX_Count: metric(TARGETS, 'Sum'),
    RequestCount: metric(BALANCER, 'Sum'),
    UnHealthyHostCount: metric(TARGETS, 'Average', 'Maximum', 'Minimum'),
    TargetResponseTime: metric(TARGETS, ...TIMES),
  },
  // https://docs.aws.amazon.com/aws-backup/latest/devguide/cloudwatch.html
  'AWS/Backup': Object.fromEntries(
    ['BackupJobsFailed', 'BackupJobsExpired', 'BackupJobsAborted', 'BackupJobsCompleted', 'CopyJobsFailed'].map(
      (kind) => [`NumberOf${kind}`, metric([['BackupVaultName'], ['ResourceType']], 'Sum')],
    ),
  ),
  // The service's own, by its log lines: own-metrics.test.ts compares these with the lines.
  AccountService: {
    // By a metric filter on the access logs, which alarms.test.ts looks at.
    gateway_throttled: metric([['stage']], 'Sum'),
    cold_start: metric([['function', 'stage']], 'Sum'),
    latency: metric([['endpoint', 'function', 'stage', 'status_class']], ...TIMES, 'SampleCount'),
    probe_ms: metric([['stage']], ...TIMES),
    probe_ok: metric([['stage']], 'Minimum'),
    doctor_wrong: metric([['stage']], 'Minimum'),
    sale_events: metric([['stage']], 'Maximum'),
    unsent_mail: metric([['stage']], 'Minimum'),
  },
};

export type UsedMetric = {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: readonly string[];
  readonly statistic: string;
};

/** The complaint about a metric that nobody sends, or whose statistic makes no sense; undefined if it is sound. */
export const faultOf = ({ namespace, name, dimensions, statistic }: UsedMetric): string | undefined => {
  const sent = DOCUMENTED[namespace]?.[name];
  const set = dimensions.toSorted().join();
  if (!sent?.dimensions.some((one) => one.join() === set))
    return `${namespace} ${name} is not sent by {${dimensions.join(', ')}}`;
  const kind = /^p\d/.test(statistic) ? 'p' : statistic;
  return sent.statistics.includes(kind) ? undefined : `${statistic} of ${namespace} ${name} makes no sense`;
};
