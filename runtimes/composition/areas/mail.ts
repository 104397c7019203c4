import { sendNextMessage } from '../../../application/mail/send-next-message.ts';
import type { Mailer } from '../../../ports/outbound/mail.ts';
import { lateMailer } from '../late-mailer.ts';
import type { MailSettings } from '../settings.ts';

const NO_MAILER: Mailer = {
  send: async () => {
    throw new Error('This service sends no mail; set MAIL.');
  },
};

/** The sending of messages, which a worker does. */
export const mail = {
  parts: {
    mailer: ({ mailSettings }: { readonly mailSettings: MailSettings | null }): Mailer =>
      mailSettings ? lateMailer(mailSettings) : NO_MAILER,
    sendNextMessage,
  },
};
