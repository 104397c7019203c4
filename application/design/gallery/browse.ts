import {
  GALLERY_APPS,
  type GalleryApp,
  type Screen,
  type ScreenCard,
  type ScreenFilter,
  type ScreenOrder,
} from '../../../domain/design/gallery/screen.ts';
import type { Taxonomy } from '../../../domain/design/gallery/taxonomy.ts';
import { type Outcome, ok, refuse } from '../../../domain/shared/outcome.ts';
import { PAGE_SIZE } from '../../../domain/shared/paging.ts';
import type { FlowScreens, Gallery } from '../../../ports/outbound/design/gallery.ts';

export type ScreenSearch = {
  readonly filter: ScreenFilter;
  readonly order: ScreenOrder;
  /** The number of columns; null means 4. */
  readonly cols: number | null;
  /** The page number, from 1. */
  readonly page: number;
};

/** A page of screens. It has the full rows that 24 screens need. */
export type FoundScreens = {
  readonly screens: readonly ScreenCard[];
  readonly total: number;
  readonly page: number;
  readonly per_page: number;
  readonly cols: number;
};

const COLS = 4;

/** The screens that match a filter, page by page. A page beyond the last one is empty. */
export const searchScreens = ({ gallery }: { gallery: Gallery }) =>
  async function searchScreens({ filter, order, cols, page }: ScreenSearch): Promise<FoundScreens> {
    const columns = cols ?? COLS;
    const per_page = columns * Math.ceil(PAGE_SIZE / columns);
    const { entries, total } = await gallery.search(filter, order, { page, per_page });
    return { screens: entries, total, page, per_page, cols: columns };
  };

/** `id` is null if the request has no valid id. */
export const showScreen = ({ gallery }: { gallery: Gallery }) =>
  async function showScreen(id: number | null): Promise<Outcome<Screen, 'not_found'>> {
    const screen = id === null ? undefined : await gallery.screen(id);
    return screen
      ? ok(screen)
      : refuse('not_found', { message: 'There is no such screen. Take an id from the list of screens.' });
  };

export type CountedApp = GalleryApp & { readonly screens: number; readonly flows: number };

/** Every app by id, including those without screens. */
export const listApps = ({ gallery }: { gallery: Gallery }) =>
  async function listApps(): Promise<CountedApp[]> {
    const counts = await gallery.apps();
    return GALLERY_APPS.map((app) => ({ ...app, screens: 0, flows: 0, ...counts.get(app.slug) }));
  };

/** An app with the number of all its screens, and its flows with their first screens. */
export type ShownApp = GalleryApp & { readonly screens: number; readonly flows: readonly FlowScreens[] };

/**
 * The maximum number of flows of an app, and of screens of a flow, that are shown. The list of screens has the rest.
 */
const MOST = { flows: 50, screens: 12 } as const;

/**
 * One app with its flows, in the order of their slugs.
 *
 * `id` is null if the request has no valid id.
 */
export const showApp = ({ gallery }: { gallery: Gallery }) =>
  async function showApp(id: number | null): Promise<Outcome<ShownApp, 'not_found'>> {
    const app = GALLERY_APPS.find((one) => one.id === id);
    if (!app)
      return refuse('not_found', { message: `There is no such app. Apps have the ids 1 to ${GALLERY_APPS.length}.` });
    const [counts, flows] = await Promise.all([gallery.apps(), gallery.flows(app.slug, MOST)]);
    return ok({ ...app, screens: counts.get(app.slug)?.screens ?? 0, flows });
  };

/** The words of the gallery with the number of screens that match each, as counted after the last collect run. */
export const showTaxonomy = ({ gallery }: { gallery: Gallery }) =>
  function showTaxonomy(): Promise<Taxonomy> {
    return gallery.taxonomy();
  };
