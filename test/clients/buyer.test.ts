import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { killServer, type ServerProcess, startServer } from '../processes/server.ts';
import { cli } from '../support/cli.ts';
import { hiddenFields, PageBrowser } from '../support/page-browser.ts';

const SOURCE = join(import.meta.dirname, '..', '..', 'clients', 'cli', 'cli.js');

let folder: string;
let program: string;
let server: ServerProcess;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'account-service-buyer-'));
  program = join(folder, 'my-software.mjs');
  await build({ entryPoints: [SOURCE], bundle: true, platform: 'node', format: 'esm', outfile: program });
  server = await startServer(join(folder, 'data'), { SAMPLE_STORE: 'always' });
});
afterAll(async () => {
  await killServer(server, 'SIGTERM');
  rmSync(folder, { recursive: true, force: true });
});

/** Where a program runs: its home, its folder, and the beginning of its PATH. */
type Place = { readonly home?: string; readonly cwd?: string; readonly path?: string; readonly system?: string };

const begin = (place: Place, ...args: string[]): ChildProcess => {
  const { home = 'buyer', cwd = folder, path, system } = place;
  const PATH = [path, process.env['PATH']].join(':');
  const { NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, HOME: folder, MY_SOFTWARE_HOME: join(folder, home) };
  const set = `data:text/javascript,Object.defineProperty(process,"platform",{value:"${system}"})`;
  const node = system ? ['--import', set, program] : [program];
  return spawn(process.execPath, [...node, ...args], { env, cwd, stdio: 'pipe' });
};
const ended = async (child: ChildProcess) => {
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (part) => (stdout += String(part)));
  child.stderr?.on('data', (part) => (stderr += String(part)));
  const [code] = await once(child, 'close');
  return { code: code as number, stdout, stderr };
};
const runAt = (place: Place, ...args: string[]) => ended(begin(place, ...args));
const run = (...args: string[]) => runAt({}, ...args);
const jsonAt = async (place: Place, ...args: string[]) =>
  JSON.parse((await runAt(place, ...args, '--json')).stdout || '"nothing"');
const json = (...args: string[]) => jsonAt({}, ...args);
/** The exit code and the error of a failing command. */
const failed = async (place: Place, ...args: string[]) => {
  const { code, stdout, stderr } = await runAt(place, ...args, '--json');
  return { exit: code, stdout, ...JSON.parse(stderr) };
};

/** Approves a sign-in's code as an account's owner, who is signed in by the operator's link. */
const approve = async (code: string): Promise<void> => {
  const made = await cli(['account', 'link', '--account', '1', '--json'], { DATA_DIR: join(folder, 'data') });
  const link = new URL(made.json().url);
  const browser = new PageBrowser(server.account);
  await browser.submit(link.pathname + link.search, '/sign-in/link', {});
  const { body } = await browser.submit('/device', '/device', { user_code: code });
  const fields = { ...hiddenFields(body, '/device/decide'), decision: 'approve' };
  const decided = await browser.post('/device/decide', fields);
  expect(decided.status).toBeLessThan(400);
};

const signIn = async (url: string, place: Place = {}) => {
  const signing = begin(place, 'sign-in', '--server', url, '--json');
  const signedIn = ended(signing);
  let shown = '';
  signing.stderr?.on('data', (part) => (shown += String(part)));
  await expect.poll(() => shown).toMatch(/enter \S+/);
  await approve(/enter (\S+)/.exec(shown)?.[1] ?? '');
  expect(await signedIn).toMatchObject({ code: 0, stdout: expect.stringContaining(url.replace(/\/$/, '')) });
};

test('a buyer signs in by a code, lists, installs, updates, checks the license, and signs out', async () => {
  expect(await run('library', '--server', server.url)).toMatchObject({
    code: 3,
    stderr: `This machine is not signed in to ${server.url}; run: my-software sign-in --server ${server.url}\n`,
  });
  await signIn(server.url);
  // The test has no keychain: the key is in a file readable only by its owner.
  expect(statSync(join(folder, 'buyer', `key.${new URL(server.url).host.replace(':', '_')}.json`)).mode & 0o777).toBe(
    0o600,
  );

  expect(await json('library')).toEqual(
    expect.arrayContaining([expect.objectContaining({ id: 4, name: 'Hashcheck' })]),
  );
  const installed = await json('install', 'hash', '--platform', 'linux-amd64', '--to', 'tools/hashcheck');
  expect(installed).toMatchObject({ product: 'Hashcheck', path: expect.stringMatching(/tools.hashcheck$/) });
  expect(readFileSync(join(folder, 'tools/hashcheck')).length).toBeGreaterThan(0);
  expect(await json('update', 'Hashcheck', '--platform', 'linux-amd64')).toMatchObject({ updated: false });
  expect(await json('license', '4')).toMatchObject({ state: 'licensed', code: 'valid' });
  expect((await json('devices', 'hashcheck')).length).toBeGreaterThan(0);
  expect((await run('library')).stdout).toMatch(/^id +name +type +platforms\n/);
  expect(await run('install', 'nothing')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^You own no product/),
  });
  const again = await run('install', 'hash', '--platform', 'linux-amd64', '--to', 'buyer/settings.json');
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('--force') });
  expect((await run('library', '--server', 'http://127.0.0.1:9')).code).toBe(3);
  expect(await json('sign-out')).toEqual({ released: true });
  expect((await run('library')).code).toBe(3);
  expect((await run()).stderr).toContain('sign-in');
});

/**
 * A shop on its own origin in front of the server: it alters responses, and records which key was sent to which path.
 */
const openShop = async () => {
  const shop = {
    url: '',
    keys: [] as string[],
    /** Alters the body for a path. A number becomes the status. */
    alter: (_path: string, body: ReturnType<typeof JSON.parse>): unknown => body,
    close: () => void listener.close(),
  };
  const pass = async ({ url = '', method = 'GET', headers }: IncomingMessage, body: Buffer) => {
    const { authorization, 'content-type': type } = headers;
    if (authorization) shop.keys.push(`${url} ${authorization}`);
    const path = url.replace(/^\/[ab](?=\/)/, '');
    const sent = { ...(authorization && { authorization }), ...(type && { 'content-type': type }) };
    const answer = await fetch(server.url + path, { method, headers: sent, ...(body.length > 0 && { body }) });
    const text = await answer.text();
    const altered = shop.alter(path, text.startsWith('{') ? JSON.parse(text) : text);
    if (typeof altered === 'number') return { status: altered, text: '{"error":"odd","message":"odd"}' };
    return { status: answer.status, text: typeof altered === 'string' ? altered : JSON.stringify(altered) };
  };
  const listener = createServer(async (request, response) => {
    const { status, text } = await pass(request, await buffer(request));
    response.writeHead(status, { 'content-type': 'application/json' }).end(text);
  });
  await once(listener.listen(0, '127.0.0.1'), 'listening');
  shop.url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  return shop;
};

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

test('an ambiguous part of a name installs nothing', async () => {
  const place = { home: 'parts', cwd: join(folder, 'parts-here') };
  mkdirSync(place.cwd);
  await signIn(server.url, place);
  const names = (await jsonAt(place, 'library')).map(({ name }: { name: string }) => name);
  expect(names.filter((name: string) => name.toLowerCase().includes('e')).length).toBeGreaterThan(1);
  const refused = await failed(place, 'install', 'e');
  expect(refused).toMatchObject({ exit: 1, code: 'ambiguous_product', status: null, stdout: '' });
  expect(refused.message).toMatch(/^"e" can mean .+ \(\d+\), .+ \(\d+\)/);
  expect(readdirSync(place.cwd)).toEqual([]);
  // Without quotes, the words are joined into one name.
  expect(await failed(place, 'install', 'No', 'such')).toMatchObject({ code: 'unknown_product' });
});

test('an update goes to the installed location, a program can be run, and a changed file needs --force', async () => {
  const [tools, elsewhere] = [join(folder, 'own-tools'), join(folder, 'elsewhere')];
  const place = { home: 'updates', cwd: tools };
  for (const made of [tools, elsewhere]) mkdirSync(made);
  await signIn(server.url, place);
  const request = ['--platform', 'linux-amd64'];
  const { path, version } = await jsonAt(place, 'install', 'hashcheck', ...request);
  expect(path).toBe(join(tools, 'hashcheck-1.2.0-linux-amd64'.replace('1.2.0', version)));
  expect(statSync(path).mode & 0o777).toBe(0o755);
  const packed = await jsonAt(place, 'install', 'Library Keeper', '--to', 'packed/');
  expect(packed.path).toMatch(/own-tools.packed.library-keeper-.+\.zip$/);
  expect(statSync(packed.path).mode & 0o111).toBe(0);

  // An earlier version, as this program installed it.
  const settings = join(folder, 'updates', 'settings.json');
  const written = JSON.parse(readFileSync(settings, 'utf8'));
  const former = (more: object) => {
    const shops = { [server.url]: { 4: { version: '1.0.0', path, ...more } } };
    writeFileSync(settings, JSON.stringify({ ...written, shops }));
    writeFileSync(path, 'former');
    chmodSync(path, 0o644);
  };
  former({ sha256: sha256('former') });
  const updated = await jsonAt({ ...place, cwd: elsewhere }, 'update', 'hashcheck', ...request);
  expect(updated).toMatchObject({ updated: true, version, path });
  expect(readdirSync(elsewhere)).toEqual([]);
  expect(statSync(path).mode & 0o777).toBe(0o755);
  expect(sha256(readFileSync(path, 'utf8'))).toBe(updated.sha256);
  // A record of an earlier version, which stored no checksum.
  former({});
  expect(await jsonAt(place, 'update', 'hashcheck', ...request)).toMatchObject({ updated: true });

  expect((await runAt(place, 'install', 'hashcheck', ...request)).code).toBe(0);
  former({ sha256: sha256('as it was installed') });
  for (const command of ['install', 'update'])
    expect(await failed(place, command, 'hashcheck', ...request)).toMatchObject({ exit: 1, code: 'file_exists' });
  expect(readFileSync(path, 'utf8')).toBe('former');
  expect((await runAt(place, 'update', 'hashcheck', ...request, '--force')).code).toBe(0);
  rmSync(path);
  expect(await failed(place, 'update', 'hashcheck', ...request)).toMatchObject({ code: 'not_installed' });
});

test('a hostile shop can’t choose files to write, forge rows or send terminal sequences', async () => {
  const place = { home: 'hostile', cwd: join(folder, 'hostile-here') };
  mkdirSync(place.cwd);
  const shop = await openShop();
  await signIn(shop.url, place);
  const evil = 'Hash\n9   Free   \u001b[31m\u009b2J\u202e';
  let filename = '';
  shop.alter = (path, body) => {
    if (path === '/api/library') for (const { product } of body.items) product.name = evil;
    if (path.startsWith('/api/products/4/install')) body.data.filename = filename;
    return body;
  };
  const { stdout } = await runAt(place, 'library');
  const owned = (await jsonAt(place, 'library')) as { name: string }[];
  expect(owned[0]?.name).toBe(evil);
  expect(stdout.trimEnd().split('\n').length).toBe(1 + owned.length);
  const said = [stdout, (await runAt(place, 'library', '--json')).stdout, (await runAt(place, 'install', 'h')).stderr];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a terminal obeys.
  for (const text of said) expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  expect(said[2]?.trimEnd()).not.toContain('\n');

  for (filename of ['..', '.zshrc', '-rf', 'a\nb', 'a\u001b[2J', 'NUL.tar.gz', 'hash ', 'exe\u202etxt'])
    expect(await failed(place, 'install', '4')).toMatchObject({ exit: 1, code: 'bad_file_name' });
  expect(readdirSync(place.cwd)).toEqual([]);
  filename = '..\\../escaped';
  expect((await jsonAt(place, 'install', '4')).path).toBe(join(place.cwd, 'escaped'));
  shop.close();
});

test('two shops keep separate keys, installs and sign-outs', async () => {
  const place = { home: 'two', cwd: join(folder, 'two-here') };
  mkdirSync(place.cwd);
  const [a, b] = [await openShop(), await openShop()];
  await signIn(a.url, place);
  await signIn(b.url, place);
  const { path } = await jsonAt(place, 'install', 'hashcheck', '--server', a.url, '--platform', 'linux-amd64');
  // Commands refer to the shop of the last sign-in.
  expect(await failed(place, 'update', 'hashcheck')).toMatchObject({ code: 'not_installed' });
  expect(await jsonAt(place, 'update', 'hashcheck', '--server', a.url, '--platform', 'linux-amd64')).toMatchObject({
    updated: false,
  });
  expect(statSync(path).isFile()).toBe(true);
  await jsonAt(place, 'sign-out');
  expect((await failed(place, 'library')).exit).toBe(3);
  expect((await runAt(place, 'library', '--server', a.url)).code).toBe(0);
  const [ofA, ofB] = [a, b].map(({ keys }) => new Set(keys.map((one) => one.split(' ').at(-1))));
  expect([...(ofA ?? [])].filter((key) => ofB?.has(key))).toEqual([]);
  expect([ofA?.size, ofB?.size]).toEqual([1, 1]);
  for (const shop of [a, b]) shop.close();
});

/** Apple's `security` with a keychain in a file. It splits lines of standard input as Apple's does. */
const SECURITY = String.raw`#!${process.execPath}
const fs = require('node:fs');
const file = __dirname + '/keychain.json';
const items = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file)) : {};
let args = process.argv.slice(2);
if (args[0] === '-i') {
  const [line] = fs.readFileSync(0, 'utf8').split('\n');
  args = [...line.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(([, a, b]) => b ?? a.replace(/\\(.)/g, '$1'));
}
const of = (flag) => args[args.indexOf(flag) + 1];
const item = of('-s') + ' ' + of('-a');
let code = 0;
if (args[0] === 'add-generic-password') items[item] = of('-w');
else if (!(item in items)) code = 44;
else if (args[0] === 'find-generic-password') console.log(items[item]);
else delete items[item];
fs.writeFileSync(file, JSON.stringify(items));
process.exitCode = code;
`;

test('the macOS keychain has one key for each URL, even if two shops differ only in their path', async () => {
  const path = join(folder, 'mac');
  mkdirSync(path);
  writeFileSync(join(path, 'security'), SECURITY, { mode: 0o755 });
  const place = { home: 'mac-home', path, system: 'darwin' };
  const shop = await openShop();
  const keychain = () => JSON.parse(readFileSync(join(path, 'keychain.json'), 'utf8'));
  await signIn(`${shop.url}/a/`, place);
  expect(Object.keys(keychain())).toEqual([`my-software ${shop.url}/a`]);
  expect(readdirSync(join(folder, 'mac-home')).filter((name) => name.startsWith('key'))).toEqual([]);
  expect((await runAt(place, 'library')).code).toBe(0);
  expect(await failed(place, 'library', '--server', `${shop.url}/b`)).toMatchObject({ exit: 3, code: 'no_key' });
  expect(shop.keys.filter((key) => key.startsWith('/b'))).toEqual([]);
  expect(await jsonAt(place, 'sign-out')).toMatchObject({ released: expect.any(Boolean) });
  expect(keychain()).toEqual({});
  shop.close();
});

test('a failure is one JSON object with --json, and has the documented exit code', async () => {
  const place = { home: 'exits' };
  const shop = await openShop();
  await signIn(shop.url, place);
  expect(await failed(place, 'library', '--bad')).toMatchObject({ exit: 2, code: 'usage', status: null });
  for (const args of [[], ['odd'], ['install'], ['library', 'more'], ['library', '--to', 'x'], ['completions', 'csh']])
    expect(await failed(place, ...args)).toMatchObject({ exit: 2, code: 'usage', stdout: '' });
  for (const url of ['https://a"b.example', 'api.example.com', 'http://shop.example', 'https://me@shop.example'])
    expect(await failed(place, 'library', '--server', url)).toMatchObject({ exit: 2, code: 'bad_address' });
  expect(await failed({ home: 'none' }, 'library')).toMatchObject({ exit: 2, code: 'no_server' });
  expect(await failed({ home: 'none' }, 'library', '--server', shop.url)).toMatchObject({ exit: 3, code: 'no_key' });
  shop.alter = () => 403;
  expect(await failed(place, 'library')).toEqual({ exit: 1, code: 'odd', message: 'odd', status: 403, stdout: '' });
  shop.alter = () => 503;
  expect(await failed(place, 'license', '4')).toMatchObject({ exit: 4, status: 503 });
  shop.alter = (path) => (path.startsWith('/api') ? 401 : 404);
  const { message, ...refused } = await failed(place, 'library');
  expect(refused).toMatchObject({ exit: 3, status: 401 });
  expect(message).toBe(`The key of this machine has ended; run: my-software sign-in --server ${shop.url}`);
  // Signing out works with a key that was revoked elsewhere.
  expect(await jsonAt(place, 'sign-out')).toEqual({ released: false });
  expect(await failed(place, 'library')).toMatchObject({ exit: 3, code: 'no_key' });
  shop.alter = (_path, body) => body;
  await signIn(shop.url, place);
  shop.close();
  expect(await failed(place, 'library')).toMatchObject({ exit: 4, code: 'unreachable', status: null, stdout: '' });
  expect(await runAt(place, 'library')).toMatchObject({ code: 4, stderr: expect.stringMatching(/^The server can/) });

  const { version } = JSON.parse(readFileSync(join(SOURCE, '..', 'package.json'), 'utf8'));
  expect(await run('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  const { stdout: help } = await run('--help');
  const readme = readFileSync(join(SOURCE, '..', 'README.md'), 'utf8');
  const codes = [...help.matchAll(/^ {2}(\d) +(.+)$/gm)];
  expect(codes.map(([, code]) => code)).toEqual(['0', '1', '2', '3', '4']);
  for (const [, code, about] of codes) expect(readme).toContain(`| ${code} | ${about} |`);
});

test('a reader that closes early gets no stack trace', async () => {
  const shop = await openShop();
  const place = { home: 'pipe' };
  await signIn(shop.url, place);
  const product = { id: 1, name: 'x'.repeat(1000), type_label: '', platforms: [] };
  shop.alter = () => ({ items: Array.from({ length: 500 }, () => ({ product })) });
  const child = begin(place, 'library', '--json');
  child.stdout?.once('data', () => child.stdout?.destroy());
  let stderr = '';
  child.stderr?.on('data', (part) => (stderr += String(part)));
  expect([await once(child, 'close'), stderr]).toEqual([[0, null], '']);
  shop.close();
});
