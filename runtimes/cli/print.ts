import { minorDigits } from '../../domain/billing/money.ts';
import { inLocale, isLocale, type Localized } from '../../domain/shared/locale.ts';

type Cell = string | number | null;

/**
 * Control characters, line and paragraph separators, and invisible formatting characters such as those of text
 * direction.
 */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}[\p{Cf}&&\p{Default_Ignorable_Code_Point}]]/gv;

/** The value as one line that is safe for a terminal: it can't move the cursor, change colors, or turn or hide text. */
export const plain = (value: Cell): string => String(value ?? '-').replaceAll(UNSEEN, ' ');

/** The fields of a row that fit in a cell. */
type CellMembers<T> = { [Name in keyof T]: T[Name] extends Cell ? Name : never }[keyof T];

/** The heading of a member: `ordered_at` is `ordered`, `account_id` is `account`. */
const headingOf = (member: string): string => plain(member.replace(/_(?:at|id|cents)$/, '').replaceAll('_', ' '));

type Column<T> = CellMembers<T> | ((row: T) => Cell);

/** Rows of one kind as a table. A column is a field of the rows, or a heading with a field or a function of the row. */
export const tableOf = <T>(...columns: readonly (CellMembers<T> | Readonly<Record<string, Column<T>>>)[]) => {
  const all = columns.flatMap((column): (readonly [string, Column<T>])[] =>
    typeof column === 'object' ? Object.entries(column) : [[headingOf(String(column)), column]],
  );
  return (rows: readonly T[]): string =>
    table(
      all.map(([heading]) => heading),
      rows.map((row) => all.map(([, of]) => (typeof of === 'function' ? of(row) : (row[of] as Cell)))),
    );
};

const NO_COLUMN = /[\p{M}\u1160-\u11ff]/gu;
const TWO_COLUMNS =
  /[\p{sc=Hangul}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{Emoji_Presentation}\u3000-\u303e\uff01-\uff60]/gu;

/** The columns of a terminal that a text takes: none for a mark on a letter, two for an East Asian letter or an emoji. */
const widthOf = (text: string): number => [...text.replace(NO_COLUMN, '').replace(TWO_COLUMNS, '..')].length;

/** Rows under their headings, in aligned columns. Columns of numbers are aligned to the right. */
export const table = (headings: readonly string[], rows: readonly (readonly Cell[])[]): string => {
  const texts = [headings, ...rows.map((row) => row.map(plain))];
  const widths = headings.map((_, column) => Math.max(...texts.map((row) => widthOf(row[column] ?? ''))));
  const isNumeric = headings.map((_, column) => rows.every((row) => typeof row[column] === 'number'));
  const cell = (text: string, column: number) => {
    const space = ' '.repeat((widths[column] ?? 0) - widthOf(text));
    return isNumeric[column] ? space + text : text + space;
  };
  return texts.map((row) => row.map(cell).join('  ').trimEnd()).join('\n');
};

/** Names and values, one pair a line. An undefined value is left out. */
export const facts = (named: Readonly<Record<string, Cell | undefined>>): string => {
  const pairs = Object.entries(named).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
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

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isLocalized = (value: object): value is Localized => {
  const names = Object.keys(value);
  return names.length > 0 && names.every(isLocale);
};

/** A stranger's record may have any text as its currency. */
const isCurrency = (text: string): boolean => /^[A-Z]{3}$/.test(text);

/** The maximum length of a text on one line, in characters. */
const LINE = 200;

/** A field as one cell; undefined for records, and for texts that need their own lines. */
const cellOf = (name: string, value: unknown, currency: unknown): Cell | undefined => {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') {
    const isAmount = name.endsWith('_cents') && Number.isSafeInteger(value);
    return isAmount && typeof currency === 'string' && isCurrency(currency) ? moneyText(value, currency) : value;
  }
  if (typeof value === 'string') return value.length > LINE || /[\r\n]/.test(value) ? undefined : value;
  if (typeof value !== 'object' || value === null) return null;
  if (isLocalized(value)) return cellOf(name, inLocale(value, 'en'), currency);
  const cells = Array.isArray(value) ? value.map((one) => cellOf(name, one, currency)) : [undefined];
  return cells.includes(undefined) ? undefined : cells.join(', ') || null;
};

/** A text as indented lines, each safe for a terminal. */
const block = (text: string): string =>
  text
    .split(/\r\n|\n|\r/)
    .map((one) => `  ${plain(one.replaceAll('\t', '    '))}`)
    .join('\n');

/**
 * Records as a table. Fields that no record has are left out, and so are nested records. Records with a long text are
 * printed in full.
 */
const recordsText = (heading: string, records: readonly Members[], outer: unknown): string => {
  const isLong = records.some((one) =>
    Object.entries(one).some(([n, v]) => typeof v === 'string' && cellOf(n, v, '') === undefined),
  );
  if (isLong) return records.map((one, n) => `${heading} ${n + 1}\n${printed(one, outer)}`).join('\n\n');
  const cells = (name: string) => records.map((one) => cellOf(name, one[name], one['currency'] ?? outer) ?? null);
  const columns = [...new Set(records.flatMap(Object.keys))]
    .map((name) => [headingOf(name), cells(name)] as const)
    .filter(([, column]) => column.some((cell) => cell !== null));
  const rows = records.map((_, n) => columns.map(([, column]) => column[n] ?? null));
  return `${heading}\n${table(
    columns.map(([name]) => name),
    rows,
  )}`;
};

const section = (heading: string, value: unknown, currency: unknown): string => {
  if (Array.isArray(value) && value.every(isMembers)) return recordsText(heading, value, currency);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `${heading}\n${isMembers(value) ? printed(value, currency) : block(text)}`;
};

/** A record as text: its fields line by line, then its nested records and long texts under their names. */
export const printed = (record: object, outer?: unknown): string => {
  const { renewal_currency = outer, currency = renewal_currency } = record as Members;
  const members = Object.entries(record).map(
    ([name, value]) => [headingOf(name), value, cellOf(name, value, currency)] as const,
  );
  const lines = facts(Object.fromEntries(members.map(([heading, , cell]) => [heading, cell])));
  const sections = members.flatMap(([heading, value, cell]) =>
    cell === undefined ? [section(heading, value, currency)] : [],
  );
  return [...(lines === '' ? [] : [lines]), ...sections].join('\n\n');
};

/** Shows the progress of a stage. A later call may raise the total. */
export type Progress = (stage: string, done: number, total: number) => void;

/** Runs work with progress: on a terminal, a bar for each stage on standard error; in a pipe, none. */
export const withProgress = async <T>(work: (progress: Progress) => Promise<T>): Promise<T> => {
  if (!process.stderr.isTTY) return work(() => {});
  const { MultiBar, Presets } = await import('cli-progress');
  const bars = new MultiBar(
    { format: '{stage} [{bar}] {percentage}%', stream: process.stderr, hideCursor: false, linewrap: true },
    Presets.shades_classic,
  );
  const running = new Map<string, ReturnType<typeof bars.create>>();
  try {
    return await work((stage, done, total) => {
      const bar = running.get(stage) ?? bars.create(total, 0, { stage: stage.padEnd(15) });
      running.set(stage, bar);
      bar.setTotal(total);
      bar.update(done);
    });
  } finally {
    bars.stop();
  }
};
