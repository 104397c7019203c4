import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { casesOf, Stage } from '../../clients/run-cases.ts';
import { casesDocument } from './cases.ts';
import { CLIENTS, installLanguages, LANGUAGES, LANGUAGES_TIMEOUT, LanguageHarness, TESTED } from './harness.ts';

test('the shared cases are generated from the service’s rules', async () => {
  await expect(casesDocument()).toMatchFileSnapshot(join(CLIENTS, 'cases.json'));
});

const document = casesOf();

/**
 * The shared state of one language's cases, which run in turn. The languages run in parallel, because many cases wait.
 */
type Seat = { readonly stage: Stage; harness: LanguageHarness; turn: Promise<unknown> };
const seats = new Map<string, Seat>();

beforeAll(async () => {
  await installLanguages();
  for (const language of TESTED) {
    const [stage, harness] = [await Stage.open(document), new LanguageHarness(language)];
    seats.set(language, { stage, harness, turn: Promise.resolve() });
  }
}, LANGUAGES_TIMEOUT);
afterAll(async () => {
  for (const { stage, harness } of seats.values()) {
    await harness.close();
    await stage.close();
  }
});

const RUNS = document.cases.flatMap((one) => TESTED.map((language) => ({ language, name: one.name, one })));

test.concurrent.each(RUNS)('the client in $language: $name', { timeout: 300_000 }, async ({ language, one }) => {
  const seat = seats.get(language) as Seat;
  const run = async () => {
    if (seat.harness.hasEnded) seat.harness = new LanguageHarness(language);
    await seat.stage.run(one, LANGUAGES[language] ?? [''], { cwd: join(CLIENTS, language) }, seat.harness);
  };
  const turn = seat.turn.then(run);
  seat.turn = turn.catch(() => {});
  await turn;
});
