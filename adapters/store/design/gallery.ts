import { LRUCache } from 'lru-cache';
import type { AppSlug } from '../../../domain/design/collect/run.ts';
import {
  BLOCK_IDS,
  commonIds,
  countOfBlock,
  type IdBlock,
  idsOfBlock,
  unitedIds,
} from '../../../domain/design/gallery/id-block.ts';
import type { Screen, ScreenCard, ScreenFilter, ScreenOrder } from '../../../domain/design/gallery/screen.ts';
import type { Taxonomy, TaxonomyTerm } from '../../../domain/design/gallery/taxonomy.ts';
import { partsOfTerm, type Term, termsOfFilter } from '../../../domain/design/gallery/terms.ts';
import { termsInForce } from '../../../domain/design/gallery/terms-in-force.ts';
import { offsetOf, type PageOf, type PageRequest } from '../../../domain/shared/paging.ts';
import type { FlowScreens, Gallery } from '../../../ports/outbound/design/gallery.ts';
import { cardPartitionOf, galleryKeys, partsOfPosting } from '../keys/design/gallery.ts';
import { allItems, chunksOf, firstItems } from '../records.ts';
import type { TypedTable } from '../typed-table.ts';
import { blockFromText } from './id-block-text.ts';

type Blocks = ReadonlyMap<number, IdBlock>;

/** The maximum size of the blocks cached in a process, in bytes. */
const CACHE_BYTES = 16 * 1024 * 1024;

/**
 * The age at which cached blocks are read again regardless of the version. It bounds the effect of a read from a
 * lagging replica.
 */
const CACHE_MS = 30_000;

/**
 * The maximum number of blocks that a prefix search reads, so that a short prefix stays cheap. Blocks of the word
 * itself come first: some of them are missing only beyond 2 million screens; below that, only some longer words are.
 */
const MOST_OF_WORD = 300;

/** Finds the ids that have all given terms. Caches the blocks of terms in the process until somebody saves. */
class GalleryIndex {
  readonly #table: TypedTable;
  readonly #cached = new LRUCache<string, Blocks>({
    maxSize: CACHE_BYTES,
    sizeCalculation: (blocks, key) => blocks.size * (BLOCK_IDS / 8 + 100) + key.length * 2 + 200,
    ttl: CACHE_MS,
  });
  /** The version of the gallery's head when it was last read. */
  #version = '';

  constructor(table: TypedTable) {
    this.#table = table;
  }

  /** The blocks of the ids that have every term, in ascending order. Takes one round trip, and two after a save. */
  async find(terms: readonly Term[]): Promise<[number, IdBlock][]> {
    const [rarest, ...others] = (await this.#blocksOf(terms)).sort((a, b) => a.size - b.size);
    if (!rarest) return [];
    return [...rarest]
      .filter(([number]) => others.every((blocks) => blocks.has(number)))
      .map(([number, block]): [number, IdBlock] => [
        number,
        commonIds(block, ...others.map((blocks) => blocks.get(number) as IdBlock)),
      ]);
  }

  async #blocksOf(terms: readonly Term[]): Promise<Blocks[]> {
    const version = this.#version;
    const cached = terms.map((term) => this.#cached.get(`${version} ${term}`));
    // The head is read first, so no block is older than the version under which it is cached.
    const [head, ...read] = await Promise.all([
      this.#table.get(galleryKeys.head(), { consistent: false }),
      ...terms.map((term, n) => cached[n] ?? this.#read(term)),
    ]);
    const now = head?.version ?? '';
    this.#version = now;
    const fresh =
      now === version
        ? read
        : await Promise.all(terms.map((term, n) => (cached[n] ? this.#read(term) : (read[n] as Blocks))));
    terms.forEach((term, n) => {
      if (!cached[n] || now !== version) this.#cached.set(`${now} ${term}`, fresh[n] as Blocks);
    });
    return fresh;
  }

  async #read(term: Term): Promise<Blocks> {
    const { type, value } = partsOfTerm(term);
    const ranges = type === 'word' ? galleryKeys.postingsFound(value) : [galleryKeys.postings(term)];
    const most = type === 'word' ? MOST_OF_WORD : Number.POSITIVE_INFINITY;
    const items = await Promise.all(
      ranges.map((range) => firstItems(this.#table, { ...range, consistent: false }, most)),
    );
    const blocks = new Map<number, IdBlock>();
    for (const { sk, data } of items.flat()) {
      const [{ block }, ids] = [partsOfPosting(sk), blockFromText(data.ids)];
      const others = blocks.get(block);
      blocks.set(block, others ? unitedIds(others, ids) : ids);
    }
    return blocks;
  }
}

/** The number of ids in the blocks, and at most `count` of them from `offset` on, in ascending or descending order. */
const pageOfIds = (
  found: readonly [number, IdBlock][],
  { descending, offset, count }: { readonly descending: boolean; readonly offset: number; readonly count: number },
): { readonly total: number; readonly ids: readonly number[] } => {
  let total = 0;
  const ids: number[] = [];
  for (const [number, block] of descending ? found.toReversed() : found) {
    const size = countOfBlock(block);
    if (ids.length < count && total + size > offset) {
      const inBlock = idsOfBlock(block, number);
      const start = Math.max(0, offset - total);
      ids.push(...(descending ? inBlock.reverse() : inBlock).slice(start, start + count - ids.length));
    }
    total += size;
  }
  return { total, ids };
};

/** The number of cards that one getMany reads. */
const AT_ONCE = 100;

/**
 * The maximum number of cards that a query of neighbors reads for each card that it looks for; up to there a query is
 * cheaper.
 */
const MAX_SPREAD = 4;

/**
 * Reads the gallery. A search takes two round trips: the gallery's version together with the index of each term, then
 * the cards. Reads may lag behind the last save, by at most half a minute.
 */
export class StoredGallery implements Gallery {
  readonly #table: TypedTable;
  readonly #index: GalleryIndex;

  constructor(table: TypedTable) {
    this.#table = table;
    this.#index = new GalleryIndex(table);
  }

  async search(filter: ScreenFilter, order: ScreenOrder, page: PageRequest): Promise<PageOf<ScreenCard>> {
    const terms = termsOfFilter(filter);
    if (terms === null) return { ...page, entries: [], total: 0 };
    const { total, ids } = pageOfIds(await this.#index.find(terms), {
      descending: order === 'newest',
      offset: offsetOf(page),
      count: page.per_page,
    });
    return { ...page, entries: await this.#cards(ids), total };
  }

  async screen(id: number): Promise<Screen | undefined> {
    const keys = [galleryKeys.card(id), galleryKeys.detail(id)] as const;
    const [card, detail] = await this.#table.getMany(keys, { consistent: false });
    return card && detail && { ...card.data, ...detail.data };
  }

  async flows(app: AppSlug, most: { readonly flows: number; readonly screens: number }): Promise<FlowScreens[]> {
    const flows: FlowScreens[] = [];
    const query = { ...galleryKeys.flows(app), limit: Math.min(most.flows, 1000), consistent: false };
    for await (const { data } of allItems(this.#table, query)) {
      flows.push({ ...data, screens: data.screens.slice(0, most.screens) });
      if (flows.length === most.flows) break;
    }
    return flows;
  }

  async apps(): Promise<ReadonlyMap<AppSlug, { readonly screens: number; readonly flows: number }>> {
    const counts = (await this.#table.get(galleryKeys.apps(), { consistent: false }))?.data ?? {};
    return new Map(Object.entries(counts) as [AppSlug, { screens: number; flows: number }][]);
  }

  async taxonomy(): Promise<Taxonomy> {
    const [types, patterns, elements, counted] = await this.#table.getMany(
      [
        galleryKeys.terms('page_types'),
        galleryKeys.terms('patterns'),
        galleryKeys.terms('elements'),
        galleryKeys.counts(),
      ],
      { consistent: false },
    );
    const terms = termsInForce({
      page_types: types?.data.terms ?? [],
      patterns: patterns?.data.terms ?? [],
      elements: elements?.data.terms ?? [],
    });
    const counts = counted?.data;
    const withCounts = (list: readonly TaxonomyTerm[], screens: Readonly<Record<string, number>> = {}) =>
      list.map((term) => ({ ...term, screens: Object.hasOwn(screens, term.key) ? (screens[term.key] ?? 0) : 0 }));
    return {
      page_types: withCounts(terms.page_types, counts?.page_types),
      patterns: withCounts(terms.patterns, counts?.patterns),
      elements: withCounts(terms.elements, counts?.elements),
      colors: counts?.colors ?? [],
      fonts: counts?.fonts ?? [],
    };
  }

  /** The cards in the order of their ids, without missing ones. */
  async #cards(ids: readonly number[]): Promise<ScreenCard[]> {
    if (ids.length === 0) return [];
    const [first, last] = [Math.min(...ids), Math.max(...ids)];
    const areNeighbors = last - first < ids.length * MAX_SPREAD && cardPartitionOf(first) === cardPartitionOf(last);
    const found = new Map<number, ScreenCard>();
    if (areNeighbors) {
      const query = { ...galleryKeys.cards(first, last), consistent: false };
      for await (const { data } of allItems(this.#table, query)) found.set(data.id, data);
    } else {
      const keys = chunksOf(ids.map(galleryKeys.card), AT_ONCE);
      const chunks = await Promise.all(keys.map((chunk) => this.#table.getMany(chunk, { consistent: false })));
      for (const item of chunks.flat()) if (item) found.set(item.data.id, item.data);
    }
    return ids.map((id) => found.get(id)).filter((card) => card !== undefined);
  }
}
