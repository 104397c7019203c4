import type { Instant } from '../shared/instant.ts';
import { type Outcome, ok, refuse } from '../shared/outcome.ts';
import { isBlank } from '../shared/plain-text.ts';
import { cleanText } from './scrub-text.ts';
import type { Ticket } from './ticket.ts';

/** The operator's answer to a ticket. It is kept as long as its ticket, and never changed. */
export type TicketAnswer = {
  /** The number of the answer among those of the ticket, from 1 on. */
  readonly number: number;
  readonly answered_at: Instant;
  /** The name under which the operating system knows the operator; buyers are not shown it. */
  readonly by: string | null;
  readonly text: string;
};

/** The most characters of an answer, and the most answers of a ticket. */
export const MAX_ANSWER = 10_000;
export const MAX_ANSWERS = 50;

/** The next answer of a ticket. An empty text, a longer one, and one answer too many are refused. */
export const nextAnswer = (
  { id }: Pick<Ticket, 'id'>,
  given: readonly TicketAnswer[],
  { text, by }: Pick<TicketAnswer, 'text' | 'by'>,
  now: Instant,
): Outcome<TicketAnswer, 'empty_answer' | 'answer_too_long' | 'too_many_answers'> => {
  const cleaned = cleanText(text).trim();
  if (isBlank(cleaned)) return refuse('empty_answer', { message: 'The answer is empty; write a text.' });
  if (cleaned.length > MAX_ANSWER) {
    return refuse('answer_too_long', {
      message: `The answer has ${cleaned.length} characters; shorten it to ${MAX_ANSWER}.`,
    });
  }
  if (given.length >= MAX_ANSWERS) {
    return refuse('too_many_answers', {
      message: `Ticket ${id} has ${MAX_ANSWERS} answers, the maximum; write to the buyer by e-mail.`,
    });
  }
  return ok({ number: given.length + 1, answered_at: now, by, text: cleaned });
};
