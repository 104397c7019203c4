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
export const parseJson = (text: string): Outcome<unknown, 'malformed_json'> => {
  try {
    return ok(JSON.parse(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text));
  } catch (error) {
    return refuse('malformed_json', { message: whatIsWrong(text, error) });
  }
};
