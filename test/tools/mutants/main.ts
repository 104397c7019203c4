import { hash, randomInt } from 'node:crypto';
import { glob, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { changed, type Site, sitesOf } from './sites.ts';
import { openScratch, runSuite, SUITES } from './trial.ts';

/**
 * `npm run -s mutants -- [--count 80] [--seed N] [--json FILE]` changes one place of a rule, a use case or the pipeline
 * at a time in a copy of the project, and runs the suites over it for 40 minutes or more. It names each change that no
 * test noticed: a test is missing there, or the change means the same. The seed replays the sample.
 */
const { values } = parseArgs({
  options: { count: { type: 'string', default: '80' }, seed: { type: 'string' }, json: { type: 'string' } },
});
const [count, seed] = [Number(values.count), Number(values.seed ?? randomInt(1e9))];
if (!(count > 0) || !Number.isSafeInteger(seed)) {
  process.stderr.write('Usage: npm run -s mutants -- [--count NUMBER] [--seed WHOLE-NUMBER] [--json FILE]\n');
  process.exit(2);
}

const MUTATED = ['domain/**/*.ts', 'application/**/*.ts', 'adapters/pipeline/**/*.ts'];
/** How much longer than unchanged sources a mutant may take, and what a busy machine may add. */
const [TIMES, GRACE] = [4, 60_000];
type Mutant = Site & { readonly file: string; readonly source: string; readonly mutated: string };

/** The items in an order that the seed decides. */
const shuffled = <T>(items: readonly T[]): T[] => {
  const places = items.map((item, i) => ({ item, at: hash('sha256', `${seed} ${i}`) }));
  return places.sort((a, b) => (a.at < b.at ? -1 : 1)).map(({ item }) => item);
};

/** Every mutant of the sources that is a program. */
const allMutants = async (folder: string): Promise<Mutant[]> => {
  const found: Mutant[] = [];
  for (const file of (await Array.fromAsync(glob(MUTATED, { cwd: folder }))).sort()) {
    const source = await readFile(join(folder, file), 'utf8');
    for (const site of sitesOf(source)) {
      const mutated = changed(source, site);
      if (mutated !== null) found.push({ ...site, file, source, mutated });
    }
  }
  return found;
};

/** The area of a file, such as `domain/devices`. */
const areaOf = (file: string): string => file.split('/').slice(0, 2).join('/');

/** Draws from each area (such as domain/devices) in proportion to its sites. The largest remainders are rounded up. */
const draw = (mutants: readonly Mutant[]): Mutant[] => {
  const areas = [...Map.groupBy(shuffled(mutants), ({ file }) => areaOf(file)).values()];
  const shares = areas.map((area) => ({ area, share: (area.length * count) / mutants.length }));
  const byRemainder = shares.toSorted((a, b) => (b.share % 1) - (a.share % 1));
  const rest = count - shares.reduce((sum, { share }) => sum + Math.floor(share), 0);
  const drawn = byRemainder.flatMap(({ area, share }, i) => area.slice(0, Math.floor(share) + (i < rest ? 1 : 0)));
  return shuffled(drawn);
};

const lineAt = (text: string, at: number) => /.*/.exec(text.slice(text.lastIndexOf('\n', at - 1) + 1))?.[0].trim();
const say = (line: string) => process.stdout.write(`${line}\n`);

/** How long a suite may take over a mutant. The unchanged sources have to pass. */
const longestOf = async (folder: string): Promise<number> => {
  let slowest = 0;
  for (const suite of SUITES) {
    const { killer, ms } = await runSuite(folder, suite);
    if (killer !== null) throw new Error(`The suites fail without a mutant: ${killer}`);
    slowest = Math.max(slowest, ms);
  }
  return TIMES * slowest + GRACE;
};

/** The tests that are nearest to a file and tried first: those that name it, and those of a use case's area. */
const nearest = async (folder: string, file: string): Promise<string[]> => {
  const naming: string[] = [];
  for await (const test of glob(`test/${file.split('/', 1)}/**/*.test.ts`, { cwd: folder }))
    if ((await readFile(join(folder, test), 'utf8')).includes(file)) naming.push(test);
  return [naming.join(' '), file.startsWith('app') ? `test/${areaOf(file)}/` : ''].filter((suite) => suite !== '');
};

/** The test that kills a mutant, or null where it survives every suite. */
const killerOf = async (folder: string, { file, source, mutated }: Mutant, longest: number) => {
  await writeFile(join(folder, file), mutated);
  try {
    for (const suite of [...(await nearest(folder, file)), ...SUITES]) {
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
