import { describe, expect, test } from 'vitest';
import { CONFLICT, Contention, rereading, untilWritten } from '../../application/shared/contended.ts';
import { noPauses } from '../support/fakes.ts';

describe('a contended write', () => {
  test('a contended write uses the earlier read first and reads again only for another attempt', async () => {
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

  test('a contended write fails after 40 attempts, with a pause before each retry that knows its number', async () => {
    const paused: number[] = [];
    const counting = { before: async (n: number) => void paused.push(n), until: async () => {} };
    await expect(untilWritten(counting, async () => CONFLICT)).rejects.toThrow(Contention);
    expect([paused.length, paused[0], paused[39]]).toEqual([40, 1, 40]);
  });
});
