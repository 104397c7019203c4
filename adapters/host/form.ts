import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { Busboy, type BusboyFileStream, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import type { ReceivedFile } from '../../application/shared/files.ts';
import { type Outcome, ok, type Refused, refuse } from '../../domain/shared/outcome.ts';
import type { FileSpec } from '../../ports/inbound/endpoint.ts';
import type { RefusalCode } from '../../ports/inbound/refusals.ts';
import type { ReadBody } from '../pipeline/input.ts';
import { BODY_PACE, BodyPace, type Pace } from './body-pace.ts';
import type { HostHeaders, HostRequest } from './request.ts';
import type { Spool } from './spool.ts';

const MAX_FIELDS = 64;
/** The maximum size of one part's headers; names and types need far less. */
const MAX_HEADER_BYTES = 4096;
/** The maximum size of the boundaries and headers of all parts. */
const FRAME_BYTES = 64 * 1024;

export type FormLimits = {
  readonly fieldBytes: number;
  readonly files: Readonly<Record<string, FileSpec>>;
  /** The minimum pace of the form, if it differs from that of all files. */
  readonly pace?: Pace;
};

type Refusal = Refused<RefusalCode>;

const tooLarge = (what: string, bytes: number): Refusal =>
  refuse('body_too_large', { message: `${what} is too large; it may have at most ${bytes} bytes.` });

const malformed = (message = 'The body is not valid multipart/form-data or is incomplete.'): Refusal =>
  refuse('malformed_body', { message });

const invalid = (field: string, sentence: string): Refusal =>
  refuse('validation_failed', { data: { errors: { [field]: [sentence] } } });

/** The file name as people see it. The parser has removed directories; this removes control characters. */
const nameOf = (filename: string): string =>
  filename
    .replaceAll(/\p{Cc}/gu, '')
    .slice(0, 255)
    .toWellFormed();

const typeOf = (type: string): string =>
  /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(type) ? type.toLowerCase() : 'application/octet-stream';

/** The maximum size of a whole form, and the refusal of a larger one. */
const whole = ({ fieldBytes, files }: FormLimits): { bytes: number; refusal: Refusal } => {
  const parts = Object.entries(files);
  const fileBytes = parts.reduce((sum, [, { maxBytes }]) => sum + maxBytes, 0);
  const what = parts.length === 1 ? `The file ${parts[0]?.[0]}` : 'The form';
  return { bytes: fileBytes + fieldBytes + FRAME_BYTES, refusal: tooLarge(what, fileBytes) };
};

/**
 * Reads multipart/form-data (RFC 7578) with each of the declared files at most once. Files stream to the spool, so
 * memory use does not grow with their size. A form is refused as soon as it exceeds a limit, before anything is read if
 * its Content-Length does, and after a while if it stalls. Fields are UTF-8, whatever their parts declare. An empty
 * field is null. If a field occurs twice, the last value counts. Rejects with a fault of the disk.
 */
export const readForm = (
  request: Pick<HostRequest, 'headers' | 'length' | 'body'>,
  spool: Spool,
  limits: FormLimits,
): Promise<Outcome<ReadBody, RefusalCode>> => {
  const { fieldBytes, files } = limits;
  const most = whole(limits);
  if (request.length !== undefined && request.length > most.bytes) return Promise.resolve(most.refusal);
  const parser = parserOf(request.headers, limits);
  if (!parser) return Promise.resolve(malformed());
  const incoming = request.body();
  const body = incoming instanceof Uint8Array ? Readable.from([incoming], { objectMode: false }) : incoming;
  // A stream destroyed before it is read emits no end.
  if (body.destroyed) return Promise.resolve(malformed());
  const fields = new Map<string, string | null>();
  const received = new Map<string, Promise<ReceivedFile | null>>();
  let stream: BusboyFileStream | undefined;
  let [readBytes, fieldsBytes, ended] = [0, 0, false];

  return new Promise((resolve, reject) => {
    /** Settles the result once. Later events are ignored. */
    const end = (settle: () => void): void => {
      if (ended) return;
      ended = true;
      watch.end();
      body.unpipe(parser).off('data', count).off('close', broken);
      settle();
    };
    const stop = (refusal: Refusal): void =>
      end(() => {
        stream?.destroy(new Error('The body was refused.'));
        parser.destroy();
        resolve(refusal);
      });
    const fail = (error: unknown): void => end(() => reject(error));
    const count = (chunk: Buffer): void => {
      readBytes += chunk.length;
      watch.took(chunk.length);
      if (readBytes > most.bytes) stop(most.refusal);
    };
    const broken = (): void => stop(malformed());
    const watch = new BodyPace(limits.pace ?? BODY_PACE, () => stop(refuse('body_too_slow')));

    const takeField = (name: string, bytes: BusboyFileStream): void => {
      const chunks: Buffer[] = [];
      bytes.on('data', (chunk: Buffer) => {
        fieldsBytes += chunk.length;
        if (fieldsBytes > fieldBytes) return stop(tooLarge(`The field ${name}`, fieldBytes));
        chunks.push(chunk);
      });
      bytes.once('end', () => {
        const value = Buffer.concat(chunks);
        if (!isUtf8(value)) return stop(malformed(`The field ${name} is not valid UTF-8.`));
        fields.set(name, value.length === 0 ? null : value.toString());
      });
    };
    // Fields are parsed as files too, because the parser would replace bytes of a field that are not UTF-8.
    parser.on('file', (name, bytes, filename: string | undefined, _encoding, type) => {
      bytes.on('error', () => {});
      // The parser still works through its last chunk. Spooling another file would wait for an end that never comes.
      if (ended) return;
      if (filename === undefined) return takeField(name, bytes);
      stream = bytes;
      const spec = Object.hasOwn(files, name) ? files[name] : undefined;
      if (!spec) return stop(invalid(name, 'This field takes no file.'));
      if (received.has(name)) return stop(invalid(name, `The ${name} field must be one file.`));
      let size = 0;
      bytes.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > spec.maxBytes) stop(tooLarge(`The file ${name}`, spec.maxBytes));
      });
      const named = nameOf(filename);
      const file = spool.write(bytes).then((spooled) =>
        // A browser sends an empty file without a name if the person chose none.
        spooled.size === 0 && named === '' ? null : { ...spooled, name: named || name, type: typeOf(type) },
      );
      received.set(name, file);
      // A fault of the disk. After a refusal, which destroys the stream, `fail` does nothing.
      file.catch(fail);
    });
    parser.on('partsLimit', () =>
      stop(refuse('body_too_large', { message: `A form may have at most ${MAX_FIELDS} fields.` })),
    );
    parser.on('error', broken);
    parser.on('finish', () => {
      Promise.all(received.values()).then((stored) => {
        const byPart = Object.fromEntries([...received.keys()].map((name, n) => [name, stored[n] ?? null]));
        end(() => resolve(ok({ fields: Object.fromEntries(fields), files: byPart })));
      }, fail);
    });
    // The listener for errors stays, because the stream may fail later and has no other listener.
    body.on('data', count).on('close', broken).on('error', broken);
    // A close before the end means a broken form. After the end, files may still be being written to disk.
    body.once('end', () => {
      watch.end();
      body.off('close', broken);
    });
    body.pipe(parser);
  });
};

/** The parser of the form; undefined if the content type names no boundary. */
const parserOf = (headers: HostHeaders, { files }: FormLimits): BusboyInstance | undefined => {
  try {
    return new Busboy({
      headers: headers as BusboyHeaders,
      isPartAFile: () => true,
      limits: {
        parts: MAX_FIELDS + Object.keys(files).length + 1,
        headerPairs: 16,
        headerSize: MAX_HEADER_BYTES,
      },
    });
  } catch {
    return undefined;
  }
};
