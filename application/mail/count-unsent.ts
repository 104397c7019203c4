import { isStuck } from '../../domain/mail/message.ts';
import { addDays, hasPassed } from '../../domain/shared/instant.ts';
import type { Needs } from '../../ports/outbound/needs.ts';

/** The maximum number of messages of each kind that are counted. */
const MOST_COUNTED = 1000;

/** Counts the messages that failed in the last day, and those that wait for a retry or for a worker. */
export const countUnsent = ({ clock, messages }: Needs<'clock' | 'messages'>) =>
  async function countUnsent(): Promise<Readonly<Record<'failed' | 'waiting', number>>> {
    const now = clock.now();
    const [failed, waiting] = await Promise.all([messages.failed(MOST_COUNTED), messages.waiting(MOST_COUNTED)]);
    return {
      failed: failed.filter(({ due_at }) => !hasPassed(addDays(due_at, 1), now)).length,
      waiting: waiting.filter((message) => isStuck(message, now)).length,
    };
  };
