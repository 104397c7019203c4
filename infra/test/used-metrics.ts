import type { Template } from 'aws-cdk-lib/assertions';
import type { UsedMetric } from './documented-metrics.ts';
import { type Properties, resourcesOf } from './synthesized.ts';

const namesOf = (dimensions: Properties[] = []): string[] => dimensions.map(({ Name }) => Name);

/** The metrics of an alarm: one, or those in its expression. */
export const metricsOfAlarm = (alarm: Properties): UsedMetric[] => {
  const { Namespace, MetricName, Dimensions, Statistic, ExtendedStatistic, Metrics } = alarm;
  if (MetricName !== undefined) {
    const statistic = Statistic ?? ExtendedStatistic;
    return [{ namespace: Namespace, name: MetricName, dimensions: namesOf(Dimensions), statistic }];
  }
  return (Metrics as Properties[]).flatMap(({ MetricStat: stat }) =>
    stat
      ? [
          {
            namespace: stat.Metric.Namespace,
            name: stat.Metric.MetricName,
            dimensions: namesOf(stat.Metric.Dimensions),
            statistic: stat.Stat,
          },
        ]
      : [],
  );
};

/** A search of the form `SEARCH('{namespace,dimension,…} MetricName="…" …', 'statistic', period)`. */
const SEARCH = /SEARCH\('\{(?<schema>[^}]+)\} MetricName="(?<name>\w+)"[^']*', '(?<statistic>\w+)'/;

const searched = (expression: string): UsedMetric[] => {
  const { schema = '', name = '', statistic = '' } = SEARCH.exec(expression)?.groups ?? {};
  const [namespace = '', ...dimensions] = schema.split(',');
  return [{ namespace, name, dimensions, statistic }];
};

/** A metric of a widget, of the form `[namespace, name, dimension, value, …, { stat }]`, or `[{ expression }]`. */
const metricsOfRow = (row: readonly unknown[]): UsedMetric[] => {
  const last = row.at(-1) as { readonly expression?: string; readonly stat?: string };
  if (row.length === 1) return searched(last.expression ?? '');
  const [namespace, name, ...rest] = row.slice(0, -1) as string[];
  const dimensions = rest.filter((_, i) => i % 2 === 0);
  return [{ namespace: namespace ?? '', name: name ?? '', dimensions, statistic: last.stat ?? 'Average' }];
};

/** The text of a dashboard. Values that CloudFormation fills in become `token`. */
const bodyOf = ({ DashboardBody: body }: Properties): string =>
  typeof body === 'string'
    ? body
    : (body['Fn::Join'][1] as unknown[]).map((part) => (typeof part === 'string' ? part : 'token')).join('');

const metricsOfDashboard = (dashboard: Properties): UsedMetric[] => {
  const { widgets } = JSON.parse(bodyOf(dashboard)) as { widgets: { properties: { metrics?: unknown[][] } }[] };
  return widgets.flatMap(({ properties }) => (properties.metrics ?? []).flatMap(metricsOfRow));
};

/** Every metric that the alarms and the dashboards of a template read. */
export const metricsOf = (template: Template): UsedMetric[] => [
  ...resourcesOf(template, 'AWS::CloudWatch::Alarm').flatMap(([, alarm]) => metricsOfAlarm(alarm)),
  ...resourcesOf(template, 'AWS::CloudWatch::Dashboard').flatMap(([, dashboard]) => metricsOfDashboard(dashboard)),
];
