import type { FieldErrors } from '../../shared/fault.ts';
import { awaits, type Instant, millis, toInstant } from '../../shared/instant.ts';
import type { Job } from '../../shared/job.ts';
import { type Outcome, ok, refuse } from '../../shared/outcome.ts';
import type { CollectedAccount, CollectLock, CollectRun, Lang, RunState, Uploads, Viewport } from './run.ts';

/** The default number of seconds for which a collector keeps the lock without an upload. */
export const LEASE_SECONDS = 600;

/** An upload renews the lease only if less than this share of it remains, so most uploads do not write the lock. */
const RENEWED_BELOW = 0.75;

const endOf = (seconds: number, now: Instant): Instant => toInstant(millis(now) + seconds * 1000);

export const lockOf = ({ id, agent, opened_at }: CollectRun, seconds: number, now: Instant): CollectLock => ({
  run_id: id,
  agent_name: agent.name,
  opened_at,
  expires_at: endOf(seconds, now),
});

/** True while a run holds the lock. A lease has ended at its end time, and lasts a day at most. */
export const isHeld = (lock: CollectLock | undefined, now: Instant): lock is CollectLock =>
  lock !== undefined && awaits(lock.expires_at, now, 2 * 24 * 60);

export const holdsLock = (
  { id }: Pick<CollectRun, 'id'>,
  lock: CollectLock | undefined,
  now: Instant,
): lock is CollectLock => isHeld(lock, now) && lock.run_id === id;

/** The lock with a renewed lease; undefined while three quarters of the lease are left, and after its end. */
export const renewedLock = (lock: CollectLock, seconds: number, now: Instant): CollectLock | undefined => {
  const left = millis(lock.expires_at) - millis(now);
  return left > 0 && left < RENEWED_BELOW * seconds * 1000 ? { ...lock, expires_at: endOf(seconds, now) } : undefined;
};

/** The maximum number of captures and assets of a run. */
export const MAX_CAPTURES = 5000;
export const MAX_ASSETS = 5000;

export type RunInput = Pick<CollectRun, 'viewports' | 'langs' | 'apps'>;

export type Submission = {
  readonly accounts: readonly CollectedAccount[] | null;
  readonly build_versions: readonly string[] | null;
};

/** A run that starts to collect now. Repeated values count once; no apps means every app. */
export const newRun = (
  { viewports, langs, apps }: RunInput,
  by: Pick<CollectRun, 'id' | 'agent'>,
  now: Instant,
): CollectRun => ({
  ...by,
  state: 'collecting',
  viewports: [...new Set(viewports)],
  langs: [...new Set(langs)],
  apps: apps?.length ? [...new Set(apps)] : null,
  opened_at: now,
  submitted_at: null,
  ended_at: null,
  error: null,
  accounts: null,
  build_versions: null,
  replay: null,
});

/** The displayed state of a run. A collecting run that lost the lock is `expired` forever. */
export type ShownState = RunState | 'expired';

export const shownStateOf = (run: CollectRun, lock: CollectLock | undefined, now: Instant): ShownState =>
  run.state === 'collecting' && !holdsLock(run, lock, now) ? 'expired' : run.state;

const WHY_CLOSED: Readonly<Record<Exclude<ShownState, 'collecting'>, string>> = {
  expired: 'No upload came before its lease ended.',
  submitted: 'It was submitted.',
  replaying: 'It was submitted.',
  replayed: 'It was submitted.',
  failed: 'It failed.',
};

/** Accepts a run that is still collecting. The refusal says why any other is not. */
export const judgeOpen = (
  run: CollectRun,
  lock: CollectLock | undefined,
  now: Instant,
): Outcome<null, 'collect_run_closed'> => {
  const state = shownStateOf(run, lock, now);
  if (state === 'collecting') return ok(null);
  return refuse('collect_run_closed', {
    message: `Run ${run.id} takes nothing more. ${WHY_CLOSED[state]} Open a new run.`,
    data: { run: { id: run.id, state } },
  });
};

const BOUNDS = { assets: MAX_ASSETS, captures: MAX_CAPTURES } as const;

/** Accepts another upload of a kind, up to the limit of a run. */
export const judgeRoom = (
  { id }: Pick<CollectRun, 'id'>,
  uploads: Uploads,
  kind: keyof Uploads,
): Outcome<null, 'collect_run_closed'> =>
  uploads[kind] < BOUNDS[kind]
    ? ok(null)
    : refuse('collect_run_closed', {
        message: `Run ${id} has ${BOUNDS[kind]} ${kind}, the maximum of a run. Submit it and open a new run.`,
        data: { run: { id, state: 'collecting' } },
      });

/** The fields of a capture that don't fit its run, each with a message. */
export const outsideOfRun = (
  { viewports, langs }: Pick<CollectRun, 'viewports' | 'langs'>,
  { viewport, lang }: { readonly viewport: Viewport; readonly lang: Lang },
): FieldErrors => ({
  ...(!viewports.includes(viewport) && {
    viewport: [`The viewport field must be one of this run: ${viewports.join(', ')}.`],
  }),
  ...(!langs.includes(lang) && { lang: [`The lang field must be one of this run: ${langs.join(', ')}.`] }),
});

export const failedRun = (run: CollectRun, error: string | null, now: Instant): CollectRun => ({
  ...run,
  state: 'failed',
  ended_at: now,
  error,
});

/** A run whose captures are final and await their replay. */
export const submittedRun = (run: CollectRun, { accounts, build_versions }: Submission, now: Instant): CollectRun => ({
  ...run,
  state: 'submitted',
  submitted_at: now,
  accounts,
  build_versions,
});

/** A submitted run that awaits another replay, starting at its first capture. */
export const requeuedRun = (run: CollectRun): CollectRun => ({
  ...run,
  state: 'submitted',
  ended_at: null,
  error: null,
  replay: null,
});

/** The job that replays a run. It has the run's id, so a run has at most one job. */
export const replayJob = ({ id, agent }: Pick<CollectRun, 'id' | 'agent'>, now: Instant): Job => ({
  id,
  kind: 'replay',
  subject: id,
  agent_id: agent.id,
  queued_at: now,
  attempts: 0,
  free_at: now,
});
