import type { Permit } from '../../../domain/access/permit.ts';
import type { AgentPrincipal } from '../../../domain/access/principal.ts';
import type { CollectLock, CollectRun, ReplayProblem } from '../../../domain/design/collect/run.ts';
import {
  failedRun,
  isHeld,
  judgeOpen,
  lockOf,
  newRun,
  type RunInput,
  replayJob,
  requeuedRun,
  type Submission,
  shownStateOf,
  submittedRun,
} from '../../../domain/design/collect/run-rules.ts';
import type { Instant } from '../../../domain/shared/instant.ts';
import { type Outcome, ok, refuse } from '../../../domain/shared/outcome.ts';
import type { CollectRuns, ReadLock, ReadRun } from '../../../ports/outbound/design/collect.ts';
import type { Needs } from '../../../ports/outbound/needs.ts';
import { CONFLICT, rereading, untilWritten } from '../../shared/contended.ts';
import type { Clearance, TwoSteps } from '../../shared/steps.ts';

/** The caller and the run that it names; null if the path has no valid id. */
export type RunNamed = {
  readonly caller: Pick<AgentPrincipal, 'id'>;
  readonly params: { readonly run: number | null };
};

/** A run and the lock, read together. */
export type ReadCollecting = { readonly read: ReadRun | undefined; readonly held: ReadLock };

export const readCollecting = async (runs: CollectRuns, run_id: number | null): Promise<ReadCollecting> => {
  const [read, held] = await Promise.all([run_id === null ? undefined : runs.get(run_id), runs.lock()]);
  return { read, held };
};

/** The run, if its caller opened it. Another agent's run is answered like one that does not exist. */
export const judgeOwn = (read: ReadRun | undefined, { caller, params }: RunNamed): Outcome<ReadRun, 'not_found'> =>
  read?.run.agent.id === caller.id
    ? ok(read)
    : refuse('not_found', {
        message: `This agent has opened no run ${params.run ?? 'of this id'}; use the id from the answer that opened the run.`,
      });

/** The run, if its caller opened it and it is still collecting. */
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

/** The maximum number of replay problems that a run shows; `replay.problems` counts all of them. */
const PROBLEMS_SHOWN = 50;

/** A run in the shape that the API and the command line show. */
export const runView = (
  { run, uploads }: Pick<ReadRun, 'run' | 'uploads'>,
  { lock, problems, now }: { lock: CollectLock | undefined; problems: readonly ReplayProblem[]; now: Instant },
) => {
  const state = shownStateOf(run, lock, now);
  const lease_expires_at = state === 'collecting' && lock ? lock.expires_at : null;
  return { ...run, state, lease_expires_at, uploads, problems };
};

export type RunView = ReturnType<typeof runView>;

export type CollectSettings = {
  /** The time, in seconds, for which a collector keeps the lock without an upload. */
  readonly leaseSeconds: number;
};

const heldBy = ({ run_id, agent_name, opened_at, expires_at }: CollectLock) =>
  refuse('collect_run_held', {
    message: `Run ${run_id} of ${agent_name} is collecting until at least ${expires_at}; wait until it is submitted, fails or expires.`,
    data: { run: { id: run_id, agent: agent_name, opened_at, lease_expires_at: expires_at } },
  });

type OpenRunPorts = Needs<'clock' | 'collectRuns' | 'ids' | 'pauses'> & { collectSettings: CollectSettings };

/** Opens a run, which takes the collect lock. Of concurrent calls, exactly one succeeds. */
export const openRun = ({ collectRuns, ids, clock, pauses, collectSettings }: OpenRunPorts) =>
  async function openRun({
    caller: { id, name },
    body,
  }: {
    readonly caller: Pick<AgentPrincipal, 'id' | 'name'>;
    readonly body: RunInput;
  }): TwoSteps<Outcome<{ run: RunView }, 'collect_run_held'>> {
    const read = () => collectRuns.lock();
    const first = await read();
    return async ({ permit }: Clearance) =>
      rereading(pauses, first, read, async (found) => {
        const now = clock.now();
        if (isHeld(found.lock, now)) return heldBy(found.lock);
        const run = newRun(body, { id: ids.next(), agent: { id, name } }, now);
        const lock = lockOf(run, collectSettings.leaseSeconds, now);
        if (!(await collectRuns.open(permit, run, lock, found))) return CONFLICT;
        const uploads = { assets: 0, captures: 0 };
        return ok({ run: runView({ run, uploads }, { lock, problems: [], now }) });
      });
  };

/** A run in a list, without its problems. */
export type ListedRun = Omit<RunView, 'problems'>;

/** Lists the runs of all agents for the operator, newest first. */
export const listRuns = ({ collectRuns, clock }: Needs<'clock' | 'collectRuns'>) =>
  async function listRuns(limit: number): Promise<ListedRun[]> {
    const [runs, { lock }] = await Promise.all([collectRuns.newest(limit), collectRuns.lock()]);
    const now = clock.now();
    return runs.map((read) => {
      const { problems: _, ...listed } = runView(read, { lock, problems: [], now });
      return listed;
    });
  };

type RunOutcome = Outcome<{ run: RunView }, 'not_found'>;

/** Shows a run with its progress and the first problems of its replay. */
export const showRun = ({ collectRuns, clock }: Needs<'clock' | 'collectRuns'>) => {
  const show = async (
    run_id: number | null,
    judge: (read: ReadRun | undefined) => Outcome<ReadRun, 'not_found'>,
  ): Promise<RunOutcome> => {
    const [{ read, held }, problems] = await Promise.all([
      readCollecting(collectRuns, run_id),
      run_id === null ? [] : collectRuns.problems(run_id, PROBLEMS_SHOWN),
    ]);
    const judged = judge(read);
    if (!judged.ok) return judged;
    return ok({ run: runView(judged.value, { lock: held.lock, problems, now: clock.now() }) });
  };

  /** A run for the agent that opened it. */
  const forCollector = (named: RunNamed): Promise<RunOutcome> =>
    show(named.params.run, (read) => judgeOwn(read, named));

  const forOperator = (run_id: number): Promise<RunOutcome> => {
    const missing = refuse('not_found', { message: `There is no run ${run_id}; \`collect list\` shows them.` });
    return show(run_id, (read) => (read ? ok(read) : missing));
  };

  return { forCollector, forOperator };
};

type Closed = Outcome<{ run: RunView }, 'not_found' | 'collect_run_closed'>;

/**
 * Closes the caller's run. `close` writes the run in its current state; undefined after a conflict with another write.
 */
const closing = async (
  { collectRuns, clock, pauses }: Needs<'clock' | 'collectRuns' | 'pauses'>,
  named: RunNamed,
  close: (permit: Permit, read: ReadRun, held: ReadLock, now: Instant) => Promise<CollectRun | undefined>,
): TwoSteps<Closed> => {
  const read = () => readCollecting(collectRuns, named.params.run);
  const first = await read();
  return async function closing({ permit }: Clearance) {
    return rereading<ReadCollecting, Closed>(pauses, first, read, async (found) => {
      const now = clock.now();
      const own = judgeCollecting(found, named, now);
      if (!own.ok) return own;
      const { uploads } = own.value;
      const run = await close(permit, own.value, found.held, now);
      return run ? ok({ run: runView({ run, uploads }, { lock: undefined, problems: [], now }) }) : CONFLICT;
    });
  };
};

/** Ends a run that its collector gives up, and frees the lock for the next run. */
export const failRun = (ports: Needs<'clock' | 'collectRuns' | 'pauses'>) =>
  function failRun(input: RunNamed & { readonly body: { readonly error: string | null } }): TwoSteps<Closed> {
    return closing(ports, input, async (permit, read, held, now) => {
      const run = failedRun(read.run, input.body.error, now);
      return (await ports.collectRuns.end(permit, run, read, held)) ? run : undefined;
    });
  };

/**
 * Freezes a run and queues its replay in one transaction: every submitted run has its job, and accepts no more uploads.
 * The worker is notified; if the message is lost, it finds the job itself.
 */
export const submitRun = (ports: Needs<'clock' | 'collectRuns' | 'jobBell' | 'pauses'>) =>
  function submitRun(input: RunNamed & { readonly body: Submission }): TwoSteps<Closed> {
    return closing(ports, input, async (permit, read, held, now) => {
      const run = submittedRun(read.run, input.body, now);
      const job = replayJob(run, now);
      if (!(await ports.collectRuns.submit(permit, run, read, job, held))) return undefined;
      await ports.jobBell.ring(job).catch(() => {});
      return run;
    });
  };

type Requeued = Outcome<CollectRun, 'not_found' | 'run_not_submitted' | 'replay_waits'>;

type RequeueRunPorts = Needs<'clock' | 'collectRuns' | 'jobBell' | 'jobs' | 'pauses'>;

/** Queues the replay of a submitted run again, for the operator. */
export const requeueRun = ({ collectRuns, jobs, jobBell, clock, pauses }: RequeueRunPorts) =>
  function requeueRun(permit: Permit, run_id: number): Promise<Requeued> {
    return untilWritten<Requeued>(pauses, async () => {
      const [read, waiting] = await Promise.all([collectRuns.get(run_id), jobs.find(run_id)]);
      if (!read) return refuse('not_found', { message: `There is no run ${run_id}; \`collect list\` shows them.` });
      if (read.run.submitted_at === null) {
        const message = `Run ${run_id} was never submitted; only a submitted run can be replayed.`;
        return refuse('run_not_submitted', { message });
      }
      if (waiting) {
        const message = `Run ${run_id} is already queued or being replayed; wait until it ends.`;
        return refuse('replay_waits', { message });
      }
      const run = requeuedRun(read.run);
      const job = replayJob(run, clock.now());
      if (!(await collectRuns.submit(permit, run, read, job))) return CONFLICT;
      await jobBell.ring(job).catch(() => {});
      return ok(run);
    });
  };
