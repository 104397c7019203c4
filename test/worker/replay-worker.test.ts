import { beforeEach, describe, expect, test } from 'vitest';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { CollectRun } from '../../domain/design/collect/run.ts';
import { JOB_ATTEMPTS } from '../../domain/shared/job.ts';
import { type Replay, ReplayWorker } from '../../runtimes/worker/replay-worker.ts';
import { aDesk } from '../application/design/collect/desk.ts';
import { done } from '../support/outcomes.ts';

const PERMIT = grantPermit();

type Desk = ReturnType<typeof aDesk>;

let desk: Desk;
let run: number;
let logged: string[];
beforeEach(async () => {
  desk = aDesk();
  logged = [];
  run = await submitted();
});

const submitted = async (): Promise<number> => {
  const id = await desk.opened();
  done(await desk.submit(id));
  return id;
};

const runs = () => desk.service.get('collectRuns');
const jobs = () => desk.service.get('jobs');
const stateOf = async (id = run) => (await runs().get(id))?.run.state;

const write = async (id: number, change: Partial<CollectRun>): Promise<void> => {
  const read = await runs().get(id);
  if (read) await runs().save(PERMIT, { ...read.run, ...change }, read);
};

/** A replay of three batches. `between` runs before each batch. */
const inBatches =
  (between: (batch: number) => Promise<void> | void = () => {}): Replay =>
  async (_permit, id, keep) => {
    for (let batch = 1; batch <= 3; batch++) {
      await between(batch);
      if (!(await keep('batch'))) return;
      await write(id, { state: 'replaying' });
    }
    await write(id, { state: 'replayed' });
  };

const aWorker = (replayRun: Replay = inBatches()) =>
  new ReplayWorker({
    jobs: jobs(),
    collectRuns: runs(),
    clock: desk.clock,
    replayRun,
    log: { info: (_, message) => void logged.push(message), error: (_, message) => void logged.push(message) },
  });

const broken: Replay = () => Promise.reject(new Error('The disk is full.'));

describe('a worker', () => {
  test('a worker does the oldest job, then finds none', async () => {
    const second = await submitted();
    const order: number[] = [];
    const worker = aWorker((permit, id, keep) => {
      order.push(id);
      return inBatches()(permit, id, keep);
    });
    expect([await worker.workOnce(), await worker.workOnce(), await worker.workOnce()]).toEqual([
      'done',
      'done',
      'idle',
    ]);
    expect(order).toEqual([run, second]);
    expect([await stateOf(run), await stateOf(second)]).toEqual(['replayed', 'replayed']);
    expect(logged.slice(0, 2)).toEqual(['job started', 'job done']);
  });

  test('a worker keeps its job during a replay of many minutes, and no other worker takes it', async () => {
    const other = aWorker();
    const during: string[] = [];
    const worker = aWorker(
      inBatches(async () => {
        desk.wait(59);
        during.push(await other.workOnce());
      }),
    );
    expect(await worker.workOnce()).toBe('done');
    expect(during).toEqual(['busy', 'busy', 'busy']);
    expect((await jobs().waiting(1)).length).toBe(0);
  });

  test('a worker whose lease ended during a pause stops, and the other one replays the run once', async () => {
    const other = aWorker();
    const worker = aWorker(
      inBatches(async (batch) => {
        if (batch !== 2) return;
        desk.wait(61);
        expect(await other.workOnce()).toBe('done');
      }),
    );
    expect(await worker.workOnce()).toBe('busy');
    expect(logged).toContain('job lost to another worker');
    expect(await stateOf()).toBe('replayed');
    expect(await worker.workOnce()).toBe('idle');
  });

  test('a stopping worker hands its job back between two batches, and the attempt does not count', async () => {
    let batches = 0;
    const worker = aWorker(
      inBatches((batch) => {
        batches = batch;
      }),
    );
    expect(await worker.workOnce(() => batches < 2)).toBe('busy');
    expect(batches).toBe(2);
    expect(await jobs().find(run)).toMatchObject({ attempts: 0, free_at: desk.clock.at });
    expect(await aWorker().workOnce()).toBe('done');
  });

  test('a long replay lets the waiting job run first, and then continues', async () => {
    const second = await submitted();
    const order: number[] = [];
    const worker = aWorker((permit, id, keep) =>
      inBatches(() => {
        order.push(id);
        desk.wait(id === run ? 61 : 1);
      })(permit, id, keep),
    );
    expect(await worker.workOnce()).toBe('done');
    expect(logged.at(-1)).toBe('job had its turn');
    expect([await worker.workOnce(), await stateOf(second), await stateOf(run)]).toEqual([
      'done',
      'replayed',
      'submitted',
    ]);
    expect([await worker.workOnce(), await stateOf(run)]).toEqual(['done', 'replayed']);
    expect(order).toEqual([run, second, second, second, run, run, run]);
  });

  test('a job of a killed worker is taken a minute later', async () => {
    void aWorker(() => new Promise(() => {})).workOnce();
    await new Promise(setImmediate);
    desk.wait(59);
    expect(await aWorker().workOnce()).toBe('busy');
    desk.wait(1);
    expect(await aWorker().workOnce()).toBe('done');
  });

  test('a replay that returns before the end of its run is tried again', async () => {
    expect(await aWorker(async () => {}).workOnce()).toBe('failed');
    desk.wait(10);
    expect(await aWorker().workOnce()).toBe('done');
  });

  test('a job whose run was already replayed is only removed', async () => {
    await write(run, { state: 'replayed' });
    expect(await aWorker(async () => {}).workOnce()).toBe('done');
    expect(await jobs().find(run)).toBeUndefined();
  });
});

describe('a replay that fails', () => {
  test('a failed job waits, longer each time, and no younger job runs before it', async () => {
    await submitted();
    const worker = aWorker(broken);
    for (const seconds of [10, 20, 40, 80]) {
      expect(await worker.workOnce()).toBe('failed');
      desk.wait(seconds - 0.001);
      expect(await worker.workOnce()).toBe('busy');
      desk.wait(0.001);
    }
    expect(await stateOf()).toBe('submitted');
  });

  test('a job is given up after five failures: the run fails with a reason, and the next job is done', async () => {
    const second = await submitted();
    for (let attempt = 1; attempt <= JOB_ATTEMPTS; attempt++) {
      expect(await aWorker(broken).workOnce()).toBe('failed');
      desk.wait(80);
    }
    expect((await runs().get(run))?.run).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('failed 5 times'),
      ended_at: expect.any(String),
    });
    expect(logged.at(-1)).toBe('job given up');
    expect(await aWorker().workOnce()).toBe('done');
    expect(await stateOf(second)).toBe('replayed');
  });

  test('a job that kills its worker five times is given up without a sixth attempt', async () => {
    for (let attempt = 1; attempt <= JOB_ATTEMPTS; attempt++) {
      void aWorker(() => new Promise(() => {})).workOnce();
      await new Promise(setImmediate);
      desk.wait(60);
    }
    let tried = false;
    const worker = aWorker(async () => {
      tried = true;
    });
    expect(await worker.workOnce()).toBe('failed');
    expect([tried, await stateOf()]).toEqual([false, 'failed']);
    expect(await worker.workOnce()).toBe('idle');
  });

  test('a run whose replay was given up can be queued again', async () => {
    for (let attempt = 1; attempt <= JOB_ATTEMPTS; attempt++) {
      await aWorker(broken).workOnce();
      desk.wait(80);
    }
    done(await desk.requeue(run));
    expect(await aWorker().workOnce()).toBe('done');
    expect(await stateOf()).toBe('replayed');
  });
});
