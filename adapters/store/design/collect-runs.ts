import type { Permit } from '../../../domain/access/permit.ts';
import { auditEvent } from '../../../domain/audit/event.ts';
import type { Capture, RunAsset } from '../../../domain/design/collect/capture.ts';
import type { CollectLock, CollectRun, ReplayProblem, Uploads } from '../../../domain/design/collect/run.ts';
import type { Job } from '../../../domain/shared/job.ts';
import { isSameJson } from '../../../domain/shared/same-json.ts';
import type { CollectRuns, ReadLock, ReadRun } from '../../../ports/outbound/design/collect.ts';
import { collectKeys, type StoredRun } from '../keys/design/collect.ts';
import { allRecords, firstItems, ifUnchanged, itemOf } from '../records.ts';
import { Audited } from '../repository.ts';
import type { Item } from '../table.ts';
import type { TypedWrite } from '../typed-table.ts';

const NO_UPLOADS: Uploads = { assets: 0, captures: 0 };

const readRun = ({ data: { run, uploads }, version }: Item<StoredRun>): ReadRun => ({ run, uploads, version });

/** Writes a run, on the condition that nobody has written it since the read. */
const writeRun = (run: CollectRun, uploads: Uploads, { version }: ReadRun): TypedWrite => ({
  put: itemOf(collectKeys.run(run.id), { run, uploads }),
  condition: { version },
});

/** Frees the lock, on the condition that it is unchanged since the read. */
const freeLock = ({ version }: ReadLock): TypedWrite => ({
  remove: collectKeys.lock(),
  condition: ifUnchanged(version),
});

/**
 * The lock is one item, written in one transaction with the run when a run opens or ends. The run's item has the number
 * of uploads: a new upload is written together with it, so numbers have no gaps, limits are exact, and an upload fails
 * once its run is submitted.
 */
export class StoredCollectRuns extends Audited implements CollectRuns {
  async lock(): Promise<ReadLock> {
    const item = await this.table.get(collectKeys.lock());
    return { lock: item?.data, version: item?.version ?? null };
  }

  open(_permit: Permit, run: CollectRun, lock: CollectLock, { version }: ReadLock): Promise<boolean> {
    return this.table.transact([
      { put: itemOf(collectKeys.lock(), lock), condition: ifUnchanged(version) },
      { put: itemOf(collectKeys.run(run.id), { run, uploads: NO_UPLOADS }), condition: { absent: true } },
    ]);
  }

  renew(_permit: Permit, lock: CollectLock, { version }: ReadLock): Promise<boolean> {
    return this.table.put(itemOf(collectKeys.lock(), lock), ifUnchanged(version));
  }

  async get(run_id: number): Promise<ReadRun | undefined> {
    const item = await this.table.get(collectKeys.run(run_id));
    return item && readRun(item);
  }

  async newest(limit: number): Promise<ReadRun[]> {
    return (await firstItems(this.table, { ...collectKeys.runs(), descending: true }, limit)).map(readRun);
  }

  end(_permit: Permit, run: CollectRun, read: ReadRun, held: ReadLock): Promise<boolean> {
    return this.table.transact([writeRun(run, read.uploads, read), freeLock(held)]);
  }

  submit(permit: Permit, run: CollectRun, read: ReadRun, job: Job, held?: ReadLock): Promise<boolean> {
    const done = read.run.submitted_at === null ? 'submitted' : 'requeued';
    return this.table.transact([
      writeRun(run, read.uploads, read),
      { put: itemOf(collectKeys.job(job.id), job), condition: { absent: true } },
      ...(held ? [freeLock(held)] : []),
      this.trail.entry(permit, auditEvent({ kind: 'run', id: run.id }, done)),
    ]);
  }

  async save(_permit: Permit, run: CollectRun, read: ReadRun): Promise<ReadRun | undefined> {
    const stored = itemOf(collectKeys.run(run.id), { run, uploads: read.uploads });
    if (!(await this.table.put(stored, { version: read.version }))) return undefined;
    const written = await this.get(run.id);
    return written && isSameJson(written.run, run) ? written : undefined;
  }

  async hasAsset(run_id: number, asset: Pick<RunAsset, 'url' | 'sha256'>): Promise<boolean> {
    return (await this.table.get(collectKeys.asset(run_id, asset))) !== undefined;
  }

  addAsset(_permit: Permit, asset: RunAsset, read: ReadRun): Promise<boolean> {
    const { run, uploads } = read;
    return this.table.transact([
      writeRun(run, { ...uploads, assets: uploads.assets + 1 }, read),
      { put: itemOf(collectKeys.asset(run.id, asset), asset), condition: { absent: true } },
    ]);
  }

  assets(run_id: number): Promise<RunAsset[]> {
    return allRecords(this.table, collectKeys.assets(run_id));
  }

  async numberOf(run_id: number, key: string): Promise<number | undefined> {
    return (await this.table.get(collectKeys.captureKey(run_id, key)))?.data.number;
  }

  putCapture(_permit: Permit, capture: Capture, read: ReadRun): Promise<boolean> {
    const { run, uploads, version } = read;
    const { number, key } = capture;
    const captureWrite: TypedWrite = { put: itemOf(collectKeys.capture(run.id, number), capture) };
    if (number <= uploads.captures) {
      return this.table.transact([{ check: collectKeys.run(run.id), condition: { version } }, captureWrite]);
    }
    return this.table.transact([
      writeRun(run, { ...uploads, captures: number }, read),
      { put: itemOf(collectKeys.captureKey(run.id, key), { number }), condition: { absent: true } },
      { ...captureWrite, condition: { absent: true } },
    ]);
  }

  async captures(run_id: number, after: number, limit: number): Promise<Capture[]> {
    const items = await firstItems(this.table, collectKeys.captures(run_id, after), limit);
    return items.map(({ data }) => data);
  }

  async putProblems(
    _permit: Permit,
    run_id: number,
    capture: number,
    problems: readonly ReplayProblem[],
  ): Promise<void> {
    const key = collectKeys.problemsOf(run_id, capture);
    await (problems.length === 0 ? this.table.remove(key) : this.table.put(itemOf(key, { problems })));
  }

  async problems(run_id: number, limit: number): Promise<ReplayProblem[]> {
    const items = await firstItems(this.table, collectKeys.problems(run_id), limit);
    return items.flatMap(({ data }) => data.problems).slice(0, limit);
  }
}
