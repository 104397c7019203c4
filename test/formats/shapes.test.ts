import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { presentFormat } from '../../adapters/store/formats.ts';
import { fillStore } from './fill-store.ts';
import { DAYS, knownOf } from './old-stores.ts';
import { SHAPES, shapesOf } from './shapes.ts';

const ADVICE =
  'Stored records have other shapes than test/formats/shapes.txt has. See that a record without the new member is still read, say in CHANGELOG.md what a start does, and run: npm run formats';

test('the stored records have the recorded shapes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'shapes-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  await fillStore(folder);
  const found = (await shapesOf(folder)).split('\n');
  const recorded = readFileSync(SHAPES, 'utf8').split('\n');
  const changed = [
    ...found.filter((line) => !recorded.includes(line)).map((line) => `+ ${line}`),
    ...recorded.filter((line) => !found.includes(line)).map((line) => `- ${line}`),
  ];
  expect(changed, ADVICE).toEqual([]);
});

test('the current format has a saved store', () => {
  expect(Math.max(...DAYS.map((day) => knownOf(day).format ?? 1)), ADVICE).toBe(presentFormat());
});
