import querystring from 'node:querystring';
import { setTimeout as delay } from 'node:timers/promises';
import { createTransport } from 'nodemailer';
import { type Mail, type Mailer, MailRefused } from '../../ports/outbound/mail.ts';
import { envelopeOf } from './envelope.ts';

/** The timeout of each SMTP step, in milliseconds. A worker has two minutes for a message. */
const PATIENCE_MS = 20_000;

const patience = (ms: number) => ({ connectionTimeout: ms, greetingTimeout: ms, socketTimeout: ms, dnsTimeout: ms });

type SmtpError = Partial<Readonly<Record<'code' | 'command' | 'reason', string>>> & { readonly responseCode?: number };

/** The timeout of each step of a trial connection, and of all of them, in milliseconds. */
const [STEP_MS, TRIAL_MS] = [5000, 12_000];

/** The fault of a trial connection in words for the operator. */
const causeOf = ({ code, reason, message }: Error & SmtpError, { protocol, host }: URL): string => {
  const other = protocol === 'smtp:' ? 'smtps' : 'smtp';
  if (code === 'EDNS') return `The name of the mail server ${host} is not found; correct the host in SMTP_URL`;
  if (code === 'EAUTH') return `The mail server ${host} refuses the user or password of SMTP_URL (${message})`;
  if (message.includes('ECONNREFUSED')) return `${host} refuses connections; correct the host or port in SMTP_URL`;
  if (code === 'ETIMEDOUT')
    return `The mail server ${host} does not answer within ${STEP_MS / 1000} seconds; the port may be blocked, as providers often block 25, or need ${other}: set port 587 with smtp:, or 465 with smtps:`;
  if (reason === 'wrong version number' || code === 'EPROTOCOL')
    return `${host} does not speak ${protocol.slice(0, -1)} on this port; correct the port in SMTP_URL, or set ${other}:`;
  return /certificate|altnames/i.test(message)
    ? `The certificate of the mail server ${host} is not valid (${message}); renew it, or correct the host in SMTP_URL`
    : `The mail server ${host} can't be used (${message}); correct SMTP_URL`;
};

/**
 * Connects and signs in to a mail server without sending a message, within twelve seconds; undefined if that works.
 * Otherwise the fault and its remedy in one sentence, without the password. Without a user in the URL, a server that
 * requires one is not noticed.
 */
export const smtpFault = async (url: string): Promise<string | undefined> => {
  const transport = createTransport({ url, ...patience(STEP_MS) });
  try {
    const isDone = await Promise.race([transport.verify(), delay(TRIAL_MS, false, { ref: false })]);
    if (!isDone) throw Object.assign(new Error('The connection took too long.'), { code: 'ETIMEDOUT' });
    return undefined;
  } catch (error) {
    const parts = new URL(url);
    const told = causeOf(error as Error & SmtpError, parts).replace(/\s+/g, ' ');
    // A server may repeat the password in its response.
    const secrets = [parts.password, querystring.unescape(parts.password)].filter((secret) => secret !== '');
    return secrets.reduce((text, secret) => text.replaceAll(secret, '…'), told);
  } finally {
    transport.close();
  }
};

/** Sends over a single SMTP connection, which stays open for a while between messages. */
export class SmtpMailer implements Mailer {
  readonly #transport;
  readonly #from: string;

  constructor(url: string, from: string) {
    this.#transport = createTransport({ url, pool: true, maxConnections: 1, ...patience(PATIENCE_MS) });
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
