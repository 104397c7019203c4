import { beforeEach, describe, expect, test } from 'vitest';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { Messages, TakenMessage } from '../../ports/outbound/mail.ts';
import type { Clock } from '../../ports/outbound/system.ts';
import { type ContractOptions, TIMEOUT } from './clean.ts';

const PERMIT = grantPermit();

/** The n-th second of the test's clock. */
const at = (second: number): string => new Date(Date.UTC(2026, 10, 21, 8, 0, second)).toISOString();

const about = (n: number) => ({ kind: 'order', account_id: 1, subject_id: String(n), product_id: null }) as const;

/**
 * Registers the tests that every implementation of Messages must pass. `open` returns an empty one with this clock; it
 * is called before each test.
 */
export const messagesContract = (
  name: string,
  open: (clock: Clock) => Promise<Messages> | Messages,
  { timeout = TIMEOUT }: ContractOptions = {},
): void => {
  describe(`${name} as messages`, { timeout }, () => {
    let messages: Messages;
    let now: string;
    beforeEach(async () => {
      now = at(0);
      messages = await open({ now: () => now });
    }, timeout);

    const take = async (second: number, until = second + 60): Promise<TakenMessage> => {
      const taken = await messages.take(PERMIT, at(second), at(until));
      if (typeof taken === 'string') throw new Error(`There is no message to take: ${taken}.`);
      return taken;
    };

    test('messages are taken in the order of their due time, and each attempt is counted', async () => {
      now = at(5);
      await messages.add(PERMIT, about(5));
      now = at(3);
      await messages.add(PERMIT, about(3));
      expect((await take(6)).message).toMatchObject({
        subject_id: '3',
        attempts: 1,
        created_at: at(3),
        due_at: at(66),
      });
      expect((await take(6)).message).toMatchObject({ subject_id: '5', attempts: 1 });
      expect(await messages.take(PERMIT, at(6), at(66))).toBe('none');
    });

    test('a sign-in link goes before all due messages, but rests like them', async () => {
      await messages.add(PERMIT, about(1));
      now = at(5);
      await messages.add(PERMIT, { ...about(5), kind: 'sign_in' });
      expect((await messages.waiting(9)).map(({ subject_id }) => subject_id)).toEqual(['5', '1']);
      const first = await take(6);
      expect(first.message.subject_id).toBe('5');
      expect(await messages.release(PERMIT, first, at(30), 'The server is busy.')).toBe(true);
      expect((await take(7)).message.subject_id).toBe('1');
      expect((await take(30)).message.subject_id).toBe('5');
    });

    test('a message of a dead worker is taken again once its lease is over, and the former worker can’t end it', async () => {
      await messages.add(PERMIT, about(1));
      const lost = await take(0);
      const taken = await take(60);
      expect(taken.message).toMatchObject({ subject_id: '1', attempts: 2 });
      expect(await messages.finish(PERMIT, lost)).toBe(false);
      expect(await messages.release(PERMIT, lost, at(90), 'late')).toBe(false);
      expect(await messages.fail(PERMIT, lost, 'late', at(61))).toBe(false);
      expect(await messages.finish(PERMIT, taken)).toBe(true);
      expect(await messages.waiting(9)).toEqual([]);
    });

    test('messages that a clock years ahead has queued, taken or delayed are sent once it is right', async () => {
      const far = 10 * 365 * 86_400;
      now = at(far);
      for (const n of [1, 2, 3]) await messages.add(PERMIT, about(n));
      await take(far);
      expect(await messages.release(PERMIT, await take(far), at(far + 3600), 'The server is busy.')).toBe(true);
      now = at(0);
      await messages.add(PERMIT, about(4));
      expect(await messages.release(PERMIT, await take(0), at(60), 'The server is busy.')).toBe(true);
      const taken = [await take(1), await take(1), await take(1)];
      expect(taken.map(({ message }) => message.subject_id).sort()).toEqual(['1', '2', '3']);
      expect(taken.map(({ message }) => message.created_at)).toEqual([at(1), at(1), at(1)]);
      expect(await messages.take(PERMIT, at(2), at(62))).toBe('none');
    });

    test('a delayed message returns at its time with its error', async () => {
      await messages.add(PERMIT, about(1));
      expect(await messages.release(PERMIT, await take(0), at(30), 'The server is busy.')).toBe(true);
      expect(await messages.take(PERMIT, at(29), at(89))).toBe('none');
      expect(await messages.waiting(9)).toMatchObject([{ subject_id: '1', fault: 'The server is busy.' }]);
      expect((await take(30)).message).toMatchObject({ attempts: 2 });
    });

    test('a permanently failed message is listed apart without the typed address, and is not taken again', async () => {
      await messages.add(PERMIT, { ...about(1), email: 'ada@example.com' });
      expect(await messages.fail(PERMIT, await take(0), 'No such mailbox.', at(1))).toBe(true);
      expect(await messages.take(PERMIT, at(9999), at(10_059))).toBe('none');
      expect(await messages.waiting(9)).toEqual([]);
      expect(await messages.failed(9)).toMatchObject([{ subject_id: '1', email: null, fault: 'No such mailbox.' }]);
    });

    test('failed messages are listed newest first, so a limit omits the oldest', async () => {
      for (const n of [1, 2, 3]) {
        await messages.add(PERMIT, about(n));
        expect(await messages.fail(PERMIT, await take(n), 'No such mailbox.', at(n))).toBe(true);
      }
      expect((await messages.failed(2)).map(({ subject_id }) => subject_id)).toEqual(['3', '2']);
    });

    test('of many simultaneous workers, each message is taken by one', async () => {
      for (let n = 0; n < 5; n++) await messages.add(PERMIT, about(n));
      const taken: string[] = [];
      const work = async (): Promise<void> => {
        for (;;) {
          const one = await messages.take(PERMIT, at(1), at(600));
          if (one === 'none') return;
          if (one !== 'lost') taken.push(one.message.subject_id);
        }
      };
      await Promise.all([work(), work(), work(), work()]);
      expect(taken.sort()).toEqual(['0', '1', '2', '3', '4']);
    });
  });
};
