import { blockText } from '../../../adapters/store/design/id-block-text.ts';
import { galleryKeys } from '../../../adapters/store/keys/design/gallery.ts';
import { itemOf } from '../../../adapters/store/records.ts';
import type { NewItem } from '../../../adapters/store/table.ts';
import { BLOCK_IDS, blockOf, changedBlock, emptyBlock } from '../../../domain/design/gallery/id-block.ts';
import { type Term, termsOfScreen } from '../../../domain/design/gallery/terms.ts';
import { NOW } from '../../support/builders.ts';
import { screenNumber } from './gallery-screens.ts';

/** The ids of one block by term. */
type Postings = Map<Term, number[]>;

function* postingItems(block: number, postings: Postings): Generator<NewItem> {
  for (const [term, ids] of postings) {
    const bits = changedBlock(emptyBlock(), { set: ids, clear: [] });
    yield itemOf(galleryKeys.posting(term, block), { ids: blockText(bits) });
  }
}

/**
 * The cards and the index of a gallery with `count` screens, as saves would write them, but without details, entries
 * and flows.
 */
export function* galleryItems(count: number): Generator<NewItem> {
  let postings: Postings = new Map();
  for (let id = 1; id <= count; id++) {
    const draft = screenNumber(id);
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
    } = draft;
    yield itemOf(galleryKeys.card(id), { ...card, id, added_at: NOW });
    for (const term of termsOfScreen(draft)) {
      const ids = postings.get(term);
      if (ids) ids.push(id);
      else postings.set(term, [id]);
    }
    if ((id + 1) % BLOCK_IDS === 0 || id === count) {
      yield* postingItems(blockOf(id), postings);
      postings = new Map();
    }
  }
  yield itemOf(galleryKeys.head(), { screens: count });
}
