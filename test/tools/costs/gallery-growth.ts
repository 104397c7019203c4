import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { ENDPOINTS } from '../../../ports/inbound/endpoints.ts';
import { galleryPagesParts } from '../../../runtimes/composition/gallery-pages.ts';
import { limitOf } from '../../../runtimes/composition/hosts.ts';
import type { Service } from '../../../runtimes/composition/service.ts';
import { serveGallery } from '../../support/gallery-pages.ts';
import { callerOf } from '../../surface/callers.ts';
import { ask } from './ask.ts';
import { galleryItems } from './gallery-items.ts';
import { SEARCHES } from './gallery-searches.ts';
import type { Metered } from './meter.ts';
import { openMeteredShop } from './open.ts';
import { writeItems } from './write-items.ts';

type Numbers = Omit<Metered, 'operations'>;

/** The cost of a search by a process that has nothing in memory, and of the same search again. */
export type SearchCost = { readonly search: string; readonly cold: Numbers; readonly again: Numbers };

/** The cost of pages of screens, which must hardly depend on the number of screens. */
export type GalleryGrowth = {
  readonly screens: number;
  /** The time to fill the table. */
  readonly seconds: number;
  readonly costs: readonly SearchCost[];
};

const FIRST_PAGE = 'the first page of the gallery';

/** Asks for the gallery's first page, which people see: a search without a filter, and the words to filter by. */
const askPage = async (service: Service): Promise<void> => {
  const server = await serveGallery(galleryPagesParts(service, false), () => [], { limit: limitOf(service) });
  try {
    const { status } = await fetch(server.url);
    if (status !== 200) throw new Error(`The gallery answers ${status}.`);
  } finally {
    await server.close();
  }
};

/** Measures searches on a new table with a gallery of so many screens. */
export const measureGalleryGrowth = async (screens: number): Promise<GalleryGrowth> => {
  const { service, meter, tableName, another, close } = await openMeteredShop();
  try {
    const began = Date.now();
    await writeItems(tableName, galleryItems(screens));
    await service.get('galleryEditor').recount(grantPermit());
    const seconds = Math.round((Date.now() - began) / 1000);
    const endpoint = ENDPOINTS.listScreens;
    const { key, product } = await callerOf(service, endpoint);
    const requests = Object.entries(SEARCHES).map(([search, query]) => {
      const wish = { endpoint, key: key ?? '', product, query: query(screens) };
      return [search, (asked: Service) => ask(asked, wish)] as const;
    });
    const costs: SearchCost[] = [];
    for (const [search, request] of [...requests, [FIRST_PAGE, askPage] as const]) {
      const asked = another();
      const measured = async (): Promise<Numbers> => {
        const { operations, ...numbers } = await meter.measure(() => request(asked));
        return numbers;
      };
      costs.push({ search, cold: await measured(), again: await measured() });
    }
    return { screens, seconds, costs };
  } finally {
    await close();
  }
};
