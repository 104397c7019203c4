#!/usr/bin/env node
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';

/*
 * Runs the cases of cases.json with any client: `node run-cases.ts [--only TEXT] PROGRAM [ARGUMENT…]`. The program is a
 * harness of the client; the comment of js/harness.js is its protocol, and the `about` of cases.json the format of a
 * case. This file provides the client's server, disk and clock.
 */

type Json = Readonly<Record<string, unknown>>;

export type Answer = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string, or JSON. An object with `jws` becomes a text that the runner signs. */
  readonly body?: unknown;
  /** Seconds before the answer starts. */
  readonly after?: number;
  /** The answer never comes. */
  readonly hang?: true;
  /** The answer arrives a byte each tenth of a second. */
  readonly trickle?: true;
  /** The connection ends after this many bytes, although the header announces all of them. */
  readonly cut?: number;
  /** Text before the body, spaces after it, and the depth of nested arrays in its field `deep`. */
  readonly prefix?: string;
  readonly pad?: number;
  readonly deep?: number;
};

export type Answers = Readonly<Record<string, Answer | readonly Answer[]>>;

/**
 * The content of a file: null for none, a string, JSON, fields to change in the existing JSON, a link, a folder, or a
 * pipe.
 */
export type Edit =
  | null
  | string
  | {
      readonly text?: unknown;
      readonly members?: Json;
      readonly link?: string;
      readonly folder?: true;
      readonly pipe?: true;
      readonly age?: number;
    };

export type Step = {
  readonly do: string;
  readonly at: string;
  /** The calls of `together`, which start at once. */
  readonly calls?: readonly Json[];
  readonly options?: Json;
  readonly file?: unknown;
  /** A second machine, which starts with a copy of the first one's folder. */
  readonly machine?: string;
  /** The number of new processes that take the step at once. */
  readonly processes?: number;
  /** Edits of the store before the step, by name; "." is its folder. */
  readonly store?: Readonly<Record<string, Edit>>;
  /** Edits of the folder {files} before the step. */
  readonly files?: Readonly<Record<string, Edit>>;
  readonly answers?: Answers;
  readonly expect: Json | readonly Json[];
  /** The requests of the step by method and path: all of them in order, or fields that each has. */
  readonly asked?: Readonly<Record<string, Json | readonly Json[]>>;
  /** All files of {files} after the step. */
  readonly expect_files?: Readonly<Record<string, unknown>>;
  /** The seconds that the step may take. */
  readonly within?: number;
} & Json;

export type Case = {
  readonly name: string;
  readonly options?: Json;
  /** The client's environment variables. */
  readonly env?: Readonly<Record<string, string>>;
  /** No file can be written. */
  readonly full_disk?: true;
  readonly steps: readonly Step[];
};

export type Cases = {
  readonly options: Json;
  readonly seeds: Readonly<Record<string, number>>;
  readonly cases: Case[];
};

export type Said = { readonly ok?: unknown; readonly error?: unknown };

type Program = readonly [string, ...string[]];
type Surroundings = { readonly cwd?: string; readonly env?: Case['env']; readonly full_disk?: boolean };

/** A call that takes longer counts as hanging. */
const LONGEST_MS = 20_000;

/** A client in its own process, driven by lines of JSON. */
export class Harness {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  #isKilled = false;

  constructor(program: Program, { cwd, env, full_disk }: Surroundings = {}) {
    // A write over the limit fails like one to a full disk, also for root, whom other limits do not stop.
    const full: Program = ['sh', '-c', `trap '' XFSZ; ulimit -f 0; exec "$@"`, 'sh', ...program];
    const [command, ...args] = full_disk ? full : program;
    const surroundings = { cwd, env: { ...process.env, ...env } };
    // In its own process group, with its children, such as those of npx.
    this.#child = spawn(command, args, { ...surroundings, detached: true, stdio: ['pipe', 'pipe', 'inherit'] });
    const { stdout } = this.#child;
    if (!stdout) throw new Error('The harness has no output.');
    this.#lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  }

  send(line: object): void {
    this.#child.stdin?.write(`${JSON.stringify(line)}\n`);
  }

  /** The client's next line. */
  async next(): Promise<Said & { readonly code?: Readonly<Record<string, unknown>> }> {
    const { value, done } = await this.#lines.next();
    if (done) throw new Error('The harness ended.');
    return JSON.parse(value);
  }

  /** The answer to a line, skipping the code of a sign-in. A client that hangs is killed. */
  async ask(line: object): Promise<Said> {
    const timer = setTimeout(() => this.kill(), LONGEST_MS);
    try {
      this.send(line);
      for (;;) {
        const said = await this.next();
        if (!('code' in said)) return said;
      }
    } finally {
      clearTimeout(timer);
    }
  }

  kill(): void {
    this.#isKilled = true;
    process.kill(-(this.#child.pid ?? 0), 'SIGKILL');
  }

  get hasEnded(): boolean {
    return this.#isKilled || this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  async close(): Promise<void> {
    this.#child.stdin?.end();
    if (!this.hasEnded) await once(this.#child, 'exit');
  }
}

/** An Ed25519 key for tests, from the last byte of its seed (RFC 8410). */
export const keyOf = (seed: number): KeyObject => {
  const prefix = Buffer.from('302e020100300506032b657004220420', 'hex');
  const der = Buffer.concat([prefix, Buffer.alloc(31), Buffer.from([seed])]);
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
};

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

type Texts = Readonly<Record<string, string | undefined>>;

/** Replaces {names} in texts, and signs. A field is left out if its whole text is an unknown name. */
const fill = (value: unknown, texts: Texts, keys: ReadonlyMap<string, KeyObject>): unknown => {
  if (typeof value === 'string') {
    const whole = /^\{(\w+)\}$/.exec(value)?.[1];
    if (whole !== undefined && whole in texts) return texts[whole];
    return value.replaceAll(/\{(\w+)\}/g, (all, name: string) => texts[name] ?? all);
  }
  if (Array.isArray(value)) return value.map((one) => fill(one, texts, keys));
  if (!isObject(value)) return value;
  const all = Object.fromEntries(
    Object.entries(value).map(([name, one]) => [String(fill(name, texts, keys)), fill(one, texts, keys)]),
  );
  if (!('jws' in all)) return all;
  const { jws, header, key, tail } = all as { jws: object; header: object; key: string; tail?: string };
  const base64 = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const signed = `${base64(header)}.${base64(jws)}`;
  const signature = sign(null, Buffer.from(signed), keys.get(key) ?? keyOf(0)).toString('base64url');
  return `${signed}.${tail ? signature.slice(0, -tail.length) + tail : signature}`;
};

/** The first difference between a value and the expected one, which names fields; null if there is none. */
const difference = (actual: unknown, expected: unknown, bound: Map<string, unknown[]>, path = ''): string | null => {
  const differs = (text: string) => `${path || 'the answer'} is ${JSON.stringify(actual)}, not ${text}`;
  if (!isObject(expected)) return Object.is(actual, expected) ? null : differs(JSON.stringify(expected));
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return differs(JSON.stringify(expected));
    const found = expected.map((one, i) => difference(actual[i], one, bound, `${path}[${i}]`));
    return found.find((one) => one !== null) ?? null;
  }
  const { $matches, $not, $same, $new } = expected;
  if (typeof $matches === 'string')
    return new RegExp($matches).test(String(actual)) ? null : differs(`like ${$matches}`);
  if ($not !== undefined) return difference(actual, $not, bound) === null ? differs('allowed') : null;
  if (typeof $same === 'string' || typeof $new === 'string') {
    const before = bound.get(String($same ?? $new)) ?? [];
    bound.set(String($same ?? $new), [...before, actual]);
    if (typeof actual !== 'string') return differs('a text');
    const isWell = $new === undefined ? (before.at(-1) ?? actual) === actual : !before.includes(actual);
    return isWell ? null : differs(`${$new === undefined ? 'the same as' : 'other than'} ${JSON.stringify(before)}`);
  }
  if (!isObject(actual)) return differs(JSON.stringify(expected));
  const found = Object.entries(expected).map(([name, one]) => difference(actual[name], one, bound, `${path}.${name}`));
  return found.find((one) => one !== null) ?? null;
};

type Request = { request: string; key: string | null; headers: Json; body: Json };

const addressOf = (server: Server): string => {
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
};

/** The servers of the cases: the API, on IPv4 and IPv6, and another origin, which is also a proxy. */
export class Stage {
  readonly #document: Cases;
  readonly #keys: ReadonlyMap<string, KeyObject>;
  readonly #servers: Server[] = [];
  readonly #folder = mkdtempSync(join(tmpdir(), 'license-cases-'));
  #answers: Record<string, Answer[]> = {};
  #requests: Request[] = [];
  #texts: Texts = {};

  private constructor(document: Cases) {
    this.#document = document;
    this.#keys = new Map(Object.entries(document.seeds).map(([name, seed]) => [name, keyOf(seed)]));
  }

  static async open(document: Cases): Promise<Stage> {
    const stage = new Stage(document);
    for (const [host, isOther] of [
      ['127.0.0.1', false],
      ['::1', false],
      ['127.0.0.1', true],
    ] as const) {
      const server = createServer((request, response) => void stage.#answer(request, response, isOther));
      // Some clients reach every server through a tunnel of the proxy.
      server.on('connect', (_, socket) => {
        const { port } = stage.#servers[0]?.address() as AddressInfo;
        const tunnel = connect(port, '127.0.0.1', () => {
          socket.write('HTTP/1.1 200 OK\r\n\r\n');
          tunnel.pipe(socket).pipe(tunnel);
        });
        tunnel.on('error', () => socket.destroy());
        socket.on('error', () => tunnel.destroy());
      });
      server.listen(0, host);
      await once(server, 'listening');
      stage.#servers.push(server);
    }
    return stage;
  }

  async close(): Promise<void> {
    for (const server of this.#servers) {
      server.closeAllConnections();
      server.close();
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #answer(request: IncomingMessage, response: ServerResponse, isOther: boolean): Promise<void> {
    const bytes = Buffer.concat(await Array.fromAsync<Buffer>(request).catch(() => []));
    const url = request.url ?? '';
    const isProxied = url.startsWith('http:');
    const name = `${request.method} ${isOther && !isProxied ? '{other}' : ''}${url.replace(/^http:\/\/[^/]+/, '')}`;
    let body: unknown = null;
    try {
      body = JSON.parse(bytes.toString());
    } catch {}
    const asked = isObject(body) ? body : {};
    const { authorization } = request.headers;
    const key = authorization?.replace(/^Bearer /, '') ?? null;
    this.#requests.push({ request: name, key, headers: request.headers, body: asked });
    const list = this.#answers[`${name} ${key}`] ?? this.#answers[name] ?? [];
    const answer = list.length > 1 ? list.shift() : list[0];
    if (!answer) return void request.socket.destroy();
    const { status = 200, headers = {}, after = 0, hang, trickle, cut, prefix = '', pad = 0, deep } = answer;
    if (hang) return;
    await new Promise((resolve) => setTimeout(resolve, after * 1000));
    const { nonce, device_id, continuation } = asked as Record<string, string>;
    const given = fill(answer.body, { ...this.#texts, nonce, device_id, continuation }, this.#keys);
    let text = typeof given === 'string' ? given : JSON.stringify(given ?? null);
    if (deep) text = `${text.slice(0, -1)},"deep":${'['.repeat(deep)}${']'.repeat(deep)}}`;
    const whole = Buffer.from(prefix + text + ' '.repeat(pad));
    response.on('error', () => {});
    response.writeHead(status, {
      'content-type': 'application/json',
      'content-length': whole.length,
      ...(fill(headers, this.#texts, this.#keys) as Record<string, string>),
    });
    if (cut !== undefined) response.write(whole.subarray(0, cut), () => setTimeout(() => request.socket.destroy(), 50));
    else if (!trickle) response.end(whole);
    else
      for (const byte of whole) {
        if (response.destroyed || request.socket.destroyed) return;
        response.write(Buffer.from([byte]));
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
  }

  /** Runs a case. Throws an error that names the step and the difference. `shared` is a harness to reuse. */
  async run(one: Case, program: Program, surroundings: Surroundings = {}, shared?: Harness): Promise<void> {
    const work = mkdtempSync(join(this.#folder, 'case-'));
    const [api = '', api6 = '', other = ''] = this.#servers.map(addressOf);
    const given = { api, ...this.#document.options, ...one.options };
    const files = join(work, 'files');
    mkdirSync(files);
    const scopeOf = (address: string) =>
      address
        .replace(/^\w+:\/\//, '')
        .toLowerCase()
        .replace(/[^a-z0-9.-]/g, '_');
    this.#texts = { api, api6, other, files };
    this.#texts = { ...this.#texts, scope: scopeOf(String(fill(given.api, this.#texts, this.#keys))) };
    const filled = <T>(value: T): T => fill(value, this.#texts, this.#keys) as T;
    const started: Harness[] = [];
    const start = (): Harness => {
      const own = new Harness(program, {
        ...surroundings,
        ...filled({ env: one.env }),
        full_disk: one.full_disk ?? false,
      });
      started.push(own);
      return own;
    };
    const openLine = (store: string, more: Json = {}) => {
      const options = Object.entries({ ...given, ...more }).filter(([, value]) => value !== null);
      return { do: 'open', store, options: filled(Object.fromEntries(options)) };
    };
    const opened = async (harness: Harness, store: string): Promise<Harness> => {
      const said = await harness.ask(openLine(store));
      if (!('ok' in said)) throw new Error(`open answers ${JSON.stringify(said)}`);
      return harness;
    };
    const machines = new Map<string, { harness: Harness; store: string }>();
    const machineOf = async (name: string) => {
      const present = machines.get(name);
      if (present) return present;
      const store = join(work, `store-${name}`);
      const first = machines.get('first');
      if (first && existsSync(first.store)) cpSync(first.store, store, { recursive: true });
      const isOwn = first || !shared || one.env || one.full_disk;
      const machine = { store, harness: await opened(isOwn ? start() : shared, store) };
      machines.set(name, machine);
      return machine;
    };
    const bound = new Map<string, unknown[]>();
    const written = new Set<string>();
    try {
      for (const [n, step] of one.steps.entries()) {
        const { machine: name = 'first', processes, store: edits = {}, files: fileEdits = {}, within } = step;
        const { answers = {}, expect, asked = {}, expect_files, ...rest } = step;
        const { machine: _, processes: __, store: ___, files: ____, within: _____, ...line } = rest;
        const { harness, store } = await machineOf(name);
        for (const [file, edit] of Object.entries(filled(edits))) {
          edited(file === '.' ? store : join(store, `${file}.json`), edit);
          written.add(file === '.' ? store : join(store, `${file}.json`));
        }
        for (const [file, edit] of Object.entries(filled(fileEdits))) edited(join(files, file), edit);
        this.#answers = Object.fromEntries(Object.entries(answers).map(([request, all]) => [request, [all].flat()]));
        this.#requests = [];
        const faults: (string | null)[] = [];
        const began = performance.now();
        let said: Said[];
        if (step.do === 'wait') {
          await new Promise((resolve) => setTimeout(resolve, Number(step['seconds']) * 1000));
          said = [{ ok: {} }];
        } else if (processes) {
          const many = await Promise.all(Array.from({ length: processes }, () => opened(start(), store)));
          said = await Promise.all(many.map((each) => each.ask(filled(line))));
        } else if (step.do === 'open') {
          said = [await harness.ask({ ...line, ...openLine(store, step.options) })];
        } else {
          const { file, ...others } = line;
          const text = isObject(file) ? JSON.stringify(filled(file['text'])) : file;
          said = [await harness.ask({ ...filled(others), ...(file !== undefined && { file: text }) })];
          if (step.do === 'together') said = (said[0]?.ok ?? []) as Said[];
        }
        const took = (performance.now() - began) / 1000;
        if (within !== undefined && took > within) faults.push(`it took ${took.toFixed(1)} s`);
        for (const [i, each] of said.entries()) {
          const wanted = Array.isArray(expect) ? expect[i] : expect;
          const whole = 'ok' in wanted || 'error' in each ? each : (each.ok ?? {});
          faults.push(difference(whole, filled(wanted), bound));
        }
        for (const [request, wanted] of Object.entries(asked)) {
          const got = this.#requests.filter((each) => each.request === request);
          const list = Array.isArray(wanted) ? wanted : got.map(() => wanted);
          if (list.length === 0 && !Array.isArray(wanted)) faults.push(`${request} was not asked`);
          faults.push(difference(got, list, bound, request));
        }
        const leaked = this.#requests.find(({ request, key }) => request.includes('{other}') && key !== null);
        if (leaked) faults.push(`another origin got the key with ${leaked.request}`);
        if (expect_files) {
          const present = readdirSync(files).map((file) => [file, readFileSync(join(files, file), 'utf8')]);
          faults.push(difference(Object.fromEntries(present), expect_files, bound, 'files'));
          const more = present.map(([file]) => file).filter((file) => !(String(file) in expect_files));
          if (more.length > 0) faults.push(`there are more files: ${more.join(', ')}`);
        }
        faults.push(...[...machines.values()].map((each) => strayOf(each.store, written)));
        const fault = faults.find((each) => each !== null);
        if (fault) throw new Error(`step ${n + 1}, ${step.do}: ${fault}`);
      }
    } finally {
      await Promise.all(started.map((harness) => harness.close()));
    }
  }
}

/** Changes a file as a case describes. */
const edited = (path: string, edit: Edit): void => {
  const { text, members, link, folder, pipe, age } = isObject(edit) ? edit : { text: edit };
  const before = members && existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
  rmSync(path, { recursive: true, force: true });
  if (edit === null) return;
  mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 });
  if (link !== undefined) symlinkSync(link, path);
  else if (folder) mkdirSync(join(path, 'full'), { recursive: true });
  else if (pipe) execFileSync('mkfifo', [path]);
  else
    writeFileSync(
      path,
      members || typeof text !== 'string' ? JSON.stringify(members ? { ...before, ...members } : text) : text,
    );
  if (age !== undefined) utimesSync(path, Date.now() / 1000 - age, Date.now() / 1000 - age);
};

/** A file in the store that others may read, or that no client needs; null if there is none. */
const strayOf = (store: string, written: ReadonlySet<string>): string | null => {
  if (!existsSync(store) || !lstatSync(store).isDirectory()) return null;
  for (const name of readdirSync(store)) {
    const path = join(store, name);
    if (written.has(path)) continue;
    if (!/^(device|device-2|key|(answer|clock|trust)-\d+)\..+\.json$/.test(name)) return `the client left ${name}`;
    if (process.platform !== 'win32' && (lstatSync(path).mode & 0o77) !== 0) return `others may read ${name}`;
  }
  return null;
};

export const casesOf = (path = join(import.meta.dirname, 'cases.json')): Cases =>
  JSON.parse(readFileSync(path, 'utf8'));

const main = async (): Promise<void> => {
  const { values, positionals } = parseArgs({ options: { only: { type: 'string' } }, allowPositionals: true });
  const [program, ...args] = positionals;
  if (!program) throw new Error('Name the program of a harness.');
  const document = casesOf();
  const cases = document.cases.filter(({ name }) => name.includes(values.only ?? ''));
  const stage = await Stage.open(document);
  let shared = new Harness([program, ...args]);
  let failed = 0;
  for (const one of cases) {
    try {
      if (shared.hasEnded) shared = new Harness([program, ...args]);
      await stage.run(one, [program, ...args], {}, shared);
    } catch (error) {
      failed++;
      console.log(`✗ ${one.name}\n  ${(error as Error).message}`);
    }
  }
  await shared.close();
  await stage.close();
  console.log(`${cases.length - failed} of ${cases.length} cases pass.`);
  process.exitCode = failed > 0 ? 1 : 0;
};

if (import.meta.main) await main();
