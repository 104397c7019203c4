import { SESv2Client, type SESv2ClientConfig, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { createTransport } from 'nodemailer';
import type { Mail, Mailer } from '../../ports/outbound/mail.ts';
import { envelopeOf } from './envelope.ts';

/** Sends through Amazon SES, in the region and with the credentials that the environment sets. */
export class SesMailer implements Mailer {
  readonly #transport;
  readonly #from: string;

  constructor(from: string, config: SESv2ClientConfig = {}) {
    this.#transport = createTransport({ SES: { sesClient: new SESv2Client(config), SendEmailCommand } });
    this.#from = from;
  }

  async send(mail: Mail): Promise<void> {
    await this.#transport.sendMail(envelopeOf(mail, this.#from));
  }
}
