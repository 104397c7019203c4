import type { CollectLock, ReplayProblem } from '../../domain/collect/run.ts';
import { shownStateOf } from '../../domain/collect/run-rules.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import type { ReadRun } from '../../ports/outbound/collect.ts';

/** The most problems of a replay that a run shows; `replay.problems` counts all of them. */
export const PROBLEMS_SHOWN = 50;

/** A run as the API and the command line show it. */
export const runView = (
  { run, uploads }: Pick<ReadRun, 'run' | 'uploads'>,
  { lock, problems, now }: { lock: CollectLock | undefined; problems: readonly ReplayProblem[]; now: Instant },
) => {
  const state = shownStateOf(run, lock, now);
  const { id, agent, viewports, langs, apps, opened_at, submitted_at, ended_at } = run;
  const { error, accounts, build_versions, replay } = run;
  return {
    id,
    state,
    agent,
    viewports,
    langs,
    apps,
    opened_at,
    lease_expires_at: state === 'collecting' && lock ? lock.expires_at : null,
    submitted_at,
    ended_at,
    error,
    accounts,
    build_versions,
    uploads,
    replay,
    problems,
  };
};

export type RunView = ReturnType<typeof runView>;
