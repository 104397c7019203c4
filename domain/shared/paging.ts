/** Entries on a page where the request names no number, and the most that it may ask for. */
export const PAGE_SIZE = 24;
export const MAX_PAGE_SIZE = 100;

/** A page to read: its number from 1 on, and the entries on every page. */
export type PageRequest = { readonly page: number; readonly per_page: number };

/** One page of a list, and the entries of the whole list. */
export type PageOf<T> = PageRequest & { readonly entries: readonly T[]; readonly total: number };

/** The address of a list, and the query that each link to a page repeats. */
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
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== null);
  const pairs = [...given, ['page', String(page)] as const];
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
