import type { Query } from '../store/table.ts';
import { MAX_PAGE } from '../store/table-checks.ts';

/** A value that SQLite sorts after every text. */
const ABOVE_ALL = new Uint8Array();

/** A text, or a value above all texts. */
type Bound = string | typeof ABOVE_ALL;

/** Compares texts as SQLite does, by their UTF-8 bytes; `<` would put U+1F600 before U+FFFD. */
const isBelow = (a: string, b: string): boolean => Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0;

const higher = (a: string, b: string): string => (b === '' || (a !== '' && isBelow(b, a)) ? a : b);

const lower = (a: Bound, b: Bound): Bound => {
  if (typeof b !== 'string') return a;
  return typeof a === 'string' && isBelow(a, b) ? a : b;
};

/** The least text above all texts with this prefix: the prefix with its last code point raised by one. */
const prefixEnd = (prefix: string): Bound => {
  const unit = prefix.charCodeAt(prefix.length - 1);
  if (unit < 0xd7ff) return prefix.slice(0, -1) + String.fromCharCode(unit + 1);
  const points = Array.from(prefix, (char) => char.codePointAt(0) as number);
  while (points.at(-1) === 0x10ffff) points.pop();
  const last = points.pop();
  if (last === undefined) return ABOVE_ALL;
  return String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1);
};

/** The least text above this one. */
const next = (text: string): string => `${text}\0`;

/** A page to read: the items with a sort key at or above `low`, and below `high`. */
export type PageQuery = {
  readonly pk: string;
  readonly low: string;
  readonly high: Bound;
  readonly descending: boolean;
  readonly limit: number;
};

/** The rest of the page behind this sort key. */
export const behind = (query: PageQuery, sk: string): PageQuery =>
  query.descending ? { ...query, high: sk } : { ...query, low: next(sk) };

/** The tightest bounds that hold for all conditions of a query. */
export const pageQueryOf = (query: Query): PageQuery => {
  const { pk, prefix = '', from = '', to, after, descending = false, limit = MAX_PAGE } = query;
  let low = higher(prefix, from);
  let high = prefixEnd(prefix);
  if (to !== undefined) high = lower(high, next(to));
  if (after !== undefined && descending) high = lower(high, after);
  if (after !== undefined && !descending) low = higher(low, next(after));
  return { pk, low, high, descending, limit };
};
