import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { type Ok, ok, type Refused, refuse } from '../../domain/shared/outcome.ts';

const MIB = 1024 * 1024;

/** The most bytes of a text file. The files that a store document names may be larger. */
const MOST_BYTES = 64 * MIB;

/** UTF-16 has its own mark at the beginning; any other text is UTF-8. */
const utf16Of = ([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined =>
  first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : undefined;

/** The first byte that makes the bytes no UTF-8, and its place. */
const firstWrong = (bytes: Buffer): string => {
  const decoded = Buffer.from(bytes.toString());
  const differs = bytes.findIndex((byte, n) => byte !== decoded[n]);
  const at = differs < 0 ? bytes.length - 1 : differs;
  const line = bytes.subarray(0, at).toString('latin1').split('\n').length;
  return `byte 0x${bytes
    .subarray(at, at + 1)
    .toString('hex')
    .toUpperCase()} at ${at}, in line ${line}`;
};

/**
 * The text of bytes in UTF-8, or in UTF-16 with its mark. The mark of either is taken off. Bytes in another encoding
 * and those of no text are refused, because a replaced character would be published, mailed or stored as it is.
 */
export const textOf = (bytes: Buffer): { readonly text: string } | { readonly fault: string } => {
  const utf16 = utf16Of(bytes);
  if (!utf16 && !isUtf8(bytes)) return { fault: `is not UTF-8 (${firstWrong(bytes)}), so save it as UTF-8` };
  try {
    const text = new TextDecoder(utf16 ?? 'utf-8', { fatal: true }).decode(bytes);
    const nul = text.indexOf('\0');
    return nul < 0 ? { text } : { fault: `is no text (character 0 at ${nul}), so save it as UTF-8` };
  } catch {
    return { fault: 'is not UTF-16, although it begins with its mark, so save it as UTF-8' };
  }
};

export type TextSource = {
  readonly file: string;
  /** The bytes, where they don't come from the file of that name. */
  readonly input?: Readable;
  readonly most?: number;
};

/**
 * Reads the text of an operator's file (`textOf`). The refusal names the file; `undone` ends its message, such as
 * `nothing was imported`.
 */
export const readText = async <Code extends string>(
  { file, input = createReadStream(file), most = MOST_BYTES }: TextSource,
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
      if (size > most)
        return refused(`is larger than ${most < MIB ? `${most} bytes` : `${most / MIB} MiB`}, the most that it may be`);
    }
  } catch (error) {
    const { code: fault } = error as NodeJS.ErrnoException;
    if (fault === undefined) throw error;
    return refused(fault === 'ENOENT' ? 'does not exist' : `can't be read (${fault})`);
  }
  const read = textOf(Buffer.concat(chunks));
  return 'fault' in read ? refused(read.fault) : ok(read.text);
};
