import type { Message } from '../../../domain/mail/message.ts';
import type { Instant } from '../../../domain/shared/instant.ts';
import type { KeyOf, Partition } from './families.ts';
import { keyIn, padded } from './shared.ts';

/** The beginning of the keys of messages that go first. It sorts before every moment. */
const FIRST = '!';

/** Messages lie in the order in which they are due, those that go first at the front; failed ones lie apart. */
export const mailKeys = {
  message: ({ due_at, id, first }: Pick<Message, 'due_at' | 'id' | 'first'>) =>
    keyIn<Message>('MESSAGES', `${first ? FIRST : ''}${due_at}#${padded(id)}`),
  messages: (): Partition<Message> => ({ pk: 'MESSAGES' }),
  /** Those of one kind, which go first or in their turn, that are due at a moment. */
  due: (now: Instant, first: boolean): Partition<Message> => ({
    pk: 'MESSAGES',
    from: first ? FIRST : '0',
    to: `${first ? FIRST : ''}${now}#~`,
  }),
  failedMessage: ({ id }: Pick<Message, 'id'>): KeyOf<Message> => ({ pk: 'FAILEDMESSAGES', sk: padded(id) }),
  failed: (): Partition<Message> => ({ pk: 'FAILEDMESSAGES' }),
};
