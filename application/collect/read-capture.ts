import type { Permit } from '../../domain/access/permit.ts';
import type { Capture, RunAsset } from '../../domain/collect/capture.ts';
import type { ReplayProblem } from '../../domain/collect/run.ts';
import { draftOf } from '../../domain/gallery/draft-of.ts';
import type { ScreenDraft } from '../../domain/gallery/screen.ts';
import type { StoredFile, StoredImage } from '../../domain/shared/stored-file.ts';
import type { DesignFiles, ImageReader, PageReader, ReadPage } from '../../ports/outbound/collect.ts';
import { styleSheetsOf } from './style-sheets.ts';

export type CaptureReaders = {
  readonly designFiles: DesignFiles;
  readonly pageReader: PageReader;
  readonly imageReader: ImageReader;
};

/** A capture after reading: its screen if it makes one, and what was wrong. */
export type CaptureRead = { readonly draft: ScreenDraft | null; readonly problems: readonly ReplayProblem[] };

type Report = (code: ReplayProblem['code'], message: string) => undefined;

const MEBIBYTE = 1_048_576;
/** The bounds of uploads, and of all style sheets of a page together. */
const MOST_IMAGE = 30 * MEBIBYTE;
const MOST_HTML = 10 * MEBIBYTE;
const MOST_STYLES = 10 * MEBIBYTE;

/** Addresses that a message names. */
const NAMED = 3;

const listed = (addresses: readonly string[]): string => {
  const named = addresses
    .slice(0, NAMED)
    .map((address) => (address.length > 300 ? `${address.slice(0, 300)}…` : address));
  const more = addresses.length - named.length;
  return more > 0 ? `${named.join(', ')} and ${more} more` : named.join(', ');
};

type Images = { readonly image: StoredImage; readonly thumbnail: StoredImage };

/** The image of a capture and its thumbnail; undefined after a report where there is no usable image. */
const readImage = async (
  { designFiles, imageReader }: CaptureReaders,
  permit: Permit,
  capture: Capture,
  report: Report,
): Promise<Images | undefined> => {
  const missing = 'The capture has no image, so that it makes no screen. Upload one with it.';
  const { image } = capture;
  if (!image) return report('image_missing', missing);
  if (image.size > MOST_IMAGE) return report('image_refused', 'The image is larger than 30 MiB.');
  const bytes = await designFiles.read(image);
  if (!bytes) return report('image_missing', 'The image of the capture was never uploaded.');
  const measured = imageReader.measure(bytes);
  if (!measured) {
    return report('image_refused', 'The image is not a PNG or JPEG of at most 40 megapixels.');
  }
  const made = await imageReader.thumbnail(bytes);
  if (!made.ok) return report('image_refused', made.message ?? 'The image cannot be read.');
  const { width, height } = made.value;
  const kept = await designFiles.keep(permit, made.value.bytes);
  return {
    image: { sha256: image.sha256, size: image.size, ...measured },
    thumbnail: { ...kept, type: 'image/jpeg', width, height },
  };
};

type SavedPage = { readonly facts: ReadPage; readonly page: StoredFile };

/** The page of a capture, made harmless and kept; null where there is none, or after a report. */
const readPage = async (
  { designFiles, pageReader }: CaptureReaders,
  permit: Permit,
  { capture, assets }: { readonly capture: Capture; readonly assets: readonly RunAsset[] },
  report: Report,
): Promise<SavedPage | null> => {
  const refused = (message = 'The page cannot be read.') =>
    report('page_refused', `The screen has no saved page: ${message}`) ?? null;
  if (!capture.html) return null;
  if (capture.html.size > MOST_HTML) return refused('The HTML is larger than 10 MiB.');
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
 * Reads one capture, and keeps the files that its screen needs. Without a usable image there is no screen, but a
 * problem; with a page that is refused the screen has no page. The same capture always reads the same.
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
  const saved = await readPage(readers, permit, { capture, assets }, report);
  return { draft: draftOf(capture, saved?.facts ?? null, { ...images, page: saved?.page ?? null }), problems };
};
