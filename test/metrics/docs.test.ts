import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fedMetrics, labelsOf } from './fed-metrics.ts';

const PAGE = join(import.meta.dirname, '..', '..', 'docs', 'metrics.md');

test('docs/metrics.md has a row for each metric of ours, with its type, its labels and its help', async () => {
  const fed = await fedMetrics();
  const rows = [...fed.types]
    .filter(([name]) => name.startsWith('account_service_'))
    .map(([name, type]) => {
      const [, help = ''] = new RegExp(`^# HELP ${name} (.*)$`, 'm').exec(fed.text) ?? [];
      const labels = labelsOf(fed, name).map((label) => `\`${label}\``);
      return `| \`${name}\` | ${type} | ${labels.join(', ') || '–'} | ${help} |`;
    });
  const page = await readFile(PAGE, 'utf8');
  expect(page.split('\n').filter((line) => line.startsWith('| `account_service_'))).toEqual(rows);
});
