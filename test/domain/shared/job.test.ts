import { describe, expect, test } from 'vitest';
import { addDays, millis, toInstant } from '../../../domain/shared/instant.ts';
import { type Job, nextJob } from '../../../domain/shared/job.ts';
import { NOW } from '../../support/builders.ts';

const aJob = (overrides: Partial<Job> = {}): Job => ({
  id: 1,
  kind: 'replay',
  subject: 1,
  agent_id: 1,
  queued_at: NOW,
  attempts: 0,
  free_at: NOW,
  ...overrides,
});
const soon = toInstant(millis(NOW) + 1);

describe('the next job', () => {
  test('the job that was queued first is next, and among equals the one with the lower id', () => {
    const early = aJob({ id: 9, queued_at: addDays(NOW, -1) });
    expect(nextJob([aJob({ id: 2 }), early, aJob({ id: 3 })], NOW)).toEqual(early);
    expect(nextJob([aJob({ id: 3 }), aJob({ id: 2 })], NOW)?.id).toBe(2);
    expect(nextJob([], NOW)).toBeUndefined();
  });

  test('an agent with fewer jobs comes before an agent with more, whenever they were queued', () => {
    const many = [1, 2, 3].map((id) => aJob({ id, queued_at: addDays(NOW, -1) }));
    const two = [5, 6].map((id) => aJob({ id, agent_id: 2 }));
    expect(nextJob([...many, ...two], NOW)?.id).toBe(5);
  });

  test('no job is next while one is running or waiting, until the moment at which it is free', () => {
    const taken = aJob({ attempts: 1, free_at: soon });
    expect(nextJob([taken, aJob({ id: 2 })], NOW)).toBeUndefined();
    expect(nextJob([taken, aJob({ id: 2 })], soon)?.id).toBe(1);
  });

  test('a job that a clock hours ahead has taken holds up nobody once the clock is right', () => {
    expect(nextJob([aJob({ attempts: 1, free_at: addDays(NOW, 0.4) }), aJob({ id: 2 })], NOW)?.id).toBe(1);
  });

  test('a job that nobody took is next, whatever clock queued it', () => {
    expect(nextJob([aJob({ free_at: addDays(NOW, 1) })], NOW)?.id).toBe(1);
  });
});
