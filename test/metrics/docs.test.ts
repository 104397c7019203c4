import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fedMetrics } from './fed-metrics.ts';

const PAGE = join(import.meta.dirname, '..', '..', 'docs', 'production.md');

test('docs/production.md lists exactly the service’s own metrics', async () => {
  const fed = await fedMetrics();
  const ours = [...fed.types.keys()].filter((name) => name.startsWith('account_service_'));
  const listed = (await readFile(PAGE, 'utf8')).match(/account_service_\w+/g);
  expect([...new Set(listed)].sort()).toEqual(ours.sort());
});
