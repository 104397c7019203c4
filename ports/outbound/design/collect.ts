import type { Permit } from '../../../domain/access/permit.ts';
import type { Capture, CaptureMeta, RunAsset } from '../../../domain/design/collect/capture.ts';
import type { CollectLock, CollectRun, ReplayProblem, Uploads } from '../../../domain/design/collect/run.ts';
import type { ScreenColor } from '../../../domain/design/gallery/screen.ts';
import type { Job } from '../../../domain/shared/job.ts';
import type { Outcome } from '../../../domain/shared/outcome.ts';
import type { StoredFile } from '../../../domain/shared/stored-file.ts';

/** A record as read; `version` is null if there was none. A write fails if the record has changed since. */
export type ReadLock = { readonly lock: CollectLock | undefined; readonly version: string | null };
export type ReadRun = { readonly run: CollectRun; readonly uploads: Uploads; readonly version: string };

/**
 * The runs of collectors, their uploads, and the lock, which one run holds at a time. A new upload changes the version
 * of its run, so uploads are counted exactly, and none joins a run that was submitted meanwhile.
 */
export interface CollectRuns {
  lock(): Promise<ReadLock>;
  /** Creates a run that holds the lock. Returns false and writes nothing if the lock has changed since the read. */
  open(permit: Permit, run: CollectRun, lock: CollectLock, read: ReadLock): Promise<boolean>;
  /** Extends the lease; false if the lock has changed since the read. */
  renew(permit: Permit, lock: CollectLock, read: ReadLock): Promise<boolean>;

  get(run_id: number): Promise<ReadRun | undefined>;
  /** Newest first. */
  newest(limit: number): Promise<ReadRun[]>;
  /** Writes the run and frees its lock. Returns false and writes nothing if either has changed since the read. */
  end(permit: Permit, run: CollectRun, read: ReadRun, held: ReadLock): Promise<boolean>;
  /**
   * Writes the run and queues its replay in one transaction. Returns false and writes nothing if the run has changed
   * since the read, or a job with this id is already waiting. With `held`, the run must still hold that lock, which is
   * freed.
   */
  submit(permit: Permit, run: CollectRun, read: ReadRun, job: Job, held?: ReadLock): Promise<boolean>;
  /** Writes the run, for example its progress; undefined if it has changed since the read. */
  save(permit: Permit, run: CollectRun, read: ReadRun): Promise<ReadRun | undefined>;

  /** True if the run has an asset with this URL and these bytes. */
  hasAsset(run_id: number, asset: Pick<RunAsset, 'url' | 'sha256'>): Promise<boolean>;
  /** Adds an asset. Returns false and writes nothing if the run has changed since the read. */
  addAsset(permit: Permit, asset: RunAsset, read: ReadRun): Promise<boolean>;
  assets(run_id: number): Promise<RunAsset[]>;
  /** The number of the run's capture with this key; undefined if there is none. */
  numberOf(run_id: number, key: string): Promise<number | undefined>;
  /**
   * Stores a capture: as a new one if its number is the next of the run, otherwise in place of the one with this key
   * and number. Returns false and writes nothing if the run has changed since the read.
   */
  putCapture(permit: Permit, capture: Capture, read: ReadRun): Promise<boolean>;
  /** The captures with numbers above `after`, in ascending order; at most `limit`. */
  captures(run_id: number, after: number, limit: number): Promise<Capture[]>;

  /** Replaces the problems of a capture. */
  putProblems(permit: Permit, run_id: number, capture: number, problems: readonly ReplayProblem[]): Promise<void>;
  /** The first problems of the run, by capture. */
  problems(run_id: number, limit: number): Promise<ReplayProblem[]>;
}

/** A captured page: its HTML as sent, its URL, and the style sheets that it loads, by URL. */
export type CapturedPage = {
  readonly html: Uint8Array;
  readonly url: string;
  readonly styles: readonly { readonly url: string; readonly css: Uint8Array }[];
  /** The color mode of the page; light if unknown. */
  readonly mode: CaptureMeta['mode'];
};

/** A sanitized style sheet: no imports, and no URLs other than data. */
export type HarmlessStyle = { readonly sha256: string; readonly css: Uint8Array };

export type ReadPage = {
  readonly title: string | null;
  /** The visible text with collapsed whitespace, cut at 4,000 characters. */
  readonly text: string;
  /** The number of elements of each kind, by the keys of `domain/design/gallery/terms-in-force.ts`. */
  readonly elements: Readonly<Record<string, number>>;
  readonly colors: readonly ScreenColor[];
  readonly fonts: readonly string[];
  /** The page without scripts, handlers and external URLs. Its style sheets are at `/media/<sha256>.css`. */
  readonly html: Uint8Array;
  readonly styles: readonly HarmlessStyle[];
  /** The URLs of style sheets that the page loads and `styles` lacks. */
  readonly missing: readonly string[];
};

/** Reads hostile pages within limits of time and memory. */
export interface PageReader {
  /** The resolved URLs of the style sheets that a page loads, in order. The refusal codes are those of `read`. */
  sheets(page: Pick<CapturedPage, 'html' | 'url'>): Promise<Outcome<readonly string[], 'page_refused'>>;
  /** `page_refused` has a sentence with the reason: nested too deep, too large, or not read in time. */
  read(page: CapturedPage): Promise<Outcome<ReadPage, 'page_refused'>>;
}

export type Thumbnail = {
  readonly bytes: Uint8Array;
  readonly sha256: string;
  readonly width: number;
  readonly height: number;
};

/** Reads hostile images within limits of time and memory. */
export interface ImageReader {
  /**
   * The type and dimensions from the image's header only; undefined if it is not a PNG or JPEG, or has more than 40
   * megapixels. The first 256 KiB of an image are enough.
   */
  measure(
    head: Uint8Array,
  ): { readonly type: 'image/png' | 'image/jpeg'; readonly width: number; readonly height: number } | undefined;
  /** A JPEG 480 pixels wide and at most 960 pixels high, from the top of the image. */
  thumbnail(image: Uint8Array): Promise<Outcome<Thumbnail, 'image_refused'>>;
}

/** Files of the design host that are read and stored whole, because their content is parsed. */
export interface DesignFiles {
  /** The bytes of a file; undefined if the store has none with this hash and size. */
  read(file: StoredFile): Promise<Uint8Array | undefined>;
  /** Stores bytes under their hash. Storing the same bytes again changes nothing. */
  keep(permit: Permit, bytes: Uint8Array): Promise<StoredFile>;
}
