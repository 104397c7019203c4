/**
 * Control characters, line and paragraph separators, and invisible formatting characters such as those of text
 * direction.
 */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}[\p{Cf}&&\p{Default_Ignorable_Code_Point}]]/gv;

/**
 * The value as one line that is safe for a terminal: it can't move the cursor, change colours, or turn or hide text.
 */
export const plain = (value: string | number | null): string => String(value ?? '-').replaceAll(UNSEEN, ' ');

/** Rows under their headings, in aligned columns. Columns of numbers are aligned to the right. */
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
