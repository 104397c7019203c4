import { CONFLICT, untilWritten } from '../../application/shared/contended.ts';
import type { AppSlug } from '../../domain/collect/run.ts';
import { countOfBlock } from '../../domain/gallery/id-block.ts';
import { flowTerm } from '../../domain/gallery/terms.ts';
import { isSameJson } from '../../domain/shared/same-json.ts';
import type { Pauses } from '../../ports/outbound/pauses.ts';
import { blockFromText } from './id-block-text.ts';
import { ifUnchanged } from './if-unchanged.ts';
import { itemOf } from './item-of.ts';
import { galleryKeys, partsOfPosting } from './keys/gallery.ts';
import { allItems, firstItems } from './records.ts';
import type { Table } from './table.ts';

/** The first screens of a flow that lie with it, so that an app's flows are read by one query. */
const FIRST_SCREENS = 12;

type Parts = { readonly table: Table; readonly pauses: Pauses };

/**
 * Brings a flow up to date with the index and with its screens. Of two at once the later one has read all that both
 * have written.
 */
export const refreshFlow = ({ table, pauses }: Parts, app: AppSlug, slug: string): Promise<true> =>
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

/** Counts the flows and screens of an app anew from the index of its flows. */
const countApp = async (table: Table, app: AppSlug) => {
  let screens = 0;
  const slugs = new Set<string>();
  for await (const { sk, data } of allItems(table, galleryKeys.postingsOfType(`flow-${app}`))) {
    slugs.add(partsOfPosting(sk).value);
    screens += countOfBlock(blockFromText(data.ids));
  }
  return { screens, flows: slugs.size };
};

/** Brings the counts of apps up to date with the index. */
export const refreshApps = ({ table, pauses }: Parts, apps: readonly AppSlug[]): Promise<true> =>
  untilWritten(pauses, async () => {
    const before = await table.get(galleryKeys.apps());
    const counted = await Promise.all(apps.map(async (app) => [app, await countApp(table, app)] as const));
    const all = { ...before?.data, ...Object.fromEntries(counted) };
    const after = Object.fromEntries(Object.entries(all).filter(([, { screens }]) => screens > 0));
    if (before && isSameJson(before.data, after)) return true;
    return (await table.put(itemOf(galleryKeys.apps(), after), ifUnchanged(before?.version ?? null))) || CONFLICT;
  });
