import { describe, expect, test } from 'vitest';
import { judgeReplay, type Replay } from '../../../domain/access/replay.ts';
import { addDays, millis, toInstant } from '../../../domain/shared/instant.ts';
import { NOW } from '../../support/builders.ts';

const aReplay = (overrides: Partial<Replay> = {}): Replay => ({
  fingerprint: 'same',
  begun_at: NOW,
  answer: { id: 1 },
  answered: true,
  ...overrides,
});
const later = (ms: number): string => toInstant(millis(NOW) + ms);

describe('a request with an Idempotency-Key', () => {
  test('a request with a new Idempotency-Key is processed', () => {
    expect(judgeReplay(undefined, 'same', NOW)).toBe('begin');
  });

  test('a repeated request gets the first response for one day and is processed again after that', () => {
    expect(judgeReplay(aReplay(), 'same', later(86_400_000 - 1))).toBe('answered');
    expect(judgeReplay(aReplay(), 'same', addDays(NOW, 1))).toBe('begin');
  });

  test('an Idempotency-Key of a different request is refused, whether or not that request was answered', () => {
    expect(judgeReplay(aReplay(), 'other', NOW)).toBe('reused');
    expect(judgeReplay(aReplay({ answered: false }), 'other', later(120_000))).toBe('reused');
  });

  test('a repeated request conflicts with an unanswered one for a minute and then takes its place', () => {
    expect(judgeReplay(aReplay({ answered: false }), 'same', later(59_999))).toBe('in_use');
    expect(judgeReplay(aReplay({ answered: false }), 'same', later(60_000))).toBe('begin');
  });

  test('an unanswered request of a clock that was ahead gives way to its repetition', () => {
    expect(judgeReplay(aReplay({ answered: false, begun_at: addDays(NOW, 3650) }), 'same', NOW)).toBe('begin');
  });
});
