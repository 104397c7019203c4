import type { Context, ScheduledEvent, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import * as z from 'zod';
import type { Job } from '../../domain/shared/job.ts';
import type { CollectRuns } from '../../ports/outbound/design/collect.ts';
import type { JobBell, Jobs } from '../../ports/outbound/jobs.ts';
import type { ReplayWorker } from '../worker/replay-worker.ts';

/**
 * The time that a replay has to stop before Lambda ends the call, in milliseconds. It checks every few seconds whether
 * it must.
 */
const TO_STOP_MS = 2 * 60_000;

/**
 * The time for which a call waits for a job that pauses after a fault, in milliseconds. The pauses of a job that fails
 * each time are shorter.
 */
const PATIENCE_MS = 3 * 60_000;
const LOOK_AGAIN_MS = 5000;

/**
 * The maximum number of jobs to compare with a call's messages. Fewer are queued in the four days for which a message
 * is kept.
 */
const MOST_WAITING = 1000;

const Message = z.object({ id: z.int(), kind: z.literal('replay'), subject: z.int() });
type Message = z.output<typeof Message>;

type Parts = {
  readonly worker: Pick<ReplayWorker, 'workOnce'>;
  readonly jobs: Pick<Jobs, 'waiting'>;
  readonly collectRuns: Pick<CollectRuns, 'get'>;
  readonly deadLetters: JobBell;
  readonly pause: (ms: number) => Promise<void>;
};

/** The message of a record; undefined if it is not one of this service's, which no further call could read either. */
const messageOf = ({ body }: SQSRecord): Message | undefined => {
  try {
    return Message.safeParse(JSON.parse(body)).data;
  } catch {
    return undefined;
  }
};

/** Does jobs until there are none, the call has no time left, or no job could be taken for longer than `patience`. */
const work = async ({ worker, pause }: Parts, hasTime: () => boolean, patience: number): Promise<void> => {
  let left = patience;
  while (hasTime()) {
    const worked = await worker.workOnce(hasTime);
    if (worked === 'idle') return;
    if (worked === 'done') left = patience;
    else if (left <= 0) return;
    else {
      left -= LOOK_AGAIN_MS;
      await pause(LOOK_AGAIN_MS);
    }
  }
};

/**
 * Runs a worker as a function that a queue and a schedule wake. A message only wakes it: the worker takes the jobs from
 * the table in their order, whatever the message names. Afterwards a message is returned to the queue if its job still
 * waits, or could not be read; the others are done. The message of a job that was given up goes to the dead-letter
 * queue.
 */
export const woken =
  (parts: Parts) =>
  async (
    event: SQSEvent | ScheduledEvent,
    context: Pick<Context, 'getRemainingTimeInMillis'>,
  ): Promise<SQSBatchResponse> => {
    const records = 'Records' in event ? event.Records : [];
    const hasTime = (): boolean => context.getRemainingTimeInMillis() > TO_STOP_MS;
    await work(parts, hasTime, records.length > 0 ? PATIENCE_MS : 0);
    if (records.length === 0) return { batchItemFailures: [] };
    const waiting = new Set((await parts.jobs.waiting(MOST_WAITING)).map(({ id }: Job) => id));
    const failures: string[] = [];
    for (const record of records) {
      const message = messageOf(record);
      if (!message || waiting.has(message.id)) failures.push(record.messageId);
      else await bury(parts, message);
    }
    return { batchItemFailures: failures.map((itemIdentifier) => ({ itemIdentifier })) };
  };

/** Puts the message of a job that was given up into the dead-letter queue. */
const bury = async ({ collectRuns, deadLetters }: Parts, message: Message): Promise<void> => {
  const read = await collectRuns.get(message.subject);
  if (read?.run.state === 'failed') await deadLetters.ring(message);
};
