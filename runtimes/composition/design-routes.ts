import { mediaRoute, savedPageRoute } from '../../adapters/host/gallery-files.ts';
import type { HostRoute } from '../../adapters/host/host.ts';
import type { Gallery } from '../../ports/outbound/gallery.ts';
import type { ObjectStore } from '../../ports/outbound/object-store.ts';
import type { Service } from './service.ts';
import type { Addresses } from './settings.ts';

export type Parts = {
  readonly addresses: Addresses;
  readonly objects: ObjectStore;
  readonly gallery: Pick<Gallery, 'screen'>;
};

/** The paths that the design host's routes answer; `/screens/<id>/page` is the only one among the pages. */
const OF_HOST =
  /^\/(?:(?:api|mcp|media|skill|uploads|\.well-known|healthz|openapi\.json)(?:\/|$)|screens\/[^/]+\/page\/?$)/;

/** True for the path of a page of the design host's app. Every other path is its host's. */
export const isDesignPage = (path: string): boolean => !OF_HOST.test(path);

/** The design host's routes that browsers load with its pages: images, style sheets and saved pages. */
export const galleryRoutes = ({ get }: Service<Parts>): HostRoute[] => [
  mediaRoute(get('objects')),
  savedPageRoute({
    objects: get('objects'),
    pageOf: async (id) => (await get('gallery').screen(id))?.page ?? null,
    design: get('addresses').urls.design,
  }),
];
