import { CONFLICT, untilWritten } from '../../application/shared/contended.ts';
import type { Permit } from '../../domain/access/permit.ts';
import { savedEvent } from '../../domain/audit/event.ts';
import type { Overtaken } from '../../domain/gallery/saving.ts';
import type { ScreenDraft } from '../../domain/gallery/screen.ts';
import type { TaxonomyTerms } from '../../domain/gallery/taxonomy.ts';
import type { Clock } from '../../ports/outbound/clock.ts';
import type { GalleryEditor, SavedScreens } from '../../ports/outbound/gallery.ts';
import type { Pauses } from '../../ports/outbound/pauses.ts';
import type { Audited } from './audit-trail.ts';
import { chunksOf } from './chunks.ts';
import { countTaxonomy } from './gallery-counts.ts';
import { type Effect, ScreenSave } from './gallery-save.ts';
import { itemOf } from './item-of.ts';
import { galleryKeys } from './keys/gallery.ts';
import { saveRecord } from './records.ts';

/** The screens of one save take at most five writes each, and a transaction 100. */
const AT_ONCE = 20;

const SECTIONS = ['page_types', 'patterns', 'elements'] as const;

export type Parts = Audited & { readonly clock: Clock; readonly pauses: Pauses };

/** Writes the gallery. ADR 22 describes the order of the writes of a save, and why a killed one can be repeated. */
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

  /** Saves drafts with different keys. Begins anew with what another save has overtaken. */
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

/** The drafts in lists without equal keys; of equal ones the first comes in an earlier list. */
const distinctKeys = (drafts: readonly ScreenDraft[]): ScreenDraft[][] => {
  const lists: ScreenDraft[][] = [];
  for (const draft of drafts) {
    const list = lists.find((one) => one.every(({ key }) => key !== draft.key));
    if (list) list.push(draft);
    else lists.push([draft]);
  }
  return lists;
};
