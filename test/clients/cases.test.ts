import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { casesOf, Stage } from '../../clients/run-cases.ts';
import { casesDocument } from './cases.ts';
import { CLIENTS, installLanguages, LANGUAGES, LANGUAGES_TIMEOUT, LanguageHarness, TESTED } from './harness.ts';

test('the shared cases are those that the rules of the service make', async () => {
  await expect(casesDocument()).toMatchFileSnapshot(join(CLIENTS, 'cases.json'));
});

const document = casesOf();
let stage: Stage;

beforeAll(async () => {
  await installLanguages();
  stage = await Stage.open(document);
}, LANGUAGES_TIMEOUT);
afterAll(() => stage.close());

describe.each(TESTED)('the client in %s', (language) => {
  let harness: LanguageHarness;
  beforeAll(() => {
    harness = new LanguageHarness(language);
  });
  afterAll(() => harness.close());

  test.each(document.cases)('$name', { timeout: 60_000 }, async (one) => {
    if (harness.hasEnded) harness = new LanguageHarness(language);
    await stage.run(one, LANGUAGES[language] ?? [''], { cwd: join(CLIENTS, language) }, harness);
  });
});
