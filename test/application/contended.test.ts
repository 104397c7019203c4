import { describe, expect, test } from 'vitest';
import { CONFLICT, Contention, rereading, untilWritten } from '../../application/shared/contended.ts';
import { noPauses } from '../support/fakes.ts';

describe('a write that others contend for', () => {
  test('is decided on what was read before, and is read again only for a further attempt', async () => {
    const seen: number[] = [];
    let reads = 0;
    const reread = async () => ++reads;
    const attempt = async (read: number) => {
      seen.push(read);
      return seen.length < 3 ? CONFLICT : `written on ${read}`;
    };
    expect(await rereading(noPauses, 0, reread, attempt)).toBe('written on 2');
    expect(seen).toEqual([0, 1, 2]);
  });

  test('is given up after 40 attempts, with a pause that knows which it was before each further one', async () => {
    const paused: number[] = [];
    const counting = { before: async (n: number) => void paused.push(n), until: async () => {} };
    await expect(untilWritten(counting, async () => CONFLICT)).rejects.toThrow(Contention);
    expect([paused.length, paused[0], paused[39]]).toEqual([40, 1, 40]);
  });
});
