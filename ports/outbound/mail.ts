import type { Permit } from '../../domain/access/permit.ts';
import type { Message, NewMessage } from '../../domain/mail/message.ts';
import type { Instant } from '../../domain/shared/instant.ts';

/** An outgoing message. Only `text` and `html` may have line breaks. */
export type Mail = {
  /** The same for every attempt, so that a mailbox can recognize a duplicate. */
  readonly id: string;
  readonly to: string;
  /** The shop's name, shown with its address. */
  readonly from_name: string;
  readonly reply_to: string | null;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
};

/** The message can never be delivered, because its recipient was refused. */
export class MailRefused extends Error {
  override name = 'MailRefused';
}

/**
 * Sends mail. If the response is lost, a message may be sent twice. Throws MailRefused, or another error if a retry may
 * succeed.
 */
export interface Mailer {
  send(mail: Mail): Promise<void>;
}

/** A message that a worker has taken. Its `version` becomes invalid once another worker takes it. */
export type TakenMessage = { readonly message: Message; readonly version: string };

/**
 * The unsent messages. The transaction of a change also writes its messages, so that neither exists alone. An
 * implementation must pass the contract suite `contracts/messages`.
 */
export interface Messages {
  add(permit: Permit, about: NewMessage): Promise<void>;
  /**
   * Takes the message that has been due the longest, until `until`, and counts the attempt; due messages with `first`
   * come before all others. `none`: no message is due; `lost`: another worker took it.
   */
  take(permit: Permit, now: Instant, until: Instant): Promise<TakenMessage | 'none' | 'lost'>;
  /** Returns the message after a fault; no worker takes it before `due`. False if another worker has it. */
  release(permit: Permit, taken: TakenMessage, due: Instant, fault: string): Promise<boolean>;
  /** Stores the message as permanently failed; false if another worker has it. */
  fail(permit: Permit, taken: TakenMessage, fault: string, now: Instant): Promise<boolean>;
  /** Removes a message that was sent or is no longer needed; false if another worker has it. */
  finish(permit: Permit, taken: TakenMessage): Promise<boolean>;
  /** The waiting messages by due time; at most `limit`. */
  waiting(limit: number): Promise<Message[]>;
  /** The permanently failed messages, newest first; at most `limit`. */
  failed(limit: number): Promise<Message[]>;
}
