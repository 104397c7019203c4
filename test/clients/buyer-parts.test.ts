import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

const run = promisify(execFile);

const CLI = join(import.meta.dirname, '..', '..', 'clients', 'cli');
const load = (name: string) => import(pathToFileURL(join(CLI, name)).href);

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'account-service-buyer-parts-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ...['', '.', '..', 'a/..', 'C:', 'a:b', 'a?', 'a*', 'a|b', '"a"', '<a>', 'a\nb', 'a\u0000', 'a\u009b2J', 'a\u202eb'],
  ...['hash.', 'hash ', 'hash. .', ' hash', '.bashrc', '.npmrc', '-rf', '--force'],
  ...['con', 'NUL', 'nul.txt', 'NUL.tar.gz', 'aux .zip', 'Com1', 'lpt9.exe', 'COM¹', 'lpt³.txt', 'CONIN$', 'clock$'],
])('a file name %j from a server is refused', async (name) => {
  const { fileNameOf } = await load('names.js');
  expect(() => fileNameOf(name)).toThrow('name one with --to');
});

test.each([
  ['hashcheck-1.2.0', 'hashcheck-1.2.0'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\Windows\\tool.exe', 'tool.exe'],
  ['console.zip', 'console.zip'],
  ['com10', 'com10'],
  ['Meine Söftware (x64) 한글.zip', 'Meine Söftware (x64) 한글.zip'],
])('a file name %j from a server is written as %j', async (name, written) => {
  const { fileNameOf } = await load('names.js');
  expect(fileNameOf(name)).toBe(written);
});

test.each([
  ['HTTPS://API.Example.com:443//', 'https://api.example.com'],
  ['https://x.example/shop "a"/', 'https://x.example/shop%20%22a%22'],
  ['http://127.0.0.1:8787', 'http://127.0.0.1:8787'],
  ['http://[::1]:8787/', 'http://[::1]:8787'],
  ['https://bücher.example', 'https://xn--bcher-kva.example'],
  ['http://shop.example', null],
  ['http://127.0.0.1.example', null],
  ['localhost:8787', null],
  ['https://me:secret@x.example', null],
  ['https://x.example/?a', null],
  ['https://a"b.example', null],
  ["https://a';b.example", null],
  ['file:///etc/passwd', null],
])('the server URL %j is stored as %j', async (text, kept) => {
  const { addressOf } = await load('names.js');
  if (kept === null) expect(() => addressOf(text)).toThrow('no address of a shop');
  else expect(addressOf(text)).toBe(kept);
});

test.each([
  ['binary', 'hashcheck', true],
  ['binary', 'tool-1.2.run', true],
  ['binary', 'tool.tar.gz', false],
  ['binary', 'Tool.DMG', false],
  ['managed-directory', 'templates', false],
])('a file of the kind %s named %s is a program: %s', async (kind, filename, is) => {
  const { isProgram } = await load('names.js');
  expect(isProgram({ kind, filename })).toBe(is);
});

/** A fake keychain that records the input of `security`, and answers as the files beside it say. */
const SECURITY = `#!/bin/sh
here=$(dirname "$0")
[ "$1" = -i ] && cat >>"$here/lines" && exit "$(cat "$here/status")"
[ "$1" = find-generic-password ] && [ -e "$here/item" ] && exec cat "$here/item"
[ "$1" = delete-generic-password ] && exec rm "$here/item"
exit 44
`;

test('a keychain that refuses a key keeps no former one, and quotes affect no other argument', async () => {
  const path = join(folder, 'keychain');
  mkdirSync(path);
  writeFileSync(join(path, 'security'), SECURITY, { mode: 0o755 });
  vi.stubEnv('PATH', [path, process.env['PATH']].join(delimiter));
  vi.spyOn(process, 'platform', 'get').mockReturnValue('darwin');
  const [{ withKeychain }, { fileStore }] = [await load('keychain.js'), await load('../js/node.js')];
  const store = withKeychain(fileStore(join(folder, 'store')), 'https://a" -w "b\\');
  const kept = () => [readdirSync(path).includes('item'), readdirSync(join(folder, 'store'))];
  // It reports success, and returns the old key.
  writeFileSync(join(path, 'status'), '0');
  writeFileSync(join(path, 'item'), Buffer.from('{"key":"former"}').toString('base64'));
  await store.set('key.a', '{"key":"new"}');
  expect(kept()).toEqual([false, ['key.a.json']]);
  expect(await store.get('key.a')).toBe('{"key":"new"}');
  const line = readFileSync(join(path, 'lines'), 'utf8');
  const secret = Buffer.from('{"key":"new"}').toString('base64');
  expect(line).toBe(`add-generic-password -U -s my-software -a "https://a\\" -w \\"b\\\\" -w ${secret}\n`);
  // A longer line would be two commands.
  await store.set('key.a', 'x'.repeat(4000));
  expect(readFileSync(join(path, 'lines'), 'utf8')).toBe(line);
  expect(await store.get('key.a')).toBe('x'.repeat(4000));
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const node = (...args: string[]) => run(process.execPath, args, { env: { PATH: process.env['PATH'], HOME: folder } });

/** The completions of each shell in a file, and its suggestions for some words. */
const completions = async (shell: string): Promise<string> => {
  const { stdout } = await node(join(CLI, 'cli.js'), 'completions', shell);
  const file = join(folder, `completions.${shell}`);
  writeFileSync(file, stdout);
  return file;
};

const COMMANDS = 'sign-in library install update license devices sign-out completions'.split(' ');

const BASH = `source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _my_software; printf '%s\\n' "\${COMPREPLY[@]}"`;
/** zsh's own function needs a terminal: this one prints its suggestions. */
const ZSH = `compdef() { [[ $1 = _my-software ]] || exit 1 }; _describe() { print -rl -- \${(P)2%%:*} }; _files() { print files }
source "$0"; words=("$@"); CURRENT=$#; _my-software`;
const FISH = `source $argv[1]; complete -C (string join ' ' -- $argv[2..])`;
const ASKED: Readonly<Record<string, readonly string[]>> = {
  bash: ['-uc', BASH],
  zsh: ['-fc', ZSH],
  fish: ['--no-config', '-c', FISH],
};

test.each(Object.keys(ASKED))('the shell %s completes the commands and the options of each', async (shell) => {
  const file = await completions(shell);
  const offered = async (...words: string[]) => {
    const { stdout } = await run(shell, [...(ASKED[shell] ?? []), file, 'my-software', ...words]);
    const typed = words.at(-1) ?? '';
    const all = stdout.split('\n').map((row) => row.split('\t')[0] ?? '');
    return all.filter((word) => word !== '' && word.startsWith(typed)).sort();
  };
  expect((await offered('')).filter((word) => !word.startsWith('-'))).toEqual([...COMMANDS].sort());
  expect(await offered('lib')).toEqual(['library']);
  expect(await offered('install', '--')).toEqual(
    ['--channel', '--force', '--help', '--json', '--platform', '--server', '--to'].sort(),
  );
  expect(await offered('--json', 'update', '--f')).toEqual(['--force']);
  expect(await offered('completions', 'p')).toEqual(['powershell']);
  expect(await offered('update', '--channel', '')).toEqual([]);
});

test('PowerShell’s completion lists every command and option in properly quoted strings', async () => {
  const text = readFileSync(await completions('powershell'), 'utf8');
  for (const command of COMMANDS) expect(text).toContain(`'${command}' = [ordered]@{ `);
  expect(text).toContain("'--to' = 'the file or the folder");
  // PowerShell treats typographic quotes as quotes, and older versions read the text in a code page.
  expect(text).toMatch(/^[\n\u0020-\u007e]+$/);
  for (const line of text.split('\n')) expect(line.split("'").length % 2).toBe(1);
});

test('the packed program is one file with its license that runs in an empty folder without a registry', async () => {
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: CLI });
  const [{ filename, files }] = JSON.parse(stdout.slice(stdout.indexOf('[')));
  expect(files.map(({ path }: { path: string }) => path).sort()).toEqual([
    'LICENSE',
    'README.md',
    'dist/my-software.js',
    'package.json',
  ]);
  const empty = join(folder, 'empty');
  mkdirSync(empty);
  const { stderr } = await run('npm', ['install', '--offline', join(folder, filename)], { cwd: empty });
  expect(stderr).toBe('');
  const program = join(empty, 'node_modules', '.bin', 'my-software');
  const asked = run(program, ['library', '--json', '--server', 'https://127.0.0.1:9'], {
    env: { ...process.env, HOME: empty },
  });
  await expect(asked).rejects.toMatchObject({ code: 3, stderr: expect.stringContaining('"code":"no_key"') });
  expect((await run(program, ['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});
