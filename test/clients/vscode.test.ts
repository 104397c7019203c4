import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { killServer, startServer } from '../processes/server.ts';
import { cli } from '../support/cli.ts';

const SOURCE = join(import.meta.dirname, '..', '..', 'examples', 'vscode-extension', 'extension.js');

/** The part of VS Code's API that the extension uses, as a module beside the bundle. */
const VSCODE = `exports.texts = new Map(); exports.shown = []; exports.commands_ = {}; exports.input = undefined;
exports.workspace = { getConfiguration: () => ({ get: () => exports.api }) };
exports.commands = { registerCommand: (name, run) => { exports.commands_[name] = run; return {}; } };
exports.window = {
  showInputBox: async () => exports.input,
  showInformationMessage: async (text) => exports.shown.push(text),
  showErrorMessage: async (text) => exports.shown.push('error: ' + text),
};`;

test('the sample extension’s command runs with only a license key and survives an unreachable server', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'account-service-vscode-'));
  const DATA_DIR = join(folder, 'data');
  const server = await startServer(DATA_DIR, { SAMPLE_STORE: 'always' });
  try {
    const key = `OLD-${randomUUID()}`;
    writeFileSync(join(folder, 'keys.csv'), `key,email\n${key},ada@example.com\n`);
    await cli(['key', 'import', join(folder, 'keys.csv'), '--product', 'hashcheck'], { DATA_DIR });
    const listed = await fetch(`${server.url}/.well-known/jwks.json`);
    writeFileSync(join(folder, 'keys.json'), await listed.text());
    const outfile = join(folder, 'node_modules', 'extension.cjs');
    await build({
      entryPoints: [SOURCE],
      bundle: true,
      platform: 'node',
      format: 'cjs',
      external: ['vscode'],
      alias: { 'shop-keys': join(folder, 'keys.json') },
      outfile,
    });
    writeFileSync(join(folder, 'node_modules', 'vscode.js'), VSCODE);
    const load = createRequire(outfile);
    const vscode = load('vscode');
    vscode.api = server.url;
    const { texts } = vscode;
    const secrets = {
      get: async (name: string) => texts.get(name),
      store: async (name: string, text: string) => void texts.set(name, text),
      delete: async (name: string) => void texts.delete(name),
    };
    load(outfile).activate({ secrets, extension: { packageJSON: { version: '1.0.0' } }, subscriptions: [] });
    const press = async (input?: string) => {
      vscode.input = input;
      vscode.shown.length = 0;
      await vscode.commands_['hashcheck.run']();
      return [...vscode.shown];
    };
    expect(await press()).toEqual([]);
    expect(await press(`OLD-${randomUUID()}`)).toEqual([expect.stringMatching(/^error: /)]);
    expect(await press(key)).toEqual(['Hashcheck runs.']);
    await killServer(server, 'SIGTERM');
    expect(await press()).toEqual(['Hashcheck runs.']);
  } finally {
    await killServer(server, 'SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  }
});
