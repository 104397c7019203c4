import { type MailSettings, mailerOf } from '../../../adapters/mail/mailer.ts';
import { countUnsent } from '../../../application/mail/count-unsent.ts';
import { sendNextMessage } from '../../../application/mail/send-next-message.ts';
import type { Mailer } from '../../../ports/outbound/mail.ts';

/** The sending of messages by a worker. */
export const mail = {
  parts: {
    mailer: (on: { readonly mailSettings: MailSettings | null }): Mailer => mailerOf(on.mailSettings),
    countUnsent,
    sendNextMessage,
  },
};
