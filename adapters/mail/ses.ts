import {
  GetAccountCommand,
  GetEmailIdentityCommand,
  NotFoundException,
  SESv2Client,
  type SESv2ClientConfig,
  SendEmailCommand,
} from '@aws-sdk/client-sesv2';
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

/**
 * Asks Amazon SES about the account and the sender, and sends nothing; undefined if messages can be sent to anybody.
 * Rejects if the credentials may not ask (`ses:GetAccount`, `ses:GetEmailIdentity`). A mailbox may be verified by its
 * own or by its domain.
 */
export const sesFault = async (from: string, config: SESv2ClientConfig = {}): Promise<string | undefined> => {
  const client = new SESv2Client(config);
  const isVerified = async (EmailIdentity: string): Promise<boolean> => {
    try {
      return (await client.send(new GetEmailIdentityCommand({ EmailIdentity }))).VerifiedForSendingStatus ?? false;
    } catch (error) {
      if (error instanceof NotFoundException) return false;
      throw error;
    }
  };
  try {
    const account = await client.send(new GetAccountCommand({}));
    if (!account.SendingEnabled)
      return `Amazon SES has paused this account (${account.EnforcementStatus}); answer AWS's message about it`;
    if (!(await isVerified(from)) && !(await isVerified(from.slice(from.lastIndexOf('@') + 1))))
      return `Amazon SES has not verified ${from} or its domain in this region; verify it there, or correct MAIL_FROM`;
    if (!account.ProductionAccessEnabled)
      return 'Amazon SES keeps this account in its sandbox, so only verified addresses get mail; request production access';
    return undefined;
  } finally {
    client.destroy();
  }
};
