import { silentBell } from '../../adapters/system/bells.ts';
import type { JobBell } from '../../ports/outbound/jobs.ts';
import { needing } from './installation.ts';

/**
 * The bell of a queue. It is loaded with its first ring, because few calls ring it, and its client is a large part of a
 * start.
 */
const queueBell = (queueUrl: string): JobBell => {
  let loading: Promise<JobBell> | undefined;
  const load = async (): Promise<JobBell> => {
    const { SqsJobBell } = await needing(
      'JOBS_QUEUE_URL',
      ['@aws-sdk/client-sqs'],
      () => import('../../adapters/sqs/sqs-job-bell.ts'),
    );
    return new SqsJobBell(queueUrl);
  };
  return {
    ring: async (job) => {
      loading ??= load();
      await (await loading).ring(job);
    },
  };
};

/**
 * The bell of the queue at this address. Without an address it is silent: the worker finds the jobs itself. Only what
 * queues jobs takes it, so that no other function holds the client of SQS.
 */
export const bellAt = (queueUrl: string): JobBell => (queueUrl === '' ? silentBell : queueBell(queueUrl));
