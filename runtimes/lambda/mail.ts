import type { Context } from 'aws-lambda';
import { keys } from '../composition/areas/access.ts';
import { erasure } from '../composition/areas/accounts.ts';
import { mail } from '../composition/areas/mail.ts';
import { signIn } from '../composition/areas/sign-in.ts';
import { bootstrap } from '../composition/bootstrap.ts';
import { erasureWorker } from '../worker/erasure-worker.ts';
import { mailWorker } from '../worker/mail-worker.ts';
import { jobLog, jsonLine } from './json-lines.ts';
import { open } from './open.ts';
import { countLine } from './open-runtime.ts';

/** Milliseconds that the last message of a call must go out in, before Lambda ends the call. */
const TO_SEND_MS = 60_000;

const { service, config } = await open('mail', process.env, (settings, engines) =>
  bootstrap(settings, engines, [erasure, keys, mail, signIn]),
);
const stage = process.env['STAGE'] ?? 'dev';
const log = jobLog('mail', stage);
const eraser = erasureWorker(service.get('completeErasure'), log);
const worker = config.mail && mailWorker(service.get('sendNextMessage'), config.mail, log);

/**
 * Goes on with the erasures that wait, then sends the messages that are due, if MAIL is set, and tells CloudWatch
 * how many don't go out. A schedule wakes it. The
 * erasures have the whole time of a call; the next call, a minute later, sends the messages meanwhile.
 */
export const handler = async (_event: unknown, context: Pick<Context, 'getRemainingTimeInMillis'>): Promise<void> => {
  await eraser.workOnce(() => context.getRemainingTimeInMillis() > TO_SEND_MS);
  if (!worker) return;
  while (context.getRemainingTimeInMillis() > TO_SEND_MS && (await worker.workOnce()) !== 'idle');
  const { failed, waiting } = await service.get('countUnsent')();
  jsonLine('info', countLine(stage, 'unsent_mail', failed + waiting), 'unsent mail');
};
