import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MemoryTable } from '../../../../adapters/memory/memory-table.ts';
import type { Table } from '../../../../adapters/store/table.ts';
import { VERDICTS, type Verdict } from '../../../../domain/design/documents/document.ts';
import { memoryEngines } from '../../../support/memory-engines.ts';
import { documentWorld, expectInvariants, REVIEWERS, SLUGS, WRITERS } from './document-world.ts';

type Agent = (typeof WRITERS)[number];

/** The same table with its calls in the order that the scheduler chooses. */
const scheduled = (table: Table, scheduler: fc.Scheduler): Table =>
  new Proxy(table, {
    get: (target, name) => {
      const call: unknown = Reflect.get(target, name);
      if (typeof call !== 'function') return call;
      return async (...args: unknown[]): Promise<unknown> => {
        await scheduler.schedule(Promise.resolve(), String(name));
        return Reflect.apply(call, target, args);
      };
    },
  });

const slug = fc.constantFrom(...SLUGS);
const number = fc.integer({ min: 1, max: 4 });
const writer = fc.constantFrom(...WRITERS);

type Step =
  | { readonly kind: 'create'; readonly slug: string; readonly base: number; readonly by: Agent }
  | { readonly kind: 'submit'; readonly slug: string; readonly number: number; readonly by: Agent }
  | {
      readonly kind: 'review';
      readonly slug: string;
      readonly number: number;
      readonly verdict: Verdict;
      readonly by: Agent;
    };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('create'), slug, base: fc.integer({ min: 0, max: 3 }), by: writer }),
  fc.record({ kind: fc.constant('submit'), slug, number, by: writer }),
  fc.record({
    kind: fc.constant('review'),
    slug,
    number,
    verdict: fc.constantFrom<Verdict>(...VERDICTS, 'approved', 'approved'),
    by: fc.constantFrom(...REVIEWERS),
  }),
);

const nameOf = (of: string, n: number): string => `${of} ${n}`;

/** Documents with a draft and three versions in review that share a base. */
const prepared = async (table: Table): Promise<void> => {
  const world = documentWorld({ ...memoryEngines(), table });
  const [author] = WRITERS as [Agent];
  for (const of of SLUGS) {
    for (const n of [1, 2, 3]) {
      await world.create(of, 0, author);
      await world.submit(of, n, author);
    }
    await world.create(of, 0, author);
  }
};

test('simultaneous steps of several agents, in any order of reads and writes, keep the documents consistent', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.array(step, { minLength: 2, maxLength: 10 }), async (scheduler, steps) => {
      const table = new MemoryTable();
      await prepared(table);
      const world = documentWorld({ ...memoryEngines(), table: scheduled(table, scheduler) });
      const verdicts: string[] = [];
      const made: string[] = [];
      const run = async (one: Step): Promise<void> => {
        if (one.kind === 'create') {
          const done = await world.create(one.slug, one.base, one.by);
          if (done.ok) made.push(nameOf(one.slug, done.value.number));
        } else if (one.kind === 'submit') {
          await world.submit(one.slug, one.number, one.by);
        } else {
          const done = await world.review(one.slug, one.number, one.verdict, one.by);
          if (done.ok) verdicts.push(`${nameOf(one.slug, one.number)} ${one.verdict} by ${one.by.name}`);
        }
      };
      await scheduler.waitFor(Promise.all(steps.map(run)));
      const calm = documentWorld({ ...memoryEngines(), table });
      await expectInvariants(calm);
      const { documents } = await calm.everything();
      const versions = documents.flatMap((one) => one.versions);
      // Each answer that an agent got is stored exactly once.
      expect(new Set(made).size).toBe(made.length);
      expect(versions).toHaveLength(2 * 4 + made.length);
      const recorded = versions.flatMap(({ slug: of, number: n, review }) =>
        review ? [`${nameOf(of, n)} ${review.verdict} by ${review.reviewer.name}`] : [],
      );
      expect(recorded.sort()).toEqual(verdicts.sort());
    }),
    { numRuns: 150 },
  );
}, 60_000);

test('of two simultaneous verdicts on one version, one is recorded and the other learns the state', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), async (scheduler) => {
      const table = new MemoryTable();
      await prepared(table);
      const world = documentWorld({ ...memoryEngines(), table: scheduled(table, scheduler) });
      const [one, two] = REVIEWERS as [Agent, Agent];
      const both = Promise.all([
        world.review('buttons', 1, 'approved', one),
        world.review('buttons', 1, 'rejected', two),
      ]);
      await scheduler.waitFor(both);
      const ended = await both;
      expect(ended.filter(({ ok }) => ok)).toHaveLength(1);
      const state = ended[0].ok ? 'approved' : 'rejected';
      expect(ended.find(({ ok }) => !ok)).toMatchObject({ code: 'document_state_conflict', data: { state } });
    }),
    { numRuns: 50 },
  );
});

test('of two simultaneously approved versions on one base, one becomes current and the other learns its number', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), async (scheduler) => {
      const table = new MemoryTable();
      await prepared(table);
      const world = documentWorld({ ...memoryEngines(), table: scheduled(table, scheduler) });
      const [one, two] = REVIEWERS as [Agent, Agent];
      const both = Promise.all([
        world.review('buttons', 1, 'approved', one),
        world.review('buttons', 2, 'approved', two),
      ]);
      await scheduler.waitFor(both);
      const ended = await both;
      const current_version = ended[0].ok ? 1 : 2;
      expect(ended.filter(({ ok }) => ok)).toHaveLength(1);
      expect(ended.find(({ ok }) => !ok)).toMatchObject({ code: 'document_state_conflict', data: { current_version } });
    }),
    { numRuns: 50 },
  );
});
