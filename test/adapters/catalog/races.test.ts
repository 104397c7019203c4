import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MemoryTable } from '../../../adapters/memory/memory-table.ts';
import type { StoredCatalogs } from '../../../adapters/store/catalogs.ts';
import type { NewItem, Table, Write } from '../../../adapters/store/table.ts';
import type { Product } from '../../../domain/catalog/product.ts';
import { aProcess, prices, save } from './processes.ts';

/** A table whose calls a scheduler reorders. `written` is called with each product as it is written. */
const scheduled = (table: Table, scheduler: fc.Scheduler, written: (product: Product) => void): Table =>
  new Proxy(table, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return async (...args: unknown[]): Promise<unknown> => {
        await scheduler.schedule(Promise.resolve(), String(name));
        const result: unknown = await Reflect.apply(member, target, args);
        if (name === 'transact' && result === true) {
          const puts = (args[0] as readonly Write[]).flatMap((write): NewItem[] => ('put' in write ? [write.put] : []));
          for (const { sk, data } of puts) if (sk.startsWith('PRODUCT#')) written(data as Product);
        }
        await scheduler.schedule(Promise.resolve(), `${String(name)} answers`);
        return result;
      };
    },
  });

describe('two concurrent writers and a reader', () => {
  const someSaves = fc.array(fc.record({ id: fc.integer({ min: 1, max: 4 }), bytes: fc.constantFrom(10, 30_000) }), {
    minLength: 1,
    maxLength: 6,
  });

  /** None, or enough for a large snapshot, to which the next change adds a chunk. */
  const savedBefore = fc.constantFrom(0, 50);

  test('two writers and a reader lose no change and read no outdated record, in any order of calls', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), someSaves, someSaves, savedBefore, async (scheduler, first, second, saved) => {
        /** The prices of each product, in the order of its writes. */
        const history = new Map<number, number[]>();
        const store = new MemoryTable();
        const table = scheduled(store, scheduler, ({ id, unit_price_cents }) =>
          history.set(id, [...(history.get(id) ?? []), unit_price_cents]),
        );
        let price = 0;
        const before = aProcess(store, 'unbounded');
        for (let n = 0; n < saved; n++) {
          const id = Math.min(n + 1, 5);
          await save(before, id, ++price, 30_000);
          history.set(id, [price]);
        }
        const writing = async (saves: typeof first): Promise<void> => {
          const writer = aProcess(table, 'unbounded');
          for (const { id, bytes } of saves) await save(writer, id, ++price, bytes);
        };
        const expectFresh = async (reader: StoredCatalogs): Promise<void> => {
          const before = [...history].map(([id, all]) => [id, all.length - 1] as const);
          const seen = await prices(reader);
          for (const [id, least] of before) {
            expect(history.get(id)?.indexOf(seen[id] ?? -1)).toBeGreaterThanOrEqual(least);
          }
        };
        const reading = async (): Promise<void> => {
          const reader = aProcess(table, 0);
          for (let n = 0; n < 6; n++) await expectFresh(reader);
        };
        await scheduler.waitFor(Promise.all([writing(first), writing(second), reading()]));
        await scheduler.waitFor(expectFresh(aProcess(table, 0)));
      }),
      { numRuns: 120 },
    );
  });
});
