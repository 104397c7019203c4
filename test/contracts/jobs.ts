import { beforeEach, describe, expect, test } from 'vitest';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { Job } from '../../domain/shared/job.ts';
import type { Jobs, TakenJob } from '../../ports/outbound/jobs.ts';
import { type ContractOptions, TIMEOUT } from './clean.ts';

const PERMIT = grantPermit();

/** The n-th second of the test's clock. */
const at = (second: number): string => new Date(Date.UTC(2026, 10, 21, 8, 0, second)).toISOString();

const aJob = (id: number, overrides: Partial<Job> = {}): Job => ({
  id,
  kind: 'replay',
  subject: id,
  agent_id: 1,
  queued_at: at(0),
  attempts: 0,
  free_at: at(0),
  ...overrides,
});

/**
 * Registers the tests that every implementation of Jobs must pass. `open` returns an empty one; it is called before
 * each test.
 */
export const jobsContract = (
  name: string,
  open: () => Promise<Jobs> | Jobs,
  { timeout = TIMEOUT }: ContractOptions = {},
): void => {
  describe(`${name} as jobs`, { timeout }, () => {
    let jobs: Jobs;
    beforeEach(async () => {
      jobs = await open();
    }, timeout);

    const take = (now: number, until: number): Promise<TakenJob | undefined> => jobs.take(PERMIT, at(now), at(until));
    const taken = async (now: number, until: number): Promise<TakenJob> => {
      const job = await take(now, until);
      if (!job) throw new Error('There is no free job.');
      return job;
    };

    test('a job waits from its addition until it is finished', async () => {
      expect(await jobs.waiting(10)).toEqual([]);
      expect(await jobs.find(1)).toBeUndefined();
      expect(await jobs.add(PERMIT, aJob(1))).toBe(true);
      expect(await jobs.waiting(10)).toEqual([aJob(1)]);
      expect(await jobs.find(1)).toEqual(aJob(1));
      expect(await jobs.finish(PERMIT, await taken(0, 60))).toBe(true);
      expect(await jobs.waiting(10)).toEqual([]);
      expect(await take(0, 60)).toBeUndefined();
    });

    test('a waiting job is not added again', async () => {
      await jobs.add(PERMIT, aJob(1));
      expect(await jobs.add(PERMIT, aJob(1, { subject: 7 }))).toBe(false);
      expect(await jobs.waiting(10)).toEqual([aJob(1)]);
    });

    test('waiting jobs are listed by id, up to the limit', async () => {
      for (const id of [30, 4, 1000, 200]) await jobs.add(PERMIT, aJob(id));
      expect((await jobs.waiting(10)).map(({ id }) => id)).toEqual([4, 30, 200, 1000]);
      expect((await jobs.waiting(2)).map(({ id }) => id)).toEqual([4, 30]);
    });

    test('taking a job counts the attempt and blocks other workers until the lease ends', async () => {
      await jobs.add(PERMIT, aJob(1));
      expect((await taken(0, 60)).job).toEqual(aJob(1, { attempts: 1, free_at: at(60) }));
      expect(await take(59, 100)).toBeUndefined();
      expect((await taken(60, 120)).job.attempts).toBe(2);
    });

    test('no job is taken before an older one is done', async () => {
      await jobs.add(PERMIT, aJob(1));
      await jobs.add(PERMIT, aJob(2));
      const first = await taken(0, 60);
      expect(first.job.id).toBe(1);
      expect(await take(1, 60)).toBeUndefined();
      await jobs.finish(PERMIT, first);
      expect((await taken(1, 60)).job.id).toBe(2);
    });

    test('a job whose turn ends moves behind the waiting ones, and its attempt does not count', async () => {
      for (const id of [1, 2]) await jobs.add(PERMIT, aJob(id));
      await jobs.add(PERMIT, aJob(3, { queued_at: at(6), free_at: at(6) }));
      expect(await jobs.endTurn(PERMIT, await taken(0, 60), at(5))).toBe(true);
      const second = await taken(6, 66);
      expect(second.job.id).toBe(2);
      expect(await take(7, 67)).toBeUndefined();
      await jobs.finish(PERMIT, second);
      const first = await taken(7, 67);
      expect(first.job).toEqual(aJob(1, { queued_at: at(5), attempts: 1, free_at: at(67) }));
      await jobs.finish(PERMIT, first);
      expect((await taken(8, 68)).job.id).toBe(3);
    });

    test('the job of an agent with few jobs comes before those of an agent with many', async () => {
      for (const id of [1, 2, 3]) await jobs.add(PERMIT, aJob(id));
      await jobs.add(PERMIT, aJob(4, { agent_id: 2, queued_at: at(9), free_at: at(9) }));
      const order: number[] = [];
      for (let job = await take(10, 70); job; job = await take(10, 70)) {
        order.push(job.job.id);
        await jobs.finish(PERMIT, job);
      }
      expect(order).toEqual([4, 1, 2, 3]);
    });

    test('no job is taken while another is in progress, even one that was queued earlier', async () => {
      await jobs.add(PERMIT, aJob(2, { queued_at: at(3) }));
      const held = await taken(3, 63);
      await jobs.add(PERMIT, aJob(1, { queued_at: at(1) }));
      expect(await take(4, 64)).toBeUndefined();
      await jobs.finish(PERMIT, held);
      expect((await taken(4, 64)).job.id).toBe(1);
    });

    test('of ten simultaneous workers one gets the job', async () => {
      await jobs.add(PERMIT, aJob(1));
      const all = await Promise.all(Array.from({ length: 10 }, () => take(0, 60)));
      expect(all.filter((one) => one !== undefined)).toHaveLength(1);
      expect((await jobs.find(1))?.attempts).toBe(1);
    });

    test('a worker can renew its job any number of times', async () => {
      await jobs.add(PERMIT, aJob(1));
      let held: TakenJob | undefined = await taken(0, 60);
      for (const now of [30, 60, 90]) held = held && (await jobs.keep(PERMIT, held, at(now + 60)));
      expect(held?.job).toEqual(aJob(1, { attempts: 1, free_at: at(150) }));
      expect(await take(149, 200)).toBeUndefined();
      expect(held && (await jobs.finish(PERMIT, held))).toBe(true);
    });

    test('a worker that lost its job can neither renew, release, hand back, end its turn nor finish it', async () => {
      await jobs.add(PERMIT, aJob(1));
      const slow = await taken(0, 60);
      const next = await taken(60, 120);
      expect(await jobs.keep(PERMIT, slow, at(300))).toBeUndefined();
      expect(await jobs.release(PERMIT, slow, at(0))).toBe(false);
      expect(await jobs.handBack(PERMIT, slow, at(0))).toBe(false);
      expect(await jobs.endTurn(PERMIT, slow, at(0))).toBe(false);
      expect(await jobs.finish(PERMIT, slow)).toBe(false);
      expect(await jobs.find(1)).toEqual(next.job);
      expect(await jobs.finish(PERMIT, next)).toBe(true);
    });

    test('a worker that lost its job does not change a later job with the same id', async () => {
      await jobs.add(PERMIT, aJob(1));
      const slow = await taken(0, 60);
      await jobs.finish(PERMIT, await taken(60, 120));
      await jobs.add(PERMIT, aJob(1));
      const again = await taken(0, 60);
      expect(again.job).toEqual(slow.job);
      expect(await jobs.keep(PERMIT, slow, at(300))).toBeUndefined();
      expect(await jobs.finish(PERMIT, slow)).toBe(false);
      expect(await jobs.finish(PERMIT, again)).toBe(true);
    });

    test('a released job waits until its time and counts the attempt', async () => {
      await jobs.add(PERMIT, aJob(1));
      expect(await jobs.release(PERMIT, await taken(0, 60), at(20))).toBe(true);
      expect(await take(19, 80)).toBeUndefined();
      expect((await taken(20, 80)).job.attempts).toBe(2);
    });

    test('a job that is handed back is available at once, as if nobody had taken it', async () => {
      await jobs.add(PERMIT, aJob(1));
      expect(await jobs.handBack(PERMIT, await taken(0, 60), at(5))).toBe(true);
      expect((await taken(5, 65)).job.attempts).toBe(1);
    });

    test('a job that is finished twice is finished once', async () => {
      await jobs.add(PERMIT, aJob(1));
      const held = await taken(0, 60);
      const ends = await Promise.all([jobs.finish(PERMIT, held), jobs.finish(PERMIT, held)]);
      expect(ends.filter(Boolean)).toHaveLength(1);
    });
  });
};
