import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CachedCopy, CachedRecords } from '../../../adapters/store/cached-copy.ts';
import { AGE } from './processes.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const later = (ms: number): void => void vi.advanceTimersByTime(ms);

/** A copy whose reads of the store the test answers, in order. */
const aCopy = () => {
  const looks: PromiseWithResolvers<string>[] = [];
  const kept = new CachedCopy<string>(AGE, () => {
    const look = Promise.withResolvers<string>();
    looks.push(look);
    return look.promise;
  });
  return { kept, looks };
};

describe('a process that is suspended while it checks the store', () => {
  test('a suspended process checks again after the pause and ignores the earlier response', async () => {
    const { kept, looks } = aCopy();
    const first = kept.current();
    looks[0]?.resolve('offered');
    await first;
    later(AGE * 0.8);
    expect(await kept.current()).toBe('offered');
    later(10 * 60_000);
    const asked = kept.current();
    looks[1]?.resolve('offered');
    looks[2]?.resolve('withdrawn');
    expect(await asked).toBe('withdrawn');
    expect(await kept.current()).toBe('withdrawn');
  });

  test('a suspended process without a copy checks again', async () => {
    const { kept, looks } = aCopy();
    void kept.current();
    later(10 * 60_000);
    const asked = kept.current();
    looks[0]?.resolve('offered');
    looks[1]?.resolve('withdrawn');
    expect(await asked).toBe('withdrawn');
  });

  test('a suspended process reads a product’s releases again, because nobody waited for the earlier read', async () => {
    const reads: PromiseWithResolvers<readonly string[]>[] = [];
    const kept = new CachedRecords<readonly string[]>(5, () => {
      const read = Promise.withResolvers<readonly string[]>();
      reads.push(read);
      return read.promise;
    });
    void kept.read(1);
    expect(reads).toHaveLength(1);
    void kept.read(1);
    expect(reads).toHaveLength(1);
    later(10 * 60_000);
    const asked = kept.read(1);
    reads[0]?.resolve(['offered']);
    reads[1]?.resolve(['withdrawn']);
    expect(await asked).toEqual(['withdrawn']);
    expect(kept.cached(1)).toEqual(['withdrawn']);
  });
});

test('callers that arrive during a check share it', async () => {
  const { kept, looks } = aCopy();
  const asked = [kept.current(), kept.current()];
  later(AGE / 2);
  asked.push(kept.current());
  looks[0]?.resolve('offered');
  expect(await Promise.all(asked)).toEqual(['offered', 'offered', 'offered']);
  expect(looks).toHaveLength(1);
});
