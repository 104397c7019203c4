import { expect } from 'vitest';
import type { DesignDocument, DocumentVersion, Verdict } from '../../../../domain/design/documents/document.ts';
import { agents } from '../../../../runtimes/composition/areas/access.ts';
import { documents } from '../../../../runtimes/composition/areas/design/documents.ts';
import { bootstrap } from '../../../../runtimes/composition/bootstrap.ts';
import type { Engines } from '../../../../runtimes/composition/settings.ts';
import { aClock, noPauses } from '../../../support/fakes.ts';
import { memoryEngines, SETTINGS } from '../../../support/memory-engines.ts';
import { passed } from '../../../support/permits.ts';

type Agent = DocumentVersion['author'];

export const WRITERS: readonly Agent[] = [
  { id: 1, name: 'first writer' },
  { id: 2, name: 'second writer' },
];
export const REVIEWERS: readonly Agent[] = [
  { id: 3, name: 'first reviewer' },
  { id: 4, name: 'second reviewer' },
];
export const SLUGS = ['buttons', 'forms'] as const;

/** The heading that identifies a version's text. */
const headingOf = (base: number, author: Agent): string => `On ${base} by ${author.name}`;

/** The use cases of documents on engines in memory by default, and everything stored. */
export const documentWorld = (engines: Engines = memoryEngines()) => {
  const service = bootstrap(SETTINGS, engines, [agents, documents], { clock: aClock(), pauses: noPauses });
  const stored = service.get('documents');
  const all = { page: 1, per_page: 1000 };
  return {
    service,
    create: (slug: string, base_version: number, author: Agent) =>
      passed(
        service.get('createDocumentVersion')({
          slug,
          base_version,
          author,
          body: `# ${headingOf(base_version, author)}\n`,
        }),
      ),
    submit: (slug: string, number: number, agent: Agent) =>
      passed(service.get('submitDocumentVersion')({ slug, number, agent })),
    review: (slug: string, number: number, verdict: Verdict, reviewer: Agent) =>
      passed(service.get('reviewDocumentVersion')({ slug, number, verdict, reason: verdict, reviewer })),
    /** Every document with its versions, oldest first, and the list of versions in review. */
    everything: async () => {
      const { entries } = await stored.page(all);
      const found = await Promise.all(
        entries.map(async (document) => ({
          document,
          versions: (await stored.versions(document, all)).entries.toReversed(),
        })),
      );
      return { documents: found, pending: await stored.pending(all) };
    },
    current: (slug: string) => stored.current(slug),
  };
};

export type DocumentWorld = ReturnType<typeof documentWorld>;

const expectWhole = async (
  world: DocumentWorld,
  { document, versions }: { document: DesignDocument; versions: readonly DocumentVersion[] },
): Promise<void> => {
  const { slug, current_version, latest_version, title } = document;
  expect(versions.map(({ number }) => number)).toEqual(versions.map((_, n) => n + 1));
  expect(latest_version).toBe(versions.length);
  const approved = versions.filter(({ state }) => state === 'approved');
  expect(current_version).toBe(approved.at(-1)?.number ?? 0);
  // Each approved version builds on the previously approved one, so none is lost.
  for (const [n, version] of approved.entries()) {
    const line = [version.base_version];
    while ((line.at(-1) ?? 0) > 0) line.push(versions[(line.at(-1) ?? 0) - 1]?.base_version ?? 0);
    expect(line).toContain(approved[n - 1]?.number ?? 0);
  }
  const { text } = await world.current(slug);
  expect(text?.number ?? 0).toBe(current_version);
  if (text) expect([title, text.body]).toEqual([headingOf(text.base_version, text.author), `# ${title}\n`]);
  for (const { state, review, submitted_at } of versions) {
    expect(submitted_at !== null).toBe(state !== 'draft');
    expect(review?.verdict ?? null).toBe(state === 'draft' || state === 'in_review' ? null : state);
  }
};

/** Expects the invariants of every history of every document. */
export const expectInvariants = async (world: DocumentWorld): Promise<void> => {
  const { documents: found, pending } = await world.everything();
  expect(found.map(({ document }) => document.slug)).toEqual(
    [...new Set(found.map(({ document }) => document.slug))].sort(),
  );
  for (const one of found) await expectWhole(world, one);
  const waiting = found.flatMap(({ versions }) => versions.filter(({ state }) => state === 'in_review'));
  const byName = (a: DocumentVersion, b: DocumentVersion) => a.slug.localeCompare(b.slug) || a.number - b.number;
  expect(pending.entries.toSorted(byName)).toEqual(waiting.toSorted(byName));
  expect(pending.total).toBe(waiting.length);
};
