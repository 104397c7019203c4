import type { Permit } from '../../domain/access/permit.ts';
import type { Message, NewMessage } from '../../domain/mail/message.ts';
import type { Instant } from '../../domain/shared/instant.ts';

/** An outgoing message. Only `text` and `html` have line breaks. */
export type Mail = {
  /** The same for every attempt, so a mailbox can recognize a duplicate. */
  readonly id: string;
  readonly to: string;
  /** The shop's name, shown with its address. */
  readonly from_name: string;
  readonly reply_to: string | null;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
};

/** The message can never be delivered as it is, because its recipient was refused. */
export class MailRefused extends Error {
  override name = 'MailRefused';
}

/**
 * Sends mail. A message may be sent twice if the answer is lost. Throws MailRefused, or another error if a retry may
 * succeed.
 */
export interface Mailer {
  send(mail: Mail): Promise<void>;
}

/** A message that a worker has taken. Its `version` is lost once another worker takes it. */
export type TakenMessage = { readonly message: Message; readonly version: string };

/**
 * The messages that are not sent. The transaction of the change that causes a message writes it, so that neither exists
 * alone. An implementation must pass the contract suite `contracts/messages`.
 */
export interface Messages {
  add(permit: Permit, about: NewMessage): Promise<void>;
  /**
   * Takes the message that has been due for longest, until `until`, and counts the attempt; one that goes `first`, if
   * any is due, before all others. `none`: no message is due;
   * `lost`: another worker took it.
   */
  take(permit: Permit, now: Instant, until: Instant): Promise<TakenMessage | 'none' | 'lost'>;
  /** Gives the message back after a fault; no worker takes it before `due`. False if another worker has it. */
  release(permit: Permit, taken: TakenMessage, due: Instant, fault: string): Promise<boolean>;
  /** Stores the message as permanently failed; false if another worker has it. */
  fail(permit: Permit, taken: TakenMessage, fault: string, now: Instant): Promise<boolean>;
  /** Removes a message that was sent, or that nobody needs any more; false if another worker has it. */
  finish(permit: Permit, taken: TakenMessage): Promise<boolean>;
  /** The messages that wait, the one due first at the front; at most `limit`. */
  waiting(limit: number): Promise<Message[]>;
  /** The permanently failed messages, newest first; at most `limit`. */
  failed(limit: number): Promise<Message[]>;
}
