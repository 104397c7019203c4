import type { Permit } from '../../domain/access/permit.ts';
import type { Capture } from '../../domain/collect/capture.ts';
import { judgeImage } from '../../domain/collect/image-bounds.ts';
import {
  type CaptureFile,
  judgePromise,
  promisedImage,
  type ToldFile,
  UPLOAD_MS,
} from '../../domain/collect/promised-file.ts';
import type { CollectRun } from '../../domain/collect/run.ts';
import { judgeRoom, outsideOfRun } from '../../domain/collect/run-rules.ts';
import { readMeta, readPageAssets } from '../../domain/collect/upload-text.ts';
import { type FieldErrors, invalid } from '../../domain/shared/field-errors.ts';
import { millis, toInstant } from '../../domain/shared/instant.ts';
import { type Outcome, ok } from '../../domain/shared/outcome.ts';
import { designObjectKey, type StoredFile, type StoredImage } from '../../domain/shared/stored-file.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { CONFLICT, rereading } from '../shared/contended.ts';
import type { ReceivedFile } from '../shared/files.ts';
import type { Clearance, TwoSteps } from '../shared/steps.ts';
import type { CollectSettings } from './collect-settings.ts';
import { judgeCollecting, type RunNamed, readCollecting } from './own-run.ts';
import { readHead } from './read-head.ts';
import { renewLease } from './renew-lease.ts';
import { type PromisedFiles, type SignedUploads, signUploads } from './sign-uploads.ts';

export type Ports = Needs<'clock' | 'collectRuns' | 'imageReader' | 'objects' | 'pauses'> & {
  collectSettings: CollectSettings;
};

/** The fields of a capture as they were sent. `meta` and `assets` are JSON as text. */
export type CaptureFields = Omit<
  Capture,
  'run_id' | 'number' | 'meta' | 'assets' | 'image' | 'html' | 'received_at'
> & { readonly meta: string | null; readonly assets: string | null };

export type Input = RunNamed & {
  readonly fields: CaptureFields;
  readonly image: ReceivedFile | null;
  readonly html: ReceivedFile | null;
  /** The sums and sizes that were told, of files that were sent or are promised. */
  readonly told: Readonly<Record<CaptureFile, ToldFile>>;
};

/** The parts of a capture that have to be read before they are kept. */
type Content = {
  readonly kept: Pick<Capture, 'meta' | 'assets' | 'image' | 'html'>;
  readonly promised: PromisedFiles;
};

export type AddedCapture = {
  readonly capture: Capture;
  /** True where the run had a capture of this key, which the new one replaces. */
  readonly replaced: boolean;
  /** The uploads of the promised files that the store lacks; null where it lacks none. */
  readonly uploads: SignedUploads | null;
};

const fileOf = ({ sha256, size }: ReceivedFile): StoredFile => ({ sha256, size });

/**
 * Takes in one page of a run. Captures are numbered in the order in which their keys arrive first; the same key again
 * replaces its capture, which keeps its number. A file may be promised instead of sent; the bytes then come by a signed
 * upload, and the replay misses them if they never do.
 */
export const addCapture = ({ collectRuns, objects, clock, pauses, collectSettings, imageReader }: Ports) => {
  const contentOf = async (
    run: CollectRun,
    { fields, image, html, told }: Input,
  ): Promise<Outcome<Content, 'validation_failed'>> => {
    const [meta, assets] = [readMeta(fields.meta, run), readPageAssets(fields.assets)];
    const [later, laterHtml] = [judgePromise('image', told.image, image), judgePromise('html', told.html, html)];
    const measured = image === null ? ok(null) : await imageOf(image);
    const outside = outsideOfRun(run, fields);
    const isInside = Object.keys(outside).length === 0;
    if (isInside && meta.ok && assets.ok && measured.ok && later.ok && laterHtml.ok) {
      const promised = { image: later.value, html: laterHtml.value };
      const kept = {
        meta: meta.value,
        assets: assets.value,
        image: measured.value ?? (promised.image && promisedImage(promised.image)),
        html: html ? fileOf(html) : promised.html,
      };
      return ok({ kept, promised });
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

  return async (
    input: Input,
  ): TwoSteps<Outcome<AddedCapture, 'not_found' | 'collect_run_closed' | 'validation_failed'>> => {
    const { runId, fields } = input;
    const read = async () => {
      const [collecting, number] = await Promise.all([
        readCollecting(collectRuns, runId),
        runId === null ? undefined : collectRuns.numberOf(runId, fields.key),
      ]);
      return { ...collecting, number };
    };
    const first = await read();
    const judged = judgeCollecting(first, input, clock.now());
    if (!judged.ok) return judged;
    const content = await contentOf(judged.value.run, input);
    if (!content.ok) return content;
    return async ({ permit }: Clearance) => {
      const { leaseSeconds } = collectSettings;
      const { kept, promised } = content.value;
      const uploadsEnd = toInstant(millis(clock.now()) + UPLOAD_MS);
      const [signed] = await Promise.all([
        signUploads(permit, objects, promised, uploadsEnd),
        store(permit, input.image),
        store(permit, input.html),
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
        const capture: Capture = { ...fields, ...kept, run_id: run.id, number, received_at: now };
        if (!(await collectRuns.putCapture(permit, capture, own.value))) return CONFLICT;
        return ok({ capture, replaced: found.number !== undefined, uploads: signed });
      });
    };
  };
};

export type AddCapture = ReturnType<typeof addCapture>;
