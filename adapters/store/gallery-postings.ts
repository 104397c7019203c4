import { CONFLICT, untilWritten } from '../../application/shared/contended.ts';
import { blockOf, changedBlock, countOfBlock, emptyBlock, isSameBlock } from '../../domain/gallery/id-block.ts';
import type { Term } from '../../domain/gallery/terms.ts';
import type { Pauses } from '../../ports/outbound/pauses.ts';
import { chunksOf } from './chunks.ts';
import { blockFromText, blockText } from './id-block-text.ts';
import { ifUnchanged } from './if-unchanged.ts';
import { itemOf } from './item-of.ts';
import { galleryKeys, type Posting } from './keys/gallery.ts';
import type { Item, KeyOf, Table } from './table.ts';

/** The ids of a block to add to a term and to remove from it. */
type Change = {
  readonly key: KeyOf<Posting>;
  readonly set: Set<number>;
  readonly clear: Set<number>;
};

/** Blocks of one getMany, which are then written side by side. */
const AT_ONCE = 50;

/** Collects what a save changes in the index, so that each block of a term is read and written once. */
export class PostingChanges {
  readonly #changes = new Map<string, Change>();

  add(term: Term, id: number, has: boolean): void {
    const key = galleryKeys.posting(term, blockOf(id));
    const name = `${key.pk}\n${key.sk}`;
    const change = this.#changes.get(name) ?? { key, set: new Set(), clear: new Set() };
    this.#changes.set(name, change);
    (has ? change.set : change.clear).add(id);
  }

  /** Writes the changes. Doing it again changes nothing, and two at once lose none of each other's. */
  async write(table: Table, pauses: Pauses): Promise<void> {
    for (const chunk of chunksOf([...this.#changes.values()], AT_ONCE)) {
      let left = chunk;
      await untilWritten(pauses, async () => {
        const read = await table.getMany(left.map(({ key }) => key));
        const written = await Promise.all(left.map((change, n) => writeChange(table, change, read[n])));
        left = left.filter((_, n) => !written[n]);
        return left.length === 0 ? true : CONFLICT;
      });
    }
  }
}

/** False where another write came between. */
const writeChange = async (table: Table, change: Change, item: Item<Posting> | undefined): Promise<boolean> => {
  const before = item ? blockFromText(item.data.ids) : emptyBlock();
  const after = changedBlock(before, change);
  if (isSameBlock(before, after)) return true;
  if (item && countOfBlock(after) === 0) return table.remove(change.key, { version: item.version });
  return table.put(itemOf(change.key, { ids: blockText(after) }), ifUnchanged(item?.version ?? null));
};
