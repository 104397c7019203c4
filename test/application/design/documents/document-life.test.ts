import fc from 'fast-check';
import { expect, test } from 'vitest';
import { VERDICTS, type Verdict, type VersionState } from '../../../../domain/design/documents/document.ts';
import { type DocumentWorld, documentWorld, expectInvariants, REVIEWERS, SLUGS, WRITERS } from './document-world.ts';

/*
 * The life of documents, compared with a model that knows only numbers and states. fast-check prints the seed and the
 * path of a failure, and `fc.assert(…, { seed, path })` repeats it.
 */

type ModelVersion = { readonly base: number; readonly author: number; state: VersionState };
/** The versions of each document by number, and the number of the current one. */
type Model = Record<string, { versions: ModelVersion[]; current: number }>;

const writer = fc.nat({ max: WRITERS.length - 1 });
const reviewer = fc.nat({ max: REVIEWERS.length - 1 });
const slug = fc.constantFrom(...SLUGS);
const number = fc.integer({ min: 0, max: 8 });

type Life = fc.AsyncCommand<Model, DocumentWorld>;

const codeOf = (outcome: { ok: boolean; code?: string }): string => (outcome.ok ? 'ok' : (outcome.code ?? ''));

const command = (name: string, run: (model: Model, world: DocumentWorld) => Promise<void>): Life => ({
  check: () => true,
  run: async (model, world) => {
    await run(model, world);
    await expectInvariants(world);
  },
  toString: () => name,
});

/** True if the current version is among the bases of a version. */
const buildsOnCurrent = ({ versions, current }: Model[string], { base }: ModelVersion): boolean => {
  const line: number[] = [base];
  for (let at = base; at > 0; ) line.push((at = versions[at - 1]?.base ?? 0));
  return line.includes(current);
};

const versionIn = (model: Model, of: string, n: number): ModelVersion | undefined => model[of]?.versions[n - 1];

const creating = fc.tuple(slug, number, writer).map(([of, base, by]) =>
  command(`create ${of} on ${base} by ${by}`, async (model, world) => {
    const changed = versionIn(model, of, base);
    const isBase = base === 0 || (changed !== undefined && (changed.state !== 'draft' || changed.author === by));
    const made = await world.create(of, base, WRITERS[by] as (typeof WRITERS)[number]);
    expect(codeOf(made)).toBe(isBase ? 'ok' : 'validation_failed');
    if (!made.ok) return;
    const known = (model[of] ??= { versions: [], current: 0 });
    known.versions.push({ base, author: by, state: 'draft' });
    expect(made.value.number).toBe(known.versions.length);
  }),
);

const submitting = fc.tuple(slug, number, writer).map(([of, n, by]) =>
  command(`submit ${of} ${n} by ${by}`, async (model, world) => {
    const version = versionIn(model, of, n);
    const isHidden = !version || (version.state === 'draft' && version.author !== by);
    const done = await world.submit(of, n, WRITERS[by] as (typeof WRITERS)[number]);
    expect(codeOf(done)).toBe(isHidden ? 'not_found' : version.state === 'draft' ? 'ok' : 'document_state_conflict');
    if (version && done.ok) version.state = 'in_review';
  }),
);

const reviewing = fc.tuple(slug, number, fc.constantFrom<Verdict>(...VERDICTS), reviewer).map(([of, n, verdict, by]) =>
  command(`${verdict} ${of} ${n} by ${by}`, async (model, world) => {
    const version = versionIn(model, of, n);
    const known = model[of];
    const passes =
      version?.state === 'in_review' &&
      (verdict !== 'approved' || (known !== undefined && buildsOnCurrent(known, version)));
    const done = await world.review(of, n, verdict, REVIEWERS[by] as (typeof REVIEWERS)[number]);
    expect(codeOf(done)).toBe(passes ? 'ok' : version ? 'document_state_conflict' : 'not_found');
    if (!passes || !version || !known) return;
    version.state = verdict;
    if (verdict === 'approved') known.current = n;
  }),
);

/** The next step of the newest version, so that many histories reach an approval. */
const goingOn = fc.tuple(slug, fc.constantFrom<Verdict>(...VERDICTS)).map(([of, verdict]) =>
  command(`go on with ${of} by ${verdict}`, async (model, world) => {
    const known = (model[of] ??= { versions: [], current: 0 });
    const newest = known.versions.at(-1);
    const n = known.versions.length;
    const [first] = WRITERS as [(typeof WRITERS)[number]];
    const [judge] = REVIEWERS as [(typeof REVIEWERS)[number]];
    if (newest?.state === 'draft' && newest.author === 0) {
      expect((await world.submit(of, n, first)).ok).toBe(true);
      newest.state = 'in_review';
    } else if (newest?.state === 'in_review' && (verdict !== 'approved' || buildsOnCurrent(known, newest))) {
      expect((await world.review(of, n, verdict, judge)).ok).toBe(true);
      newest.state = verdict;
      if (verdict === 'approved') known.current = n;
    } else {
      const base = newest && newest.state !== 'draft' && verdict === 'rejected' ? n : known.current;
      expect((await world.create(of, base, first)).ok).toBe(true);
      known.versions.push({ base, author: 0, state: 'draft' });
    }
  }),
);

test('every history of drafts, submissions and verdicts keeps its documents consistent', async () => {
  const histories = fc.commands([creating, submitting, reviewing, goingOn, goingOn], { maxCommands: 40 });
  await fc.assert(
    fc.asyncProperty(histories, (commands) => fc.asyncModelRun(() => ({ model: {}, real: documentWorld() }), commands)),
    { numRuns: 60 },
  );
}, 60_000);
