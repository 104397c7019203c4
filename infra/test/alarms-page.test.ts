import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { licenseProbeMonth, probeMonth, syntheticsMonth } from '../../test/tools/costs/probe.ts';
import { RECOMMENDED } from '../costs/recommended.ts';
import { DEPLOYED } from '../routes.ts';
import { alarmRow } from './alarm-rows.ts';
import { emptyBundles, resourcesOf, type Synthesized, synthesized } from './synthesized.ts';

const DOCS = join(import.meta.dirname, '..', '..', 'docs');
const page = readFileSync(join(DOCS, 'aws', 'alarms.md'), 'utf8');

/** A stage that has every kind of alarm. */
let watched: Synthesized['templates'];
let bundles: string;
beforeAll(async () => {
  bundles = await emptyBundles();
  watched = synthesized(bundles, { ...RECOMMENDED, deployment: 'canary' }).templates;
});
afterAll(() => rm(bundles, { recursive: true }));

const dollars = (amount: number): string => `${amount.toFixed(2)} dollars`;

describe('the page of the alarms', () => {
  test('the page has a row for each alarm of the stacks, with its metric and its bound, and no other row', () => {
    const templates = [watched.service, watched.operations];
    const alarms = templates.flatMap((template) => resourcesOf(template, 'AWS::CloudWatch::Alarm'));
    const expected = new Set(alarms.map(([, alarm]) => alarmRow(alarm)));
    const rows = page.split('\n').filter((line) => line.startsWith('| `'));
    const cells = rows.map((row) => row.split(' | ').slice(0, 4).join(' | ').replace(/^\| /, ''));
    expect(cells.toSorted()).toEqual([...expected].toSorted());
  });

  test('the page has the price of the probe, from the prices and sizes that the cost page is made of', () => {
    const table = readFileSync(join(DOCS, 'costs.md'), 'utf8');
    const [, reads, writes] = /^\| checkLicense \|(?:[^|]+\|){2} ([\d.]+) \| ([\d.]+) \|/m.exec(table) ?? [];
    expect(page).toContain(`costs ${dollars(probeMonth(DEPLOYED.length))} a month`);
    expect(page).toContain(`would cost ${dollars(syntheticsMonth())}`);
    expect(page).toContain(`cost ${dollars(licenseProbeMonth(Number(reads), Number(writes)))} a month more`);
  });
});
