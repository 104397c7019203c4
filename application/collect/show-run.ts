import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { Clock } from '../../ports/outbound/clock.ts';
import type { CollectRuns, ReadRun } from '../../ports/outbound/collect-runs.ts';
import { judgeOwn, type RunNamed, readCollecting } from './own-run.ts';
import { PROBLEMS_SHOWN, type RunView, runView } from './run-view.ts';

export type Ports = { collectRuns: CollectRuns; clock: Clock };

export type Shown = Outcome<{ run: RunView }, 'not_found'>;

/** Shows a run with its progress and the first problems of its replay. */
export class ShowRun {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /** A run for the agent that opened it. */
  execute(named: RunNamed): Promise<Shown> {
    return this.#show(named.runId, (read) => judgeOwn(read, named));
  }

  /** Any run, for the operator. */
  forOperator(runId: number): Promise<Shown> {
    const missing = refuse('not_found', { message: `There is no run ${runId}; \`collect list\` shows them.` });
    return this.#show(runId, (read) => (read ? ok(read) : missing));
  }

  async #show(
    runId: number | null,
    judge: (read: ReadRun | undefined) => Outcome<ReadRun, 'not_found'>,
  ): Promise<Shown> {
    const { collectRuns, clock } = this.#ports;
    const [{ read, held }, problems] = await Promise.all([
      readCollecting(collectRuns, runId),
      runId === null ? [] : collectRuns.problems(runId, PROBLEMS_SHOWN),
    ]);
    const judged = judge(read);
    if (!judged.ok) return judged;
    return ok({ run: runView(judged.value, { lock: held.lock, problems, now: clock.now() }) });
  }
}
