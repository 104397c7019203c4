import { minorDigits } from '../../domain/billing/money.ts';

type Cell = string | number | null;

/**
 * Control characters, line and paragraph separators, and invisible formatting characters such as those of text
 * direction.
 */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}[\p{Cf}&&\p{Default_Ignorable_Code_Point}]]/gv;

/**
 * The value as one line that is safe for a terminal: it can't move the cursor, change colours, or turn or hide text.
 */
export const plain = (value: Cell): string => String(value ?? '-').replaceAll(UNSEEN, ' ');

/** The members of a row that a cell can show. */
type CellMembers<T> = { [Name in keyof T]: T[Name] extends Cell ? Name : never }[keyof T];

/** Rows of one kind as a table. `columns` has each heading with the member that is shown, or what is made of the row. */
export const tableOf =
  <T>(columns: Readonly<Record<string, CellMembers<T> | ((row: T) => Cell)>>) =>
  (rows: readonly T[]): string =>
    table(
      Object.keys(columns),
      rows.map((row) => Object.values(columns).map((of) => (typeof of === 'function' ? of(row) : (row[of] as Cell)))),
    );

/** Rows under their headings, in aligned columns. Columns of numbers are aligned to the right. */
export const table = (headings: readonly string[], rows: readonly (readonly Cell[])[]): string => {
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

/** An amount in minor units as people write it, exact, with the code of its currency: `19,000 KRW`, `29.00 USD`. */
export const moneyText = (cents: number, currency: string): string => {
  const digits = minorDigits(currency);
  const whole = String(cents).padStart(digits + 1, '0');
  const units = whole.slice(0, whole.length - digits);
  const grouped = units.replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
  return `${grouped}${digits === 0 ? '' : `.${whole.slice(-digits)}`} ${currency}`;
};
