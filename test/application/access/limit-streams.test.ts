import { describe, expect, test } from 'vitest';
import { type EndStream, type LimitStreams, limitStreams } from '../../../application/access/limit-rate.ts';
import type { Owner } from '../../../domain/access/rate-limit.ts';
import { STREAMS_AT_ONCE } from '../../../domain/access/rate-limit.ts';
import { aStore } from '../../support/memory-store.ts';

const buyer: Owner = { kind: 'account', id: 1 };

const aLimit = async () => {
  const { clock, get } = await aStore([]);
  clock.at = '2026-11-21T08:14:59.000Z';
  return { clock, limit: limitStreams({ rateLimits: get('rateLimits'), clock }) };
};

/** Starts as many streams as one owner may hold. */
const fill = async (limit: LimitStreams, owner: Owner): Promise<EndStream[]> => {
  const begun = await Promise.all(Array.from({ length: STREAMS_AT_ONCE }, () => limit(owner)));
  return begun.filter((end) => end !== undefined);
};

describe('the limit of streams', () => {
  test('an owner with its maximum number of streams gets another only after one has ended', async () => {
    const { limit } = await aLimit();
    const [first, ...others] = await fill(limit, buyer);
    expect(others).toHaveLength(STREAMS_AT_ONCE - 1);
    expect(await limit(buyer)).toBeUndefined();
    await first?.();
    expect(await limit(buyer)).toBeDefined();
    expect(await limit(buyer)).toBeUndefined();
  });

  test('refused streams do not count against later ones', async () => {
    const { limit } = await aLimit();
    const [first] = await fill(limit, buyer);
    for (let n = 0; n < 10; n++) expect(await limit(buyer)).toBeUndefined();
    await first?.();
    expect(await limit(buyer)).toBeDefined();
  });

  test('each owner’s streams are counted separately', async () => {
    const { limit } = await aLimit();
    await fill(limit, buyer);
    expect(await limit({ kind: 'account', id: 2 })).toBeDefined();
    expect(await limit({ kind: 'address', address: '198.51.100.7' })).toBeDefined();
  });

  test('streams whose end was not reported count until their quarter of an hour is over', async () => {
    const { clock, limit } = await aLimit();
    await fill(limit, buyer);
    clock.at = '2026-11-21T08:15:00.000Z';
    expect(await fill(limit, buyer)).toHaveLength(STREAMS_AT_ONCE);
  });

  test('the end of a stream is counted in the quarter of an hour in which it began', async () => {
    const { clock, limit } = await aLimit();
    const [first] = await fill(limit, buyer);
    clock.at = '2026-11-21T08:15:00.000Z';
    await fill(limit, buyer);
    await first?.();
    expect(await limit(buyer)).toBeUndefined();
  });

  test('an owner that overloads its counter gets no stream, and no count is undone', async () => {
    const { clock } = await aStore([]);
    const taken: string[] = [];
    const busy = { hit: async () => null, takeBack: async (subject: string) => void taken.push(subject) };
    expect(await limitStreams({ rateLimits: busy, clock })(buyer)).toBeUndefined();
    expect(taken).toEqual([]);
  });

  test('the end of a stream that the store can’t count causes no error', async () => {
    const { clock, get } = await aStore([]);
    const rateLimits = get('rateLimits');
    const failing = { hit: rateLimits.hit.bind(rateLimits), takeBack: () => Promise.reject(new Error('away')) };
    const end = await limitStreams({ rateLimits: failing, clock })(buyer);
    await expect(end?.()).resolves.toBeUndefined();
  });
});
