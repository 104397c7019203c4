import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { healthBesideRefused, longHeaders } from './abuse.ts';
import { ChildServer } from './child.ts';
import { coldLoad } from './cold-load.ts';
import { fetchFile, makeBigFile, signedPath } from './download.ts';
import { functionCpu } from './function-cpu.ts';
import { cpuPerRequest, median, type Shot, takeTurns } from './load.ts';
import { mcpCalls } from './mcp-call.ts';
import { showTable } from './show.ts';
import { PRODUCTS } from './store.ts';
import { tableCost } from './table-cost.ts';

export type Ratio = { name: string; value: number; bar: number; better: 'lower' | 'higher' };
export type Bench = { machine: Record<string, string | number>; figures: Record<string, number>; ratios: Ratio[] };

const ROUNDS = 7;
const REQUESTS = 3000;
const LIBRARY_REQUESTS = 1000;
const WARM_UP = 10_000;

/**
 * The api function's bytes at its start when MCP got a function of its own, and a little more. A new part of the service
 * that a call needs may raise it; one that only other functions need may not.
 */
const API_START_BYTES = 420_000;

type Service = ChildServer<{ key: string }>;

const folder = mkdtempSync(join(tmpdir(), 'account-service-bench-'));
const inMemory = { STORE: 'memory', OBJECTS: 'memory', LOG_LEVEL: 'info' };
const say = (text: string): void => void process.stderr.write(`${text}\n`);
const rounded = (value: number): number => Math.round(value * 100) / 100;

/** Makes license checks for each of the 50 products from `devices` devices in turn. */
const licenseShot =
  ({ more: { key } }: Service, devices: number) =>
  (n: number): Shot => ({
    method: 'POST',
    path: '/api/license/check',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      product_id: (n % PRODUCTS) + 1,
      device_id: `device-${Math.floor(n / PRODUCTS) % devices}`,
      app_version: '1.2.0',
    }),
  });

/** Device counts: few enough that decisions are reused within the hour, and so many that each is signed afresh. */
const AGAIN = 20;
const AFRESH = 200;

const libraryShot =
  ({ more: { key } }: Service) =>
  (): Shot => ({ method: 'GET', path: '/api/library', headers: { Authorization: `Bearer ${key}` } });

/** Compares two warmed-up servers in turns. */
const compare = async (ours: Service, bare: ChildServer, count: number, shot: (n: number) => Shot) => {
  await cpuPerRequest(ours, WARM_UP, shot);
  await cpuPerRequest(bare, WARM_UP, shot);
  return takeTurns(
    ROUNDS,
    () => cpuPerRequest(ours, count, shot),
    () => cpuPerRequest(bare, count, shot),
  );
};

const libraryOf = async (service: Service): Promise<string> => {
  const { path, headers } = libraryShot(service)();
  return (await fetch(`http://127.0.0.1:${service.port}${path}`, { headers })).text();
};

const requests = async (bench: Bench): Promise<void> => {
  say('CPU per request, on the memory engine against bare Express …');
  const ours: Service = await ChildServer.start('./service-server.ts', inMemory);
  const bare = await ChildServer.start('./bare-server.ts', { BENCH_LIBRARY: await libraryOf(ours) });
  const license = await compare(ours, bare, REQUESTS, licenseShot(ours, AGAIN));
  const afresh = await compare(ours, bare, PRODUCTS * AFRESH, licenseShot(ours, AFRESH));
  const library = await compare(ours, bare, LIBRARY_REQUESTS, libraryShot(ours));
  ours.stop();
  bare.stop();
  const sqlite: Service = await ChildServer.start('./service-server.ts', {
    STORE: 'sqlite',
    OBJECTS: 'filesystem',
    LOG_LEVEL: 'info',
    DATA_DIR: join(folder, 'sqlite'),
  });
  const onSqlite = await compare(sqlite, sqlite, REQUESTS, licenseShot(sqlite, AGAIN));
  sqlite.stop();
  bench.figures['license check, memory engine, CPU µs'] = rounded(license.ours);
  bench.figures['license check, signed afresh, memory engine, CPU µs'] = rounded(afresh.ours);
  bench.figures['license check, bare Express with zod, CPU µs'] = rounded(license.bare);
  bench.figures['license check, sqlite engine, CPU µs'] = rounded(onSqlite.ours);
  bench.figures['library of 50 products, memory engine, CPU µs'] = rounded(library.ours);
  bench.figures['library of 50 products, bare Express, CPU µs'] = rounded(library.bare);
  bench.ratios.push(
    {
      name: 'license check: CPU against bare Express with zod',
      value: rounded(license.ratio),
      bar: 2,
      better: 'lower',
    },
    {
      name: 'license check signed afresh: CPU against bare Express with zod',
      value: rounded(afresh.ratio),
      bar: 2,
      better: 'lower',
    },
    {
      name: 'library of 50: CPU against bare Express sending the same',
      value: rounded(library.ratio),
      bar: 2.5,
      better: 'lower',
    },
  );
};

const functions = async (bench: Bench): Promise<void> => {
  say('The api function, against a bare one …');
  const load = await coldLoad(folder);
  const cpu = await functionCpu();
  bench.figures['api function, cold load, ms'] = rounded(load.ours);
  bench.figures['bare function, cold load, ms'] = rounded(load.bare);
  bench.figures['mcp function, cold load, ms'] = rounded(load.mcp);
  bench.figures['account function, cold load, ms'] = rounded(load.account);
  bench.figures['api function, bytes read at its start'] = load.startBytes;
  bench.figures['license check as a function, CPU µs'] = rounded(cpu.ours);
  bench.figures['bare Express as a function, CPU µs'] = rounded(cpu.bare);
  bench.ratios.push(
    { name: 'api function: cold load against a bare one', value: rounded(load.ratio), bar: 1.25, better: 'lower' },
    {
      name: `api function: bytes read at its start, of ${API_START_BYTES}`,
      value: rounded(load.startBytes / API_START_BYTES),
      bar: 1,
      better: 'lower',
    },
    { name: 'license check as a function: CPU against bare', value: rounded(cpu.ratio), bar: 1.6, better: 'lower' },
  );
};

const mcp = async (bench: Bench): Promise<void> => {
  say('A license check as an MCP tool, against the REST API …');
  const { older, newer } = await mcpCalls(inMemory);
  for (const [revision, { ours, bare, ratio }] of [
    ['2025-11-25', older],
    ['2026-07-28', newer],
  ] as const) {
    bench.figures[`license check as a tool of MCP ${revision}, CPU µs`] = rounded(ours);
    bench.figures[`license check over REST beside MCP ${revision}, CPU µs`] = rounded(bare);
    const name = `license check as a tool of MCP ${revision}: CPU against REST`;
    bench.ratios.push({ name, value: rounded(ratio), bar: 1.5, better: 'lower' });
  }
};

const downloads = async (bench: Bench): Promise<void> => {
  say('A download of 1 GiB, against createReadStream().pipe(res) …');
  const file = join(folder, 'big.bin');
  const sha256 = await makeBigFile(file);
  const ours: Service = await ChildServer.start('./service-server.ts', {
    STORE: 'memory',
    OBJECTS: 'filesystem',
    DATA_DIR: join(folder, 'objects'),
    BENCH_FILE: file,
    BENCH_SHA256: sha256,
  });
  const bare = await ChildServer.start('./bare-server.ts', { BENCH_FILE: file });
  const readings: { ours: number; bare: number; added: number }[] = [];
  for (let round = 0; round < 3; round++) {
    const piped = await fetchFile(bare, '/file', {});
    const fetched = await fetchFile(ours, await signedPath(ours), {});
    readings.push({ ours: fetched.mebibytesPerSecond, bare: piped.mebibytesPerSecond, added: fetched.addedMebibytes });
  }
  ours.stop();
  bare.stop();
  const added = Math.max(...readings.map((one) => one.added));
  bench.figures['download, MiB/s'] = rounded(median(readings.map((one) => one.ours)));
  bench.figures['download by a bare pipe, MiB/s'] = rounded(median(readings.map((one) => one.bare)));
  bench.figures['download, memory added at most, MiB'] = rounded(added);
  bench.ratios.push(
    {
      name: 'download of 1 GiB: speed against a bare pipe',
      value: rounded(median(readings.map((one) => one.ours / one.bare))),
      bar: 0.7,
      better: 'higher',
    },
    { name: 'download of 1 GiB: memory added, of 64 MiB', value: rounded(added / 64), bar: 1, better: 'lower' },
  );
};

const abuse = async (bench: Bench): Promise<void> => {
  say('Requests that are made to cost the server more than their sender …');
  const { long, none, ratio } = await longHeaders(inMemory);
  const health = await healthBesideRefused(inMemory);
  bench.figures['product without Accept-Language, CPU µs'] = rounded(none);
  bench.figures['product with 13 KB of Accept-Language, CPU µs'] = rounded(long);
  bench.figures['/healthz beside refused nested bodies, median ms'] = rounded(health);
  bench.ratios.push(
    {
      name: 'requests with a 13 KB Accept-Language: rate against none',
      value: rounded(ratio),
      bar: 0.6,
      better: 'higher',
    },
    {
      name: '/healthz beside twelve callers who send refused nested bodies: median ms, of 250',
      value: rounded(health / 250),
      bar: 1,
      better: 'lower',
    },
  );
};

const bench: Bench = {
  machine: {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    node: process.version,
    platform: process.platform,
  },
  figures: {},
  ratios: [],
};
try {
  await requests(bench);
  await tableCost(bench.figures, folder);
  await functions(bench);
  await mcp(bench);
  await abuse(bench);
  await downloads(bench);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(process.argv.includes('--json') ? `${JSON.stringify(bench)}\n` : showTable(bench));
