import type { Permit } from '../../domain/access/permit.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import { type Job, nextJob } from '../../domain/shared/job.ts';
import { isSameJson } from '../../domain/shared/same-json.ts';
import type { Jobs, TakenJob } from '../../ports/outbound/jobs.ts';
import { collectKeys } from './keys/design/collect.ts';
import { firstItems, itemOf } from './records.ts';
import { OnTable } from './repository.ts';

/** The maximum number of waiting jobs from which the next one is chosen. */
const MOST_WAITING = 1000;

/**
 * One item for each unfinished job, in the order of ids. Taking or keeping a job changes its item's version, so that a
 * worker which lost its job can neither keep nor finish it.
 */
export class StoredJobs extends OnTable implements Jobs {
  add(_permit: Permit, job: Job): Promise<boolean> {
    return this.table.put(itemOf(collectKeys.job(job.id), job), { absent: true });
  }

  async find(id: number): Promise<Job | undefined> {
    return (await this.table.get(collectKeys.job(id)))?.data;
  }

  async waiting(limit: number): Promise<Job[]> {
    return (await firstItems(this.table, collectKeys.jobs(), limit)).map(({ data }) => data);
  }

  async take(_permit: Permit, now: Instant, until: Instant): Promise<TakenJob | undefined> {
    const items = await firstItems(this.table, collectKeys.jobs(), MOST_WAITING);
    const next = nextJob(
      items.map(({ data }) => data),
      now,
    );
    const item = items.find(({ data }) => data === next);
    return item && this.#write({ ...item.data, attempts: item.data.attempts + 1, free_at: until }, item.version);
  }

  keep(_permit: Permit, { job, version }: TakenJob, until: Instant): Promise<TakenJob | undefined> {
    return this.#write({ ...job, free_at: until }, version);
  }

  release(_permit: Permit, { job, version }: TakenJob, freeAt: Instant): Promise<boolean> {
    return this.table.put(itemOf(collectKeys.job(job.id), { ...job, free_at: freeAt }), { version });
  }

  handBack(_permit: Permit, { job, version }: TakenJob, now: Instant): Promise<boolean> {
    const waiting: Job = { ...job, attempts: job.attempts - 1, free_at: now };
    return this.table.put(itemOf(collectKeys.job(job.id), waiting), { version });
  }

  endTurn(permit: Permit, { job, version }: TakenJob, now: Instant): Promise<boolean> {
    return this.handBack(permit, { job: { ...job, queued_at: now }, version }, now);
  }

  finish(_permit: Permit, { job, version }: TakenJob): Promise<boolean> {
    return this.table.remove(collectKeys.job(job.id), { version });
  }

  /**
   * Writes the job if its version is unchanged, and returns it with the new version; undefined if another worker has
   * the job.
   */
  async #write(job: Job, version: string): Promise<TakenJob | undefined> {
    const key = collectKeys.job(job.id);
    if (!(await this.table.put(itemOf(key, job), { version }))) return undefined;
    const item = await this.table.get(key);
    return item && isSameJson(item.data, job) ? { job, version: item.version } : undefined;
  }
}
