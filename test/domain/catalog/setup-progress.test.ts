import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  completeSteps,
  NO_PROGRESS,
  type SetupProgress,
  viewProgress,
} from '../../../domain/catalog/setup-progress.ts';
import { addDays } from '../../../domain/shared/instant.ts';
import { NOW } from '../../support/builders.ts';

const EARLIER = addDays(NOW, -9);
const done = (...completed_step_indexes: number[]): SetupProgress => ({ completed_step_indexes, completed_at: null });

describe('setup progress', () => {
  test('setup progress is counted in whole percent, rounded down', () => {
    expect(viewProgress(done(0, 2), 3)).toEqual({
      completed_step_indexes: [0, 2],
      completed_count: 2,
      total_count: 3,
      progress_percent: 66,
      completed: false,
      completed_at: null,
    });
  });

  test('the setup of a product without steps is complete', () => {
    expect(viewProgress(NO_PROGRESS, 0)).toMatchObject({ progress_percent: 100, completed: true, total_count: 0 });
  });

  test('setup progress does not count steps that the product no longer has', () => {
    expect(viewProgress(done(0, 5), 3)).toMatchObject({ completed_step_indexes: [0], completed_count: 1 });
  });

  test('a complete setup is no longer complete once the product has gained a step', () => {
    const complete = { completed_step_indexes: [0, 1], completed_at: EARLIER };
    expect(viewProgress(complete, 2)).toMatchObject({ completed: true, completed_at: EARLIER });
    expect(viewProgress(complete, 3)).toMatchObject({ completed: false, completed_at: null, progress_percent: 66 });
  });
});

describe('the steps that a client reports', () => {
  test('reported steps replace the earlier ones, sorted and without duplicates', () => {
    expect(completeSteps(done(0), [3, 1, 3], 4, NOW)).toEqual({ ok: true, value: done(1, 3) });
    expect(completeSteps(done(0, 1), [], 4, NOW)).toEqual({ ok: true, value: done() });
  });

  test('a setup is complete once all its steps are reported', () => {
    const complete = { completed_step_indexes: [0, 1], completed_at: EARLIER };
    expect(completeSteps(done(0), [1, 0], 2, NOW)).toMatchObject({ value: { completed_at: NOW } });
    expect(completeSteps(complete, [0, 1], 2, NOW), 'said again').toMatchObject({ value: { completed_at: EARLIER } });
    expect(completeSteps(complete, [0, 1, 2], 3, NOW), 'with a step that is new').toMatchObject({
      value: { completed_at: NOW },
    });
  });

  test('unknown steps in a report are refused, each by its position', () => {
    expect(completeSteps(NO_PROGRESS, [0, 4, -1, 1.5], 4, NOW)).toEqual({
      ok: false,
      code: 'validation_failed',
      data: {
        errors: {
          'completed_step_indexes.1': ['The step must be one of 0 to 3.'],
          'completed_step_indexes.2': ['The step must be one of 0 to 3.'],
          'completed_step_indexes.3': ['The step must be one of 0 to 3.'],
        },
      },
    });
    expect(completeSteps(NO_PROGRESS, [0], 0, NOW)).toMatchObject({
      data: { errors: { 'completed_step_indexes.0': ['This product has no setup steps.'] } },
    });
  });

  test('a setup is at 100 percent only when it is complete', () => {
    const steps = fc.nat({ max: 210 }).chain((total) =>
      fc.record({
        total: fc.constant(total),
        indexes: fc.subarray([...Array(total).keys()]),
        left: fc.nat({ max: 2 }),
      }),
    );
    fc.assert(
      fc.property(steps, ({ total, indexes, left }) => {
        const most = [...Array(Math.max(0, total - left)).keys()];
        for (const said of [indexes, most]) {
          const after = completeSteps(NO_PROGRESS, said, total, NOW);
          expect(after.ok).toBe(true);
          if (!after.ok) continue;
          const view = viewProgress(after.value, total);
          expect(view.completed).toBe(said.length === total);
          expect(view.progress_percent === 100).toBe(view.completed);
          expect(view.completed_at).toBe(view.completed ? NOW : null);
          expect(after.value.completed_at).toBe(view.completed_at);
        }
      }),
    );
  });
});
