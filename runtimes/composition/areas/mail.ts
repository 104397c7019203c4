import { lazy } from '../../../adapters/host/lazy.ts';
import { countUnsent } from '../../../application/mail/count-unsent.ts';
import { sendNextMessage } from '../../../application/mail/send-next-message.ts';
import type { Mailer } from '../../../ports/outbound/mail.ts';
import { needing } from '../../configuration/installation.ts';
import type { MailSettings } from '../settings.ts';

export const openMailer = async (settings: MailSettings | null): Promise<Mailer> => {
  switch (settings?.way) {
    case 'smtp':
      return new (await import('../../../adapters/mail/smtp.ts')).SmtpMailer(settings.url, settings.from);
    case 'ses': {
      const load = () => import('../../../adapters/mail/ses.ts');
      const { SesMailer } = await needing('MAIL=ses', ['@aws-sdk/client-sesv2'], load);
      return new SesMailer(settings.from);
    }
    case 'outbox':
      return new (await import('../../../adapters/mail/outbox-folder.ts')).OutboxFolder(settings.folder, settings.from);
    case undefined:
      throw new Error('This service sends no mail; set MAIL.');
  }
};

/** The sending of messages, which a worker does. */
export const mail = {
  parts: {
    /** The mailer is loaded with its first message. */
    mailer: ({ mailSettings }: { readonly mailSettings: MailSettings | null }): Mailer => {
      const mailer = lazy(() => openMailer(mailSettings));
      return { send: async (message) => (await mailer()).send(message) };
    },
    countUnsent,
    sendNextMessage,
  },
};
