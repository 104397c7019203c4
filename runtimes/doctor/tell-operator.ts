import { hostname } from 'node:os';
import { mailerOf } from '../../adapters/mail/mailer.ts';
import { mailIn } from '../configuration/feature-config.ts';
import { oneLine } from '../configuration/installation.ts';

/**
 * A program that mails the operator about a failed systemd unit. It reads only the mail settings, because a service
 * that doesn't start may have an invalid one. OnFailure= in systemd starts the program with the name of the unit.
 */
const tellOperator = async (env: NodeJS.ProcessEnv): Promise<void> => {
  const set: NodeJS.ProcessEnv = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const { OPERATOR_EMAIL: to, MONITOR_UNIT: unit = 'account-service-server@*' } = set;
  const settings = mailIn(set, '', false);
  if (!to || !settings || settings.way === 'outbox') {
    throw new Error(`Nobody heard that ${unit} failed: set OPERATOR_EMAIL and MAIL_FROM, and SMTP_URL or MAIL=ses.`);
  }
  const subject = `${unit} failed on ${hostname()}`;
  const text = `${subject}. Its last words: journalctl -u '${unit}' -n 50`;
  const id = `failed-${Date.now()}@${hostname()}`;
  await mailerOf(settings).send({
    id,
    to,
    from_name: 'Account service',
    reply_to: null,
    subject,
    text,
    html: `<p>${text}</p>`,
  });
};

try {
  await tellOperator(process.env);
  // The connection to the mail server would otherwise stay open for a while.
  process.exit(0);
} catch (error) {
  process.stderr.write(`${oneLine(error)}\n`);
  process.exit(1);
}
