import type { Permit } from '../../../domain/access/permit.ts';
import {
  type Capture,
  MAX_HTML_BYTES,
  MAX_IMAGE_BYTES,
  type RunAsset,
} from '../../../domain/design/collect/capture.ts';
import type { CollectRun, ReplayProblem, ReplayProgress } from '../../../domain/design/collect/run.ts';
import { draftOf } from '../../../domain/design/gallery/draft-of.ts';
import type { ScreenDraft } from '../../../domain/design/gallery/screen.ts';
import { millis } from '../../../domain/shared/instant.ts';
import type { StoredFile, StoredImage } from '../../../domain/shared/stored-file.ts';
import type {
  CapturedPage,
  CollectRuns,
  DesignFiles,
  ImageReader,
  PageReader,
  ReadPage,
  ReadRun,
} from '../../../ports/outbound/design/collect.ts';
import type { GalleryEditor, SavedScreens } from '../../../ports/outbound/design/gallery.ts';
import type { Clock } from '../../../ports/outbound/system.ts';

type SheetQuery = {
  readonly capture: Pick<Capture, 'url' | 'final_url' | 'assets'>;
  readonly assets: readonly RunAsset[];
  /** The URLs of the style sheets that the page loads. */
  readonly addresses: readonly string[];
  /** The maximum size of all style sheets together, in bytes. */
  readonly most: number;
};

/** Normalizes a URL as browsers do when they compare: resolved, without its fragment. */
const resolved = (address: string, base: string): string => {
  const url = URL.parse(address, base);
  if (!url) return address;
  url.hash = '';
  return url.href;
};

/** A run's style sheets by URL: those that the capture lists, or all if it lists none. */
const sheetsByAddress = ({ capture, assets }: SheetQuery): ReadonlyMap<string, StoredFile> => {
  const base = capture.final_url ?? capture.url;
  const sheets = assets.filter(({ type }) => type === 'css');
  if (capture.assets === null) return new Map(sheets.map((sheet) => [resolved(sheet.url, base), sheet]));
  const byHash = new Map(sheets.map((sheet) => [sheet.sha256, sheet]));
  return new Map(
    capture.assets.flatMap(({ url, sha256 }) => {
      const sheet = byHash.get(sha256);
      return sheet ? [[resolved(url, base), sheet] as const] : [];
    }),
  );
};

/** The style sheets of a page that the run has, in the page's order, as many as fit into the bound. */
export const styleSheetsOf = async (files: DesignFiles, query: SheetQuery): Promise<CapturedPage['styles']> => {
  const known = sheetsByAddress(query);
  const styles: { readonly url: string; readonly css: Uint8Array }[] = [];
  let size = 0;
  for (const url of query.addresses) {
    const sheet = known.get(url);
    if (!sheet || size + sheet.size > query.most) continue;
    const css = await files.read(sheet);
    if (!css) continue;
    size += css.length;
    styles.push({ url, css });
  }
  return styles;
};

export type CaptureReaders = {
  readonly designFiles: DesignFiles;
  readonly pageReader: PageReader;
  readonly imageReader: ImageReader;
};

/** The result of reading a capture: its screen, if it yields one, and the problems. */
type CaptureRead = { readonly draft: ScreenDraft | null; readonly problems: readonly ReplayProblem[] };

type Report = (code: ReplayProblem['code'], message: string) => undefined;

/** The maximum size of all style sheets of a page together, in bytes. */
const MOST_STYLES = 10 * 1024 * 1024;

/** The number of URLs that a message names. */
const NAMED = 3;

const listed = (addresses: readonly string[]): string => {
  const named = addresses
    .slice(0, NAMED)
    .map((address) => (address.length > 300 ? `${address.slice(0, 300)}…` : address));
  const more = addresses.length - named.length;
  return more > 0 ? `${named.join(', ')} and ${more} more` : named.join(', ');
};

type Images = { readonly image: StoredImage; readonly thumbnail: StoredImage };

/** The image of a capture and its thumbnail; undefined, after reporting a problem, if there is no usable image. */
const readImage = async (
  { designFiles, imageReader }: CaptureReaders,
  permit: Permit,
  capture: Capture,
  report: Report,
): Promise<Images | undefined> => {
  const missing = 'The capture has no image, so that it makes no screen. Upload one with it.';
  const { image } = capture;
  if (!image) return report('image_missing', missing);
  if (image.size > MAX_IMAGE_BYTES) return report('image_refused', 'The image is larger than 30 MiB.');
  const bytes = await designFiles.read(image);
  if (!bytes) return report('image_missing', 'The image of the capture was never uploaded.');
  const measured = imageReader.measure(bytes);
  if (!measured) {
    return report('image_refused', 'The image is not a PNG or JPEG of at most 40 megapixels.');
  }
  const made = await imageReader.thumbnail(bytes);
  if (!made.ok) return report('image_refused', made.message ?? 'The image cannot be read.');
  const { width, height } = made.value;
  const stored = await designFiles.keep(permit, made.value.bytes);
  return {
    image: { sha256: image.sha256, size: image.size, ...measured },
    thumbnail: { ...stored, type: 'image/jpeg', width, height },
  };
};

type SavedPage = { readonly facts: ReadPage; readonly page: StoredFile };

/** The page of a capture, sanitized and stored; null if there is none, or after reporting a problem. */
const readSavedPage = async (
  { designFiles, pageReader }: CaptureReaders,
  permit: Permit,
  { capture, assets }: { readonly capture: Capture; readonly assets: readonly RunAsset[] },
  report: Report,
): Promise<SavedPage | null> => {
  const refused = (message = 'The page cannot be read.') =>
    report('page_refused', `The screen has no saved page: ${message}`) ?? null;
  if (!capture.html) return null;
  if (capture.html.size > MAX_HTML_BYTES) return refused('The HTML is larger than 10 MiB.');
  const html = await designFiles.read(capture.html);
  if (!html) return refused('Its HTML was never uploaded.');
  const url = capture.final_url ?? capture.url;
  const sheets = await pageReader.sheets({ html, url });
  if (!sheets.ok) return refused(sheets.message);
  const styles = await styleSheetsOf(designFiles, { capture, assets, addresses: sheets.value, most: MOST_STYLES });
  const read = await pageReader.read({ html, url, styles, mode: capture.meta.mode });
  if (!read.ok) return refused(read.message);
  if (read.value.missing.length > 0) {
    report('asset_missing', `The page loads style sheets that the run lacks: ${listed(read.value.missing)}.`);
  }
  for (const { css } of read.value.styles) await designFiles.keep(permit, css);
  return { facts: read.value, page: await designFiles.keep(permit, read.value.html) };
};

/**
 * Reads one capture, and stores the files that its screen needs. Without a usable image the result is a problem and no
 * screen; if the page is refused, the screen has no page. The result is the same each time.
 */
export const readCapture = async (
  readers: CaptureReaders,
  permit: Permit,
  capture: Capture,
  assets: readonly RunAsset[],
): Promise<CaptureRead> => {
  const problems: ReplayProblem[] = [];
  const report: Report = (code, message) => {
    problems.push({ capture: capture.number, key: capture.key, code, message });
    return undefined;
  };
  if (capture.outcome === 'failed') report('capture_failed', capture.message ?? 'The collector reported a failure.');
  if (capture.outcome !== 'ok') return { draft: null, problems };
  const images = await readImage(readers, permit, capture, report);
  if (!images) return { draft: null, problems };
  const saved = await readSavedPage(readers, permit, { capture, assets }, report);
  return { draft: draftOf(capture, saved?.facts ?? null, { ...images, page: saved?.page ?? null }), problems };
};

/** The maximum number of captures saved together, and the time after which a partial batch is saved. */
const BATCH = 10;
const BATCH_MS = 20_000;
/** The lease on the job is renewed this often while a batch is read. */
const KEEP_MS = 15_000;

/**
 * Returns whether the job still belongs to this worker, and renews the lease. `batch` means that all captures read so
 * far are saved.
 */
export type Keep = (at?: 'batch') => Promise<boolean>;

type Parts = CaptureReaders & {
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

/** True if the collector's own report explains why a capture has no screen, and its image is not at fault. */
const isSkip = (problems: CaptureRead['problems']): boolean => problems.every(({ code }) => code === 'capture_failed');

/**
 * Creates the screens of a submitted run from its captures, in order. An interrupted run continues after its last
 * batch; repeating a replay creates the same screens. Stops silently if the job or the run now belongs to another
 * worker.
 */
export const replayRun = (ports: Parts) => {
  const { collectRuns, galleryEditor, clock } = ports;

  /** Undefined if another worker continues. */
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
    let renewed = begins;
    if (!(await keep('batch'))) return undefined;
    for (const capture of captures) {
      const at = millis(clock.now());
      if (read.length > 0 && at - begins >= BATCH_MS) break;
      if (at - renewed >= KEEP_MS) {
        if (!(await keep())) return undefined;
        renewed = at;
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

  return async function replayRun(permit: Permit, run_id: number, keep: Keep): Promise<void> {
    const read = await collectRuns.get(run_id);
    if (read?.run.state !== 'submitted' && read?.run.state !== 'replaying') return;
    const { captures: total } = read.uploads;
    const assets = await collectRuns.assets(run_id);
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
