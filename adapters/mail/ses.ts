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

const TRIAL_MS = 12_000;

/** The timeouts of a request, of which there are three at most. A worker has two minutes for a message. */
const PATIENCE = { connectionTimeout: 5000, requestTimeout: 25_000, throwOnRequestTimeout: true };

/** Sends through Amazon SES, in the region and with the credentials that the environment sets. */
export class SesMailer implements Mailer {
  readonly #transport;
  readonly #from: string;

  constructor(from: string, config: SESv2ClientConfig = {}) {
    const sesClient = new SESv2Client({ requestHandler: PATIENCE, ...config });
    this.#transport = createTransport({ SES: { sesClient, SendEmailCommand } });
    this.#from = from;
  }

  async send(mail: Mail): Promise<void> {
    await this.#transport.sendMail(envelopeOf(mail, this.#from));
  }
}

/**
 * Asks Amazon SES about the account and the sender, and sends nothing; undefined if messages can be sent to anybody.
 * Rejects if the credentials may not ask (`ses:GetAccount`, `ses:GetEmailIdentity`). A mailbox may be verified by its
 * own, or by its domain or one above that. All of it takes at most twelve seconds.
 */
export const sesFault = async (from: string, config: SESv2ClientConfig = {}): Promise<string | undefined> => {
  const client = new SESv2Client(config);
  const how = { abortSignal: AbortSignal.timeout(TRIAL_MS) };
  const isVerified = async (EmailIdentity: string): Promise<boolean> => {
    try {
      const identity = await client.send(new GetEmailIdentityCommand({ EmailIdentity }), how);
      return identity.VerifiedForSendingStatus ?? false;
    } catch (error) {
      if (error instanceof NotFoundException) return false;
      throw error;
    }
  };
  try {
    const account = await client.send(new GetAccountCommand({}), how);
    if (!account.SendingEnabled)
      return `Amazon SES has paused this account (${account.EnforcementStatus}); answer AWS's message about it`;
    const labels = from.slice(from.lastIndexOf('@') + 1).split('.');
    const domains = labels.slice(1).map((_, n) => labels.slice(n).join('.'));
    if (!(await Promise.all([from, ...domains].map(isVerified))).includes(true))
      return `Amazon SES has not verified ${from} or its domain in this region; verify it there, or correct MAIL_FROM`;
    if (!account.ProductionAccessEnabled)
      return 'Amazon SES keeps this account in its sandbox, so only verified addresses get mail; request production access';
    return undefined;
  } finally {
    client.destroy();
  }
};
