import { createTransport } from 'nodemailer';
import { type Mail, type Mailer, MailRefused } from '../../ports/outbound/mail.ts';
import { envelopeOf } from './envelope.ts';

/** The timeout of each SMTP step, in milliseconds. A worker has two minutes for a message. */
const PATIENCE_MS = 20_000;

type SmtpError = { readonly command?: string; readonly responseCode?: number };

/** Sends over a single SMTP connection, which stays open for a while between messages. */
export class SmtpMailer implements Mailer {
  readonly #transport;
  readonly #from: string;

  constructor(url: string, from: string) {
    this.#transport = createTransport({
      url,
      pool: true,
      maxConnections: 1,
      connectionTimeout: PATIENCE_MS,
      greetingTimeout: PATIENCE_MS,
      socketTimeout: PATIENCE_MS,
    });
    this.#from = from;
  }

  async send(mail: Mail): Promise<void> {
    try {
      await this.#transport.sendMail(envelopeOf(mail, this.#from));
    } catch (error) {
      const { command, responseCode = 0 } = error as SmtpError;
      const isFinal = command === 'RCPT TO' && responseCode >= 500;
      throw isFinal ? new MailRefused((error as Error).message, { cause: error }) : error;
    }
  }
}
