import { failedRun } from '../../domain/collect/run-rules.ts';
import { type Outcome, ok } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { CONFLICT, rereading } from '../shared/contended.ts';
import type { Clearance, TwoSteps } from '../shared/steps.ts';
import { judgeCollecting, type RunNamed, readCollecting } from './own-run.ts';
import { type RunView, runView } from './run-view.ts';

export type Ports = Needs<'clock' | 'collectRuns' | 'pauses'>;

export type Input = RunNamed & { readonly error: string | null };

/** Ends a run that its collector gives up, and frees the lock for the next run. */
export const failRun =
  ({ collectRuns, clock, pauses }: Ports) =>
  async (input: Input): TwoSteps<Outcome<{ run: RunView }, 'not_found' | 'collect_run_closed'>> => {
    const read = () => readCollecting(collectRuns, input.runId);
    const first = await read();
    return async ({ permit }: Clearance) => {
      return rereading(pauses, first, read, async (found) => {
        const now = clock.now();
        const judged = judgeCollecting(found, input, now);
        if (!judged.ok) return judged;
        const { uploads } = judged.value;
        const run = failedRun(judged.value.run, input.error, now);
        if (!(await collectRuns.end(permit, run, judged.value, found.held))) return CONFLICT;
        return ok({ run: runView({ run, uploads }, { lock: undefined, problems: [], now }) });
      });
    };
  };

export type FailRun = ReturnType<typeof failRun>;
