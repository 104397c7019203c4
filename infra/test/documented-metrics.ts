/**
 * The CloudWatch metrics that the alarms and the dashboard use, as documented by their owners (read in November 2026).
 * An alarm on another metric, or on another combination of its dimensions, gets no data and never fires.
 */
export type DocumentedMetric = {
  /** The sets of dimensions with which the metric is sent; each is sorted. */
  readonly dimensions: readonly (readonly string[])[];
  /** The meaningful statistics; `p` means every percentile. */
  readonly statistics: readonly string[];
};

const metric = (
  dimensions: DocumentedMetric['dimensions'],
  ...statistics: DocumentedMetric['statistics']
): DocumentedMetric => ({ dimensions, statistics });

const TIMES = ['Average', 'Maximum', 'Minimum', 'p'];

const REST = [['ApiName'], ['ApiName', 'Stage'], ['ApiName', 'Method', 'Resource', 'Stage']];
/** A whole function, one of its aliases or versions, or a version behind an alias. */
const FUNCTION = [[], ['FunctionName'], ['FunctionName', 'Resource'], ['ExecutedVersion', 'FunctionName', 'Resource']];
const TABLE = [['TableName'], ['GlobalSecondaryIndexName', 'TableName']];
const QUEUE = [['QueueName']];
const BALANCER = [['LoadBalancer']];
const TARGETS = [['LoadBalancer', 'TargetGroup']];

/** By namespace and name, each with the URL of its owner's page. */
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
  // The service's own metrics, from its log lines; own-metrics.test.ts compares both.
  AccountService: {
    // From a metric filter on the access logs, which alarms.test.ts checks.
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

/** The complaint about a metric that nobody sends, or whose statistic is meaningless; undefined if it is valid. */
export const faultOf = ({ namespace, name, dimensions, statistic }: UsedMetric): string | undefined => {
  const sent = DOCUMENTED[namespace]?.[name];
  const set = dimensions.toSorted().join();
  if (!sent?.dimensions.some((one) => one.join() === set))
    return `${namespace} ${name} is not sent by {${dimensions.join(', ')}}`;
  const kind = /^p\d/.test(statistic) ? 'p' : statistic;
  return sent.statistics.includes(kind) ? undefined : `${statistic} of ${namespace} ${name} makes no sense`;
};
