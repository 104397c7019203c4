import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const DEPLOY = join(import.meta.dirname, '..', '..', 'infra', 'machine');

export const ALERTS = join(DEPLOY, 'prometheus', 'alerts.yml');
export const SCRAPE = join(DEPLOY, 'prometheus', 'scrape.yml');
const DASHBOARD = join(DEPLOY, 'grafana', 'account-service.json');

type Target = { readonly expr: string; readonly legendFormat: string };
type Panel = { readonly id: number; readonly title: string; readonly targets?: readonly Target[] };

export type Dashboard = {
  readonly uid: string;
  readonly schemaVersion: number;
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly definition?: string }[] };
};

export const dashboard = (): Dashboard => JSON.parse(readFileSync(DASHBOARD, 'utf8'));

/** The dashboard's expressions and legends, and the queries of its variables. */
export const dashboardTexts = ({ panels, templating }: Dashboard): string[] => [
  ...panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr, legendFormat }) => [expr, legendFormat])),
  ...templating.list.flatMap(({ definition }) => definition ?? []),
];

/** The alerts, without their comments. */
export const alerts = (): string => readFileSync(ALERTS, 'utf8').replace(/^\s*#.*$/gm, '');

/** The names of metrics in expressions. */
export const metricsIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/\b(?:account_service|process|nodejs)_\w+/g)].map(([name]) => name)),
];

/** The selectors in expressions: a metric, and the labels in its braces. */
export const selectorsIn = (text: string): { readonly metric: string; readonly labels: string[] }[] =>
  [...text.matchAll(/\b((?:account_service|process|nodejs)_\w+)\{([^}]*)\}/g)].map(([, metric = '', inner = '']) => ({
    metric,
    labels: [...inner.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label),
  }));

/** The labels by which expressions group, and those that legends and sentences show. */
export const groupedIn = (text: string): string[] => {
  const grouped = [...text.matchAll(/\b(?:by|on) \(([^)]*)\)/g)].flatMap(([, names = '']) => names.split(/,\s*/));
  const shown = [...text.matchAll(/\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}/g)].map(([, name = '']) => name);
  return [...new Set([...grouped, ...shown])];
};

/** The metric of a series: the buckets, sum and count of a histogram are one metric. */
export const metricOf = (series: string, types: ReadonlyMap<string, string>): string => {
  const base = series.replace(/_(bucket|sum|count)$/, '');
  return types.get(base) === 'histogram' ? base : series;
};
