import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PLANS } from './plans.ts';
import { type Doc, readDocuments } from './read.ts';
import { keepSample, runDocument, toRun } from './run.ts';

const A_DOCUMENT_MS = 300_000;

/** Runs each of the documents that `isOne` chooses. */
export const runEach = (isOne: (doc: Doc) => boolean): void => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'account-service-sample-'));
    await keepSample(join(folder, 'data'));
  }, A_DOCUMENT_MS);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const chosen = readDocuments().filter((doc) => toRun(doc).length > 0 && isOne(doc));
  test.each(chosen.map((doc) => [doc.name, doc] as const))(
    'each command of %s ends as the document says, in its order',
    async (name, doc) => {
      const faults = await runDocument(doc, PLANS[name] ?? {}, join(folder, 'data'));
      expect(faults.join('\n')).toBe('');
    },
    A_DOCUMENT_MS,
  );
};
