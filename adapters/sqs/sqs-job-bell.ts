import { randomUUID } from 'node:crypto';
import { SendMessageCommand, SQSClient, type SQSClientConfig } from '@aws-sdk/client-sqs';
import type { Job } from '../../domain/shared/job.ts';
import type { JobBell } from '../../ports/outbound/jobs.ts';

/** The one group of all messages: a FIFO queue hands out no message of a group before the one ahead of it is done. */
const GROUP = 'jobs';

/**
 * Rings by a message in a FIFO queue of SQS, which wakes the worker's function. A message names its job, so that the
 * worker can tell whether the job is done. The same job may be queued again, so no two messages count as one. Throws
 * the error of SQS after three tries.
 */
export class SqsJobBell implements JobBell {
  readonly #queueUrl: string;
  readonly #client: SQSClient;

  constructor(queueUrl: string, config: SQSClientConfig = {}) {
    this.#queueUrl = queueUrl;
    this.#client = new SQSClient({ maxAttempts: 3, ...config });
  }

  async ring({ id, kind }: Pick<Job, 'id' | 'kind'>): Promise<void> {
    await this.#client.send(
      new SendMessageCommand({
        QueueUrl: this.#queueUrl,
        MessageBody: JSON.stringify({ id, kind }),
        MessageGroupId: GROUP,
        MessageDeduplicationId: randomUUID(),
      }),
    );
  }
}
