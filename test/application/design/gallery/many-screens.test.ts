import { beforeAll, describe, expect, test } from 'vitest';
import { MemoryTable } from '../../../../adapters/memory/memory-table.ts';
import { StoredGallery } from '../../../../adapters/store/design/gallery.ts';
import { blockText } from '../../../../adapters/store/design/id-block-text.ts';
import { galleryKeys } from '../../../../adapters/store/keys/design/gallery.ts';
import { itemOf } from '../../../../adapters/store/records.ts';
import type { NewItem, Table } from '../../../../adapters/store/table.ts';
import { BLOCK_IDS, blockOf, changedBlock, emptyBlock } from '../../../../domain/design/gallery/id-block.ts';
import { NO_FILTER, type ScreenFilter } from '../../../../domain/design/gallery/screen.ts';
import { EVERY_SCREEN, type Term } from '../../../../domain/design/gallery/terms.ts';
import { meteredTable } from '../../../support/gallery/metered-table.ts';
import { aScreen } from '../../../support/screen-builders.ts';

/** The screens with a term are those whose ids pass the test. */
const TERMS: readonly (readonly [Term, (id: number) => boolean])[] = [
  [EVERY_SCREEN, () => true],
  // The worst case of an index: a random half of all screens.
  ['viewport:mobile', (id) => (Math.imul(id, 0x9e3779b1) >>> 16) % 2 === 0],
  ['kind:list', (id) => (Math.imul(id, 0x85ebca6b) >>> 16) % 13 === 0],
  ['word:order', (id) => id % 97 === 0],
  ['word:rare', (id) => id % 9973 === 0],
];

const FILTERS: Readonly<Record<string, ScreenFilter>> = {
  'no filter': NO_FILTER,
  'half of the screens': { ...NO_FILTER, viewport: 'mobile' },
  'a word': { ...NO_FILTER, q: 'order' },
  'a rare word': { ...NO_FILTER, q: 'rare' },
  'three filters': { ...NO_FILTER, q: 'order', viewport: 'mobile', kind: 'list' },
};

const passes = ({ q, viewport, kind }: ScreenFilter, id: number): boolean =>
  TERMS.every(([term, has]) => ![`word:${q}`, `viewport:${viewport}`, `kind:${kind}`].includes(term) || has(id));

function* items(count: number): Generator<NewItem> {
  yield itemOf(galleryKeys.head(), { screens: count });
  const {
    text,
    page,
    fonts,
    colors,
    elements,
    auth,
    login_stage,
    saved_state,
    http_status,
    final_url,
    run_id,
    key,
    ...card
  } = aScreen();
  for (let id = 1; id <= count; id++) yield itemOf(galleryKeys.card(id), { ...card, id });
  for (let block = 0; block <= blockOf(count); block++) {
    const ids = Array.from({ length: BLOCK_IDS }, (_, n) => block * BLOCK_IDS + n).filter(
      (id) => id > 0 && id <= count,
    );
    for (const [term, has] of TERMS) {
      const bits = changedBlock(emptyBlock(), { set: ids.filter(has), clear: [] });
      yield itemOf(galleryKeys.posting(term, block), { ids: blockText(bits) });
    }
  }
}

const filled = async (count: number): Promise<Table> => {
  const table = new MemoryTable();
  for (const item of items(count)) await table.put(item);
  return table;
};

describe.each([1000, 100_000])('a gallery of %d screens', (count) => {
  let table: Table;
  beforeAll(async () => {
    table = await filled(count);
  }, 60_000);

  test.each(
    Object.entries(FILTERS),
  )('a search by %s finds every screen and reads a limited part of the table', async (_, filter) => {
    const ids = Array.from({ length: count }, (_, n) => n + 1).filter((id) => passes(filter, id));
    const pages = Math.max(1, Math.ceil(ids.length / 24));
    for (const page of [1, Math.ceil(pages / 2), pages, pages + 1]) {
      const meter = meteredTable(table);
      const gallery = new StoredGallery(meter.table);
      const search = async () => {
        const found = await gallery.search(filter, 'newest', { page, per_page: 24 });
        expect(found.total).toBe(ids.length);
        expect(found.entries.map(({ id }) => id)).toEqual(ids.toReversed().slice((page - 1) * 24, page * 24));
      };
      const cold = await meter.measure(search);
      const repeated = await meter.measure(search);
      // With the limiter before them, these are the three round trips of a request.
      const rounds = ids.length > (page - 1) * 24 ? 2 : 1;
      expect([cold.rounds, repeated.rounds]).toEqual([rounds, rounds]);
      // 24 cards cost 12 units, the version half of one, and a term at most 2.5 per 100,000 screens.
      expect(cold.units).toBeLessThanOrEqual(12.5 + 2.5 * 3);
      expect(repeated.units).toBeLessThanOrEqual(12.5);
    }
  });
});

test('a prefix shared by a thousand words finds the whole word everywhere and reads a limited part of the table', async () => {
  const table = await filled(BLOCK_IDS - 1);
  for (let id = 1; id <= 1000; id++) {
    const bits = changedBlock(emptyBlock(), { set: [id], clear: [] });
    await table.put(
      itemOf(galleryKeys.posting(`word:order${String(id).padStart(4, '0')}`, 0), { ids: blockText(bits) }),
    );
  }
  const meter = meteredTable(table);
  const search = (q: string, per_page = 24) =>
    new StoredGallery(meter.table).search({ ...NO_FILTER, q }, 'oldest', { page: 1, per_page });
  const ids = async (q: string) => (await search(q, 1000)).entries.map(({ id }) => id);
  expect(await ids('order')).toEqual(expect.arrayContaining([1, 97, 194, 8148]));
  expect(await ids('order0999')).toEqual([999]);
  expect((await meter.measure(() => search('order0'))).units).toBeLessThanOrEqual(8);
});
