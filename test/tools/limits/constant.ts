import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..', '..');

/** A number of the code, and the file that declares it. */
export type Constant = { readonly value: number; readonly file: string };

/** Units that declarations are written in. */
const UNITS: Readonly<Record<string, number>> = { DAY_MS: 86_400_000, MINUTE_MS: 60_000, HOUR: 3600 };
const ARITHMETIC = /^[\d\s+*/().-]+$/;

/** The forms in which a number is declared: a constant, or a member of an object. A type may have the same name. */
const declarations = (source: string, name: string): string[] =>
  Array.from(
    source.matchAll(new RegExp(String.raw`(?:\bconst |[{,\n]\s*)${name}(?:: \w+)?\s*[=:]\s*([^;,}]+)[;,}]`, 'g')),
    ([, expression]) => expression as string,
  );

/** The number that a declaration is written as. Names in it are units or constants of the same file. */
const numberOf = (source: string, name: string): number =>
  declarations(source, name)
    .map((expression) => {
      const numbers = expression
        .replace(/[A-Z][A-Z_]*\b/g, (word) =>
          String(UNITS[word] ?? (word === name ? Number.NaN : numberOf(source, word))),
        )
        .replaceAll('_', '');
      return ARITHMETIC.test(numbers) ? (Function(`return (${numbers})`)() as number) : Number.NaN;
    })
    .find(Number.isFinite) ?? Number.NaN;

/**
 * The value of a constant or of an object’s member, read from its declaration, so that a limit need not be exported for
 * the table's sake. Throws where the file declares no number of this name.
 */
export const constant = (file: string, name: string): Constant => {
  const source = readFileSync(join(ROOT, file), 'utf8');
  const value = numberOf(source, name);
  if (!Number.isFinite(value)) throw new Error(`${file} declares no number ${name}; mend the row of docs/limits.md.`);
  return { value, file };
};

/**
 * A number that code has within an expression, such as the length in a regular expression: the group of the pattern.
 * Throws where the file has no such text.
 */
export const written = (file: string, pattern: RegExp): Constant => {
  const value = Number(pattern.exec(readFileSync(join(ROOT, file), 'utf8'))?.[1]?.replaceAll('_', ''));
  if (!Number.isFinite(value)) throw new Error(`${file} has no ${pattern}; mend the row of docs/limits.md.`);
  return { value, file };
};
