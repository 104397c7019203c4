import { GALLERY_APPS, type GalleryApp } from '../../domain/gallery/apps.ts';
import type { Gallery } from '../../ports/outbound/gallery.ts';

export type Ports = { gallery: Gallery };

/** An app with the number of its screens and flows. */
export type CountedApp = GalleryApp & { readonly screens: number; readonly flows: number };

/** Every app in the order of the ids, also those without screens. */
export const listApps =
  ({ gallery }: Ports) =>
  async (): Promise<CountedApp[]> => {
    const counts = await gallery.apps();
    return GALLERY_APPS.map((app) => ({ ...app, screens: 0, flows: 0, ...counts.get(app.slug) }));
  };

export type ListApps = ReturnType<typeof listApps>;
