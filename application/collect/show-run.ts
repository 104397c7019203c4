import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { ReadRun } from '../../ports/outbound/collect.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { judgeOwn, type RunNamed, readCollecting } from './own-run.ts';
import { PROBLEMS_SHOWN, type RunView, runView } from './run-view.ts';

export type Ports = Needs<'clock' | 'collectRuns'>;

export type RunOutcome = Outcome<{ run: RunView }, 'not_found'>;

/** Shows a run with its progress and the first problems of its replay. */
export const showRun = ({ collectRuns, clock }: Ports) => {
  const show = async (
    runId: number | null,
    judge: (read: ReadRun | undefined) => Outcome<ReadRun, 'not_found'>,
  ): Promise<RunOutcome> => {
    const [{ read, held }, problems] = await Promise.all([
      readCollecting(collectRuns, runId),
      runId === null ? [] : collectRuns.problems(runId, PROBLEMS_SHOWN),
    ]);
    const judged = judge(read);
    if (!judged.ok) return judged;
    return ok({ run: runView(judged.value, { lock: held.lock, problems, now: clock.now() }) });
  };

  /** A run for the agent that opened it. */
  const forCollector = (named: RunNamed): Promise<RunOutcome> => show(named.runId, (read) => judgeOwn(read, named));

  /** Any run, for the operator. */
  const forOperator = (runId: number): Promise<RunOutcome> => {
    const missing = refuse('not_found', { message: `There is no run ${runId}; \`collect list\` shows them.` });
    return show(runId, (read) => (read ? ok(read) : missing));
  };

  return { forCollector, forOperator };
};

export type ShowRun = ReturnType<typeof showRun>;
