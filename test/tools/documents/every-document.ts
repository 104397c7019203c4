import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PLANS } from './plans.ts';
import { type Doc, readDocuments } from './read.ts';
import { keepSample, runDocument, toRun } from './run.ts';

const TIMEOUT = 300_000;

/** Runs each document for which `isOne` is true. */
export const runEach = (isOne: (doc: Doc) => boolean): void => {
  let sample: string;
  beforeAll(async () => {
    sample = await mkdtemp(join(tmpdir(), 'account-service-sample-'));
    await keepSample(sample);
  }, TIMEOUT);
  afterAll(() => rm(sample, { recursive: true, force: true }));

  const chosen = readDocuments().filter((doc) => toRun(doc).length > 0 && isOne(doc));
  test.each(chosen.map((doc) => [doc.name, doc] as const))(
    'each command of %s ends as the document says',
    { timeout: TIMEOUT },
    async (name, doc) => {
      expect((await runDocument(doc, PLANS[name] ?? {}, sample)).join('\n')).toBe('');
    },
  );
};
