import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { Permit } from '../../domain/access/permit.ts';
import { failedRun } from '../../domain/collect/run-rules.ts';
import { type Instant, millis, toInstant } from '../../domain/shared/instant.ts';
import { JOB_ATTEMPTS, type Job, restsUntil } from '../../domain/shared/job.ts';
import type { Clock } from '../../ports/outbound/clock.ts';
import type { CollectRuns } from '../../ports/outbound/collect-runs.ts';
import type { Jobs, TakenJob } from '../../ports/outbound/jobs.ts';

/** Seconds for which a job belongs to its worker, unless the worker keeps it. */
const LEASE_SECONDS = 60;

/**
 * Replays a run. It asks `keep` before each batch, and stops quietly where the answer is false, because the job belongs
 * to another worker or this one has to stop. It resolves after the last batch, and rejects with a fault.
 */
export interface Replay {
  execute(permit: Permit, runId: number, keep: () => Promise<boolean>): Promise<void>;
}

/** The log of a worker. A line has the job, its run and the attempt. */
export type WorkerLog = {
  readonly info: (line: Readonly<Record<string, unknown>>, message: string) => void;
  readonly error: (line: Readonly<Record<string, unknown>>, message: string) => void;
};

/**
 * `idle`: no job waits. `done`: a job was done. `busy`: a job waits that this worker does not do now, because another
 * worker has it, it rests after a fault, or this worker has to stop. `failed`: a job ended in a fault; it rests, or it
 * was given up.
 */
export type Worked = 'idle' | 'done' | 'busy' | 'failed';

type Ports = {
  readonly jobs: Jobs;
  readonly collectRuns: CollectRuns;
  readonly replayRun: Replay;
  readonly clock: Clock;
  readonly log: WorkerLog;
};

/** The job in the hands of a worker. `keep` answers false once the job is lost or the worker has to stop. */
type Held = { taken: TakenJob; lost: boolean; stopped: boolean };

const GIVEN_UP = `The replay failed ${JOB_ATTEMPTS} times, and is not tried again. The log of the service has the faults.`;

/**
 * Does the jobs that wait, oldest first and one at a time, however many workers there are. A job that a worker leaves
 * behind, because its process ended, is taken by the next one a minute later and goes on where the replay had come to.
 */
export class ReplayWorker {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /**
   * Does the oldest job, if it is free. `goOn` is asked before each batch of the replay; where it answers false the
   * worker hands the job back, and the attempt does not count. Rejects only where the store fails.
   */
  async workOnce(goOn: () => boolean = () => true): Promise<Worked> {
    const { jobs, log } = this.#ports;
    const permit = grantPermit();
    const taken = await jobs.take(permit, this.#ports.clock.now(), this.#leaseEnd());
    if (!taken) return (await jobs.waiting(1)).length === 0 ? 'idle' : 'busy';
    const { job } = taken;
    const held: Held = { taken, lost: false, stopped: false };
    const line = { job: job.id, run: job.subject, attempt: job.attempts };
    if (job.attempts > JOB_ATTEMPTS) return this.#giveUp(permit, held, line);
    log.info(line, 'job started');
    try {
      await this.#ports.replayRun.execute(permit, job.subject, () => this.#keep(permit, held, goOn));
    } catch (error) {
      return this.#failed(permit, held, line, error);
    }
    return this.#ended(permit, held, line);
  }

  #leaseEnd(): Instant {
    return toInstant(millis(this.#ports.clock.now()) + LEASE_SECONDS * 1000);
  }

  async #keep(permit: Permit, held: Held, goOn: () => boolean): Promise<boolean> {
    if (!goOn()) held.stopped = true;
    if (held.stopped || held.lost) return false;
    const kept = await this.#ports.jobs.keep(permit, held.taken, this.#leaseEnd());
    if (kept) held.taken = kept;
    else held.lost = true;
    return kept !== undefined;
  }

  async #ended(permit: Permit, { taken, lost, stopped }: Held, line: object): Promise<Worked> {
    const { jobs, clock, log } = this.#ports;
    if (lost) {
      log.info({ ...line }, 'job lost to another worker');
      return 'busy';
    }
    if (stopped) {
      await jobs.handBack(permit, taken, clock.now());
      log.info({ ...line }, 'job handed back');
      return 'busy';
    }
    await jobs.finish(permit, taken);
    log.info({ ...line }, 'job done');
    return 'done';
  }

  async #failed(permit: Permit, held: Held, line: object, error: unknown): Promise<Worked> {
    const { jobs, clock, log } = this.#ports;
    log.error({ ...line, err: error }, 'job fault');
    const { job } = held.taken;
    if (job.attempts >= JOB_ATTEMPTS) return this.#giveUp(permit, held, line);
    await jobs.release(permit, held.taken, restsUntil(job, clock.now()));
    return 'failed';
  }

  /** Writes the run as failed, then removes the job, so that a worker which is killed between them gives up again. */
  async #giveUp(permit: Permit, { taken }: Held, line: object): Promise<Worked> {
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
    // The run can only change meanwhile by a worker that lost this job; the next read shows what it wrote.
    if (!saved) await this.#failRun(permit, job);
  }
}
