import { CONFLICT, untilWritten } from '../../../application/shared/contended.ts';
import type { Permit } from '../../../domain/access/permit.ts';
import { savedEvent } from '../../../domain/audit/event.ts';
import { type ColorFamily, colorFamilyOf } from '../../../domain/design/gallery/colors.ts';
import { countOfBlock, type IdBlock, unitedIds } from '../../../domain/design/gallery/id-block.ts';
import type { Overtaken } from '../../../domain/design/gallery/saving.ts';
import type { ScreenDraft } from '../../../domain/design/gallery/screen.ts';
import type { Taxonomy, TaxonomyTerms } from '../../../domain/design/gallery/taxonomy.ts';
import type { TermType } from '../../../domain/design/gallery/terms.ts';
import type { GalleryEditor, SavedScreens } from '../../../ports/outbound/design/gallery.ts';
import type { Clock, Pauses } from '../../../ports/outbound/system.ts';
import type { AuditedParts } from '../audit-trail.ts';
import { galleryKeys, partsOfPosting, type TaxonomyCounts } from '../keys/design/gallery.ts';
import { allItems, chunksOf, itemOf, saveRecord } from '../records.ts';
import type { TypedTable } from '../typed-table.ts';
import { type Effect, ScreenSave } from './gallery-save.ts';
import { blockFromText } from './id-block-text.ts';

/** The maximum number of keys counted in a section, and of fonts; the ones with the most screens are kept. */
const MOST_KEYS = 500;
const MOST_FONTS = 100;

type TermPosting = { readonly value: string; readonly number: number; readonly block: IdBlock };

async function* postingsOf(table: TypedTable, type: Exclude<TermType, 'word'>): AsyncGenerator<TermPosting> {
  for await (const { sk, data } of allItems(table, { ...galleryKeys.postingsOfType(type), consistent: false })) {
    const { value, block } = partsOfPosting(sk);
    yield { value, number: block, block: blockFromText(data.ids) };
  }
}

type Count = readonly [value: string, screens: number];

/** The values of a type with the number of their screens, in descending order. */
const countsOf = async (table: TypedTable, type: Exclude<TermType, 'word'>): Promise<Count[]> => {
  const counts = new Map<string, number>();
  for await (const { value, block } of postingsOf(table, type)) {
    counts.set(value, (counts.get(value) ?? 0) + countOfBlock(block));
  }
  return [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
};

/** The color families. A screen with two colors of a family counts once. */
const colorsOf = async (table: TypedTable): Promise<Taxonomy['colors']> => {
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
const countTaxonomy = async (table: TypedTable): Promise<TaxonomyCounts> => {
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

/** The number of screens saved at a time: each takes at most five writes, and a transaction 100. */
const AT_ONCE = 20;

const SECTIONS = ['page_types', 'patterns', 'elements'] as const;

type Parts = AuditedParts & { readonly clock: Clock; readonly pauses: Pauses };

/** Writes the gallery. ADR 22 describes the order of a save's writes, and why an interrupted save can be repeated. */
export class StoredGalleryEditor implements GalleryEditor {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async save(_permit: Permit, drafts: readonly ScreenDraft[]): Promise<SavedScreens> {
    const saved = { added: 0, changed: 0, unchanged: 0 };
    for (const chunk of chunksOf(drafts, AT_ONCE)) {
      for (const distinct of distinctKeys(chunk)) {
        for (const effect of await this.#saveChunk(distinct)) saved[effect]++;
      }
    }
    return saved;
  }

  /** Saves drafts with different keys, and retries those that another save has overtaken. */
  async #saveChunk(drafts: readonly ScreenDraft[]): Promise<Iterable<Effect>> {
    const effects = new Map<string, Effect>();
    const done = new Map<string, Overtaken>();
    await untilWritten(this.#parts.pauses, async () => {
      const isDone = await new ScreenSave(this.#parts, effects, done).run(drafts);
      return isDone || CONFLICT;
    });
    return effects.values();
  }

  async recount(_permit: Permit): Promise<void> {
    await saveRecord(this.#parts.table, itemOf(galleryKeys.counts(), await countTaxonomy(this.#parts.table)));
  }

  async setTerms(permit: Permit, terms: TaxonomyTerms): Promise<void> {
    for (const section of SECTIONS) {
      const record = { terms: terms[section] };
      await saveRecord(this.#parts.table, itemOf(galleryKeys.terms(section), record), (before) =>
        this.#parts.auditTrail.entry(permit, savedEvent({ kind: 'taxonomy', id: section }, before, record)),
      );
    }
  }

  async terms(): Promise<TaxonomyTerms> {
    const items = await this.#parts.table.getMany(SECTIONS.map((section) => galleryKeys.terms(section)));
    const [page_types = [], patterns = [], elements = []] = items.map((item) => item?.data.terms);
    return { page_types, patterns, elements };
  }
}

/**
 * Splits the drafts into lists without duplicate keys; of drafts with the same key, the first is in an earlier list.
 */
const distinctKeys = (drafts: readonly ScreenDraft[]): ScreenDraft[][] => {
  const lists: ScreenDraft[][] = [];
  for (const draft of drafts) {
    const list = lists.find((one) => one.every(({ key }) => key !== draft.key));
    if (list) list.push(draft);
    else lists.push([draft]);
  }
  return lists;
};
