import querystring from 'node:querystring';
import { createTransport } from 'nodemailer';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import SMTPTransport from 'nodemailer/lib/smtp-transport';
import { faultText } from '../../domain/mail/message.ts';
import { type Mail, type Mailer, MailRefused } from '../../ports/outbound/mail.ts';
import { envelopeOf } from './envelope.ts';

/** The timeout of each SMTP step, and of all of them, in milliseconds. A worker has two minutes for a message. */
const [PATIENCE_MS, MESSAGE_MS] = [20_000, 100_000];

const patience = (ms: number) => ({ connectionTimeout: ms, greetingTimeout: ms, socketTimeout: ms, dnsTimeout: ms });

type SmtpError = Partial<Readonly<Record<'code' | 'command' | 'reason', string>>> & { readonly responseCode?: number };

/** The timeout of each step of a trial connection, and of all of them, in milliseconds. */
const [STEP_MS, TRIAL_MS] = [5000, 12_000];

/** The code of a server that offers a user no way to sign in. */
const NO_SIGN_IN = 'ENOSIGNIN';

/** The fault of a trial connection in words for the operator. */
const causeOf = ({ code, reason, responseCode, message }: Error & SmtpError, { protocol, host }: URL): string => {
  const other = protocol === 'smtp:' ? 'smtps' : 'smtp';
  if (code === 'EDNS') return `The name of the mail server ${host} is not found; correct the host in SMTP_URL`;
  if (code === 'EAUTH') return `The mail server ${host} refuses the user or password of SMTP_URL (${message})`;
  if (code === NO_SIGN_IN)
    return `The mail server ${host} offers no sign-in for the user of SMTP_URL on this port; set port 587 with smtp:, or 465 with smtps:`;
  if (message.includes('ECONNREFUSED')) return `${host} refuses connections; correct the host or port in SMTP_URL`;
  if (code === 'ETIMEDOUT')
    return `The mail server ${host} does not answer within ${STEP_MS / 1000} seconds; the port may be blocked, as providers often block 25, or need ${other}: set port 587 with smtp:, or 465 with smtps:`;
  if (responseCode)
    return `The mail server ${host} refuses connections ${responseCode < 500 ? 'for now' : 'from here'} (${message}); ${responseCode < 500 ? 'try again later' : 'ask its operator, or set another one in SMTP_URL'}`;
  if (reason === 'wrong version number' || code === 'EPROTOCOL')
    return `${host} does not speak ${protocol.slice(0, -1)} on this port; correct the port in SMTP_URL, or set ${other}:`;
  return /certificate|altnames/i.test(message)
    ? `The certificate of the mail server ${host} is not valid (${message}); renew it, or correct the host in SMTP_URL`
    : `The mail server ${host} can't be used (${message}); correct SMTP_URL`;
};

const failed = (code: string): Error => Object.assign(new Error(code), { code });

/** Connects and signs in. The connection is closed in any case: a byte now and then would keep it open. */
const tryServer = async (url: string): Promise<void> => {
  const { options } = new SMTPTransport({ url, ...patience(STEP_MS) });
  const connection = new SMTPConnection(options);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const late = setTimeout(() => reject(failed('ETIMEDOUT')), TRIAL_MS);
  const end = (error?: Error | null): void => (error ? reject(error) : resolve());
  connection.on('error', reject).once('end', () => reject(new Error('The connection was closed')));
  connection.connect((error) => {
    if (error || !options.auth) end(error);
    else if (connection.allowsAuth) connection.login(options.auth, end);
    else reject(failed(NO_SIGN_IN));
  });
  await promise.finally(() => {
    clearTimeout(late);
    connection.close();
  });
};

/**
 * Connects and signs in to a mail server without sending a message, within twelve seconds; undefined if that works.
 * Otherwise the fault and its remedy in one sentence, without the password. Without a user in the URL, a server that
 * requires one is not noticed.
 */
export const smtpFault = async (url: string): Promise<string | undefined> => {
  try {
    await tryServer(url);
    return undefined;
  } catch (thrown) {
    const error = thrown as Error & SmtpError;
    const parts = new URL(url);
    // A server may repeat the password in its response.
    const secrets = [parts.password, querystring.unescape(parts.password)].filter((secret) => secret !== '');
    const message = faultText(secrets.reduce((text, secret) => text.replaceAll(secret, '…'), error.message));
    return causeOf(Object.assign(error, { message }), parts);
  }
};

/**
 * A refusal of a recipient that is about its address. A full mailbox (RFC 3463, X.2.2) may be emptied, and a shop that
 * may not send (X.7) be allowed to.
 */
const isFinal = ({ command, responseCode = 0, message }: Error & SmtpError): boolean =>
  command === 'RCPT TO' && responseCode >= 500 && responseCode !== 552 && !/\b5\.(?:2\.2|7\.\d)|relay/i.test(message);

/** Sends over a single SMTP connection, which stays open for a while between messages. */
export class SmtpMailer implements Mailer {
  readonly #transport;
  readonly #from: string;
  readonly #mostMs: number;

  constructor(url: string, from: string, mostMs = MESSAGE_MS) {
    this.#mostMs = mostMs;
    this.#transport = createTransport({ url, pool: true, maxConnections: 1, ...patience(PATIENCE_MS) });
    this.#from = from;
  }

  async send(mail: Mail): Promise<void> {
    const signal = AbortSignal.timeout(this.#mostMs);
    try {
      await this.#transport.sendMail({ ...envelopeOf(mail, this.#from), signal });
    } catch (thrown) {
      const error = thrown as Error & SmtpError;
      if (signal.aborted)
        throw new Error(`The mail server took more than ${this.#mostMs / 1000} seconds.`, { cause: error });
      throw isFinal(error) ? new MailRefused(error.message, { cause: error }) : error;
    }
  }
}
