import { utf8Length } from './plain-text.ts';

/** The default and maximum number of entries on a page. */
export const PAGE_SIZE = 24;
export const MAX_PAGE_SIZE = 100;

/** A page to read: its number, starting at 1, and the entries per page. */
export type PageRequest = { readonly page: number; readonly per_page: number };

/** One page of a list, and the entries of the whole list. */
export type PageOf<T> = PageRequest & { readonly entries: readonly T[]; readonly total: number };

/** The path of a list, and the query that every page link repeats. */
export type ListAddress = { readonly path: string; readonly query?: Readonly<Record<string, string | null>> };

/** A page in the shape of Laravel's length-aware paginator. `from` and `to` count from 1; null on an empty page. */
export type PagedList<T> = {
  readonly data: readonly T[];
  readonly links: {
    readonly first: string;
    readonly last: string;
    readonly prev: string | null;
    readonly next: string | null;
  };
  readonly meta: {
    readonly current_page: number;
    readonly from: number | null;
    readonly last_page: number;
    readonly path: string;
    readonly per_page: number;
    readonly to: number | null;
    readonly total: number;
  };
};

/** The number of the first entry of a page, counted from 0. */
export const offsetOf = ({ page, per_page }: PageRequest): number => (page - 1) * per_page;

const linkTo = ({ path, query = {} }: ListAddress, page: number): string => {
  const present = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== null);
  const pairs = [...present, ['page', String(page)] as const];
  return `${path}?${pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`;
};

export const pagedList = <T>({ entries, total, page, per_page }: PageOf<T>, address: ListAddress): PagedList<T> => {
  const last = Math.max(1, Math.ceil(total / per_page));
  const start = offsetOf({ page, per_page });
  return {
    data: entries,
    links: {
      first: linkTo(address, 1),
      last: linkTo(address, last),
      prev: page > 1 ? linkTo(address, Math.min(page - 1, last)) : null,
      next: page < last ? linkTo(address, page + 1) : null,
    },
    meta: {
      current_page: page,
      from: entries.length > 0 ? start + 1 : null,
      last_page: last,
      path: address.path,
      per_page,
      to: entries.length > 0 ? start + entries.length : null,
      total,
    },
  };
};

/** The maximum size of a list in an answer, in bytes of JSON. A larger entry gets its own page. */
export const MOST_LIST_BYTES = 1_000_000;

/** A page of a list with a cursor: at most `limit` entries after `after`, which is null on the first page. */
export type StretchRequest = { readonly limit: number; readonly after: string | null };

/** The entries of a page, and the `after` of the next one; null on the last page. */
export type Stretch<T> = { readonly data: readonly T[]; readonly next_after: string | null };

/** The order of a list by each entry's sort key: ascending, or descending for newest first. */
export type ListOrder<T> = { readonly place: (entry: T) => string; readonly highestFirst?: boolean };

/** A sort key built from times, ids and names. Keys compare as strings. */
export const placeOf = (...parts: readonly (string | number)[]): string =>
  parts.map((part) => (typeof part === 'number' ? String(part).padStart(16, '0') : part)).join(' ');

export const inOrder = <T>(entries: readonly T[], { place, highestFirst = false }: ListOrder<T>): T[] => {
  const placed = entries.map((entry) => ({ entry, at: place(entry) }));
  placed.sort((a, b) => (a.at === b.at ? 0 : a.at > b.at === highestFirst ? -1 : 1));
  return placed.map(({ entry }) => entry);
};

/** True for an entry on a page after the one that ended at the key `after`. */
export const isBehind = <T>(entry: T, after: string | null, { place, highestFirst = false }: ListOrder<T>): boolean =>
  after === null || (highestFirst ? place(entry) < after : place(entry) > after);

/** The number of entries that an answer has room for; at least the first one. */
export const fittingIn = (entries: readonly unknown[]): number => {
  let [end, bytes] = [0, 0];
  for (const entry of entries) {
    bytes += utf8Length(JSON.stringify(entry)) + 1;
    if (end > 0 && bytes > MOST_LIST_BYTES) break;
    end += 1;
  }
  return end;
};

/** The page of a list, with as many entries as the request and the size of an answer allow. */
export const stretchOf = <T>(
  entries: readonly T[],
  { limit, after }: StretchRequest,
  order: ListOrder<T>,
): Stretch<T> => {
  const behind = entries.filter((entry) => isBehind(entry, after, order));
  const end = fittingIn(behind.slice(0, limit));
  const last = behind[end - 1];
  return { data: behind.slice(0, end), next_after: end < behind.length && last ? order.place(last) : null };
};
