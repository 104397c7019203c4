import { HOSTS } from '../../ports/inbound/hosts.ts';
import { FUNCTIONS } from '../bundles/functions.ts';
import { documentedOf } from './documented-metrics.ts';
import type { Properties } from './synthesized.ts';
import { metricsOfAlarm } from './used-metrics.ts';

const PREFIX = /^account-service-(?:dev|prod)-/;
const OF_A_GATEWAY = new RegExp(
  `^(?:${[...HOSTS, 'legacy'].join('|')})(?:-streams)?-(?=errors$|latency$|release-answers$)`,
);
const OF_A_FUNCTION = new RegExp(
  `^(?:${FUNCTIONS.join('|')})-(?=function-errors$|throttles$|duration$|release-errors$)`,
);

/** The two kinds of API name the same metric differently. */
const metricName = (name: string): string => (['5XXError', '5xx'].includes(name) ? '5XXError or 5xx' : name);

const UNITS: Readonly<Record<string, string>> = { Milliseconds: ' ms', Seconds: ' s' };
const SIGNS: Readonly<Record<string, string>> = { GreaterThanThreshold: '>', LessThanThreshold: '<' };

/** The first cells of the row that docs/aws/alarms.md has for an alarm: its name, metrics, bound, and missing data. */
export const alarmRow = (alarm: Properties): string => {
  const { AlarmName, ComparisonOperator, Threshold, DatapointsToAlarm, EvaluationPeriods, Metrics } = alarm;
  const name = AlarmName.replace(PREFIX, '').replace(OF_A_GATEWAY, 'GATEWAY-').replace(OF_A_FUNCTION, 'FUNCTION-');
  const used = metricsOfAlarm(alarm);
  const [first] = used;
  if (!first) throw new Error(`${AlarmName} watches nothing.`);
  const stats = (Metrics ?? []) as Properties[];
  const expression = stats.find(({ Expression }) => Expression !== undefined)?.Expression;
  const unit = expression ? '' : (UNITS[documentedOf(first)?.unit ?? ''] ?? '');
  const seconds = alarm.Period ?? stats.find(({ MetricStat }) => MetricStat)?.MetricStat.Period;
  return [
    `\`${name}\``,
    used.map((metric) => `\`${metric.namespace} ${metricName(metric.name)}\``).join(', '),
    `${expression ?? first.statistic} ${SIGNS[ComparisonOperator]} ${Threshold}${unit}, ${DatapointsToAlarm} of ${EvaluationPeriods} × ${seconds / 60} min`,
    alarm.TreatMissingData === 'breaching' ? 'fires' : 'is well',
  ].join(' | ');
};
