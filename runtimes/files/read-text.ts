import { createReadStream, openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { type Ok, ok, type Refused, refuse } from '../../domain/shared/outcome.ts';

/** Reads an operator's file of at most `most` bytes. `undone` ends the message of a refusal, such as `nothing was sent`. */
export const readSmallFile = async (file: string, most: number, undone: string) => {
  try {
    const blob = await openAsBlob(file);
    if (blob.size <= most) return ok(new File([new Uint8Array(await blob.arrayBuffer())], basename(file)));
    return refuse('file_too_large', { message: `${file} has more than ${most} bytes; ${undone}.` });
  } catch {
    return refuse('file_not_readable', { message: `${file} does not exist or can't be read; ${undone}.` });
  }
};

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

/**
 * Reads the text of an operator's file, or of `input` under that name. A refusal names the file; `undone` ends its
 * message, such as `nothing was imported`.
 */
export const readText = async <Code extends string>(
  { file, input = createReadStream(file), most = MOST_BYTES }: { file: string; input?: Readable; most?: number },
  code: Code,
  undone: string,
): Promise<Ok<string> | Refused<Code>> => {
  const refused = (why: string) => refuse(code, { message: `${file} ${why}; ${undone}.` });
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of input) {
      chunks.push(Buffer.from(chunk));
      size += chunk.length;
      if (size > most) return refused(`has more than ${most} bytes, the most that it may have`);
    }
    return ok(textOf(Buffer.concat(chunks)));
  } catch (error) {
    const { code: fault, message } = error as NodeJS.ErrnoException;
    return refused(fault === 'ENOENT' ? 'does not exist' : fault ? `can't be read (${fault})` : message);
  }
};
