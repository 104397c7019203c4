#!/usr/bin/env node
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir, hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { errorOf, failure, jsonOf, send } from '../js/calls.js';
import { Client, fileStore } from '../js/node.js';
import { Memory } from '../js/store.js';
import { withKeychain } from './keychain.js';

/** @typedef {{ options: Record<string, any>, args: string[] }} Given */
/** @typedef {{ args: string, about: string, options?: string[], run: (given: Given) => Promise<unknown> }} Command */

const HELP = 'my-software <command>: what you bought, on this machine';

const FOLDER = process.env['MY_SOFTWARE_HOME'] ?? join(homedir(), '.config', 'my-software');
const SETTINGS = join(FOLDER, 'settings.json');

/** @typedef {Record<string, { version: string, path: string }>} Installs */
/** @returns {{ server?: string, installed?: Installs, shops?: Record<string, Installs> }} */
const settings = () => {
  try {
    return JSON.parse(readFileSync(SETTINGS, 'utf8'));
  } catch {
    return {};
  }
};
/** @param {object} more */
const remember = (more) => {
  mkdirSync(FOLDER, { recursive: true, mode: 0o700 });
  writeFileSync(SETTINGS, JSON.stringify({ ...settings(), ...more }, null, 2), { mode: 0o600 });
};

/** @param {Given['options']} options */
const serverOf = (options) => {
  const server = options['server'] ?? process.env['MY_SOFTWARE_SERVER'] ?? settings().server;
  if (!server) throw new Error('Name the address of the shop’s API: my-software sign-in --server URL');
  return String(server).replace(/\/+$/, '');
};
/** The installs from a shop. @param {Given['options']} options @returns {Installs} */
const installedOf = (options) => {
  const server = serverOf(options);
  const { shops, installed, server: former } = settings();
  return shops?.[new URL(server).origin] ?? (former === server ? installed : undefined) ?? {};
};
/** @param {string} server */
const storeOf = (server) => {
  const store = withKeychain(fileStore(FOLDER), new URL(server).origin);
  // A key of a former version has no address in its name: it is that of the shop that was signed in to.
  const isOther = (/** @type {string} */ name) => name === 'key' && settings().server !== server;
  return { ...store, get: async (/** @type {string} */ name) => (isOther(name) ? null : store.get(name)) };
};

/** A text of the server without what a terminal obeys. @param {string} text */
const plain = (text) => text.replace(/[^\P{Cc}\n]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '');

const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** The name of a file in the present folder. @param {string} filename */
const fileNameOf = (filename) => {
  const name = filename.split(/[\\/]/).at(-1) ?? '';
  if (/^\.{0,2}$/.test(name) || name !== plain(name) || /[\n:]/.test(name) || RESERVED.test(name))
    throw new Error('The server names a file that can’t be written here; name one with --to.');
  return name;
};
/** @param {Given['options']} options @param {number} product_id */
const clientOf = (options, product_id = 0) => {
  const api = serverOf(options);
  return new Client({ api, product_id, store: storeOf(api) });
};

const WAYS = {
  fetch: (/** @type {string} */ url, /** @type {RequestInit} */ init) => fetch(url, init),
  sleep: (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  timeout: 15,
};

/** @param {Given['options']} options @param {string} path */
const get = async (options, path) => {
  const api = serverOf(options);
  const { key } = JSON.parse((await new Memory({ api, product_id: 0, store: storeOf(api) }).get('key')) ?? '{}');
  if (!key) throw failure('no_key', 'This machine is not signed in; run: my-software sign-in');
  const response = await send(api + path, { headers: { authorization: `Bearer ${key}` } }, WAYS);
  if (response.status >= 300) throw errorOf(response);
  return jsonOf(response);
};

/** The product that a name, a part of it or an id means. @param {Given} given */
const productOf = async ({ options, args: [named = ''] }) => {
  const { items } = await get(options, '/api/library');
  const products = items.map((/** @type {any} */ { product }) => product);
  const low = named.toLowerCase();
  const whole = products.find((/** @type {any} */ { id, name }) => String(id) === named || name.toLowerCase() === low);
  if (whole) return whole;
  const parts = products.filter((/** @type {any} */ { name }) => low !== '' && name.toLowerCase().includes(low));
  if (parts.length === 1) return parts[0];
  const several = parts.map((/** @type {any} */ { id, name }) => `${name} (${id})`).join(', ');
  if (several) throw new Error(`"${named}" can mean ${several}.`);
  const names = products.map((/** @type {any} */ { name }) => name).join(', ') || 'nothing';
  throw new Error(`You own no product called "${named}"; you own ${names}.`);
};

/** @param {number} received @param {number} total */
const showProgress = (received, total) => {
  if (!process.stderr.isTTY) return;
  const part = total === 0 ? 1 : received / total;
  const done = Math.round(part * 30);
  const line = `${'█'.repeat(done)}${'░'.repeat(30 - done)} ${Math.floor(part * 100)} % of ${(total / 1e6).toFixed(1)} MB`;
  process.stderr.write(`\r${line}${received >= total ? '\n' : ''}`);
};

/** @param {Given} given */
const install = async (given) => {
  const { options } = given;
  const product = await productOf(given);
  const { channel, platform, to } = options;
  const wish = { ...(channel && { channel }), ...(platform && { platform }) };
  const own = installedOf(options)[product.id]?.path;
  let path = '';
  const { plan } = await clientOf(options, product.id).install({
    ...wish,
    to: ({ filename }) => {
      path = resolve(to ?? fileNameOf(filename));
      if (existsSync(path) && !options['force'] && path !== own)
        throw new Error(`${path} exists; --force overwrites it.`);
      return path;
    },
    on_progress: showProgress,
  });
  if (product.type === 'tool' && !/\.(zip|dmg|gz|xz|msi|pkg|deb|rpm)$/i.test(path)) chmodSync(path, 0o755);
  const here = { ...installedOf(options), [product.id]: { version: plan.version, path } };
  remember({ shops: { ...settings().shops, [new URL(serverOf(options)).origin]: here } });
  return { product: product.name, version: plan.version, path, sha256: plan.sha256 };
};

/** @type {Record<string, Command>} */
const COMMANDS = {
  'sign-in': {
    args: '',
    about: 'sign this machine in by a code',
    run: async ({ options }) => {
      const server = serverOf(options);
      const { device_id, replaced_key_prefix } = await clientOf(options).signIn({
        client_id: 'cli',
        device_name: hostname(),
        on_code: ({ user_code, verification_uri, verification_uri_complete }) =>
          process.stderr.write(
            plain(`Open ${verification_uri} and enter ${user_code}\n(or open ${verification_uri_complete})\n`),
          ),
      });
      remember({ server });
      return { signed_in: server, device_id, replaced_key_prefix };
    },
  },
  library: {
    args: '',
    about: 'list what you own',
    run: async ({ options }) => {
      const { items } = await get(options, '/api/library');
      return items.map((/** @type {any} */ { product: { id, name, type_label, platforms } }) => ({
        id,
        name,
        type: type_label,
        platforms: platforms.join(', '),
      }));
    },
  },
  install: {
    args: '<product>',
    about: 'download a product, and check its sum',
    options: ['to', 'channel', 'platform'],
    run: install,
  },
  update: {
    args: '<product>',
    about: 'install the newest version over the one that was installed here',
    options: ['channel', 'platform'],
    run: async (given) => {
      const product = await productOf(given);
      const here = installedOf(given.options)[product.id];
      if (!here) throw new Error(`${product.name} is not installed; run: my-software install "${product.name}"`);
      const { channel, platform } = given.options;
      const api = serverOf(given.options);
      const client = new Client({ api, product_id: product.id, app_version: here.version, store: storeOf(api) });
      const wish = { ...(channel && { channel }), ...(platform && { platform }) };
      const { update_available, download_allowed, current_version } = await client.updates(wish);
      if (!update_available) return { product: product.name, version: here.version, updated: false };
      if (!download_allowed) throw new Error(`Version ${current_version} is out, and your updates don't cover it.`);
      return { ...(await install({ ...given, options: { ...given.options, to: here.path } })), updated: true };
    },
  },
  license: {
    args: '<product>',
    about: 'check the license of this machine',
    run: async (given) => {
      const product = await productOf(given);
      const { error, ...status } = await clientOf(given.options, product.id).check();
      if (error) throw failure(error.code, error.message, error.status);
      const { state, code, message, runs_until, access_expires_at, updates_supported_until, manage_url } = status;
      const facts = { state, code, message, runs_until, access_expires_at, updates_supported_until, manage_url };
      return { product: product.name, ...facts };
    },
  },
  devices: {
    args: '<product>',
    about: 'list the devices that use a product',
    run: async (given) => {
      const product = await productOf(given);
      const { device_list, manage_url } = await get(given.options, `/api/products/${product.id}/license`);
      process.stderr.write(`Release a device at ${plain(String(manage_url))}\n`);
      return device_list;
    },
  },
  'sign-out': {
    args: '',
    about: 'end this machine’s key, and release its devices',
    run: async ({ options }) => ({ released: (await clientOf(options).release()).released }),
  },
  completions: {
    args: '',
    about: 'print completions for bash and zsh: source <(my-software completions)',
    run: async () =>
      [
        '[ -z "$ZSH_VERSION" ] || { autoload -Uz bashcompinit && bashcompinit; }',
        `complete -W '${Object.keys(COMMANDS).join(' ')}' my-software`,
      ].join('\n'),
  },
};

const usage = () =>
  `${HELP}\n\n${Object.entries(COMMANDS)
    .map(([name, { args, about }]) => `  ${`${name} ${args}`.padEnd(20)} ${about}`)
    .join(
      '\n',
    )}\n\nOptions: --json, --server URL; install and update: --channel, --platform; install: --to PATH, --force\n`;

/** @param {unknown} value @returns {string} */
const asText = (value) => {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) {
    const facts = Object.entries(/** @type {object} */ (value)).filter(([, fact]) => fact !== null && fact !== '');
    return facts.map(([name, fact]) => `${name.padEnd(24)} ${fact}`).join('\n');
  }
  const names = Object.keys(value[0] ?? {});
  const widths = names.map((name) => Math.max(name.length, ...value.map((row) => String(row[name] ?? '').length)));
  const row = (/** @type {string[]} */ cells) =>
    cells
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd();
  return [row(names), ...value.map((one) => row(names.map((name) => String(one[name] ?? ''))))].join('\n');
};

const main = async () => {
  const texts = Object.fromEntries(['server', 'to', 'channel', 'platform'].map((name) => [name, { type: 'string' }]));
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      .../** @type {Record<string, { type: 'string' }>} */ (texts),
      json: { type: 'boolean' },
      force: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const [name = '', ...args] = positionals;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command || values['help'] || (command.args !== '' && args.length === 0)) {
    process.stderr.write(usage());
    process.exitCode = values['help'] ? 0 : 2;
    return;
  }
  const said = await command.run({ options: values, args });
  process.stdout.write(`${values['json'] ? JSON.stringify(said, null, 2) : plain(asText(said))}\n`);
};

main().catch((error) => {
  process.stderr.write(`${plain(error instanceof Error ? error.message : String(error))}\n`);
  process.exitCode = error.code === 'no_key' ? 3 : 1;
});
