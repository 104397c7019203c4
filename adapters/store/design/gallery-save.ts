import { CONFLICT, untilWritten } from '../../../application/shared/contended.ts';
import type { AppSlug } from '../../../domain/design/collect/run.ts';
import {
  blockOf,
  changedBlock,
  countOfBlock,
  emptyBlock,
  isSameBlock,
} from '../../../domain/design/gallery/id-block.ts';
import { type KeptScreen, type Overtaken, planSave, type SavePlan } from '../../../domain/design/gallery/saving.ts';
import type { Screen, ScreenCard, ScreenDetail, ScreenDraft } from '../../../domain/design/gallery/screen.ts';
import { flowTerm, partsOfTerm, type Term, termsOfScreen } from '../../../domain/design/gallery/terms.ts';
import { isSameJson } from '../../../domain/shared/same-json.ts';
import type { Clock, Pauses } from '../../../ports/outbound/system.ts';
import {
  type GalleryHead,
  galleryKeys,
  type Posting,
  partsOfPosting,
  type ScreenEntry,
} from '../keys/design/gallery.ts';
import { allItems, chunksOf, firstItems, ifUnchanged, itemOf } from '../records.ts';
import type { Item } from '../table.ts';
import type { KeyOf, TypedTable, TypedWrite } from '../typed-table.ts';
import { blockFromText, blockText } from './id-block-text.ts';

/** The number of a flow's first screens that are stored with the flow, so that one query reads an app's flows. */
const FIRST_SCREENS = 12;

/**
 * Updates a flow from the index and its screens. Of two concurrent updates, the later one has read the writes of both.
 */
const refreshFlow = ({ table, pauses }: Omit<Parts, 'clock'>, app: AppSlug, slug: string): Promise<true> =>
  untilWritten(pauses, async () => {
    const key = galleryKeys.flow(app, slug);
    const before = await table.get(key);
    let total = 0;
    for await (const { data } of allItems(table, galleryKeys.postings(flowTerm(app, slug)))) {
      total += countOfBlock(blockFromText(data.ids));
    }
    if (total === 0) return !before || (await table.remove(key, { version: before.version })) || CONFLICT;
    const items = await firstItems(table, galleryKeys.members(app, slug), FIRST_SCREENS);
    const cards = await table.getMany(items.map(({ data }) => galleryKeys.card(data.id)));
    const screens = cards.flatMap((item) => (item ? [item.data] : []));
    const name = screens[0]?.flow.name ?? before?.data.name ?? slug;
    const flow = { slug, name, total, screens };
    if (before && isSameJson(before.data, flow)) return true;
    return (await table.put(itemOf(key, flow), ifUnchanged(before?.version ?? null))) || CONFLICT;
  });

/** Recounts an app's flows and screens from the index of its flows. */
const countApp = async (table: TypedTable, app: AppSlug) => {
  let screens = 0;
  const slugs = new Set<string>();
  for await (const { sk, data } of allItems(table, galleryKeys.postingsOfType(`flow-${app}`))) {
    slugs.add(partsOfPosting(sk).value);
    screens += countOfBlock(blockFromText(data.ids));
  }
  return { screens, flows: slugs.size };
};

/** Updates the counts of apps from the index. */
const refreshApps = ({ table, pauses }: Omit<Parts, 'clock'>, apps: readonly AppSlug[]): Promise<true> =>
  untilWritten(pauses, async () => {
    const before = await table.get(galleryKeys.apps());
    const counted = await Promise.all(apps.map(async (app) => [app, await countApp(table, app)] as const));
    const all = { ...before?.data, ...Object.fromEntries(counted) };
    const after = Object.fromEntries(Object.entries(all).filter(([, { screens }]) => screens > 0));
    if (before && isSameJson(before.data, after)) return true;
    return (await table.put(itemOf(galleryKeys.apps(), after), ifUnchanged(before?.version ?? null))) || CONFLICT;
  });

/** The ids of a block to add to a term and to remove from it. */
type Change = {
  readonly key: KeyOf<Posting>;
  readonly set: Set<number>;
  readonly clear: Set<number>;
};

/** The number of blocks that one getMany reads, and that are then written in parallel. */
const AT_ONCE = 50;

/** Collects the index changes of a save, so that each block of a term is read and written once. */
class PostingChanges {
  readonly #changes = new Map<string, Change>();

  add(term: Term, id: number, has: boolean): void {
    const key = galleryKeys.posting(term, blockOf(id));
    const name = `${key.pk}\n${key.sk}`;
    const change = this.#changes.get(name) ?? { key, set: new Set(), clear: new Set() };
    this.#changes.set(name, change);
    (has ? change.set : change.clear).add(id);
  }

  /** Writes the changes. Repeating it changes nothing, and concurrent saves lose none of each other's changes. */
  async write(table: TypedTable, pauses: Pauses): Promise<void> {
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

/** False after a conflict with another write. */
const writeChange = async (table: TypedTable, change: Change, item: Item<Posting> | undefined): Promise<boolean> => {
  const before = item ? blockFromText(item.data.ids) : emptyBlock();
  const after = changedBlock(before, change);
  if (isSameBlock(before, after)) return true;
  if (item && countOfBlock(after) === 0) return table.remove(change.key, { version: item.version });
  return table.put(itemOf(change.key, { ids: blockText(after) }), ifUnchanged(item?.version ?? null));
};

export type Effect = SavePlan['effect'];

type Parts = { readonly table: TypedTable; readonly clock: Clock; readonly pauses: Pauses };

/** A draft with its stored record and the plan for it. */
type PlannedSave = {
  readonly draft: ScreenDraft;
  readonly before: Screen | undefined;
  readonly found: Item<ScreenEntry> | undefined;
  readonly plan: SavePlan;
};

/** A draft whose entry this save has claimed: the entry lists the terms that are in flux until the save ends. */
type ClaimedSave = PlannedSave & { readonly entry: ScreenEntry; readonly version: string };

const parted = ({
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
}: Screen): {
  readonly card: ScreenCard;
  readonly detail: ScreenDetail;
} => ({
  card,
  detail: { text, page, fonts, colors, elements, auth, login_stage, saved_state, http_status, final_url, run_id, key },
});

/** The screens of these ids, by id. Ids that an unfinished save has only reserved are left out. */
export const screensOf = async (table: TypedTable, ids: readonly number[]): Promise<Map<number, Screen>> => {
  const [cards, details] = await Promise.all([
    table.getMany(ids.map(galleryKeys.card)),
    table.getMany(ids.map(galleryKeys.detail)),
  ]);
  const screens = new Map<number, Screen>();
  ids.forEach((id, n) => {
    const [card, detail] = [cards[n]?.data, details[n]?.data];
    if (card && detail) screens.set(id, { ...card, ...detail });
  });
  return screens;
};

/**
 * One attempt to save drafts with different keys. The order of its writes allows repeating it from any point: 1. an
 * entry for each key names the terms that become doubtful; new screens get their ids in the same transaction; 2. the
 * screens, on the condition that the entries are unchanged; 3. the index of the doubtful terms, then their flows and
 * apps; 4. the head, so that no process continues with an outdated index; 5. the entries without doubtful terms.
 */
export class ScreenSave {
  readonly #parts: Parts;
  readonly #effects: Map<string, Effect>;
  readonly #done: Map<string, Overtaken>;

  /** `effects` collects the effect of each draft by key, and `done` the effect of an earlier attempt on its screen. */
  constructor(parts: Parts, effects: Map<string, Effect>, done: Map<string, Overtaken>) {
    this.#parts = parts;
    this.#effects = effects;
    this.#done = done;
  }

  /** False after a conflict with another save; the attempt must be repeated. */
  async run(drafts: readonly ScreenDraft[]): Promise<boolean> {
    const { planned, head } = await this.#plan(drafts);
    const writing = planned.filter(({ plan }) => plan.write !== null);
    if (writing.length === 0) return true;
    const claimed = await this.#claim(writing, head);
    if (!claimed || !(await this.#writeScreens(claimed))) return false;
    await this.#mend(claimed);
    await this.#renewHead();
    return this.#finish(claimed);
  }

  async #plan(drafts: readonly ScreenDraft[]) {
    const { table } = this.#parts;
    const keys = drafts.map(({ key }) => galleryKeys.entry(key));
    const [head, ...entries] = await table.getMany([galleryKeys.head(), ...keys] as const);
    const screens = await screensOf(
      table,
      entries.flatMap((item) => (item ? [item.data.id] : [])),
    );
    const planned = drafts.map((draft, n): PlannedSave => {
      const found = entries[n];
      const before = found && screens.get(found.data.id);
      const stored: KeptScreen | undefined = found && { ...found.data, screen: before };
      const plan = planSave(draft, stored, this.#done.get(draft.key));
      if (!this.#effects.has(draft.key)) this.#effects.set(draft.key, plan.effect);
      return { draft, before, found, plan };
    });
    return { planned, head };
  }

  /** Writes the entries with their doubtful terms, and gives new screens the next ids. Undefined after a lost race. */
  async #claim(
    writing: readonly PlannedSave[],
    head: Item<GalleryHead> | undefined,
  ): Promise<ClaimedSave[] | undefined> {
    const { table, clock } = this.#parts;
    const count = head?.data.screens ?? 0;
    let next = count;
    const entries = writing.map(({ draft, found, plan: { write, doubtful } }): ScreenEntry => {
      const { id, added_at, run_id } = found?.data ?? { id: ++next, added_at: clock.now(), run_id: 0 };
      return { id, added_at, run_id: write === 'draft' ? draft.run_id : run_id, doubtful };
    });
    const writes: TypedWrite[] = writing.map(({ draft, found }, n) => ({
      put: itemOf(galleryKeys.entry(draft.key), entries[n] as ScreenEntry),
      condition: ifUnchanged(found?.version ?? null),
    }));
    if (next > count) {
      writes.push({
        put: itemOf(galleryKeys.head(), { screens: next }),
        condition: ifUnchanged(head?.version ?? null),
      });
    }
    if (!(await table.transact(writes))) return undefined;
    const now = await table.getMany(writing.map(({ draft }) => galleryKeys.entry(draft.key)));
    // An entry that reads differently belongs to another save, so its version must not be used here.
    if (!entries.every((entry, n) => isSameJson(entry, now[n]?.data))) return undefined;
    return writing.map((one, n) => ({ ...one, entry: entries[n] as ScreenEntry, version: now[n]?.version ?? '' }));
  }

  /** Writes cards, details and positions in flows. False if another save has claimed one of the entries. */
  async #writeScreens(claimed: readonly ClaimedSave[]): Promise<boolean> {
    const writes = claimed.flatMap(({ draft, before, entry, version, plan }): TypedWrite[] => {
      if (plan.write !== 'draft') return [];
      const { id, added_at } = entry;
      const { card, detail } = parted({ ...draft, id, added_at });
      const place = galleryKeys.member(card);
      const left = before && galleryKeys.member(before);
      return [
        { check: galleryKeys.entry(draft.key), condition: { version } },
        { put: itemOf(galleryKeys.card(id), card) },
        { put: itemOf(galleryKeys.detail(id), detail) },
        { put: itemOf(place, { id }) },
        ...(left && (left.pk !== place.pk || left.sk !== place.sk) ? [{ remove: left }] : []),
      ];
    });
    return writes.length === 0 || this.#parts.table.transact(writes);
  }

  /** Updates the index of the doubtful terms, and the flows and apps that changed. */
  async #mend(claimed: readonly ClaimedSave[]): Promise<void> {
    const { table, pauses } = this.#parts;
    const changes = new PostingChanges();
    const flows = new Map<string, readonly [AppSlug, string]>();
    for (const { draft, before, entry, plan } of claimed) {
      const screen = plan.write === 'draft' ? draft : (before as Screen);
      const terms = new Set(termsOfScreen(screen));
      this.#done.set(draft.key, { written: true, touched: entry.doubtful });
      for (const term of entry.doubtful) {
        changes.add(term, entry.id, terms.has(term));
        const { type, value } = partsOfTerm(term);
        if (type.startsWith('flow-')) flows.set(term, [type.slice(5) as AppSlug, value]);
      }
      flows.set(`flow-${screen.app}:${screen.flow.slug}`, [screen.app, screen.flow.slug]);
    }
    await changes.write(table, pauses);
    for (const [app, slug] of flows.values()) await refreshFlow(this.#parts, app, slug);
    await refreshApps(this.#parts, [...new Set(flows.values().map(([app]) => app))]);
  }

  async #renewHead(): Promise<void> {
    const { table } = this.#parts;
    const head = await table.get(galleryKeys.head());
    // A concurrent save that renews the head does so for both.
    if (head) await table.put(itemOf(galleryKeys.head(), head.data), { version: head.version });
  }

  async #finish(claimed: readonly ClaimedSave[]): Promise<boolean> {
    const { table } = this.#parts;
    const finished = await Promise.all(
      claimed.map(({ draft, entry, version }) =>
        table.put(itemOf(galleryKeys.entry(draft.key), { ...entry, doubtful: [] }), { version }),
      ),
    );
    return finished.every((one) => one);
  }
}
