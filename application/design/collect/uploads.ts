import type { Permit } from '../../../domain/access/permit.ts';
import {
  CAPTURE_FILES,
  type Capture,
  type CaptureFile,
  judgeImage,
  judgePromise,
  promisedImage,
  type RunAsset,
} from '../../../domain/design/collect/capture.ts';
import type { CollectRun } from '../../../domain/design/collect/run.ts';
import { judgeRoom, outsideOfRun, renewedLock } from '../../../domain/design/collect/run-rules.ts';
import { readMeta, readPageAssets } from '../../../domain/design/collect/upload-text.ts';
import { type FieldErrors, invalid } from '../../../domain/shared/fault.ts';
import { type Instant, millis, toInstant } from '../../../domain/shared/instant.ts';
import { type Outcome, ok } from '../../../domain/shared/outcome.ts';
import { designObjectKey, type StoredFile, type StoredImage, UPLOAD_MS } from '../../../domain/shared/stored-file.ts';
import type { CollectRuns, ReadLock } from '../../../ports/outbound/design/collect.ts';
import type { Needs } from '../../../ports/outbound/needs.ts';
import type { ObjectStore, SignedUpload } from '../../../ports/outbound/object-store.ts';
import { CONFLICT, rereading } from '../../shared/contended.ts';
import type { ReceivedFile } from '../../shared/files.ts';
import { signUpload } from '../../shared/sign-upload.ts';
import type { Clearance, TwoSteps } from '../../shared/steps.ts';
import { type CollectSettings, judgeCollecting, type RunNamed, readCollecting } from './runs.ts';

/** The number of bytes in which an image's dimensions are found, even behind a long profile or preview. */
const HEAD_BYTES = 1024 * 1024;

/** The first bytes of a file, at most a mebibyte. */
const readHead = async (file: ReceivedFile): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // The loop destroys the stream if it ends before the file does.
  for await (const chunk of file.open() as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    bytes += chunk.byteLength;
    if (bytes >= HEAD_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, HEAD_BYTES);
};

/** Renews a lease that has partly elapsed. Of concurrent uploads one renews it, and the others continue. */
const renewLease = async (
  permit: Permit,
  runs: CollectRuns,
  held: ReadLock,
  { leaseSeconds, now }: { leaseSeconds: number; now: Instant },
): Promise<void> => {
  const renewed = held.lock && renewedLock(held.lock, leaseSeconds, now);
  if (renewed) await runs.renew(permit, renewed, held);
};

type PromisedFiles = Readonly<Record<CaptureFile, StoredFile | null>>;

type SignedUploads = Readonly<Partial<Record<CaptureFile, SignedUpload>>>;

/** Signs an upload for each promised file that the store lacks; null if it lacks none. */
const signUploads = async (
  permit: Permit,
  objects: ObjectStore,
  promised: PromisedFiles,
  expiresAt: Instant,
): Promise<SignedUploads | null> => {
  const signed = await Promise.all(
    CAPTURE_FILES.map(async (part): Promise<[CaptureFile, SignedUpload][]> => {
      const file = promised[part];
      const signed = file && (await signUpload(permit, objects, designObjectKey(file.sha256), { ...file, expiresAt }));
      return signed ? [[part, signed]] : [];
    }),
  );
  const uploads = signed.flat();
  return uploads.length === 0 ? null : Object.fromEntries(uploads);
};

type Ports = Needs<'clock' | 'collectRuns' | 'objects' | 'pauses'> & { readonly collectSettings: CollectSettings };

export type AssetUpload = RunNamed & {
  readonly body: Pick<RunAsset, 'sha256' | 'type' | 'url'>;
  readonly files: { readonly file: ReceivedFile };
};

export type AddedAsset = {
  readonly asset: RunAsset;
  /** True if the run already had an asset with this URL and these bytes. */
  readonly duplicate: boolean;
};

const otherBytes = (sha256: string) =>
  invalid({ sha256: [`The sha256 field must be that of the file, which is ${sha256}.`] });

/** Stores a style sheet or script that pages of a run load. Equal bytes are stored once. */
export const addAsset = ({ collectRuns, objects, clock, pauses, collectSettings }: Ports) =>
  async function addAsset(
    input: AssetUpload,
  ): TwoSteps<Outcome<AddedAsset, 'not_found' | 'collect_run_closed' | 'validation_failed'>> {
    const { params, body, files } = input;
    const read = async () => {
      const [collecting, duplicate] = await Promise.all([
        readCollecting(collectRuns, params.run),
        params.run === null ? false : collectRuns.hasAsset(params.run, body),
      ]);
      return { ...collecting, duplicate };
    };
    const first = await read();
    const judged = judgeCollecting(first, input, clock.now());
    if (!judged.ok) return judged;
    const { sha256, size } = files.file;
    if (body.sha256 !== sha256) return otherBytes(sha256);
    const asset: RunAsset = { sha256, size, type: body.type, url: body.url };
    return async ({ permit }: Clearance) => {
      const { leaseSeconds } = collectSettings;
      await Promise.all([
        objects.put(permit, designObjectKey(sha256), files.file.open(), { sha256, size }),
        renewLease(permit, collectRuns, first.held, { leaseSeconds, now: clock.now() }),
      ]);
      return rereading(pauses, first, read, async (found) => {
        const run = judgeCollecting(found, input, clock.now());
        if (!run.ok) return run;
        if (found.duplicate) return ok({ asset, duplicate: true });
        const room = judgeRoom(run.value.run, run.value.uploads, 'assets');
        if (!room.ok) return room;
        return (await collectRuns.addAsset(permit, asset, run.value)) ? ok({ asset, duplicate: false }) : CONFLICT;
      });
    };
  };

/** The fields of a capture as sent. `meta` and `assets` are JSON strings. */
export type CaptureFields = Omit<
  Capture,
  'run_id' | 'number' | 'meta' | 'assets' | 'image' | 'html' | 'received_at'
> & { readonly meta: string | null; readonly assets: string | null };

export type CaptureUpload = RunNamed & {
  /** The fields, and the declared checksums and sizes of files that were sent or are promised. */
  readonly body: CaptureFields &
    Readonly<Record<`${CaptureFile}_sha256`, string | null> & Record<`${CaptureFile}_size`, number | null>>;
  readonly files: Readonly<Record<CaptureFile, ReceivedFile | null>>;
};

/** The fields of a capture that the upload returns. */
const captureView = ({ number, key, url, viewport, lang, outcome, meta, image, html, received_at }: Capture) => {
  return { number, key, url, viewport, lang, outcome, meta, image, html, received_at };
};

/** The parts of a capture that must be read before they are stored. */
type Content = {
  readonly content: Pick<Capture, 'meta' | 'assets' | 'image' | 'html'>;
  readonly promised: PromisedFiles;
};

export type AddedCapture = {
  readonly capture: ReturnType<typeof captureView>;
  /** True if the run already had a capture with this key, which the new one replaces. */
  readonly replaced: boolean;
  /** Signed uploads for the promised files that the store lacks; null if it lacks none. */
  readonly uploads: SignedUploads | null;
};

const fileOf = ({ sha256, size }: ReceivedFile): StoredFile => ({ sha256, size });

/**
 * Stores one page of a run. Captures are numbered in the order in which their keys first arrive; a capture with a known
 * key replaces the earlier one and keeps its number. A file may be promised instead of sent; its bytes then arrive by a
 * signed upload, and the replay reports it as missing if they never do.
 */
export const addCapture = ({
  collectRuns,
  objects,
  clock,
  pauses,
  collectSettings,
  imageReader,
}: Ports & Needs<'imageReader'>) => {
  const contentOf = async (
    run: CollectRun,
    { body, files: { image, html } }: CaptureUpload,
  ): Promise<Outcome<Content, 'validation_failed'>> => {
    const [meta, assets] = [readMeta(body.meta, run), readPageAssets(body.assets)];
    const { image_sha256, image_size, html_sha256, html_size } = body;
    const later = judgePromise('image', { sha256: image_sha256, size: image_size }, image);
    const laterHtml = judgePromise('html', { sha256: html_sha256, size: html_size }, html);
    const measured = image === null ? ok(null) : await imageOf(image);
    const outside = outsideOfRun(run, body);
    const isInside = Object.keys(outside).length === 0;
    if (isInside && meta.ok && assets.ok && measured.ok && later.ok && laterHtml.ok) {
      const promised = { image: later.value, html: laterHtml.value };
      const content = {
        meta: meta.value,
        assets: assets.value,
        image: measured.value ?? (promised.image && promisedImage(promised.image)),
        html: html ? fileOf(html) : promised.html,
      };
      return ok({ content, promised });
    }
    const refused = [meta, assets, measured, later, laterHtml].filter((outcome) => !outcome.ok);
    return invalid(Object.assign(outside, ...refused.map(({ data }) => data?.['errors'] as FieldErrors)));
  };

  const imageOf = async (file: ReceivedFile): Promise<Outcome<StoredImage, 'validation_failed'>> => {
    const judged = judgeImage(imageReader.measure(await readHead(file)));
    return judged.ok ? ok({ ...fileOf(file), ...judged.value }) : judged;
  };

  const store = async (permit: Permit, file: ReceivedFile | null): Promise<void> => {
    if (file === null) return;
    await objects.put(permit, designObjectKey(file.sha256), file.open(), fileOf(file));
  };

  return async function addCapture(
    input: CaptureUpload,
  ): TwoSteps<Outcome<AddedCapture, 'not_found' | 'collect_run_closed' | 'validation_failed'>> {
    const { params, body, files } = input;
    const read = async () => {
      const [collecting, number] = await Promise.all([
        readCollecting(collectRuns, params.run),
        params.run === null ? undefined : collectRuns.numberOf(params.run, body.key),
      ]);
      return { ...collecting, number };
    };
    const first = await read();
    const judged = judgeCollecting(first, input, clock.now());
    if (!judged.ok) return judged;
    const checked = await contentOf(judged.value.run, input);
    if (!checked.ok) return checked;
    return async ({ permit }: Clearance) => {
      const { leaseSeconds } = collectSettings;
      const { content, promised } = checked.value;
      const uploadsEnd = toInstant(millis(clock.now()) + UPLOAD_MS);
      const [signed] = await Promise.all([
        signUploads(permit, objects, promised, uploadsEnd),
        store(permit, files.image),
        store(permit, files.html),
        renewLease(permit, collectRuns, first.held, { leaseSeconds, now: clock.now() }),
      ]);
      return rereading(pauses, first, read, async (found) => {
        const now = clock.now();
        const own = judgeCollecting(found, input, now);
        if (!own.ok) return own;
        const { run, uploads } = own.value;
        const room = found.number === undefined ? judgeRoom(run, uploads, 'captures') : ok(null);
        if (!room.ok) return room;
        const number = found.number ?? uploads.captures + 1;
        const { image_sha256: _, image_size: __, html_sha256: ___, html_size: ____, ...fields } = body;
        const capture: Capture = { ...fields, ...content, run_id: run.id, number, received_at: now };
        if (!(await collectRuns.putCapture(permit, capture, own.value))) return CONFLICT;
        return ok({ capture: captureView(capture), replaced: found.number !== undefined, uploads: signed });
      });
    };
  };
};
