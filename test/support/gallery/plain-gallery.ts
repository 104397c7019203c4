import { expect } from 'vitest';
import type { Screen, ScreenDraft, ScreenFilter } from '../../../domain/design/gallery/screen.ts';
import { matches } from '../../../domain/design/gallery/terms.ts';
import type { Gallery } from '../../../ports/outbound/design/gallery.ts';
import { NOW } from '../builders.ts';

/** The gallery by its simplest definition: a list of screens, and a filter over the whole list. */
export class PlainGallery {
  readonly screens: Screen[] = [];

  save(drafts: readonly ScreenDraft[]): void {
    for (const draft of drafts) {
      const at = this.screens.findIndex(({ key }) => key === draft.key);
      const before = this.screens[at];
      if (!before) this.screens.push({ ...draft, id: this.screens.length + 1, added_at: NOW });
      else if (before.run_id <= draft.run_id) this.screens[at] = { ...before, ...draft };
    }
  }

  ids(filter: ScreenFilter): number[] {
    return this.screens.filter((screen) => matches(screen, filter)).map(({ id }) => id);
  }
}

const distinct = <T>(values: readonly T[]): T[] => [...new Set(values)];

/** Expects that a gallery has the screens of the simple one, and gives the same answers to these filters. */
export const expectSame = async (
  gallery: Gallery,
  plain: PlainGallery,
  filters: readonly ScreenFilter[],
): Promise<void> => {
  for (const screen of plain.screens) expect(await gallery.screen(screen.id)).toEqual(screen);
  expect(await gallery.screen(plain.screens.length + 1)).toBeUndefined();
  for (const filter of filters) {
    const ids = plain.ids(filter);
    const all = await gallery.search(filter, 'oldest', { page: 1, per_page: 1000 });
    expect([all.total, all.entries.map(({ id }) => id)]).toEqual([ids.length, ids]);
    const second = await gallery.search(filter, 'newest', { page: 2, per_page: 3 });
    expect([second.total, second.entries.map(({ id }) => id)]).toEqual([ids.length, ids.toReversed().slice(3, 6)]);
  }
  await expectSameFlows(gallery, plain);
};

/** By step; screens without a step come last, and equal ones are ordered by id. */
const byStep = (a: Screen, b: Screen): number =>
  (a.step ?? Number.POSITIVE_INFINITY) === (b.step ?? Number.POSITIVE_INFINITY)
    ? a.id - b.id
    : (a.step ?? Number.POSITIVE_INFINITY) - (b.step ?? Number.POSITIVE_INFINITY);

const expectSameFlows = async (gallery: Gallery, { screens }: PlainGallery): Promise<void> => {
  const apps = await gallery.apps();
  expect([...apps.keys()].sort()).toEqual(distinct(screens.map(({ app }) => app)).sort());
  for (const [app, counts] of apps) {
    const own = screens.filter((screen) => screen.app === app);
    const slugs = distinct(own.map(({ flow }) => flow.slug));
    expect(counts).toEqual({ screens: own.length, flows: slugs.length });
    const flows = await gallery.flows(app, { flows: 100, screens: 5 });
    expect(flows.map(({ slug }) => slug).sort()).toEqual(slugs.sort());
    for (const { slug, total, screens: first } of flows) {
      const all = own.filter(({ flow }) => flow.slug === slug).sort(byStep);
      expect([total, first.map(({ id }) => id)]).toEqual([all.length, all.slice(0, 5).map(({ id }) => id)]);
    }
  }
};
