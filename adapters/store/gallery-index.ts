import { LRUCache } from 'lru-cache';
import { BLOCK_IDS, commonIds, countOfBlock, type IdBlock, idsOfBlock } from '../../domain/gallery/id-block.ts';
import type { Term } from '../../domain/gallery/terms.ts';
import { blockFromText } from './id-block-text.ts';
import { galleryKeys, partsOfPosting } from './keys/gallery.ts';
import { allItems } from './records.ts';
import type { TypedTable } from './typed-table.ts';

/** The ids that have a term, by the number of the block. */
type Blocks = ReadonlyMap<number, IdBlock>;

/** The blocks that a process keeps take at most so many bytes. */
const KEPT_BYTES = 16 * 1024 * 1024;

/**
 * The age at which kept blocks are read anew whatever the version. It bounds how long a read that came from a replica
 * behind the others can show.
 */
const KEPT_MS = 30_000;

/** Finds the ids that have all of some terms. Keeps the blocks of terms in process, for as long as nobody saves. */
export class GalleryIndex {
  readonly #table: TypedTable;
  readonly #kept = new LRUCache<string, Blocks>({
    maxSize: KEPT_BYTES,
    sizeCalculation: (blocks, key) => blocks.size * (BLOCK_IDS / 8 + 100) + key.length * 2 + 200,
    ttl: KEPT_MS,
  });
  /** The version of the gallery's head when it was last read. */
  #version = '';

  constructor(table: TypedTable) {
    this.#table = table;
  }

  /** The blocks of the ids that have every term, in ascending order. It takes one round trip, and a second after a save. */
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
    const kept = terms.map((term) => this.#kept.get(`${version} ${term}`));
    // The head is asked for first, so that no block is older than the version that it is kept under.
    const [head, ...read] = await Promise.all([
      this.#table.get(galleryKeys.head(), { consistent: false }),
      ...terms.map((term, n) => kept[n] ?? this.#read(term)),
    ]);
    const now = head?.version ?? '';
    this.#version = now;
    const fresh =
      now === version
        ? read
        : await Promise.all(terms.map((term, n) => (kept[n] ? this.#read(term) : (read[n] as Blocks))));
    terms.forEach((term, n) => {
      if (!kept[n] || now !== version) this.#kept.set(`${now} ${term}`, fresh[n] as Blocks);
    });
    return fresh;
  }

  async #read(term: Term): Promise<Blocks> {
    const blocks = new Map<number, IdBlock>();
    for await (const { sk, data } of allItems(this.#table, { ...galleryKeys.postings(term), consistent: false })) {
      blocks.set(partsOfPosting(sk).block, blockFromText(data.ids));
    }
    return blocks;
  }
}

/** The number of ids in blocks, and those from `offset` on, at most `count` of them, in ascending or descending order. */
export const pageOfIds = (
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
