import { CsvError, parse } from 'csv-parse/sync';
import type { RefusedRow } from '../../application/licensing/license-keys.ts';
import {
  columnFault,
  type EarlierEnd,
  type EarlierLicense,
  earlierLicense,
} from '../../domain/licensing/earlier-license.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import { readText } from './read-text.ts';

type Parsed = { readonly record: Readonly<Record<string, string>>; readonly info: { readonly lines: number } };

type EarlierLicenses = {
  readonly licenses: readonly EarlierLicense[];
  readonly refused: readonly RefusedRow[];
  /** The number of rows without a key, or with a revoked license. */
  readonly left_out: number;
};

/**
 * The licenses in a CSV file (RFC 4180) whose first line names its columns. The separator is a comma, or if that line has
 * none, a semicolon or tab, as in files from Excel.
 */
export const readLicenses = async (
  file: string,
  ends: EarlierEnd,
): Promise<Outcome<EarlierLicenses, 'unreadable_rows'>> => {
  const unreadable = (why: string) => refuse('unreadable_rows', { message: `${file} ${why}; nothing was imported.` });
  const read = await readText({ file }, 'unreadable_rows', 'nothing was imported');
  if (!read.ok) return read;
  // The parser counts a CRLF within quotes as two lines.
  const text = read.value.replaceAll('\r\n', '\n');
  const [first = ''] = text.split(/[\r\n]/, 1);
  let columns: readonly string[] = [];
  try {
    const parsed = parse(text, {
      columns: (header: string[]) => (columns = header),
      delimiter: [',', ';'].find((one) => first.includes(one)) ?? '\t',
      info: true,
      skip_empty_lines: true,
    }) as unknown as readonly Parsed[];
    const fault = columnFault(columns);
    if (fault !== null) return unreadable(fault);
    const refused: RefusedRow[] = [];
    const licenses = parsed.flatMap(({ record, info: { lines: line } }) => {
      const license = earlierLicense({ line, fields: record }, ends);
      if (license.ok) return license.value ?? [];
      refused.push({ line, message: license.message ?? '' });
      return [];
    });
    return ok({ licenses, refused, left_out: parsed.length - licenses.length - refused.length });
  } catch (error) {
    if (error instanceof CsvError) return unreadable(`is no CSV file: ${error.message}`);
    throw error;
  }
};
