import type { Mail, Mailer } from '../../ports/outbound/mail.ts';
import type { MailConfig } from './feature-config.ts';
import { needing } from './installation.ts';

const load = async (config: MailConfig): Promise<Mailer> => {
  switch (config.way) {
    case 'smtp':
      return new (await import('../../adapters/mail/smtp.ts')).SmtpMailer(config.url, config.from);
    case 'ses': {
      const packages = ['@aws-sdk/client-sesv2'];
      return new (await needing('MAIL=ses', packages, () => import('../../adapters/mail/ses.ts'))).SesMailer(
        config.from,
      );
    }
    case 'outbox':
      return new (await import('../../adapters/mail/outbox-folder.ts')).OutboxFolder(config.folder, config.from);
  }
};

/** The mailer of a configuration. It is loaded with its first message. */
export const lateMailer = (config: MailConfig): Mailer => {
  let loading: Promise<Mailer> | undefined;
  return {
    send: async (mail: Mail) => {
      loading ??= load(config);
      await (await loading).send(mail);
    },
  };
};
