import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { FREE_PORTS } from '../../support/free-ports.ts';
import { ChildServer } from '../bench/child.ts';
import { median } from '../bench/statistics.ts';
import { ATTACKS, type AttackName } from './kinds.ts';
import { probe } from './probes.ts';
import type { SocketReading, Target } from './target.ts';

/** The duration of an attack's measurement, and the time from its start until its leftovers are counted, in seconds. */
const MEASURED_SECONDS = 15;
const AFTER_SECONDS = 150;

/** An attack that makes the server use this much memory is stopped, to protect the machine. */
const STOP_AT_MIB = 1024;

const HEALTH_BAR_MS = 250;
const MEMORY_BAR_MIB = 150;

export type Row = {
  readonly attack: string;
  readonly engine: string;
  readonly healthMedianMs: number;
  readonly healthP99Ms: number;
  readonly checkMedianMs: number;
  readonly checkP99Ms: number;
  readonly rssBeforeMib: number;
  readonly rssPeakMib: number;
  readonly rssAfterMib: number;
  readonly connections: number;
  readonly receivedMib: number;
  readonly leftOpen: number;
  readonly holds: boolean;
};

const ENVIRONMENT = {
  ...FREE_PORTS,
  LOG_LEVEL: 'warn',
};

/** Node's options from `npm start`; its memory depends on them. */
const NODE_OPTIONS =
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8').match(/--max-semi-space-size=\d+/) ?? [];

const folder = mkdtempSync(join(tmpdir(), 'account-service-attacks-'));
const say = (text: string): void => void process.stderr.write(`${text}\n`);
const mib = (bytes: number): number => Math.round(bytes / 1024 / 1024);
const rounded = (value: number): number => Math.round(value * 10) / 10;
const p99 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * 0.99)] as number;

type Made = { readonly made: number; readonly received: number };

const ask = async (attacker: ChildProcess, message: object): Promise<Made> => {
  const answer = once(attacker, 'message');
  attacker.send(message);
  return (await answer)[0];
};

/** Attacks a separate server. The row follows after the connections that it left open have been counted. */
const run = async (name: AttackName, engine: string, env: Record<string, string>): Promise<() => Promise<Row>> => {
  const server = await ChildServer.start<Target>(
    '../attacks/attacked-server.ts',
    { ...ENVIRONMENT, ...env },
    { stdout: 'ignore', nodeOptions: NODE_OPTIONS },
  );
  const target = server.more;
  await probe(target, 3);
  const before = (await server.read()).rssBytes;
  const attacker = fork(fileURLToPath(new URL('./attacker.ts', import.meta.url)));
  await once(attacker, 'message');
  await ask(attacker, { name, target });
  const began = performance.now();
  let peak = before;
  let done = false;
  const watch = (async () => {
    while (!done) {
      peak = Math.max(peak, (await server.read()).rssBytes);
      if (mib(peak - before) > STOP_AT_MIB && attacker.connected) attacker.kill();
      await wait(100);
    }
  })();
  const { health, check } = await probe(target, MEASURED_SECONDS);
  done = true;
  await watch;
  const { received } = attacker.connected ? await ask(attacker, {}) : { received: 0 };
  return async () => {
    await wait(Math.max(0, began + AFTER_SECONDS * 1000 - performance.now()));
    const { made } = attacker.connected ? await ask(attacker, {}) : { made: 0 };
    const { rssBytes: after, sockets } = await server.ask<SocketReading>('read');
    if (attacker.connected) attacker.disconnect();
    server.stop();
    const healthMedianMs = rounded(median(health));
    return {
      attack: name,
      engine,
      healthMedianMs,
      healthP99Ms: rounded(p99(health)),
      checkMedianMs: rounded(median(check)),
      checkP99Ms: rounded(p99(check)),
      rssBeforeMib: mib(before),
      rssPeakMib: mib(peak),
      rssAfterMib: mib(after),
      connections: made,
      receivedMib: rounded(received / 1024 / 1024),
      leftOpen: sockets,
      holds: healthMedianMs <= HEALTH_BAR_MS && mib(peak - before) <= MEMORY_BAR_MIB,
    };
  };
};

const ENGINES: Readonly<Record<string, () => Record<string, string>>> = {
  memory: () => ({ STORE: 'memory', OBJECTS: 'memory' }),
  sqlite: () => ({ STORE: 'sqlite', OBJECTS: 'filesystem', DATA_DIR: mkdtempSync(join(folder, 'data-')) }),
};

const show = (rows: readonly Row[]): string => {
  const head = [
    'attack',
    'engine',
    '/healthz median, p99 ms',
    'other’s check median, p99 ms',
    'memory MiB',
    'answers MiB',
    'left open',
  ];
  const lines = rows.map((row) => [
    row.attack,
    row.engine,
    `${row.healthMedianMs}, ${row.healthP99Ms}`,
    `${row.checkMedianMs}, ${row.checkP99Ms}`,
    `${row.rssBeforeMib} → ${row.rssPeakMib} → ${row.rssAfterMib}${row.holds ? '' : ' MISSED'}`,
    String(row.receivedMib),
    row.connections === 0 ? 'stopped at 1 GiB' : `${row.leftOpen} of ${row.connections}`,
  ]);
  const bars = `Bars: /healthz median at most ${HEALTH_BAR_MS} ms, memory added at most ${MEMORY_BAR_MIB} MiB. Memory: before, at its peak, ${AFTER_SECONDS} s after the begin.`;
  return `${[head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n\n${bars}\n`;
};

/** `npm run attacks`, with names of attacks or of an engine as arguments for only some of them. */
const wanted = process.argv.slice(2).filter((arg) => arg in ATTACKS) as AttackName[];
const names = wanted.length > 0 ? wanted : (Object.keys(ATTACKS) as AttackName[]);
const asked = Object.keys(ENGINES).filter((engine) => process.argv.includes(engine));
const engines = asked.length > 0 ? asked : Object.keys(ENGINES);
const rows: Row[] = [];
try {
  for (const [engine, env] of Object.entries(ENGINES)) {
    if (!engines.includes(engine)) continue;
    const pending: (() => Promise<Row>)[] = [];
    for (const name of names) {
      say(`${engine}: ${ATTACKS[name].title} …`);
      pending.push(await run(name, engine, env()));
    }
    for (const row of pending) rows.push(await row());
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const machine = { cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length, node: process.version };
process.stdout.write(
  process.argv.includes('--json')
    ? `${JSON.stringify({ machine, rows })}\n`
    : `${Object.values(machine).join(', ')}\n\n${show(rows)}`,
);
