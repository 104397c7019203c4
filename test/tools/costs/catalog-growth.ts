import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { editionKeys, KEPT_PARTITIONS } from '../../../adapters/store/keys/editions.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { ENDPOINTS } from '../../../ports/inbound/endpoints.ts';
import type { Service } from '../../../runtimes/composition/service.ts';
import { TOOL } from '../../surface/shop.ts';
import { ask } from './ask.ts';
import { CASES, prepare } from './cases.ts';
import { catalogItems } from './catalog-items.ts';
import type { Cost } from './measure.ts';
import { openMeteredShop } from './open.ts';
import { writeItems } from './write-items.ts';

/** The age of the process and of its copy when a request comes. */
export const STATES = ['warm', 'a copy to look after', 'a product changed', 'just started'] as const;
export type CopyState = (typeof STATES)[number];

export type CatalogCost = Omit<Cost, 'operations' | 'when' | 'answerBytes'> & { readonly state: CopyState };

/** The cost of requests in a shop of many products, and the memory of a process that holds its catalog. */
export type CatalogGrowth = {
  readonly products: number;
  /** The time to fill the table, and to make the snapshots. */
  readonly seconds: number;
  /** Megabytes of the heap that the catalog takes, and that the public releases take beside it. */
  readonly catalogMb: number;
  readonly supplyMb: number;
  /** Milliseconds until a process that starts has both, without waiting for a network. */
  readonly startMs: number;
  readonly costs: readonly CatalogCost[];
};

const GROWING = ['checkLicense', 'getLibrary', 'getDownloadPipeline'];
const PERMIT = grantPermit();

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const heapMb = (): number => {
  collect();
  return process.memoryUsage().heapUsed / 1024 / 1024;
};

const rounded = (value: number): number => Math.round(value * 10) / 10;

/** The memory that a new process takes for its copies, and the time to make them. */
const memoryOf = async (service: Service) => {
  const empty = heapMb();
  const began = performance.now();
  await service.get('catalogs').current();
  const withCatalog = heapMb();
  await service.get('supplies').of([]);
  const startMs = Math.round(performance.now() - began);
  return { catalogMb: rounded(withCatalog - empty), supplyMb: rounded(heapMb() - withCatalog), startMs };
};

const forget = (service: Service): void => {
  service.get('storedCatalogs').copy.forget();
  service.get('supplyCopy').forget();
  service.get('storedReleases').forget();
};

/** Measures the requests on a new table with `products` products beside the shop. */
export const measureCatalogGrowth = async (products: number): Promise<CatalogGrowth> => {
  const { service, meter, tableName, another, close } = await openMeteredShop();
  try {
    const began = Date.now();
    const table = service.get('table');
    await writeItems(tableName, catalogItems(products));
    // The items came past the editions, as those of a store of an older version.
    for (const of of KEPT_PARTITIONS) await table.remove(editionKeys.edition(of));
    forget(service);
    for (const copy of [service.get('storedCatalogs').copy, service.get('supplyCopy')]) await copy.mend();
    const seconds = Math.round((Date.now() - began) / 1000);
    const memory = await memoryOf(another());
    const costs: CatalogCost[] = [];
    for (const one of CASES.filter(({ id, when }) => when === undefined && GROWING.includes(id))) {
      const { key } = await prepare(service, one);
      const wish = { endpoint: ENDPOINTS[one.id], product: TOOL, ...one.ask, key };
      await ask(service, wish);
      for (const state of STATES) {
        if (state === 'a copy to look after') forget(service);
        if (state === 'a product changed') {
          await change(another());
          forget(service);
        }
        const asked = state === 'just started' ? another() : service;
        const { operations, ...numbers } = await meter.measure(() => ask(asked, wish));
        costs.push({ id: one.id, state, ...numbers });
      }
    }
    return { products, seconds, ...memory, costs };
  } finally {
    await close();
  }
};

/** Changes the price of a product, as a process of the operator's would. */
const change = async (service: Service): Promise<void> => {
  const product = (await service.get('catalogs').current()).products.get(TOOL);
  if (!product) throw new Error('The shop has no product to change.');
  const value = { ...product, unit_price_cents: product.unit_price_cents + 1 };
  await service.get('catalogEditor').save(PERMIT, { kind: 'product', value });
};
