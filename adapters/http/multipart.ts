import { Busboy, type BusboyFileStream, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import type { Request } from 'express';
import type { ReceivedFile } from '../../application/shared/received-file.ts';
import { type Outcome, ok, type Refused, refuse } from '../../domain/shared/outcome.ts';
import type { UploadSpec } from '../../ports/inbound/endpoint.ts';
import type { RefusalCode } from '../../ports/inbound/refusals.ts';
import { Form } from '../pipeline/input.ts';
import type { Spool } from './spool.ts';

const MAX_FIELDS = 64;
const MAX_FIELD_NAME = 100;
/** Of one part; names and types need far less. */
const MAX_HEADER_BYTES = 4096;
/** For boundaries and headers of the parts. */
const FRAME_BYTES = 64 * 1024;

/** What the fields together and the file may have, in bytes. */
export type FormLimits = { readonly fieldBytes: number; readonly upload: UploadSpec };

type Refusal = Refused<RefusalCode>;

const tooLarge = (what: string, bytes: number): Refusal =>
  refuse('body_too_large', { message: `${what} is too large; this call takes at most ${bytes} bytes of it.` });

const malformed = (): Refusal =>
  refuse('malformed_body', { message: 'The body is not valid multipart/form-data, or it broke off.' });

const invalid = (field: string, sentence: string): Refusal =>
  refuse('validation_failed', { data: { errors: { [field]: [sentence] } } });

/** A name for people to read: no directories, which the parser has taken away, nor characters that move a cursor. */
const nameOf = (filename: string): string =>
  filename
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, '')
    .slice(0, 255);

const typeOf = (type: string): string =>
  /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(type) ? type.toLowerCase() : 'application/octet-stream';

/**
 * Reads multipart/form-data (RFC 7578) with at most one file, which goes to the spool as it comes: memory stays the same
 * however long it is. What is over a limit is refused as soon as that is known, by its Content-Length before anything is
 * read. An empty field is null, as everywhere; of a field named twice the last counts.
 */
export const readForm = (req: Request, spool: Spool, limits: FormLimits): Promise<Outcome<Form, RefusalCode>> => {
  const { fieldBytes, upload } = limits;
  const wholeBytes = upload.maxBytes + fieldBytes + FRAME_BYTES;
  const declared = Number(req.headers['content-length'] ?? 0);
  if (declared > wholeBytes) return Promise.resolve(tooLarge(`The file ${upload.part}`, upload.maxBytes));
  const parser = parserOf(req, limits);
  // A request that was broken off before it was read tells nobody of its end any more.
  if (!parser || req.destroyed) return Promise.resolve(malformed());
  const fields = new Map<string, string | null>();
  let file: Promise<ReceivedFile | null> = Promise.resolve(null);
  let stream: BusboyFileStream | undefined;
  let [readBytes, fieldsBytes, ended] = [0, 0, false];

  return new Promise((resolve, reject) => {
    /** Whatever comes after the first end is of no interest. */
    const end = (told: () => void): void => {
      if (ended) return;
      ended = true;
      req.unpipe(parser).off('data', count).off('aborted', broken).off('error', broken);
      told();
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
      if (readBytes > wholeBytes) stop(tooLarge(`The file ${upload.part}`, upload.maxBytes));
    };
    const broken = (): void => stop(malformed());

    parser.on('field', (name, value, nameTruncated, valueTruncated) => {
      fieldsBytes += Buffer.byteLength(value);
      if (nameTruncated) return stop(malformed());
      if (valueTruncated || fieldsBytes > fieldBytes) return stop(tooLarge(`The field ${name}`, fieldBytes));
      fields.set(name, value === '' ? null : value);
    });
    parser.on('file', (name, bytes, filename, _encoding, type) => {
      bytes.on('error', () => {});
      // The parser goes on with what it was given last; a spool would wait for an end that doesn't come.
      if (ended) return;
      stream = bytes;
      if (name !== upload.part) return stop(invalid(name, 'This field takes no file.'));
      bytes.on('limit', () => stop(tooLarge(`The file ${name}`, upload.maxBytes)));
      const named = nameOf(filename);
      file = spool.write(bytes).then((kept) =>
        // What a browser sends for a file that wasn't chosen.
        kept.size === 0 && named === '' ? null : { ...kept, name: named || name, type: typeOf(type) },
      );
      // A fault of the disk, unless it is the end that a refusal made of it.
      file.catch(fail);
    });
    parser.on('filesLimit', () => stop(invalid(upload.part, `The ${upload.part} field must be one file.`)));
    for (const limit of ['fieldsLimit', 'partsLimit'] as const) {
      parser.on(limit, () => stop(refuse('body_too_large', { message: `A form takes at most ${MAX_FIELDS} fields.` })));
    }
    parser.on('error', broken);
    parser.on('finish', () => {
      file.then((received) => end(() => resolve(ok(new Form(Object.fromEntries(fields), received)))), fail);
    });
    req.on('data', count).on('aborted', broken).on('error', broken);
    req.pipe(parser);
  });
};

/** Undefined where the type names no boundary. */
const parserOf = (req: Request, { fieldBytes, upload }: FormLimits): BusboyInstance | undefined => {
  try {
    return new Busboy({
      headers: req.headers as BusboyHeaders,
      isPartAFile: (_name, _type, filename) => filename !== undefined,
      limits: {
        fieldNameSize: MAX_FIELD_NAME,
        fieldSize: fieldBytes,
        fields: MAX_FIELDS,
        files: 1,
        parts: MAX_FIELDS + 1,
        fileSize: upload.maxBytes,
        headerPairs: 16,
        headerSize: MAX_HEADER_BYTES,
      },
    });
  } catch {
    return undefined;
  }
};
