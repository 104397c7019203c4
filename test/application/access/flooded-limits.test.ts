import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type LimitRate, limitRate } from '../../../application/access/limit-rate.ts';
import { Contention } from '../../../application/shared/contended.ts';
import type { Owner } from '../../../domain/access/rate-limit.ts';
import type { Instant } from '../../../domain/shared/instant.ts';
import type { RateLimits } from '../../../ports/outbound/requests.ts';

const MINUTE: Instant = '2026-11-21T08:00:10.000Z';
const NEXT_MINUTE: Instant = '2026-11-21T08:01:00.000Z';
const LIMIT = 120;

const account = (id = 1): Owner => ({ kind: 'account', id });

/** Processes that count in one store, which counts its calls and is busy on demand. */
const someProcesses = (count: number, limit = LIMIT) => {
  const sums = new Map<string, number>();
  const store = { now: MINUTE, isBusy: false, asked: 0 };
  const rateLimits: RateLimits = {
    hit: async (subject, window) => {
      store.asked++;
      if (store.isBusy) return null;
      const name = `${subject} ${window}`;
      sums.set(name, (sums.get(name) ?? 0) + 1);
      return sums.get(name) as number;
    },
    takeBack: async () => {},
  };
  const clock = { now: () => store.now };
  const settings = { perAccount: limit, perAgent: limit, perAddress: limit };
  const processes = Array.from({ length: count }, () => limitRate({ rateLimits, clock, settings }));
  return { store, processes };
};

/** The result of a request as the pipeline decides it: from memory, or else with the store. */
const outcomeOf = async (limitRate: LimitRate, owner = account()): Promise<'passed' | 'refused' | 'failed'> => {
  try {
    const { allowed } = limitRate.spent(owner) ?? (await limitRate.count(owner));
    return allowed ? 'passed' : 'refused';
  } catch (error) {
    expect(error).toBeInstanceOf(Contention);
    return 'failed';
  }
};

describe('a flood of requests from one account', () => {
  test('60,000 requests in a minute cost the store one call beyond the limit for each process', async () => {
    const { store, processes } = someProcesses(10);
    const outcomes: string[] = [];
    for (let n = 0; n < 60_000; n++) outcomes.push(await outcomeOf(processes[n % 10] as LimitRate));
    expect(outcomes.filter((one) => one === 'passed')).toHaveLength(LIMIT);
    expect(outcomes.filter((one) => one === 'refused')).toHaveLength(60_000 - LIMIT);
    expect(store.asked).toBe(LIMIT + 10);
  });

  test('simultaneous requests cost the store one call each, and later ones none', async () => {
    const { store, processes } = someProcesses(1);
    const [limitRate] = processes as [LimitRate];
    const together = await Promise.all(Array.from({ length: 1000 }, () => outcomeOf(limitRate)));
    expect(together.filter((one) => one === 'passed')).toHaveLength(LIMIT);
    expect(store.asked).toBe(1000);
    for (let n = 0; n < 1000; n++) expect(await outcomeOf(limitRate)).toBe('refused');
    expect(store.asked).toBe(1000);
  });
});

test('as many requests pass as the limit allows, in whatever order the store responds', async () => {
  const answers: (() => void)[] = [];
  const hit = () => new Promise<number>((answer) => answers.push(answer.bind(null, answers.length + 1)));
  const rateLimits: RateLimits = { hit, takeBack: async () => {} };
  const settings = { perAccount: 4, perAgent: 4, perAddress: 4 };
  const limits = limitRate({ rateLimits, clock: { now: () => MINUTE }, settings });
  const outcomes = Array.from({ length: 12 }, () => outcomeOf(limits));
  for (const answer of answers.reverse()) answer();
  expect((await Promise.all(outcomes)).filter((one) => one === 'passed')).toHaveLength(4);
});

describe('an account whose counter is overloaded', () => {
  test('an account known to be within its limit passes, and an IP address is refused', async () => {
    const { store, processes } = someProcesses(1);
    const [limitRate] = processes as [LimitRate];
    store.isBusy = true;
    for (let n = 0; n < LIMIT; n++) expect(await outcomeOf(limitRate)).toBe('passed');
    expect(await outcomeOf(limitRate)).toBe('refused');
    expect(await outcomeOf(limitRate, { kind: 'address', address: '192.0.2.1' })).toBe('failed');
  });

  test.each(['account', 'address'] as const)('a lost counter refuses only an IP address: %s', async (kind) => {
    const lost = new Error('The disk is full.');
    const rateLimits: RateLimits = { hit: () => Promise.reject(lost), takeBack: async () => {} };
    const settings = { perAccount: 1, perAgent: 1, perAddress: 1 };
    const limits = limitRate({ rateLimits, clock: { now: () => MINUTE }, settings });
    if (kind === 'address') await expect(limits.count({ kind, address: '192.0.2.1' })).rejects.toBe(lost);
    else expect([await outcomeOf(limits), await outcomeOf(limits)]).toEqual(['passed', 'refused']);
  });

  test('an account whose counted and uncounted requests exceed the limit is refused without asking the store', async () => {
    const { store, processes } = someProcesses(2);
    const [one, other] = processes as [LimitRate, LimitRate];
    for (let n = 0; n < 99; n++) await outcomeOf(one);
    expect(await outcomeOf(other)).toBe('passed');
    store.isBusy = true;
    for (let n = 0; n < 20; n++) expect(await outcomeOf(other)).toBe('passed');
    const { asked } = store;
    expect(await outcomeOf(other)).toBe('refused');
    expect(store.asked).toBe(asked + 1);
    for (let n = 0; n < 100; n++) expect(await outcomeOf(other)).toBe('refused');
    expect(store.asked).toBe(asked + 1);
  });

  test('a refused account is counted again from the next minute', async () => {
    const { store, processes } = someProcesses(1, 1);
    const [limitRate] = processes as [LimitRate];
    store.isBusy = true;
    expect([await outcomeOf(limitRate), await outcomeOf(limitRate)]).toEqual(['passed', 'refused']);
    store.isBusy = false;
    store.now = NEXT_MINUTE;
    expect([await outcomeOf(limitRate), await outcomeOf(limitRate)]).toEqual(['passed', 'refused']);
  });
});

test('a busy store lets no more requests pass a process than the limit allows, and refuses none within it', async () => {
  const step = fc.record({ process: fc.nat(2), isBusy: fc.boolean(), isNextMinute: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 5 }), fc.array(step, { maxLength: 60 }), async (limit, steps) => {
      const { store, processes } = someProcesses(3, limit);
      let [made, passed] = [0, 0];
      for (const { process, isBusy, isNextMinute } of steps) {
        if (isNextMinute && store.now === MINUTE) {
          store.now = NEXT_MINUTE;
          [made, passed] = [0, 0];
        }
        store.isBusy = isBusy;
        made++;
        const outcome = await outcomeOf(processes[process] as LimitRate);
        if (outcome === 'passed') passed++;
        if (outcome === 'refused') expect(made).toBeGreaterThan(limit);
        expect(passed).toBeLessThanOrEqual(limit * processes.length);
      }
    }),
  );
});

test('a process that remembers 100,000 accounts refuses the last one from memory and asks the store about the first', async () => {
  const { store, processes } = someProcesses(1, 1);
  const [limitRate] = processes as [LimitRate];
  const flooding = async (id: number) => {
    for (let n = 0; n < 2; n++) await outcomeOf(limitRate, account(id));
  };
  for (let id = 0; id <= 100_000; id++) await flooding(id);
  const { asked } = store;
  expect(await outcomeOf(limitRate, account(100_000))).toBe('refused');
  expect(store.asked).toBe(asked);
  expect(await outcomeOf(limitRate, account(0))).toBe('refused');
  expect(store.asked).toBe(asked + 1);
});
