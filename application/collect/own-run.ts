import type { CollectRun } from '../../domain/collect/run.ts';
import { judgeOpen } from '../../domain/collect/run-rules.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { CollectRuns, ReadLock, ReadRun } from '../../ports/outbound/collect.ts';

/** The caller and the run that it names; null where the text of the path can't be an id. */
export type RunNamed = { readonly agentId: CollectRun['agent']['id']; readonly runId: number | null };

/** A run and the lock as they were read together. */
export type ReadCollecting = { readonly read: ReadRun | undefined; readonly held: ReadLock };

export const readCollecting = async (runs: CollectRuns, runId: number | null): Promise<ReadCollecting> => {
  const [read, held] = await Promise.all([runId === null ? undefined : runs.get(runId), runs.lock()]);
  return { read, held };
};

/** The run if its caller opened it. The run of another agent is answered like one that does not exist. */
export const judgeOwn = (read: ReadRun | undefined, { agentId, runId }: RunNamed): Outcome<ReadRun, 'not_found'> =>
  read?.run.agent.id === agentId
    ? ok(read)
    : refuse('not_found', {
        message: `This agent has opened no run ${runId ?? 'of this id'}; use the id that opening a run answered.`,
      });

/** The run if its caller opened it and it still collects. */
export const judgeCollecting = (
  { read, held }: ReadCollecting,
  named: RunNamed,
  now: Instant,
): Outcome<ReadRun, 'not_found' | 'collect_run_closed'> => {
  const own = judgeOwn(read, named);
  if (!own.ok) return own;
  const open = judgeOpen(own.value.run, held.lock, now);
  return open.ok ? own : open;
};
