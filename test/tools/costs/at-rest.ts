import { prices } from './prices.ts';
import sizes from './stack.json' with { type: 'json' };

const { at_rest } = sizes;
const { cloudwatch, lambda, secrets_manager } = prices;

/** Dollars of a function's start by a schedule, with what it does at rest: it looks once and finds nothing. */
const START = lambda.million_requests / 1e6 + (prices.assumed.own_ms / 1000) * lambda.gigabyte_second;

/** The cost of a month in which nobody calls: for what, how many, and dollars. */
export const atRest = (): readonly (readonly [what: string, count: number, dollars: number])[] => [
  ['metrics that alarms watch', at_rest.alarm_metrics, at_rest.alarm_metrics * cloudwatch.alarm_metric_month],
  ['secrets', at_rest.secrets, at_rest.secrets * secrets_manager.secret_month],
  ['dashboards', at_rest.dashboards, at_rest.dashboards * cloudwatch.dashboard_month],
  ['starts of functions by schedules', at_rest.scheduled_starts, at_rest.scheduled_starts * START],
];

const endpoints = Object.keys(sizes.functions).length;

/** Metrics of the functions' own, where every endpoint is asked each hour, with answers that are 2xx and 4xx. */
export const METRICS = { most: 2 * endpoints, dollars: 2 * endpoints * cloudwatch.metric_month };

/** The table of docs/costs.md. */
export const restTable = (): string => {
  const rows = atRest();
  const total = rows.reduce((sum, [, , dollars]) => sum + dollars, 0);
  return [
    '| what | number | dollars a month |',
    '|---|--:|--:|',
    ...rows.map(([what, count, dollars]) => `| ${what} | ${count.toLocaleString('en')} | ${dollars.toFixed(2)} |`),
    `| together | | ${total.toFixed(2)} |`,
  ].join('\n');
};
