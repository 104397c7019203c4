import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Scraped } from '../support/exposition.ts';
import {
  ALERTS,
  alerts,
  dashboard,
  dashboardTexts,
  groupedIn,
  metricOf,
  metricsIn,
  selectorsIn,
} from './expressions.ts';
import { fedMetrics, labelsOf } from './fed-metrics.ts';

/** The labels that Prometheus adds to each series, and the bound of a bucket. */
const OF_PROMETHEUS = ['job', 'instance', 'le'];

const PAGE = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'production.md'), 'utf8');

let fed: Scraped;
beforeAll(async () => {
  fed = await fedMetrics();
});

describe.each([
  ['the dashboard', () => dashboardTexts(dashboard()).join('\n')],
  ['the alerts', alerts],
])('%s', (_, read) => {
  const text = read();

  test('the file names only metrics of the service', () => {
    const named = metricsIn(text);
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((name) => !fed.types.has(metricOf(name, fed.types)))).toEqual([]);
  });

  test('the file selects, groups and shows by labels that its metrics have', () => {
    const selectors = selectorsIn(text);
    expect(selectors.length).toBeGreaterThan(2);
    const wrong = selectors.flatMap(({ metric, labels }) => {
      const has = [...labelsOf(fed, metricOf(metric, fed.types)), ...OF_PROMETHEUS];
      return labels.filter((label) => !has.includes(label)).map((label) => `${metric}{${label}}`);
    });
    expect(wrong).toEqual([]);
    const all = new Set([...OF_PROMETHEUS, ...fed.series.flatMap(({ labels }) => Object.keys(labels))]);
    expect(groupedIn(text).filter((label) => !all.has(label))).toEqual([]);
  });
});

test('each panel of the dashboard has its own id, and none is empty', () => {
  const { panels, schemaVersion } = dashboard();
  expect(schemaVersion).toBeGreaterThanOrEqual(38);
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  for (const { title, targets = [] } of panels)
    expect([title, targets.every(({ expr }) => expr !== '')]).toEqual([title, true]);
});

test('docs/production.md has a row for each alert', () => {
  const names = [...readFileSync(ALERTS, 'utf8').matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
  const rows = [...PAGE.matchAll(/^\| `(AccountService\w+)` \|/gm)].map(([, name]) => name);
  expect(rows).toEqual(names);
});
