import { describe, expect, test } from 'vitest';
import {
  inOrder,
  type ListOrder,
  MOST_LIST_BYTES,
  offsetOf,
  pagedList,
  placeOf,
  stretchOf,
} from '../../../domain/shared/paging.ts';

const list = (page: number, total: number, query = {}) => {
  const entries = Array.from({ length: Math.max(0, Math.min(2, total - (page - 1) * 2)) }, (_, n) => n);
  return pagedList({ entries, total, page, per_page: 2 }, { path: '/rows', query });
};

describe('a page of a list', () => {
  test('the first entry of a page follows the last one of the page before', () => {
    expect([1, 2, 3].map((page) => offsetOf({ page, per_page: 24 }))).toEqual([0, 24, 48]);
  });

  test('a page in the middle links to both neighbors and shows its position', () => {
    expect(list(2, 5)).toEqual({
      data: [0, 1],
      links: { first: '/rows?page=1', last: '/rows?page=3', prev: '/rows?page=1', next: '/rows?page=3' },
      meta: { current_page: 2, from: 3, last_page: 3, path: '/rows', per_page: 2, to: 4, total: 5 },
    });
  });

  test('the first page links to no previous page, and the last one to no next page', () => {
    expect(list(1, 5).links).toMatchObject({ prev: null, next: '/rows?page=2' });
    expect(list(3, 5)).toMatchObject({ links: { prev: '/rows?page=2', next: null }, meta: { from: 5, to: 5 } });
  });

  test('a page beyond the last is empty and links to the last', () => {
    expect(list(9, 5)).toMatchObject({
      data: [],
      links: { prev: '/rows?page=3', next: null },
      meta: { current_page: 9, from: null, to: null },
    });
  });

  test('an empty list has one page', () => {
    expect(list(1, 0)).toMatchObject({ links: { last: '/rows?page=1', next: null }, meta: { last_page: 1, total: 0 } });
  });

  test('each link repeats the query and omits absent parameters', () => {
    expect(list(1, 1, { q: 'a b&c', tag: null }).links.first).toBe('/rows?q=a%20b%26c&page=1');
  });
});

describe('a list with a cursor', () => {
  type Row = { readonly at: string; readonly id: number; readonly text?: string };
  const NEWEST: ListOrder<Row> = { place: ({ at, id }) => placeOf(at, id), highestFirst: true };
  const LOWEST: ListOrder<Row> = { place: ({ id }) => placeOf(id) };
  const rows: readonly Row[] = [9, 10, 100, 11].map((id) => ({ id, at: id < 11 ? '2026-01-01' : '2026-01-02' }));

  const walk = (all: readonly Row[], order: ListOrder<Row>, limit: number): number[][] => {
    const pages: number[][] = [];
    for (let after: string | null | undefined; after !== null; ) {
      const page: ReturnType<typeof stretchOf<Row>> = stretchOf(all, { limit, after: after ?? null }, order);
      pages.push(page.data.map(({ id }) => id));
      after = page.next_after;
    }
    return pages;
  };

  test('the pages of a cursor list contain each entry once, in ascending order or newest first', () => {
    expect(walk(inOrder(rows, LOWEST), LOWEST, 3)).toEqual([[9, 10, 11], [100]]);
    expect(walk(inOrder(rows, NEWEST), NEWEST, 2)).toEqual([
      [100, 11],
      [10, 9],
    ]);
    expect(walk([], NEWEST, 2)).toEqual([[]]);
  });

  test('a cursor list continues after a deleted entry and leaves out newer ones', () => {
    const { next_after } = stretchOf(inOrder(rows, NEWEST), { limit: 2, after: null }, NEWEST);
    const changed = [{ id: 500, at: '2026-01-03' }, ...rows.filter(({ id }) => id !== 11)];
    const page = stretchOf(inOrder(changed, NEWEST), { limit: 9, after: next_after }, NEWEST);
    expect(page).toMatchObject({ data: [{ id: 10 }, { id: 9 }], next_after: null });
  });

  test('a page ends before 1 MB of JSON and has one entry if that entry is larger', () => {
    const large = (bytes: number) => rows.map((row) => ({ ...row, text: '"'.repeat(bytes) }));
    const pages = walk(inOrder(large(150_000), LOWEST), LOWEST, 100);
    expect(pages).toEqual([[9, 10, 11], [100]]);
    expect(150_000 * 2 * 4).toBeGreaterThan(MOST_LIST_BYTES);
    expect(walk(inOrder(large(600_000), LOWEST), LOWEST, 100)).toEqual([[9], [10], [11], [100]]);
  });
});
