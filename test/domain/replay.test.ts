import { describe, expect, test } from 'vitest';
import { judgeReplay, type Replay } from '../../domain/access/replay.ts';
import { addDays, millis, toInstant } from '../../domain/shared/instant.ts';
import { NOW } from '../support/builders.ts';

const aReplay = (overrides: Partial<Replay> = {}): Replay => ({
  fingerprint: 'same',
  begun_at: NOW,
  answer: { id: 1 },
  answered: true,
  ...overrides,
});
const later = (ms: number): string => toInstant(millis(NOW) + ms);

describe('a request with an Idempotency-Key', () => {
  test('begins where its key is new', () => {
    expect(judgeReplay(undefined, 'same', NOW)).toBe('begin');
  });

  test('gets the first answer for a day, and begins again after it', () => {
    expect(judgeReplay(aReplay(), 'same', later(86_400_000 - 1))).toBe('answered');
    expect(judgeReplay(aReplay(), 'same', addDays(NOW, 1))).toBe('begin');
  });

  test('is refused where its key stands for another, answered or not', () => {
    expect(judgeReplay(aReplay(), 'other', NOW)).toBe('reused');
    expect(judgeReplay(aReplay({ answered: false }), 'other', later(120_000))).toBe('reused');
  });

  test('waits for one that is being answered, and takes the place of one that was broken off', () => {
    expect(judgeReplay(aReplay({ answered: false }), 'same', later(59_999))).toBe('in_use');
    expect(judgeReplay(aReplay({ answered: false }), 'same', later(60_000))).toBe('begin');
  });
});
