import { randomUUID } from 'node:crypto';
import { SendMessageCommand, SQSClient, type SQSClientConfig } from '@aws-sdk/client-sqs';
import type { Job } from '../../domain/shared/job.ts';
import type { JobBell } from '../../ports/outbound/jobs.ts';

/** The one group of all messages. A FIFO queue delivers a group's messages one at a time, in order. */
const GROUP = 'jobs';

/**
 * Wakes the worker's function by a message in a FIFO queue of SQS. A message names its job and its run: the worker can
 * tell whether the job is done, and a person which run a dead letter belongs to. The same job may be queued again, so
 * no two messages are deduplicated. Throws the error of SQS after three attempts.
 */
export class SqsJobBell implements JobBell {
  readonly #queueUrl: string;
  readonly #client: SQSClient;

  constructor(queueUrl: string, config: SQSClientConfig = {}) {
    this.#queueUrl = queueUrl;
    this.#client = new SQSClient({ maxAttempts: 3, ...config });
  }

  async ring({ id, kind, subject }: Pick<Job, 'id' | 'kind' | 'subject'>): Promise<void> {
    await this.#client.send(
      new SendMessageCommand({
        QueueUrl: this.#queueUrl,
        MessageBody: JSON.stringify({ id, kind, subject }),
        MessageGroupId: GROUP,
        MessageDeduplicationId: randomUUID(),
      }),
    );
  }
}
