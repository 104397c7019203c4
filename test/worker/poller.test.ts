import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startPoller } from '../../runtimes/worker/poller.ts';
import type { TurnResult } from '../../runtimes/worker/replay-worker.ts';

const HOURLY = 3_600_000;

/** A worker with these results in turn, and `idle` afterwards. */
const answering = (...answers: (TurnResult | Error)[]) => {
  const worker = {
    calls: 0,
    workOnce: async (): Promise<TurnResult> => {
      worker.calls += 1;
      const answer = answers.shift() ?? 'idle';
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
  return worker;
};

const noFault = (error: unknown): void => {
  throw error;
};

test('a poller does every waiting job at its start, then waits', async () => {
  const worker = answering('done', 'failed', 'done');
  const poller = startPoller(worker, noFault, HOURLY);
  await expect.poll(() => worker.calls).toBe(4);
  await poller.stop();
  expect(worker.calls).toBe(4);
});

test('a poller that is woken checks at once, and wakes during a check are not lost', async () => {
  const worker = answering('idle', 'busy');
  const poller = startPoller(worker, noFault, HOURLY);
  await expect.poll(() => worker.calls).toBe(1);
  poller.wake();
  poller.wake();
  await expect.poll(() => worker.calls).toBeGreaterThanOrEqual(2);
  await poller.stop();
});

test('a poller checks at intervals without being woken', async () => {
  const worker = answering();
  const poller = startPoller(worker, noFault, 5);
  await expect.poll(() => worker.calls).toBeGreaterThan(3);
  await poller.stop();
  const { calls } = worker;
  await sleep(30);
  poller.wake();
  expect(worker.calls).toBe(calls);
});

test('a store error is reported, and the next check tries again', async () => {
  const faults: unknown[] = [];
  const worker = answering(new Error('The store is away.'), 'done');
  const poller = startPoller(worker, (error) => faults.push(error), 5);
  await expect.poll(() => worker.calls).toBeGreaterThan(2);
  await poller.stop();
  expect(faults).toEqual([new Error('The store is away.')]);
});

test('stopping waits for the current batch, whose worker is told not to continue', async () => {
  const told: boolean[] = [];
  let release = (): void => {};
  const worker = {
    workOnce: async (goOn: () => boolean = () => true): Promise<TurnResult> => {
      told.push(goOn());
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      told.push(goOn());
      return 'busy';
    },
  };
  const poller = startPoller(worker, noFault, HOURLY);
  await expect.poll(() => told.length).toBe(1);
  const stopped = poller.stop();
  release();
  await stopped;
  expect(told).toEqual([true, false]);
});
