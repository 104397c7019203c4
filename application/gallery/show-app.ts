import { GALLERY_APPS, type GalleryApp } from '../../domain/gallery/apps.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { FlowScreens, Gallery } from '../../ports/outbound/gallery.ts';

export type Ports = { gallery: Gallery };

/** An app with the number of all its screens, and its flows with their first screens. */
export type ShownApp = GalleryApp & { readonly screens: number; readonly flows: readonly FlowScreens[] };

/** The most flows of an app, and screens of a flow, that are shown. The list of screens has the rest. */
const MOST = { flows: 50, screens: 12 } as const;

/**
 * One app with its flows, in the order of their slugs.
 *
 * `id` is null where the request names none that could be an id.
 */
export const showApp =
  ({ gallery }: Ports) =>
  async (id: number | null): Promise<Outcome<ShownApp, 'not_found'>> => {
    const app = GALLERY_APPS.find((one) => one.id === id);
    if (!app)
      return refuse('not_found', { message: `There is no such app. Apps have the ids 1 to ${GALLERY_APPS.length}.` });
    const [counts, flows] = await Promise.all([gallery.apps(), gallery.flows(app.slug, MOST)]);
    return ok({ ...app, screens: counts.get(app.slug)?.screens ?? 0, flows });
  };

export type ShowApp = ReturnType<typeof showApp>;
