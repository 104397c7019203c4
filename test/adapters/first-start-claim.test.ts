import { expect, test } from 'vitest';
import { MemoryTable } from '../../adapters/memory/memory-table.ts';
import { FirstStartClaim } from '../../adapters/store/store-records.ts';
import { systemClock } from '../../adapters/system/system.ts';
import { toInstant } from '../../domain/shared/instant.ts';

const soon = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

test('processes that start together on an empty store do their work in turn', async () => {
  const table = new MemoryTable();
  let working = 0;
  let done = 0;
  const start = () =>
    new FirstStartClaim(table, systemClock).alone(async () => {
      working += 1;
      expect(working).toBe(1);
      await soon(20);
      working -= 1;
      done += 1;
      return done;
    });
  expect((await Promise.all([start(), start(), start()])).sort()).toEqual([1, 2, 3]);
});

test('a failed start lets the next one continue and passes its error on', async () => {
  const table = new MemoryTable();
  const claim = new FirstStartClaim(table, systemClock);
  await expect(claim.alone(() => Promise.reject(new Error('a full disk')))).rejects.toThrow('a full disk');
  expect(await claim.isOpen()).toBe(true);
  expect(await claim.alone(async (interrupted) => interrupted)).toBe(true);
  expect(await claim.isOpen()).toBe(false);
  expect(await claim.alone(async (interrupted) => interrupted)).toBe(false);
});

test('the claim of a dead process expires a minute later', async () => {
  const table = new MemoryTable();
  let now = Date.parse('2026-01-01T00:00:00Z');
  const clock = { now: () => toInstant(now) };
  void new FirstStartClaim(table, clock).alone(() => new Promise(() => {}));
  await soon(10);
  let filled = false;
  let waited = 0;
  const next = new FirstStartClaim(table, clock).alone(
    async (interrupted) => {
      filled = interrupted;
    },
    (retry) => {
      waited = retry + 1;
    },
  );
  now += 59_000;
  await soon(250);
  expect(filled).toBe(false);
  now += 1000;
  await next;
  expect([filled, waited > 1]).toEqual([true, true]);
});

test('the claim of a process whose clock was years ahead expires when the clock is right', async () => {
  const table = new MemoryTable();
  let at = '2036-01-01T00:00:00.000Z';
  const clock = { now: () => at };
  void new FirstStartClaim(table, clock).alone(() => new Promise(() => {}));
  await soon(10);
  at = '2026-01-01T00:00:00.000Z';
  expect(await new FirstStartClaim(table, clock).alone(async (interrupted) => interrupted)).toBe(true);
});

test('an error of whoever waits for the claim ends the waiting', async () => {
  const table = new MemoryTable();
  void new FirstStartClaim(table, systemClock).alone(() => new Promise(() => {}));
  await soon(10);
  const waits = (retry: number) => {
    if (retry === 2) throw new Error('a signal');
  };
  await expect(new FirstStartClaim(table, systemClock).alone(async () => true, waits)).rejects.toThrow('a signal');
});
