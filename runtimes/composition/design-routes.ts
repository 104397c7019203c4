import type { HostRoute } from '../../adapters/host/host.ts';
import { mediaRoute } from '../../adapters/host/media.ts';
import { savedPageRoute } from '../../adapters/host/saved-page.ts';
import type { LimitRate } from '../../application/access/limit-rate.ts';
import { ownerOf } from '../../domain/access/owner.ts';
import { ANYONE } from '../../domain/access/principal.ts';
import type { Gallery } from '../../ports/outbound/gallery.ts';
import type { ObjectStore } from '../../ports/outbound/object-store.ts';
import type { Addresses } from './engine-settings.ts';
import type { Service } from './service.ts';

type Parts = {
  readonly addresses: Addresses;
  readonly objects: ObjectStore;
  readonly gallery: Pick<Gallery, 'screen'>;
  readonly limitRate: Pick<LimitRate, 'execute' | 'spent'>;
};

/** The paths that the design host's routes answer; `/screens/<id>/page` is the only one among the pages. */
const OF_HOST = /^\/(?:(?:api|mcp|media|skill|uploads|\.well-known|healthz)(?:\/|$)|screens\/[^/]+\/page$)/;

/** True for the path of a page of the design host's app. Every other path is its host's. */
export const isDesignPage = (path: string): boolean => !OF_HOST.test(path);

/** The design host's routes for browsers besides its endpoints: images, style sheets and saved pages. */
export const designRoutes = ({ get }: Service<Parts>): HostRoute[] => {
  const limitRate = get('limitRate');
  return [
    mediaRoute(get('objects')),
    savedPageRoute({
      objects: get('objects'),
      pageOf: async (id) => (await get('gallery').screen(id))?.page ?? null,
      count: (address) => {
        const owner = ownerOf(ANYONE, address);
        return limitRate.spent(owner) ?? limitRate.execute(owner);
      },
      design: get('addresses').urls.design,
    }),
  ];
};
