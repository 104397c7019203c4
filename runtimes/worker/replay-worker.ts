import type { Keep } from '../../application/design/collect/replay-run.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { Permit } from '../../domain/access/permit.ts';
import { failedRun } from '../../domain/design/collect/run-rules.ts';
import { type Instant, millis, toInstant } from '../../domain/shared/instant.ts';
import { JOB_ATTEMPTS, type Job, restsUntil } from '../../domain/shared/job.ts';
import type { CollectRuns } from '../../ports/outbound/design/collect.ts';
import type { Jobs, TakenJob } from '../../ports/outbound/jobs.ts';
import type { Clock } from '../../ports/outbound/system.ts';
import { pick } from '../composition/area.ts';
import type { Service } from '../composition/bootstrap.ts';

/** The lease of a worker on a job, in seconds, unless the worker extends it. */
const LEASE_SECONDS = 60;

/** The time after which a replay lets another waiting job go first, in seconds. */
const TURN_SECONDS = 60;

/**
 * Replays a run. It calls `keep` before each batch, and within a long batch. It stops silently if that returns false,
 * because the job belongs to another worker, its turn is over, or this worker must stop. It resolves after the last
 * batch, and rejects with a fault.
 */
export type Replay = (permit: Permit, run_id: number, keep: Keep) => Promise<void>;

/** The log of a worker. A line has the job, its run and the attempt. */
export type WorkerLog = {
  readonly info: (line: Readonly<Record<string, unknown>>, message: string) => void;
  readonly error: (line: Readonly<Record<string, unknown>>, message: string) => void;
};

/**
 * `idle`: no job waits. `done`: a job was done, or had its turn. `busy`: a job waits that this worker does not do now,
 * because another worker has it, it pauses after a fault, or this worker must stop. `failed`: a job ended in a fault;
 * it will be retried, or was given up.
 */
export type TurnResult = 'idle' | 'done' | 'busy' | 'failed';

export type Ports = {
  readonly jobs: Jobs;
  readonly collectRuns: CollectRuns;
  readonly replayRun: Replay;
  readonly clock: Clock;
  readonly log: WorkerLog;
};

/** The job that a worker holds. `keep` returns false once `end` has the reason why the worker does not continue. */
type HeldJob = { taken: TakenJob; readonly turnEnds: Instant; end?: 'lost' | 'stopped' | 'turn' };

const GIVEN_UP = `The replay failed ${JOB_ATTEMPTS} times, and is not tried again. The log of the service has the faults.`;

/**
 * Does the waiting jobs, one at a time for any number of workers. A job that takes longer than a minute moves behind
 * the others, so that no run delays those of other agents for hours. If a worker dies, the next one takes its job a
 * minute later and continues where the replay stopped.
 */
export class ReplayWorker {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /**
   * Does the next job, if none is in progress. `goOn` is called before each batch of the replay; if it returns false,
   * the worker returns the job, and the attempt does not count. Rejects only if the store fails.
   */
  async workOnce(goOn: () => boolean = () => true): Promise<TurnResult> {
    const { jobs, log } = this.#ports;
    const permit = grantPermit();
    const taken = await jobs.take(permit, this.#ports.clock.now(), this.#in(LEASE_SECONDS));
    if (!taken) return (await jobs.waiting(1)).length === 0 ? 'idle' : 'busy';
    const { job } = taken;
    const held: HeldJob = { taken, turnEnds: this.#in(TURN_SECONDS) };
    const line = { job: job.id, run: job.subject, attempt: job.attempts };
    if (job.attempts > JOB_ATTEMPTS) return this.#giveUp(permit, held, line);
    log.info(line, 'job started');
    try {
      await this.#ports.replayRun(permit, job.subject, (at) => this.#keep(permit, held, goOn, at));
      if (!held.end) await this.#checkEnded(job);
    } catch (error) {
      return this.#failed(permit, held, line, error);
    }
    return this.#ended(permit, held, line);
  }

  #in(seconds: number): Instant {
    return toInstant(millis(this.#ports.clock.now()) + seconds * 1000);
  }

  async #keep(permit: Permit, held: HeldJob, goOn: () => boolean, at?: 'batch'): Promise<boolean> {
    if (!held.end && !goOn()) held.end = 'stopped';
    if (!held.end && at === 'batch' && (await this.#hadItsTurn(held))) held.end = 'turn';
    if (held.end) return false;
    const renewed = await this.#ports.jobs.keep(permit, held.taken, this.#in(LEASE_SECONDS));
    if (renewed) held.taken = renewed;
    else held.end = 'lost';
    return renewed !== undefined;
  }

  /** True once the turn is over and another job waits. */
  async #hadItsTurn({ turnEnds }: HeldJob): Promise<boolean> {
    return this.#ports.clock.now() >= turnEnds && (await this.#ports.jobs.waiting(2)).length > 1;
  }

  /** Throws if the replay ended before the run did, so that the job is retried. */
  async #checkEnded({ subject }: Job): Promise<void> {
    const read = await this.#ports.collectRuns.get(subject);
    if (read?.run.state === 'submitted' || read?.run.state === 'replaying') {
      throw new Error(`The replay of run ${subject} came back before its end.`);
    }
  }

  async #ended(permit: Permit, { taken, end }: HeldJob, line: object): Promise<TurnResult> {
    const { jobs, clock, log } = this.#ports;
    switch (end) {
      case 'lost':
        log.info({ ...line }, 'job lost to another worker');
        return 'busy';
      case 'stopped':
        await jobs.handBack(permit, taken, clock.now());
        log.info({ ...line }, 'job handed back');
        return 'busy';
      case 'turn':
        await jobs.endTurn(permit, taken, clock.now());
        log.info({ ...line }, 'job had its turn');
        return 'done';
      default:
        await jobs.finish(permit, taken);
        log.info({ ...line }, 'job done');
        return 'done';
    }
  }

  async #failed(permit: Permit, held: HeldJob, line: object, error: unknown): Promise<TurnResult> {
    const { jobs, clock, log } = this.#ports;
    log.error({ ...line, err: error }, 'job fault');
    const { job } = held.taken;
    if (job.attempts >= JOB_ATTEMPTS) return this.#giveUp(permit, held, line);
    await jobs.release(permit, held.taken, restsUntil(job, clock.now()));
    return 'failed';
  }

  /** Writes the run as failed, then removes the job, so that a worker killed in between gives up again. */
  async #giveUp(permit: Permit, { taken }: HeldJob, line: object): Promise<TurnResult> {
    await this.#failRun(permit, taken.job);
    await this.#ports.jobs.finish(permit, taken);
    this.#ports.log.error({ ...line }, 'job given up');
    return 'failed';
  }

  async #failRun(permit: Permit, job: Job): Promise<void> {
    const { collectRuns, clock } = this.#ports;
    const read = await collectRuns.get(job.subject);
    if (!read || read.run.state === 'replayed') return;
    const saved = await collectRuns.save(permit, failedRun(read.run, GIVEN_UP, clock.now()), read);
    // Only a worker that lost this job can change the run meanwhile; the next read shows its write.
    if (!saved) await this.#failRun(permit, job);
  }
}

/** The parts of a service that its worker uses. */
export type WorkerService = Service<{
  readonly jobs: Jobs;
  readonly collectRuns: CollectRuns;
  readonly replayRun: Replay;
  readonly clock: Clock;
}>;

/** The worker of a service. `worked` is called with the result of each turn. */
export const replayWorker = (
  service: WorkerService,
  log: WorkerLog,
  worked: (worked: TurnResult) => void = () => {},
): Pick<ReplayWorker, 'workOnce'> => {
  const worker = new ReplayWorker({ ...pick(service.parts, ['jobs', 'collectRuns', 'replayRun', 'clock']), log });
  return {
    workOnce: async (goOn) => {
      const end = await worker.workOnce(goOn);
      worked(end);
      return end;
    },
  };
};
