import { hash, randomInt } from 'node:crypto';
import { glob, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { changed, type Site, sitesOf } from './sites.ts';
import { openScratch, runSuite, SUITES } from './trial.ts';

/**
 * `npm run -s mutants -- [--count 80] [--areas sales,mail] [--seed N] [--json FILE]` changes one place of a rule, a use
 * case or the pipeline at a time in a copy of the project, and runs the suites over it for 40 minutes or more. It names
 * each change that no test noticed: a test is missing there, or the change has no effect. The areas are folders of the
 * rules and use cases. The seed replays the sample.
 */
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '80' },
    areas: { type: 'string' },
    seed: { type: 'string' },
    json: { type: 'string' },
  },
});
const areas = values.areas?.split(',');
const [count, seed] = [Number(values.count), Number(values.seed ?? randomInt(1e9))];
if (!(count > 0) || !Number.isSafeInteger(seed)) {
  process.stderr.write(
    'Usage: npm run -s mutants -- [--count NUMBER] [--areas A,B] [--seed WHOLE-NUMBER] [--json FILE]\n',
  );
  process.exit(2);
}

const MUTATED = ['domain/**/*.ts', 'application/**/*.ts', 'adapters/pipeline/**/*.ts'];
/** How many times longer than unchanged sources a mutant may take, and the additional time for a busy machine. */
const [TIMES, GRACE] = [4, 60_000];
type Mutant = Site & { readonly file: string; readonly source: string; readonly mutated: string };

/** The items in an order that the seed determines. */
const shuffled = <T>(items: readonly T[]): T[] => {
  const places = items.map((item, i) => ({ item, at: hash('sha256', `${seed} ${i}`) }));
  return places.sort((a, b) => (a.at < b.at ? -1 : 1)).map(({ item }) => item);
};

/** The area of a file, such as `devices`. */
const areaOf = (file: string): string => file.split('/')[1] ?? '';

/** Every mutant of the areas that parses as a program. */
const allMutants = async (folder: string): Promise<Mutant[]> => {
  const found: Mutant[] = [];
  for (const file of (await Array.fromAsync(glob(MUTATED, { cwd: folder }))).sort()) {
    if (areas && !areas.includes(areaOf(file))) continue;
    const source = await readFile(join(folder, file), 'utf8');
    for (const site of sitesOf(source)) {
      const mutated = changed(source, site);
      if (mutated !== null) found.push({ ...site, file, source, mutated });
    }
  }
  return found;
};

/**
 * Draws from each folder (such as domain/devices) in proportion to its sites. The largest remainders are rounded up.
 */
const draw = (mutants: readonly Mutant[]): Mutant[] => {
  const folders = [...Map.groupBy(shuffled(mutants), ({ file }) => dirname(file)).values()];
  const shares = folders.map((found) => ({ found, share: (found.length * count) / mutants.length }));
  const byRemainder = shares.toSorted((a, b) => (b.share % 1) - (a.share % 1));
  const rest = count - shares.reduce((sum, { share }) => sum + Math.floor(share), 0);
  const drawn = byRemainder.flatMap(({ found, share }, i) => found.slice(0, Math.floor(share) + (i < rest ? 1 : 0)));
  return shuffled(drawn);
};

const lineAt = (text: string, at: number) => /.*/.exec(text.slice(text.lastIndexOf('\n', at - 1) + 1))?.[0].trim();
const say = (line: string) => process.stdout.write(`${line}\n`);

/** The maximum time of a suite on a mutant. The unchanged sources must pass. */
const longestOf = async (folder: string): Promise<number> => {
  let slowest = 0;
  for (const suite of SUITES) {
    const { killer, ms } = await runSuite(folder, suite);
    if (killer !== null) throw new Error(`The suites fail without a mutant: ${killer}`);
    slowest = Math.max(slowest, ms);
  }
  return TIMES * slowest + GRACE;
};

/**
 * The suites that can notice a change of a file, fastest first: the tests that name it or a use case in it, the use
 * cases of its area, and the rest from its own layer on.
 */
const suitesFor = async (folder: string, { file, source }: Mutant): Promise<string[]> => {
  const isUseCase = file.startsWith('application/');
  const exported = isUseCase ? [...source.matchAll(/^export const (\w+)/gm)].map(([, name]) => `'${name}'`) : [];
  const naming: string[] = [];
  for await (const test of glob('test/{domain,application}/**/*.test.ts', { cwd: folder })) {
    const text = await readFile(join(folder, test), 'utf8');
    if ([file, ...exported].some((name) => text.includes(name))) naming.push(test);
  }
  const first = [naming.join(' '), `test/application/${areaOf(file)}/`].filter((suite) => suite !== '');
  return [...first, ...SUITES.slice(file.startsWith('domain/') ? 0 : 1)];
};

/** The test that kills a mutant, or null if it survives every suite. */
const killerOf = async (folder: string, mutant: Mutant, longest: number) => {
  const { file, source, mutated } = mutant;
  await writeFile(join(folder, file), mutated);
  try {
    for (const suite of await suitesFor(folder, mutant)) {
      const { killer } = await runSuite(folder, suite, longest);
      if (killer !== null) return killer;
    }
    return null;
  } finally {
    await writeFile(join(folder, file), source);
  }
};

const folder = await openScratch();
try {
  const mutants = await allMutants(folder);
  const drawn = draw(mutants);
  say(`Seed ${seed}: ${drawn.length} of ${mutants.length} mutants.`);
  const longest = await longestOf(folder);
  const results = [];
  for (const mutant of drawn) {
    const { file, change, source, mutated, start } = mutant;
    const killer = await killerOf(folder, mutant, longest);
    const fate = killer === null ? 'SURVIVED' : `killed by ${killer}`;
    const place = `${file}:${source.slice(0, start).split('\n').length}`;
    results.push({ place, change, original: lineAt(source, start), mutant: lineAt(mutated, start), killer });
    say(`${results.length}/${drawn.length} ${place} ${change}: ${fate}`);
  }
  const survivors = results.filter(({ killer }) => killer === null);
  for (const { place, original, mutant } of survivors) say(`\n${place}\n- ${original}\n+ ${mutant}`);
  const killed = results.length - survivors.length;
  say(`\nkilled ${killed} of ${results.length} (${Math.round((killed * 100) / results.length)} %), seed ${seed}`);
  if (values.json) await writeFile(values.json, `${JSON.stringify({ seed, killed, results }, null, 2)}\n`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
