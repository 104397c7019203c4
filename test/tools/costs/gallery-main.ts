import { MemoryTable } from '../../../adapters/memory/memory-table.ts';
import { StoredGallery } from '../../../adapters/store/gallery.ts';
import { StoredGalleryEditor } from '../../../adapters/store/gallery-editor.ts';
import type { NewItem, Table } from '../../../adapters/store/table.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { NO_FILTER, type ScreenFilter } from '../../../domain/gallery/filter.ts';
import { audited } from '../../support/audited.ts';
import { aClock, noPauses } from '../../support/fakes.ts';
import { meteredTable } from '../../support/gallery/metered-table.ts';
import { galleryItems } from './gallery-items.ts';
import { screenNumber } from './gallery-screens.ts';

/*
 * `node test/costs/gallery-main.ts 1000 100000` fills the memory engine with galleries of these sizes and prints the
 * read units, bytes and times of searches, and the writes of saving a run of 100 screens. ADR 22 has the figures.
 */

const FILTERS: Readonly<Record<string, ScreenFilter>> = {
  'no filter': NO_FILTER,
  'a viewport': { ...NO_FILTER, viewport: 'mobile' },
  'a page type': { ...NO_FILTER, kind: 'list' },
  'a word': { ...NO_FILTER, q: 'w40' },
  'a viewport, a language, a page type and two words': {
    ...NO_FILTER,
    viewport: 'mobile',
    lang: 'ko',
    kind: 'list',
    q: 'w3 w7',
  },
};

const TIMES = 50;
const RUN = 100;

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};

const fill = async (count: number) => {
  const table = new MemoryTable();
  let [items, bytes, largest] = [0, 0, 0];
  for (const item of galleryItems(count)) {
    const size = Buffer.byteLength(item.pk + item.sk + JSON.stringify(item.data));
    [items, bytes, largest] = [items + 1, bytes + size, Math.max(largest, size)];
    await table.put(item);
  }
  return { table, items, bytes, largest };
};

/** Counts the writes of some work, and the units that DynamoDB takes for them: twice as many in a transaction. */
const writesOf = async (table: Table, work: (table: Table) => Promise<unknown>) => {
  let [calls, units] = [0, 0];
  const add = ({ data }: Partial<NewItem>, times: number): void => {
    units += times * Math.max(1, Math.ceil((Buffer.byteLength(JSON.stringify(data ?? {})) + 100) / 1024));
  };
  const counting = new Proxy(table, {
    get: (target, name) => {
      const call = Reflect.get(target, name) as (...args: unknown[]) => unknown;
      return (...args: unknown[]) => {
        if (name === 'put' || name === 'remove' || name === 'transact') calls++;
        if (name === 'put') add(args[0] as NewItem, 1);
        if (name === 'remove') add({}, 1);
        if (name === 'transact') for (const write of args[0] as { put?: NewItem }[]) add(write.put ?? {}, 2);
        return call.apply(target, args);
      };
    },
  });
  const meter = meteredTable(counting);
  const reads = await meter.measure(() => work(meter.table));
  return { calls, units: Math.round(units), reads };
};

for (const count of process.argv.slice(2).map(Number)) {
  const { table, items, bytes, largest } = await fill(count);
  console.log(`${count} screens: ${items} items, ${(bytes / 1e6).toFixed(1)} MB, the largest ${largest} bytes`);
  for (const [name, filter] of Object.entries(FILTERS)) {
    const meter = meteredTable(table);
    const search = (gallery: StoredGallery) => () => gallery.search(filter, 'newest', { page: 1, per_page: 24 });
    const metered = new StoredGallery(meter.table);
    const cold = await meter.measure(search(metered));
    const repeated = await meter.measure(search(metered));
    const coldMs = await timed(search(new StoredGallery(table)));
    const warm = new StoredGallery(table);
    const warmMs =
      (await timed(async () => {
        for (let n = 0; n < TIMES; n++) await search(warm)();
      })) / TIMES;
    console.log(
      `  ${name}: cold ${JSON.stringify(cold)} ${coldMs.toFixed(2)} ms; repeated ${JSON.stringify(repeated)} ${warmMs.toFixed(2)} ms`,
    );
  }
  const run = Array.from({ length: RUN }, (_, n) => screenNumber(count + 1 + n));
  const editor = (on: Table) => new StoredGalleryEditor({ ...audited(on), clock: aClock(), pauses: noPauses });
  const batches = async (on: Table) => {
    for (let n = 0; n < RUN; n += 10) await editor(on).save(grantPermit(), run.slice(n, n + 10));
  };
  for (const when of ['first', 'again'])
    console.log(`  a run of ${RUN}, ${when}: ${JSON.stringify(await writesOf(table, batches))}`);
  console.log(`  recount: ${JSON.stringify(await writesOf(table, (on) => editor(on).recount(grantPermit())))}`);
}
