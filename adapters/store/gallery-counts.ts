import { type ColorFamily, colorFamilyOf } from '../../domain/gallery/colors.ts';
import { countOfBlock, type IdBlock, unitedIds } from '../../domain/gallery/id-block.ts';
import type { Taxonomy } from '../../domain/gallery/taxonomy.ts';
import type { TermType } from '../../domain/gallery/terms.ts';
import { blockFromText } from './id-block-text.ts';
import { galleryKeys, partsOfPosting, type TaxonomyCounts } from './keys/gallery.ts';
import { allItems } from './records.ts';
import type { Table } from './table.ts';

/** The most keys of a section that are counted, and the most fonts; those that the most screens have. */
const MOST_KEYS = 500;
const MOST_FONTS = 100;

type Posted = { readonly value: string; readonly number: number; readonly block: IdBlock };

async function* postingsOf(table: Table, type: Exclude<TermType, 'word'>): AsyncGenerator<Posted> {
  for await (const { sk, data } of allItems(table, { ...galleryKeys.postingsOfType(type), consistent: false })) {
    const { value, block } = partsOfPosting(sk);
    yield { value, number: block, block: blockFromText(data.ids) };
  }
}

type Count = readonly [value: string, screens: number];

/** The values of a type with the number of their screens, those of the most screens first. */
const countsOf = async (table: Table, type: Exclude<TermType, 'word'>): Promise<Count[]> => {
  const counts = new Map<string, number>();
  for await (const { value, block } of postingsOf(table, type)) {
    counts.set(value, (counts.get(value) ?? 0) + countOfBlock(block));
  }
  return [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
};

/** The families of colours. A screen with two colours of a family counts once. */
const colorsOf = async (table: Table): Promise<Taxonomy['colors']> => {
  const families = new Map<
    ColorFamily,
    { readonly blocks: Map<number, IdBlock>; readonly hexes: Map<string, number> }
  >();
  for await (const { value, number, block } of postingsOf(table, 'color')) {
    const family = colorFamilyOf(value);
    const { blocks, hexes } = families.get(family) ?? { blocks: new Map(), hexes: new Map() };
    const before = blocks.get(number);
    blocks.set(number, before ? unitedIds(before, block) : block);
    hexes.set(value, (hexes.get(value) ?? 0) + countOfBlock(block));
    families.set(family, { blocks, hexes });
  }
  return [...families]
    .map(([key, { blocks, hexes }]) => ({
      key,
      hex: [...hexes].reduce((most, one) => (one[1] > most[1] ? one : most))[0],
      screens: blocks.values().reduce((sum, block) => sum + countOfBlock(block), 0),
    }))
    .sort((a, b) => b.screens - a.screens);
};

/** Counts the whole taxonomy from the index. It reads one partition for each type, and no screen. */
export const countTaxonomy = async (table: Table): Promise<TaxonomyCounts> => {
  const keysOf = async (type: 'kind' | 'pattern' | 'component') =>
    Object.fromEntries((await countsOf(table, type)).slice(0, MOST_KEYS));
  return {
    page_types: await keysOf('kind'),
    patterns: await keysOf('pattern'),
    elements: await keysOf('component'),
    colors: await colorsOf(table),
    fonts: (await countsOf(table, 'font')).slice(0, MOST_FONTS).map(([name, screens]) => ({ name, screens })),
  };
};
