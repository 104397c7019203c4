import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { type Ok, ok, type Refused, refuse } from '../../domain/shared/outcome.ts';

/** The maximum size of a text file in bytes. The files that a store document names may be larger. */
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * Decodes UTF-8, or UTF-16 with a byte order mark, and removes the mark. Throws for another encoding or binary data,
 * because a replacement character would be published, mailed or stored.
 */
const textOf = (bytes: Buffer): string => {
  const mark = bytes.subarray(0, 2).toString('hex');
  const encoding = mark === 'fffe' ? 'UTF-16LE' : mark === 'feff' ? 'UTF-16BE' : 'UTF-8';
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // The location of the fault is found below.
  }
  const decoded = Buffer.from(bytes.toString());
  const place = bytes.findIndex((byte, n) => byte === 0 || byte !== decoded[n]);
  const [at, byte = 0] = [place < 0 ? bytes.length - 1 : place, bytes.at(place)];
  const why = encoding === 'UTF-8' ? `: byte 0x${byte.toString(16).toUpperCase().padStart(2, '0')} at ${at}` : '';
  throw new Error(`is not ${encoding}${why}; save it as UTF-8`);
};

type Source = { readonly file: string; readonly input?: Readable; readonly most?: number };

/** Reads bytes and decodes them. They are counted as they come, because a pipe or a device has no size. */
const readBytes = async <T, Code extends string>(
  { file, input = createReadStream(file), most = MOST_BYTES }: Source,
  code: Code,
  undone: string,
  decoded: (bytes: Buffer<ArrayBuffer>) => T,
): Promise<Ok<T> | Refused<Code>> => {
  const refused = (why: string) => refuse(code, { message: `${file} ${why}; ${undone}.` });
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of input) {
      chunks.push(Buffer.from(chunk));
      size += chunk.length;
      if (size > most) return refused(`has more than ${most} bytes, the most that it may have`);
    }
    return ok(decoded(Buffer.concat(chunks)));
  } catch (error) {
    const { code: fault, message } = error as NodeJS.ErrnoException;
    return refused(fault === 'ENOENT' ? 'does not exist' : fault ? `can't be read (${fault})` : message);
  }
};

/** Reads an operator's file of 1 to `most` bytes. `undone` ends the message of a refusal, such as `nothing was sent`. */
export const readSmallFile = (file: string, most: number, undone: string) =>
  readBytes({ file, most }, 'file_not_readable', undone, (bytes) => {
    if (bytes.length === 0) throw new Error('is empty');
    return new File([bytes], basename(file));
  });

/**
 * Reads the text of an operator's file, or of `input` under that name. A refusal names the file; `undone` ends its
 * message, such as `nothing was imported`.
 */
export const readText = <Code extends string>(
  source: Source,
  code: Code,
  undone: string,
): Promise<Ok<string> | Refused<Code>> => readBytes(source, code, undone, textOf);
