import { join } from 'node:path';
import { freePort } from '../../../support/free-port.ts';
import type { Reading } from '../child.ts';
import { demoShot, fill, portsOf, printedKey } from '../first-start.ts';
import { closedLoop } from '../load.ts';
import { atMost, part, type Table } from '../part.ts';
import { BARE, bareInJavaScript, type Program, REPORTING, RunningProgram, scriptProgram } from '../programs.ts';
import { IN_MEMORY, onSqlite } from '../service.ts';
import { median } from '../statistics.ts';

const CHECKS = 30_000;
const ROUNDS = 3;
const MIB = 1024 ** 2;

/** Rate limits that the benchmark never reaches. */
const UNLIMITED = { RATE_LIMIT_PER_MINUTE: '100000000' };

type Read = { readonly fresh: Reading; readonly loaded: Reading };

/** Starts a program, and reads its memory after its first answer and after 30,000 more. */
const readLoaded = async (
  program: Program,
  env: Record<string, string>,
  keyOf: (server: RunningProgram) => string | Promise<string>,
): Promise<Read> => {
  const port = await freePort();
  const server = new RunningProgram(program, { ...env, ...UNLIMITED, ...portsOf(port) }, port);
  const shot = demoShot(await keyOf(server));
  await server.answered(shot);
  const fresh = await server.read();
  await closedLoop(port, CHECKS, () => shot);
  const loaded = await server.read();
  await server.stop();
  return { fresh, loaded };
};

const SIDES = ['memory engine', 'sqlite engine', 'bare server', 'bare server as JavaScript'] as const;
type Side = (typeof SIDES)[number];

const mebibytes = (reads: readonly Read[], state: keyof Read, of: keyof Reading): number =>
  median(reads.map((read) => read[state][of])) / MIB;

const HEAD = ['', 'resident', 'JavaScript heap', 'external'];

const tableOf = (reads: Readonly<Record<Side, readonly Read[]>>): Table => ({
  head: HEAD,
  rows: SIDES.flatMap((side) =>
    (['fresh', 'loaded'] as const).map((state) => [
      `${side}, ${state === 'fresh' ? 'after its first answer' : `after ${CHECKS.toLocaleString('en')} license checks`}`,
      ...(['rssBytes', 'heapBytes', 'externalBytes'] as const).map((of) =>
        Math.round(mebibytes(reads[side], state, of)),
      ),
    ]),
  ),
});

export const MEMORY = part({
  title: 'Memory',
  ratios: {
    'resident memory after 30,000 license checks, memory engine: vs. a bare server': atMost(1.4),
    'resident memory after 30,000 license checks, sqlite engine: vs. a bare server': atMost(1.4),
  },
  figures: [],
  tables: ['Memory in MiB'],
  measure: async (folder) => {
    const service = scriptProgram('start');
    const inJavaScript = await bareInJavaScript(folder);
    const filled = onSqlite(join(folder, 'data'));
    const key = await fill(service, filled);
    const reads: Record<Side, Read[]> = {
      'memory engine': [],
      'sqlite engine': [],
      'bare server': [],
      'bare server as JavaScript': [],
    };
    for (let round = 0; round < ROUNDS; round++) {
      reads['bare server'].push(await readLoaded(BARE, {}, () => key));
      reads['bare server as JavaScript'].push(await readLoaded(inJavaScript, {}, () => key));
      const inMemory = { ...IN_MEMORY, ...REPORTING, DATA_DIR: join(folder, 'keys') };
      reads['memory engine'].push(await readLoaded(service, inMemory, printedKey));
      reads['sqlite engine'].push(await readLoaded(service, { ...filled, ...REPORTING }, () => key));
    }
    const rss = (side: Side): number => mebibytes(reads[side], 'loaded', 'rssBytes');
    return {
      ratios: {
        'resident memory after 30,000 license checks, memory engine: vs. a bare server':
          rss('memory engine') / rss('bare server'),
        'resident memory after 30,000 license checks, sqlite engine: vs. a bare server':
          rss('sqlite engine') / rss('bare server'),
      },
      figures: {},
      tables: { 'Memory in MiB': tableOf(reads) },
    };
  },
});
