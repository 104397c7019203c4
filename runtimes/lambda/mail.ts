import type { Context } from 'aws-lambda';
import { erasure } from '../composition/areas/accounts.ts';
import { keys } from '../composition/areas/credentials.ts';
import { mail } from '../composition/areas/mail.ts';
import { signIn } from '../composition/areas/sign-in.ts';
import { bootstrap } from '../composition/bootstrap.ts';
import { erasureWorker } from '../worker/erasure-worker.ts';
import { mailWorker } from '../worker/mail-worker.ts';
import { jobLog } from './json-lines.ts';
import { open } from './open.ts';

/** Milliseconds that the last message of a call has to go out in, before Lambda ends the call. */
const TO_SEND_MS = 60_000;

const { service, config } = await open('mail', process.env, (settings, engines) =>
  bootstrap(settings, engines, [erasure, keys, mail, signIn]),
);
const log = jobLog('mail', process.env['STAGE'] ?? 'dev');
const eraser = erasureWorker(service.get('completeErasure'), log);
const worker = config.mail && mailWorker(service.get('sendNextMessage'), config.mail, log);

/**
 * Goes on with the erasures that wait, then sends the messages that are due, if MAIL is set. A schedule wakes it. The
 * erasures have the whole time of a call; the next call, a minute later, sends the messages meanwhile.
 */
export const handler = async (_event: unknown, context: Pick<Context, 'getRemainingTimeInMillis'>): Promise<void> => {
  await eraser.workOnce(() => context.getRemainingTimeInMillis() > TO_SEND_MS);
  while (worker && context.getRemainingTimeInMillis() > TO_SEND_MS) {
    if ((await worker.workOnce()) === 'idle') return;
  }
};
