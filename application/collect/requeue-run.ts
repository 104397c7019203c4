import type { Permit } from '../../domain/access/permit.ts';
import type { CollectRun } from '../../domain/collect/run.ts';
import { replayJob, requeuedRun } from '../../domain/collect/run-rules.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';
import { settled } from '../shared/settled.ts';

export type Ports = Needs<'clock' | 'collectRuns' | 'jobBell' | 'jobs' | 'pauses'>;

export type Refusal = 'not_found' | 'run_not_submitted' | 'replay_waits';

/** Queues the replay of a submitted run once more, for the operator. */
export const requeueRun =
  ({ collectRuns, jobs, jobBell, clock, pauses }: Ports) =>
  (permit: Permit, runId: number): Promise<Outcome<CollectRun, Refusal>> =>
    untilWritten<Outcome<CollectRun, Refusal>>(pauses, async () => {
      const [read, waiting] = await Promise.all([collectRuns.get(runId), jobs.find(runId)]);
      if (!read) return refuse('not_found', { message: `There is no run ${runId}; \`collect list\` shows them.` });
      if (read.run.submitted_at === null) {
        return refuse('run_not_submitted', {
          message: `Run ${runId} was never submitted; only a submitted run can be replayed.`,
        });
      }
      if (waiting) {
        return refuse('replay_waits', {
          message: `Run ${runId} is already queued or being replayed; wait until it ends.`,
        });
      }
      const run = requeuedRun(read.run);
      const job = replayJob(run, clock.now());
      if (!(await collectRuns.submit(permit, run, read, job))) return CONFLICT;
      await settled(jobBell.ring(job));
      return ok(run);
    });

export type RequeueRun = ReturnType<typeof requeueRun>;
