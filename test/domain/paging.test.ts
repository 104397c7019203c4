import { describe, expect, test } from 'vitest';
import { offsetOf, pagedList } from '../../domain/shared/paging.ts';

const list = (page: number, total: number, query = {}) => {
  const entries = Array.from({ length: Math.max(0, Math.min(2, total - (page - 1) * 2)) }, (_, n) => n);
  return pagedList({ entries, total, page, per_page: 2 }, { path: '/rows', query });
};

describe('a page of a list', () => {
  test('the first entry of a page comes after those of the pages before', () => {
    expect([1, 2, 3].map((page) => offsetOf({ page, per_page: 24 }))).toEqual([0, 24, 48]);
  });

  test('a page in the middle links to both neighbours and tells its place', () => {
    expect(list(2, 5)).toEqual({
      data: [0, 1],
      links: { first: '/rows?page=1', last: '/rows?page=3', prev: '/rows?page=1', next: '/rows?page=3' },
      meta: { current_page: 2, from: 3, last_page: 3, path: '/rows', per_page: 2, to: 4, total: 5 },
    });
  });

  test('the first page has none before it, and the last one none after it', () => {
    expect(list(1, 5).links).toMatchObject({ prev: null, next: '/rows?page=2' });
    expect(list(3, 5)).toMatchObject({ links: { prev: '/rows?page=2', next: null }, meta: { from: 5, to: 5 } });
  });

  test('a page beyond the last is empty and leads back to the last', () => {
    expect(list(9, 5)).toMatchObject({
      data: [],
      links: { prev: '/rows?page=3', next: null },
      meta: { current_page: 9, from: null, to: null },
    });
  });

  test('an empty list has one page', () => {
    expect(list(1, 0)).toMatchObject({ links: { last: '/rows?page=1', next: null }, meta: { last_page: 1, total: 0 } });
  });

  test('each link repeats the query, and leaves out what is not given', () => {
    expect(list(1, 1, { q: 'a b&c', tag: null }).links.first).toBe('/rows?q=a%20b%26c&page=1');
  });
});
