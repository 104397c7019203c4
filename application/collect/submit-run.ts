import { replayJob, type Submission, submittedRun } from '../../domain/collect/run-rules.ts';
import { type Outcome, ok } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { CONFLICT, rereading } from '../shared/contended.ts';
import { settled } from '../shared/settled.ts';
import type { Clearance, TwoSteps } from '../shared/steps.ts';
import { judgeCollecting, type RunNamed, readCollecting } from './own-run.ts';
import { type RunView, runView } from './run-view.ts';

export type Ports = Needs<'clock' | 'collectRuns' | 'jobBell' | 'pauses'>;

export type Input = RunNamed & { readonly submission: Submission };

/**
 * Freezes a run and queues its replay, in one step: a run that was submitted has its job, and no upload joins the run
 * afterwards. The worker is told, and finds the job itself where the message is lost.
 */
export const submitRun =
  ({ collectRuns, jobBell, clock, pauses }: Ports) =>
  async (input: Input): TwoSteps<Outcome<{ run: RunView }, 'not_found' | 'collect_run_closed'>> => {
    const read = () => readCollecting(collectRuns, input.runId);
    const first = await read();
    return async ({ permit }: Clearance) => {
      return rereading(pauses, first, read, async (found) => {
        const now = clock.now();
        const judged = judgeCollecting(found, input, now);
        if (!judged.ok) return judged;
        const { uploads } = judged.value;
        const run = submittedRun(judged.value.run, input.submission, now);
        const job = replayJob(run, now);
        if (!(await collectRuns.submit(permit, run, judged.value, job, found.held))) return CONFLICT;
        await settled(jobBell.ring(job));
        return ok({ run: runView({ run, uploads }, { lock: undefined, problems: [], now }) });
      });
    };
  };

export type SubmitRun = ReturnType<typeof submitRun>;
