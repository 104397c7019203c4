import type { Mailer } from '../../ports/outbound/mail.ts';
import { lazy, needing } from '../system/loading.ts';

/** The delivery of messages; null if the store sends none. */
export type MailSettings =
  | { readonly way: 'smtp'; readonly from: string; readonly url: string }
  | { readonly way: 'ses'; readonly from: string }
  | { readonly way: 'outbox'; readonly from: string; readonly folder: string };

const loadSes = () => needing('MAIL=ses', ['@aws-sdk/client-sesv2'], () => import('./ses.ts'));

const open = async (settings: MailSettings | null): Promise<Mailer> => {
  switch (settings?.way) {
    case 'smtp':
      return new (await import('./smtp.ts')).SmtpMailer(settings.url, settings.from);
    case 'ses':
      return new (await loadSes()).SesMailer(settings.from);
    case 'outbox':
      return new (await import('./outbox-folder.ts')).OutboxFolder(settings.folder, settings.from);
    case undefined:
      throw new Error('This service sends no mail; set MAIL.');
  }
};

/** The mailer that the settings select. It is loaded when the first message is sent. */
export const mailerOf = (settings: MailSettings | null): Mailer => {
  const mailer = lazy(() => open(settings));
  return { send: async (message) => (await mailer()).send(message) };
};

/** The fault that keeps messages from being sent, in one sentence; undefined if there is none. Sends nothing. */
export const mailFault = async (settings: MailSettings): Promise<string | undefined> => {
  if (settings.way === 'smtp') return (await import('./smtp.ts')).smtpFault(settings.url);
  return settings.way === 'ses' ? (await loadSes()).sesFault(settings.from) : undefined;
};
