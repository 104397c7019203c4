import type { Context } from 'aws-lambda';
import { keys } from '../composition/areas/access.ts';
import { erasure } from '../composition/areas/accounts.ts';
import { mail } from '../composition/areas/mail.ts';
import { signIn } from '../composition/areas/sign-in.ts';
import { sums } from '../composition/areas/sums.ts';
import { webhooks } from '../composition/areas/webhooks.ts';
import { bootstrap } from '../composition/bootstrap.ts';
import { erasureWorker } from '../worker/erasure-worker.ts';
import { mailWorker } from '../worker/mail-worker.ts';
import { sumsWorker } from '../worker/sums-worker.ts';
import { webhookWorker } from '../worker/webhook-worker.ts';
import { jobLog, jsonLine } from './json-lines.ts';
import { open } from './open.ts';
import { countLine } from './open-runtime.ts';

/** The time reserved for the last message of a call before Lambda ends the call, in milliseconds. */
const TO_SEND_MS = 60_000;

const { service, config } = await open('mail', process.env, (settings, engines) =>
  bootstrap(settings, engines, [erasure, keys, mail, signIn, sums, webhooks]),
);
const stage = process.env['STAGE'] ?? 'dev';
const log = jobLog('mail', stage);
const eraser = erasureWorker(service.get('completeErasure'), log);
const counter = sumsWorker(service.get('completeSums'), log);
const teller = webhookWorker(service.get('sendDeliveries'), log);
const worker = config.mail && mailWorker(service.get('sendNextMessage'), config.mail, log);

/**
 * Continues the waiting erasures, sends the due events to webhooks, then the due messages, if MAIL is set, counts the
 * orders of an older store, and reports the number of unsent messages to CloudWatch. A schedule wakes it. The erasures
 * may take the whole time of a call; the next call, a minute later, does the rest meanwhile.
 */
export const handler = async (_event: unknown, context: Pick<Context, 'getRemainingTimeInMillis'>): Promise<void> => {
  const hasTime = (): boolean => context.getRemainingTimeInMillis() > TO_SEND_MS;
  await eraser.workOnce(hasTime);
  while (hasTime() && (await teller.workOnce(hasTime)) !== 'idle');
  while (worker && hasTime() && (await worker.workOnce()) !== 'idle');
  if (hasTime()) await counter.workOnce(hasTime);
  if (!worker) return;
  const { failed, waiting } = await service.get('countUnsent')();
  jsonLine('info', countLine(stage, 'unsent_mail', failed + waiting), 'unsent mail');
};
