import { describe, expect, test } from 'vitest';
import { BoundedTurns } from '../../adapters/crypto/passwords.ts';
import type { TurnLane } from '../../ports/outbound/accounts.ts';

/** A queue whose tasks end when the test says so, with the names of the tasks in the order of their start. */
const aQueue = () => {
  const turns = new BoundedTurns();
  const began: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (lane: TurnLane, name: string) =>
    turns.take(lane, async () => {
      began.push(name);
      await new Promise<void>((resolve) => ends.push(resolve));
      return name;
    });
  /** Ends the tasks one after another until none is left. */
  const drain = async (): Promise<void> => {
    for (let end = ends.shift(); end; end = ends.shift()) {
      end();
      await new Promise(setImmediate);
    }
  };
  return { turns, began, ask, drain };
};

const names = (count: number, name: string): string[] => Array.from({ length: count }, (_, n) => `${name}${n}`);

describe('the queue of password checks', () => {
  test('two checks run and eight wait, and another one is refused at once and never runs', async () => {
    const { began, ask, drain } = aQueue();
    const asked = names(100, 's').map((name) => ask('stranger', name));
    expect(await asked[10]).toMatchObject({ ok: false, code: 'busy', data: { retry_after: 5 } });
    expect(began).toEqual(['s0', 's1']);
    await drain();
    const answers = await Promise.all(asked);
    expect(answers.filter(({ ok }) => ok)).toHaveLength(10);
    expect(began).toEqual(names(10, 's'));
  });

  test('known browsers are queued first, however many strangers wait', async () => {
    const { began, ask, drain } = aQueue();
    const strangers = names(50, 's').map((name) => ask('stranger', name));
    const known = names(8, 'k').map((name) => ask('known', name));
    expect(await ask('known', 'k8')).toMatchObject({ code: 'busy' });
    await drain();
    expect((await Promise.all(known)).every(({ ok }) => ok)).toBe(true);
    await Promise.all(strangers);
    expect(began).toEqual(['s0', 's1', ...names(8, 'k'), ...names(10, 's').slice(2)]);
  });

  test('a place is free after its check, even after a failed one', async () => {
    const turns = new BoundedTurns();
    for (let n = 0; n < 30; n++) {
      await expect(turns.take('stranger', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    }
    expect(await turns.take('stranger', async () => 1)).toEqual({ ok: true, value: 1 });
  });
});
