import { describe, expect, test } from 'vitest';
import { StoreUnavailable } from '../../../adapters/store/table.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { addDays } from '../../../domain/shared/instant.ts';
import { type Outcome, ok, refuse } from '../../../domain/shared/outcome.ts';
import type { ReplayKey } from '../../../ports/outbound/requests.ts';
import type { Overrides } from '../../../runtimes/composition/bootstrap.ts';
import { NOW } from '../../support/builders.ts';
import { aStore } from '../../support/memory-store.ts';

const KEY: ReplayKey = { owner: { kind: 'account', id: 1 }, endpoint: 'record', key: 'one' };
const ALMOST_A_MINUTE_LATER = '2026-11-21T08:00:59.999Z';
const A_MINUTE_LATER = '2026-11-21T08:01:00.000Z';

/** Requests under KEY, and the answers of those whose work was completed. */
const requests = async (overrides: Overrides = {}) => {
  const store = await aStore([], {}, overrides);
  const done: unknown[] = [];
  const answer = (outcome: Outcome<unknown, string>) => async (): Promise<Outcome<unknown, string>> => {
    done.push(outcome);
    return outcome;
  };
  const request = (value: unknown, { fingerprint = 'same', key = KEY, permit = grantPermit() } = {}) =>
    store.get('answerOnce')({ key, fingerprint, permit, work: answer(ok(value)) });
  const attempt = (work: () => Promise<Outcome<unknown, string>>) =>
    store.get('answerOnce')({ key: KEY, fingerprint: 'same', permit: grantPermit(), work });
  return { store, done, request, attempt, answer };
};

const first = { outcome: ok(1), replayed: false };
const second = { outcome: ok(2), replayed: false };
const inUse = { outcome: refuse('idempotency_key_in_use'), replayed: false };
const reused = { outcome: refuse('idempotency_key_reused'), replayed: false };

describe('a request that is repeated under its Idempotency-Key', () => {
  test('a repeated request gets the first response, and its work is not repeated', async () => {
    const { done, request } = await requests();
    expect(await request(1)).toEqual(first);
    expect(await request(2)).toEqual({ outcome: ok(1), replayed: true });
    expect(done).toEqual([ok(1)]);
  });

  test('a response is repeated for a day, after which the request counts as new', async () => {
    const { store, request } = await requests();
    await request(1);
    store.clock.at = '2026-11-22T07:59:59.999Z';
    expect(await request(2)).toEqual({ outcome: ok(1), replayed: true });
    store.clock.at = addDays(NOW, 1);
    expect(await request(2)).toEqual(second);
  });

  test('a different request under the same key is refused without doing its work', async () => {
    const { done, request } = await requests();
    await request(1);
    expect(await request(2, { fingerprint: 'other' })).toEqual(reused);
    expect(done).toEqual([ok(1)]);
  });

  test.each<[string, ReplayKey]>([
    ['another account', { ...KEY, owner: { kind: 'account', id: 2 } }],
    ['another endpoint', { ...KEY, endpoint: 'upload' }],
    ['another key', { ...KEY, key: 'two' }],
  ])('the same request of %s counts as a separate request', async (_, key) => {
    const { request } = await requests();
    await request(1);
    expect(await request(2, { key })).toEqual(second);
  });
});

describe('simultaneous requests under one key', () => {
  test('of three equal simultaneous requests one is processed and the others are told to wait', async () => {
    const { done, request } = await requests();
    const answers = await Promise.all([request(1), request(1), request(1)]);
    expect(answers).toEqual([first, inUse, inUse]);
    expect(done).toEqual([ok(1)]);
  });

  test('a request that was never answered blocks its key for a minute', async () => {
    const { store, request, attempt } = await requests();
    void attempt(() => new Promise(() => {}));
    store.clock.at = ALMOST_A_MINUTE_LATER;
    expect(await request(2)).toEqual(inUse);
    store.clock.at = A_MINUTE_LATER;
    expect(await request(2)).toEqual(second);
  });
});

describe('a request without a result', () => {
  test('a refused request leaves its key free for a corrected one', async () => {
    const { request, attempt, answer } = await requests();
    const refused = refuse('not_found');
    expect(await attempt(answer(refused))).toEqual({ outcome: refused, replayed: false });
    expect(await request(2, { fingerprint: 'mended' })).toEqual(second);
  });

  test('a failed request throws its error and leaves its key free', async () => {
    const { request, attempt } = await requests();
    await expect(attempt(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await request(2)).toEqual(second);
  });
});

describe('a store that fails after the work is done', () => {
  /** Replays that can begin, but whose later writes all fail. */
  const failing = async () => {
    const { get } = await aStore([]);
    const kept = get('replays');
    const gone = () => Promise.reject(new StoreUnavailable('gone'));
    const replays = {
      read: kept.read.bind(kept),
      begin: kept.begin.bind(kept),
      finish: gone,
      forget: gone,
    };
    return requests({ replays });
  };

  test('a response that can’t be stored is sent, and the work is not repeated at once', async () => {
    const { done, request } = await failing();
    expect(await request(1)).toEqual(first);
    expect(await request(2)).toEqual(inUse);
    expect(done).toEqual([ok(1)]);
  });

  test('a failed request throws its own error rather than the store’s', async () => {
    const { attempt } = await failing();
    await expect(attempt(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  });
});
