import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MemoryTable } from '../../../../adapters/memory/memory-table.ts';
import { openSqliteTable } from '../../../../adapters/sqlite/sqlite-table.ts';
import { StoredGallery } from '../../../../adapters/store/design/gallery.ts';
import { StoredGalleryEditor } from '../../../../adapters/store/design/gallery-editor.ts';
import type { Table } from '../../../../adapters/store/table.ts';
import { systemPauses } from '../../../../adapters/system/system.ts';
import { grantPermit } from '../../../../domain/access/grant-permit.ts';
import { NO_FILTER, type ScreenDraft } from '../../../../domain/design/gallery/screen.ts';
import { newFolder } from '../../../adapters/sqlite/folder.ts';
import { audited } from '../../../support/audited.ts';
import { aClock, noPauses } from '../../../support/fakes.ts';
import { breakingTable, Killed } from '../../../support/gallery/breaking-table.ts';
import { expectSame, PlainGallery } from '../../../support/gallery/plain-gallery.ts';
import { randomDraft, randomFilter } from '../../../support/gallery/random-screens.ts';
import { aDraft, keyOfCapture } from '../../../support/screen-builders.ts';

const editorOn = (table: Table) => new StoredGalleryEditor({ ...audited(table), clock: aClock(), pauses: noPauses });
const save = (table: Table, drafts: readonly ScreenDraft[]) => editorOn(table).save(grantPermit(), drafts);

const sampleOf = (drafts: readonly ScreenDraft[]) => [
  ...new Set(drafts.flatMap(({ title, text }) => `${title} ${text}`.split(' '))),
];

const filtersFor = (drafts: readonly ScreenDraft[]) => [
  NO_FILTER,
  ...sampleOf(drafts).map((q) => ({ ...NO_FILTER, q })),
  ...drafts.map(({ app, flow }) => ({ ...NO_FILTER, app, flow: flow.slug })),
  ...drafts.map(({ viewport, kind, patterns }) => ({ ...NO_FILTER, viewport, kind, patterns })),
];

const first = [
  aDraft({ key: keyOfCapture(1), title: 'Orders', step: 1 }),
  aDraft({ key: keyOfCapture(2), title: 'Order 7', step: 2, kind: 'detail' }),
];
const second = [
  aDraft({ ...first[0], run_id: 2, title: 'Purchases', flow: { slug: 'buy', name: 'Buy' }, app: 'core' }),
  aDraft({ ...first[1], run_id: 2, step: 1, viewport: 'desktop', patterns: ['tabs'] }),
  aDraft({ key: keyOfCapture(3), run_id: 2, title: '결제' }),
];

/** The number of writes of the second save. */
const writesOfSecond = async (): Promise<number> => {
  const table = new MemoryTable();
  await save(table, first);
  const counting = breakingTable(table, Number.POSITIVE_INFINITY);
  await save(counting.table, second);
  return counting.writes();
};

test('a save that is killed at any write is completed by saving again', async () => {
  const writes = await writesOfSecond();
  expect(writes).toBeGreaterThan(20);
  for (let last = 1; last <= writes; last++) {
    const table = new MemoryTable();
    await save(table, first);
    await expect(save(breakingTable(table, last).table, second)).rejects.toThrow(Killed);
    await save(table, second);
    const plain = new PlainGallery();
    plain.save(first);
    plain.save(second);
    await expectSame(new StoredGallery(table), plain, filtersFor([...first, ...second]));
  }
}, 60_000);

test('a process that searched before a save was killed sees the completed gallery', async () => {
  const writes = await writesOfSecond();
  const filters = filtersFor([...first, ...second]);
  for (let last = 1; last <= writes; last++) {
    const table = new MemoryTable();
    await save(table, first);
    const gallery = new StoredGallery(table);
    const search = async () => {
      for (const filter of filters) await gallery.search(filter, 'newest', { page: 1, per_page: 24 });
    };
    await search();
    await save(breakingTable(table, last).table, second).catch(search);
    await save(table, second);
    const plain = new PlainGallery();
    plain.save(first);
    plain.save(second);
    await expectSame(gallery, plain, filters);
  }
}, 60_000);

test('saving existing screens changes and writes nothing', async () => {
  const table = new MemoryTable();
  expect(await save(table, second)).toEqual({ added: 3, changed: 0, unchanged: 0 });
  const counting = breakingTable(table, 1);
  expect(await save(counting.table, second)).toEqual({ added: 0, changed: 0, unchanged: 3 });
  expect(counting.writes()).toBe(0);
});

test('a screen of a later run stays unchanged', async () => {
  const table = new MemoryTable();
  await save(table, second);
  expect(await save(table, first)).toEqual({ added: 0, changed: 0, unchanged: 2 });
  expect(await new StoredGallery(table).screen(1)).toMatchObject({ run_id: 2, title: 'Purchases' });
});

test('a run that captured the same screen counts as unchanged and names itself', async () => {
  const table = new MemoryTable();
  await save(table, first);
  const again = first.map((draft) => ({ ...draft, run_id: 2, captured_at: '2026-11-22T08:00:00.000Z' }));
  expect(await save(table, again)).toEqual({ added: 0, changed: 0, unchanged: 2 });
  expect(await new StoredGallery(table).screen(1)).toMatchObject({
    run_id: 2,
    captured_at: '2026-11-22T08:00:00.000Z',
  });
});

test('random saves that are killed and repeated end as if uninterrupted', async () => {
  const steps = fc.array(
    fc.record({
      drafts: fc.array(randomDraft(8), { minLength: 1, maxLength: 6 }),
      kills: fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 4 },
  );
  await fc.assert(
    fc.asyncProperty(steps, fc.array(randomFilter, { minLength: 8, maxLength: 8 }), async (all, filters) => {
      const table = new MemoryTable();
      const plain = new PlainGallery();
      for (const { drafts, kills } of all) {
        for (const last of kills) await save(breakingTable(table, last).table, drafts).catch(() => {});
        await save(table, drafts);
        plain.save(drafts);
        await expectSame(new StoredGallery(table), plain, filters);
      }
    }),
    { numRuns: 60 },
  );
}, 60_000);

test('simultaneous saves lose nothing and give every id once', async () => {
  const batches = fc.array(fc.array(randomDraft(12), { minLength: 1, maxLength: 8 }), { minLength: 2, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(batches, fc.array(randomFilter, { minLength: 8, maxLength: 8 }), async (all, filters) => {
      const table = new MemoryTable();
      const editor = new StoredGalleryEditor({ ...audited(table), clock: aClock(), pauses: systemPauses });
      await Promise.all(all.map((drafts) => editor.save(grantPermit(), drafts)));
      // The index must agree with the current screens.
      const gallery = new StoredGallery(table);
      const keys = new Set(all.flat().map(({ key }) => key));
      const plain = new PlainGallery();
      for (let id = 1; id <= keys.size; id++) {
        const screen = await gallery.screen(id);
        expect(screen).toBeDefined();
        if (screen) plain.screens.push(screen);
      }
      expect(new Set(plain.screens.map(({ key }) => key))).toEqual(keys);
      for (const { key, run_id } of plain.screens) {
        expect(run_id).toBe(
          Math.max(
            ...all
              .flat()
              .filter((draft) => draft.key === key)
              .map((draft) => draft.run_id),
          ),
        );
      }
      await expectSame(gallery, plain, filters);
    }),
    { numRuns: 25 },
  );
}, 60_000);

test('the gallery on SQLite returns the same results as the plain filter', async () => {
  const table = openSqliteTable(join(newFolder(), 'store.db'));
  const plain = new PlainGallery();
  const drafts = fc.sample(randomDraft(25), { numRuns: 60, seed: 20_261_122 });
  for (const batch of [drafts.slice(0, 30), drafts.slice(30)]) {
    await save(table, batch);
    plain.save(batch);
  }
  await expectSame(new StoredGallery(table), plain, fc.sample(randomFilter, { numRuns: 60, seed: 20_261_122 }));
  await table.close();
});
