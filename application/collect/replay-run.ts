import type { Permit } from '../../domain/access/permit.ts';
import type { Capture, RunAsset } from '../../domain/collect/capture.ts';
import type { CollectRun, ReplayProgress } from '../../domain/collect/run.ts';
import { millis } from '../../domain/shared/instant.ts';
import type { CollectRuns, ReadRun } from '../../ports/outbound/collect.ts';
import type { GalleryEditor, SavedScreens } from '../../ports/outbound/gallery.ts';
import type { Clock } from '../../ports/outbound/system.ts';
import { type CaptureRead, type CaptureReaders, readCapture } from './read-capture.ts';

/** The most captures that are saved together, and the time after which those that were read are saved. */
const BATCH = 10;
const BATCH_MS = 20_000;
/** The job is kept this often while a batch is read. */
const KEEP_MS = 15_000;

/** Tells that the job is still this worker's. `batch` says that nothing which was read is lost where it is not. */
export type Keep = (at?: 'batch') => Promise<boolean>;

export type Parts = CaptureReaders & {
  readonly collectRuns: CollectRuns;
  readonly galleryEditor: GalleryEditor;
  readonly clock: Clock;
};

const NO_PROGRESS: Omit<ReplayProgress, 'total'> = {
  done: 0,
  screens_added: 0,
  screens_changed: 0,
  screens_unchanged: 0,
  skipped: 0,
  problems: 0,
};

const begun = (run: CollectRun, total: number): CollectRun => ({
  ...run,
  state: 'replaying',
  replay: run.replay ? { ...run.replay, total } : { ...NO_PROGRESS, total },
});

const advanced = (
  progress: ReplayProgress,
  {
    last,
    read,
    saved,
  }: { readonly last: Capture; readonly read: readonly CaptureRead[]; readonly saved: SavedScreens },
): ReplayProgress => ({
  total: progress.total,
  done: last.number,
  screens_added: progress.screens_added + saved.added,
  screens_changed: progress.screens_changed + saved.changed,
  screens_unchanged: progress.screens_unchanged + saved.unchanged,
  skipped: progress.skipped + read.filter(({ draft, problems }) => !draft && isSkip(problems)).length,
  problems: progress.problems + read.reduce((sum, { problems }) => sum + problems.length, 0),
});

/** A capture that makes no screen by its collector's own report, and not by a fault of its image. */
const isSkip = (problems: CaptureRead['problems']): boolean => problems.every(({ code }) => code === 'capture_failed');

/**
 * Makes the screens of a submitted run from its captures, in their order. A run that was stopped in the middle goes on
 * after its last batch; replaying a run again makes the same screens. Stops without a word where the job or the run has
 * become another worker's.
 */
export const replayRun = (ports: Parts) => {
  const { collectRuns, galleryEditor, clock } = ports;

  /** Undefined where another worker goes on. */
  const batch = async (
    permit: Permit,
    now: ReadRun,
    assets: readonly RunAsset[],
    keep: Keep,
  ): Promise<ReadRun | 'none' | undefined> => {
    const { id, replay } = now.run;
    const progress = replay ?? { ...NO_PROGRESS, total: 0 };
    const captures = await collectRuns.captures(id, progress.done, BATCH);
    if (captures.length === 0) return 'none';
    const read: CaptureRead[] = [];
    const begins = millis(clock.now());
    let kept = begins;
    if (!(await keep('batch'))) return undefined;
    for (const capture of captures) {
      const at = millis(clock.now());
      if (read.length > 0 && at - begins >= BATCH_MS) break;
      if (at - kept >= KEEP_MS) {
        if (!(await keep())) return undefined;
        kept = at;
      }
      const one = await readCapture(ports, permit, capture, assets);
      await collectRuns.putProblems(permit, id, capture.number, one.problems);
      read.push(one);
    }
    const last = captures[read.length - 1];
    if (!last || !(await keep())) return undefined;
    const saved = await galleryEditor.save(
      permit,
      read.flatMap(({ draft }) => draft ?? []),
    );
    return collectRuns.save(permit, { ...now.run, replay: advanced(progress, { last, read, saved }) }, now);
  };

  return async (permit: Permit, runId: number, keep: Keep): Promise<void> => {
    const read = await collectRuns.get(runId);
    if (read?.run.state !== 'submitted' && read?.run.state !== 'replaying') return;
    const { captures: total } = read.uploads;
    const assets = await collectRuns.assets(runId);
    let now = await collectRuns.save(permit, begun(read.run, total), read);
    while (now && (now.run.replay?.done ?? 0) < total) {
      const next = await batch(permit, now, assets, keep);
      if (next === 'none') break;
      now = next;
    }
    if (!now || !(await keep())) return;
    await galleryEditor.recount(permit);
    await collectRuns.save(permit, { ...now.run, state: 'replayed', ended_at: clock.now() }, now);
  };
};

export type ReplayRun = ReturnType<typeof replayRun>;
