/** A message as it goes out. No field but `text` and `html` has a line break. */
export type Mail = {
  /** The same for every attempt, so that a mailbox can tell a message that came twice. */
  readonly id: string;
  readonly to: string;
  /** The shop's name, which stands beside its address. */
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
 * Sends mail. A message may be sent twice where its answer is lost. Throws MailRefused, or another error where the same
 * message may go through later.
 */
export interface Mailer {
  send(mail: Mail): Promise<void>;
}
