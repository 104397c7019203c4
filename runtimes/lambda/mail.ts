import type { Context } from 'aws-lambda';
import { keys } from '../composition/areas/credentials.ts';
import { mail } from '../composition/areas/mail.ts';
import { signIn } from '../composition/areas/sign-in.ts';
import { bootstrap } from '../composition/bootstrap.ts';
import { mailWorker } from '../worker/mail-worker.ts';
import { jobLog } from './json-lines.ts';
import { open } from './open.ts';

/** Milliseconds that the last message of a call has to go out in, before Lambda ends the call. */
const TO_SEND_MS = 60_000;

const { service, config } = await open('mail', process.env, (settings, engines) =>
  bootstrap(settings, engines, [keys, mail, signIn]),
);
const worker =
  config.mail && mailWorker(service.get('sendNextMessage'), config.mail, jobLog('mail', process.env['STAGE'] ?? 'dev'));

/** Sends the messages that are due. A schedule wakes it; without MAIL it does nothing. */
export const handler = async (_event: unknown, context: Pick<Context, 'getRemainingTimeInMillis'>): Promise<void> => {
  while (worker && context.getRemainingTimeInMillis() > TO_SEND_MS) {
    if ((await worker.workOnce()) === 'idle') return;
  }
};
