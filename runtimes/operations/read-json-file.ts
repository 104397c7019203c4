import { open } from 'node:fs/promises';
import jsonc from 'jsonc-parser';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';

const BYTE_ORDER_MARK = '\uFEFF';

/** Turns `PropertyNameExpected` into `property name expected`. */
const inWords = (name: string): string => name.replaceAll(/(?<!^)[A-Z]/g, ' $&').toLowerCase();

/** The line, the column and the reason of the first error in the text. */
const whatIsWrong = (text: string, error: unknown): string => {
  const errors: jsonc.ParseError[] = [];
  jsonc.parse(text, errors, { disallowComments: true });
  const [first] = errors;
  if (!first) return String(error);
  const before = text.slice(0, first.offset).split('\n');
  const column = (before.at(-1) ?? '').length + 1;
  return `line ${before.length}, column ${column}: ${inWords(jsonc.printParseErrorCode(first.error))}`;
};

/** Parses a JSON text. The message of a refusal names line and column. */
const parseJson = (text: string): Outcome<unknown, 'malformed_json'> => {
  try {
    return ok(JSON.parse(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text));
  } catch (error) {
    return refuse('malformed_json', { message: whatIsWrong(text, error) });
  }
};

/** The most bytes of a document. The files beside it may be larger. */
const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;

export type Unreadable = 'unreadable_document' | 'malformed_json';

const readText = async (file: string, undone: string): Promise<Outcome<string, Unreadable>> => {
  const unreadable = (why: string) => refuse('unreadable_document', { message: `${file} ${why}; ${undone}.` });
  try {
    await using handle = await open(file, 'r');
    const { size } = await handle.stat();
    if (size > MAX_DOCUMENT_BYTES) return unreadable('is larger than 64 MiB, the most that a document may be');
    return ok(await handle.readFile('utf8'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return unreadable(code === 'ENOENT' ? 'does not exist' : `can't be read (${code})`);
  }
};

/**
 * Reads the JSON value in an operator's file. `undone` ends the message of a refusal, such as `nothing was imported`.
 */
export const readJsonFile = async (file: string, undone: string): Promise<Outcome<unknown, Unreadable>> => {
  const text = await readText(file, undone);
  if (!text.ok) return text;
  const json = parseJson(text.value);
  return json.ok ? json : { ...json, message: `${file} is not JSON, ${json.message}; ${undone}.` };
};
