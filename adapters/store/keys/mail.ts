import type { Message } from '../../../domain/mail/message.ts';
import type { KeyOf, Partition } from './families.ts';
import { keyIn, padded } from './shared.ts';

/** The key prefix of messages with priority. It sorts before every moment. */
const FIRST = '!';

/** Messages are ordered by their due time, with priority messages first; failed messages are stored separately. */
export const mailKeys = {
  message: ({ due_at, id, first }: Pick<Message, 'due_at' | 'id' | 'first'>) =>
    keyIn<Message>('MESSAGES', `${first ? FIRST : ''}${due_at}#${padded(id)}`),
  messages: (): Partition<Message> => ({ pk: 'MESSAGES' }),
  /** The messages with priority, or all others. */
  lane: (first: boolean): Partition<Message> => ({
    pk: 'MESSAGES',
    ...(first ? { prefix: FIRST } : { from: '0' }),
  }),
  failedMessage: ({ id }: Pick<Message, 'id'>): KeyOf<Message> => ({ pk: 'FAILEDMESSAGES', sk: padded(id) }),
  failed: (): Partition<Message> => ({ pk: 'FAILEDMESSAGES' }),
};
