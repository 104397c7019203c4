import type { MailSettings } from '../../adapters/mail/mailer.ts';
import type { SendNextMessage } from '../../application/mail/send-next-message.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { TurnResult, WorkerLog } from './replay-worker.ts';

/** The worker that sends messages, one at a time. A log line has the id and the kind of a message, and no address. */
export const mailWorker = (sendNextMessage: SendNextMessage, config: MailSettings, log: WorkerLog) => {
  let hasTold = config.way !== 'outbox';
  return {
    workOnce: async (): Promise<TurnResult> => {
      const sent = await sendNextMessage(grantPermit());
      if (!('taken' in sent)) return sent.end === 'none' ? 'idle' : 'done';
      const { id, kind, attempts: attempt } = sent.taken.message;
      const line = { message: id, kind, attempt };
      if (sent.end === 'sent' && !hasTold) {
        hasTold = true;
        const { folder } = config as Extract<MailSettings, { way: 'outbox' }>;
        log.info({ folder }, 'mail is not sent but kept in this folder; set SMTP_URL, or MAIL=ses');
      }
      if (sent.end === 'sent' || sent.end === 'dropped') log.info(line, `message ${sent.end}`);
      else log.error({ ...line, err: sent.error }, sent.end === 'rests' ? 'message fault' : 'message given up');
      return sent.end === 'rests' || sent.end === 'failed' ? 'failed' : 'done';
    },
  };
};
