import { beforeEach, describe, expect, test } from 'vitest';
import { done } from '../../../support/outcomes.ts';
import { PERMIT } from '../../../support/permits.ts';
import { aDesk } from './desk.ts';

let desk: ReturnType<typeof aDesk>;
let run: number;
beforeEach(async () => {
  desk = aDesk();
  run = await desk.opened();
});

const jobs = () => desk.service.get('jobs');

describe('a run that fails', () => {
  test('a run that its collector gives up keeps the reason and releases the lock', async () => {
    expect(done(await desk.fail(run, 'No browser.')).run).toMatchObject({
      state: 'failed',
      error: 'No browser.',
      lease_expires_at: null,
    });
    expect((await desk.open()).ok).toBe(true);
    expect(await jobs().waiting(10)).toEqual([]);
  });

  test('an ended run can be neither failed, submitted nor added to', async () => {
    await desk.fail(run);
    const refused = [
      await desk.fail(run),
      await desk.submit(run),
      await desk.capture(run, 1),
      await desk.asset(run, 'a'),
    ];
    for (const outcome of refused) {
      expect(outcome).toMatchObject({ code: 'collect_run_closed', data: { run: { id: run, state: 'failed' } } });
    }
  });
});

describe('the submission of a run', () => {
  test('a submission releases the lock, queues one job and wakes the worker', async () => {
    await desk.capture(run, 1);
    expect(done(await desk.submit(run)).run).toMatchObject({
      state: 'submitted',
      build_versions: ['7'],
      uploads: { captures: 1 },
    });
    expect(await jobs().waiting(10)).toMatchObject([{ id: run, subject: run, attempts: 0 }]);
    expect(desk.rung).toEqual([run]);
    expect((await desk.open()).ok).toBe(true);
  });

  test('of ten simultaneous submissions one queues the replay', async () => {
    const submitted = await Promise.all(Array.from({ length: 10 }, () => desk.submit(run)));
    expect(submitted.filter((outcome) => outcome.ok)).toHaveLength(1);
    expect(await jobs().waiting(10)).toHaveLength(1);
    expect(desk.rung).toEqual([run]);
  });

  test('no capture joins a run while it is submitted', async () => {
    const work = Array.from({ length: 20 }, (_, n) => desk.capture(run, n));
    const [submitted, ...added] = await Promise.all([desk.submit(run), ...work]);
    expect(submitted?.ok).toBe(true);
    const { uploads } = done(await desk.show(run)).run;
    expect(added.filter((outcome) => outcome.ok)).toHaveLength(uploads.captures);
    expect(await desk.service.get('collectRuns').captures(run, 0, 100)).toHaveLength(uploads.captures);
  });

  test('a submission succeeds even if the worker can’t be woken', async () => {
    desk.service.get('jobBell').ring = () => Promise.reject(new Error('No queue.'));
    expect((await desk.submit(run)).ok).toBe(true);
    expect(await jobs().waiting(10)).toHaveLength(1);
  });
});

describe('a replay that is requested again', () => {
  const finishJob = async () => {
    const taken = await jobs().take(await PERMIT, desk.clock.at, desk.clock.at);
    if (taken) await jobs().finish(await PERMIT, taken);
  };

  test('a replay of a submitted run is queued again after its job is done', async () => {
    await desk.submit(run);
    expect(await desk.requeue(run)).toMatchObject({ ok: false, code: 'replay_waits' });
    await finishJob();
    expect(done(await desk.requeue(run)).state).toBe('submitted');
    expect(await jobs().waiting(10)).toMatchObject([{ subject: run, attempts: 0 }]);
    expect(desk.rung).toEqual([run, run]);
  });

  test('of several simultaneous requests one is granted', async () => {
    await desk.submit(run);
    await finishJob();
    const asked = await Promise.all(Array.from({ length: 5 }, () => desk.requeue(run)));
    expect(asked.filter((outcome) => outcome.ok)).toHaveLength(1);
  });

  test('a replay is refused for a collecting run, a run that failed before its submission and an unknown run', async () => {
    expect(await desk.requeue(run)).toMatchObject({ code: 'run_not_submitted' });
    await desk.fail(run);
    expect(await desk.requeue(run)).toMatchObject({ code: 'run_not_submitted' });
    expect(await desk.requeue(999)).toMatchObject({ code: 'not_found' });
  });
});

test('the list of runs has the newest first, each with its current state', async () => {
  await desk.submit(run);
  const second = await desk.opened();
  desk.wait(100);
  const third = await desk.opened();
  const listed = await desk.service.get('listRuns')(2);
  expect(listed.map(({ id, state }) => [id, state])).toEqual([
    [third, 'collecting'],
    [second, 'expired'],
  ]);
  expect(listed[0]).not.toHaveProperty('problems');
});
