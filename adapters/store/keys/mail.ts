import type { Message } from '../../../domain/mail/message.ts';
import type { Instant } from '../../../domain/shared/instant.ts';
import type { KeyOf, Partition } from './families.ts';
import { padded } from './shared.ts';

/** Messages lie in the order in which they are due; those that failed for good lie apart. */
export const mailKeys = {
  message: ({ due_at, id }: Pick<Message, 'due_at' | 'id'>): KeyOf<Message> => ({
    pk: 'MESSAGES',
    sk: `${due_at}#${padded(id)}`,
  }),
  messages: (): Partition<Message> => ({ pk: 'MESSAGES' }),
  /** Those that are due at a moment. */
  due: (now: Instant): Partition<Message> => ({ pk: 'MESSAGES', to: `${now}#~` }),
  failedMessage: ({ id }: Pick<Message, 'id'>): KeyOf<Message> => ({ pk: 'FAILEDMESSAGES', sk: padded(id) }),
  failed: (): Partition<Message> => ({ pk: 'FAILEDMESSAGES' }),
};
