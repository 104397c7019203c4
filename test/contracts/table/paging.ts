import { expect, test } from 'vitest';
import type { Query } from '../../../adapters/store/table.ts';
import { PAGE_BYTES } from '../../../adapters/store/table-checks.ts';
import { fill, newPk, pages, type Use } from './helpers.ts';

const numbered = (count: number): string[] => Array.from({ length: count }, (_, i) => `#${String(i).padStart(4, '0')}`);

const SHAPES: readonly Omit<Query, 'pk'>[] = [
  {},
  { descending: true },
  { prefix: '#' },
  { prefix: '#', descending: true },
  { from: '#0002', to: '#0009' },
  { from: '#0002', to: '#0009', descending: true },
];

export const paging = (use: Use): void => {
  test.each(SHAPES)('pages of %j leave no gap and repeat nothing, whatever their size', async (shape) => {
    const pk = newPk();
    await fill(use(), pk, ['!before', ...numbered(12), '~after']);
    const whole = (await pages(use(), { pk, ...shape })).flat();
    expect(whole.length).toBeGreaterThanOrEqual(8);
    for (const limit of [1, 2, 3, 4, 7, whole.length - 1, whole.length, 1000]) {
      const found = await pages(use(), { pk, ...shape, limit });
      expect(found.flat()).toEqual(whole);
      expect(Math.max(...found.map((page) => page.length))).toBeLessThanOrEqual(limit);
    }
  });

  test('a page of small items is filled up to its limit', async () => {
    const pk = newPk();
    await fill(use(), pk, numbered(5));
    expect((await use().query({ pk, limit: 1 })).items.map(({ sk }) => sk)).toEqual(['#0000']);
    expect((await use().query({ pk, limit: 1, descending: true })).items.map(({ sk }) => sk)).toEqual(['#0004']);
    expect((await use().query({ pk, limit: 4 })).items).toHaveLength(4);
  });

  test('a page with room left is the last one', async () => {
    const pk = newPk();
    await fill(use(), pk, numbered(3));
    expect(await use().query({ pk, limit: 4 })).not.toHaveProperty('next');
    expect(await use().query({ pk })).not.toHaveProperty('next');
  });

  test('a query for more items than a page holds gives several pages, even without a limit', async () => {
    const pk = newPk();
    await fill(use(), pk, numbered(1100));
    expect((await pages(use(), { pk })).flat()).toEqual(numbered(1100));
    expect((await pages(use(), { pk, limit: 1000, descending: true })).flat()).toEqual(numbered(1100).reverse());
  });

  test.each([
    ['x', 250_000, {}],
    ['한', 83_000, { descending: true }],
    ['x', 250_000, { limit: 1000 }],
    ['한', 83_000, { limit: 1000, prefix: '#', descending: true }],
    ['x', 20_000, { limit: 1000, from: '#0000', to: '#9999' }],
  ] satisfies [
    string,
    number,
    Omit<Query, 'pk'>,
  ][])('a page of items of %s × %i ends with the one that brings it to 1 MiB (%j)', async (char, times, query) => {
    const pk = newPk();
    const text = char.repeat(times);
    const count = Math.ceil((3 * PAGE_BYTES) / Buffer.byteLength(text));
    await fill(use(), pk, numbered(count), { text });
    const found: string[] = [];
    for (let after: string | undefined, more = true; more; more = after !== undefined) {
      const page = await use().query({ pk, ...query, after });
      const bytes = page.items.map(({ data }) => Buffer.byteLength(JSON.stringify(data)));
      expect(bytes.slice(0, -1).reduce((sum, size) => sum + size, 0)).toBeLessThan(PAGE_BYTES);
      found.push(...page.items.map(({ sk }) => sk));
      after = page.next;
    }
    expect(found).toEqual('descending' in query ? numbered(count).reverse() : numbered(count));
  });

  test.each([
    false,
    true,
  ])('removing and adding items between pages loses no other item (descending: %s)', async (descending) => {
    const pk = newPk();
    const order = descending ? numbered(6).reverse() : numbered(6);
    await fill(use(), pk, order);
    const first = await use().query({ pk, limit: 3, descending });
    const last = first.items.at(-1)?.sk;
    expect(last).toBe(order[2]);
    await use().remove({ pk, sk: last as string });
    await fill(use(), pk, [`${order[0]}+`]);
    const second = await use().query({ pk, limit: 3, descending, after: first.next });
    expect(second.items.map(({ sk }) => sk)).toEqual(order.slice(3));
  });
};
