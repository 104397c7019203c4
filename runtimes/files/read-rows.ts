import { CsvError, parse } from 'csv-parse/sync';
import { columnFault, type EarlierRow } from '../../domain/licensing/earlier-license.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import { readText } from './read-text.ts';

type Parsed = { readonly record: Readonly<Record<string, string>>; readonly info: { readonly lines: number } };

/**
 * The rows of a CSV file (RFC 4180) whose first line names its columns. The separator is a comma, or if that line has
 * none, a semicolon or tab, as in files from Excel.
 */
export const readRows = async (file: string): Promise<Outcome<readonly EarlierRow[], 'unreadable_rows'>> => {
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
    return ok(parsed.map(({ record, info }) => ({ line: info.lines, fields: record })));
  } catch (error) {
    if (error instanceof CsvError) return unreadable(`is no CSV file: ${error.message}`);
    throw error;
  }
};
