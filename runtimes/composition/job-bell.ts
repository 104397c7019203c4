import type { JobBell } from '../../ports/outbound/jobs.ts';
import type { Config } from './config.ts';

/** A bell that is loaded with its first ring, because few calls ring it and its client is a large part of a start. */
const lateBell = (load: () => Promise<JobBell>): JobBell => {
  let loading: Promise<JobBell> | undefined;
  return {
    ring: async (job) => {
      loading ??= load();
      await (await loading).ring(job);
    },
  };
};

/** The bell of the queue that the configuration names; undefined where the worker is in this process. */
export const openJobBell = ({ jobsQueueUrl }: Pick<Config, 'jobsQueueUrl'>): JobBell | undefined =>
  jobsQueueUrl === ''
    ? undefined
    : lateBell(async () => new (await import('../../adapters/sqs/sqs-job-bell.ts')).SqsJobBell(jobsQueueUrl));
