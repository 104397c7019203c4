import { expect, test } from 'vitest';
import { openSqliteTable } from '../../adapters/sqlite/sqlite-table.ts';
import { StoreClock } from '../../adapters/store/store-clock.ts';
import { DAY_MS } from '../../domain/shared/instant.ts';
import { newFile } from './sqlite/folder.ts';

const START = Date.parse('2026-11-21T08:00:00.000Z');
const HOUR_MS = DAY_MS / 24;

/** A process on the store of a file; the test sets its clock and its true time. */
const openProcess = (file: string) => {
  const time = { clock: START, ticks: 0 };
  const clock = new StoreClock(
    () => time.clock,
    () => time.ticks,
  );
  const table = openSqliteTable(file, { now: clock.horizon });
  const live = async () => {
    const found = await Promise.all(Array.from({ length: 34 }, (_, n) => table.get({ pk: 'p', sk: `${n}` })));
    return found.filter((item) => item !== undefined).length;
  };
  const write = async (writes: number) => {
    for (let n = 0; n < writes; n++) await table.increment({ pk: 'c', sk: 'c' }, 1, { volatile: true });
  };
  return { time, clock, table, live, write };
};

test('a clock that jumped two years ahead deletes none of 34 rows in 700 writes, before and after a restart', async () => {
  const file = newFile();
  const first = openProcess(file);
  await first.clock.note(first.table);
  for (let n = 0; n < 34; n++) {
    const expires_at = START / 1000 + (n + 1) * 86_400;
    await first.table.put({ pk: 'p', sk: `${n}`, data: {}, expires_at });
  }
  first.time.clock += 730 * DAY_MS;
  await first.write(700);
  expect(await first.live()).toBe(34);
  await first.clock.note(first.table);
  await first.table.close();

  const second = openProcess(file);
  second.time.clock += 730 * DAY_MS;
  await second.write(700);
  expect(await second.clock.note(second.table)).toBe('2026-11-21T08:00:00.000Z');
  await second.write(700);
  expect(await second.live()).toBe(34);
  // With the passing of true time, a correct clock catches up at a day per hour.
  second.time.ticks += 3 * HOUR_MS + 1000;
  await second.write(64);
  expect(await second.live()).toBe(31);
  await second.table.close();
});

test('a clock behind the store deletes by its own time, and does not turn back the store’s newest time', async () => {
  const { clock, table, time } = openProcess(newFile());
  await clock.note(table);
  time.clock -= 3 * DAY_MS;
  expect(clock.horizon()).toBe(START - 3 * DAY_MS);
  await clock.note(table);
  expect(await clock.note(table)).toBe('2026-11-21T08:00:00.000Z');
  await table.close();
});

test('a process that has recorded no time, such as a command, deletes nothing', () => {
  expect(new StoreClock().horizon()).toBe(0);
});
