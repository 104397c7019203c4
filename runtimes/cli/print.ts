/** Control characters, ends of lines and paragraphs, and what formats text without being seen, its direction included. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}[\p{Cf}&&\p{Default_Ignorable_Code_Point}]]/gv;

/** Text on one line as a terminal may be given it: nothing in it moves the cursor, changes colours, turns or hides text. */
export const plain = (value: string | number | null): string => String(value ?? '-').replaceAll(UNSEEN, ' ');

/** Rows under their headings, aligned; numbers to the right. */
export const table = (headings: readonly string[], rows: readonly (readonly (string | number | null)[])[]): string => {
  const texts = [headings, ...rows.map((row) => row.map(plain))];
  const widths = headings.map((_, column) => Math.max(...texts.map((row) => row[column]?.length ?? 0)));
  const isNumeric = headings.map((_, column) => rows.every((row) => typeof row[column] === 'number'));
  const cell = (text: string, column: number) =>
    isNumeric[column] ? text.padStart(widths[column] ?? 0) : text.padEnd(widths[column] ?? 0);
  return texts.map((row) => row.map(cell).join('  ').trimEnd()).join('\n');
};

/** Names and values, one pair a line. */
export const facts = (pairs: readonly (readonly [string, string | number | null])[]): string => {
  const width = Math.max(...pairs.map(([name]) => name.length));
  return pairs.map(([name, value]) => `${name.padEnd(width)}  ${plain(value)}`).join('\n');
};
