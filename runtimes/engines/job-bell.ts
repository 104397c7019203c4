import { silentBell } from '../../adapters/system/bells.ts';
import { lazy, needing } from '../../adapters/system/loading.ts';
import type { JobBell } from '../../ports/outbound/jobs.ts';

/**
 * The bell of the queue at this URL. Without a URL it is silent: the worker finds the jobs itself. It is loaded with
 * its first ring, because few calls ring it. Only code that queues jobs uses it, so no other function loads the client
 * of SQS.
 */
export const bellAt = (queueUrl: string): JobBell => {
  if (queueUrl === '') return silentBell;
  const load = () => import('../../adapters/sqs/sqs-job-bell.ts');
  const bell = lazy(async () => {
    const { SqsJobBell } = await needing('JOBS_QUEUE_URL', ['@aws-sdk/client-sqs'], load);
    return new SqsJobBell(queueUrl);
  });
  return { ring: async (job) => (await bell()).ring(job) };
};
