#!/usr/bin/env node
import { createHash } from 'node:crypto';
import { chmodSync, closeSync, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { homedir, hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { errorOf, failure, fields, jsonOf, send } from '../js/calls.js';
import { parsed } from '../js/license.js';
import { Client, fileStore } from '../js/node.js';
import { Memory } from '../js/store.js';
import { COMPLETIONS } from './completions.js';
import { withKeychain } from './keychain.js';
import { addressOf, fileNameOf, isProgram, json, line, plain } from './names.js';
import about from './package.json' with { type: 'json' };

/** @typedef {{ options: Record<string, any>, args: string[] }} Given */
/** @typedef {{ args?: string, about: string, options?: string[], values?: string[], run: (given: Given) => Promise<unknown> }} Command */

const NAME = 'my-software';

const FOLDER = process.env['MY_SOFTWARE_HOME'] ?? join(homedir(), '.config', NAME);
const files = fileStore(FOLDER);

/**
 * The installs of a shop by product. Earlier versions stored no checksum.
 * @typedef {Record<string, { version: string, path: string, sha256?: string }>} Installs
 */
/** @returns {{ server?: string, installed?: Installs, shops?: Record<string, Installs> }} */
const settings = () => {
  try {
    return fields(JSON.parse(readFileSync(join(FOLDER, 'settings.json'), 'utf8')));
  } catch {
    return {};
  }
};
/** @param {object} more */
const remember = (more) => files.set('settings', JSON.stringify({ ...settings(), ...more }, null, 2));

/** The address of the last sign-in. */
const lastServer = () => {
  try {
    return addressOf(String(settings().server));
  } catch {
    return undefined;
  }
};
/** @param {Given['options']} options */
const serverOf = (options) => {
  const named = options['server'] ?? process.env['MY_SOFTWARE_SERVER'];
  const server = named === undefined ? lastServer() : addressOf(named);
  if (!server) throw failure('no_server', `Name the address of the shop’s API: ${NAME} sign-in --server URL`);
  return server;
};
/** The installs from a shop. @param {Given['options']} options @returns {Installs} */
const installedOf = (options) => {
  const server = serverOf(options);
  const { shops, installed } = settings();
  return shops?.[server] ?? (lastServer() === server ? installed : undefined) ?? {};
};
/** @param {string} server */
const storeOf = (server) => {
  const store = withKeychain(files, server);
  // A key of an earlier version has no address in its name: it belongs to the shop of the last sign-in.
  const isOther = (/** @type {string} */ name) => name === 'key' && lastServer() !== server;
  return {
    ...store,
    get: async (/** @type {string} */ name) => (isOther(name) ? null : store.get(name)),
    set: async (/** @type {string} */ name, /** @type {string | null} */ text) =>
      isOther(name) ? undefined : store.set(name, text),
  };
};
/** @param {string} server */
const memoryOf = (server) => new Memory({ api: server, product_id: 0, store: storeOf(server) });

/** @param {Given['options']} options @param {number} product_id @param {string} [app_version] */
const clientOf = (options, product_id = 0, app_version = undefined) => {
  const api = serverOf(options);
  return new Client({ api, product_id, store: storeOf(api), ...(app_version && { app_version }) });
};

const WAYS = { fetch: globalThis.fetch, sleep: setTimeout, timeout: 15 };

/** @param {string} server */
const hint = (server) => `run: ${NAME} sign-in --server ${server}`;
/** @param {Given['options']} options */
const keyOf = async (options) => {
  const server = serverOf(options);
  const { key } = parsed(await memoryOf(server).get('key'));
  if (typeof key === 'string' && key !== '') return key;
  throw failure('no_key', `This machine is not signed in to ${server}; ${hint(server)}`);
};
/** @param {Given['options']} options @param {string} path */
const get = async (options, path) => {
  const server = serverOf(options);
  const headers = { authorization: `Bearer ${await keyOf(options)}` };
  const answer = await send(server + path, { headers }, WAYS);
  if (answer.status < 300) return jsonOf(answer);
  const error = errorOf(answer);
  throw error.status === 401 ? failure(error.code, `The key of this machine has ended; ${hint(server)}`, 401) : error;
};

/** The product with a name, a part of a name, or an id. @param {Given} given */
const productOf = async ({ options, args }) => {
  const { items } = await get(options, '/api/library');
  const products = items.map((/** @type {any} */ { product }) => product);
  const fold = (/** @type {unknown} */ text) => String(text).normalize().toLowerCase();
  const [named, low, shown] = [args.join(' '), fold(args.join(' ')), line(args.join(' '))];
  /** @type {((product: any) => boolean)[]} */
  const ways = [
    ({ id }) => String(id) === named,
    ({ name }) => fold(name) === low,
    ({ name }) => low !== '' && fold(name).includes(low),
  ];
  /** @type {any[]} */
  const meant = ways.map((way) => products.filter(way)).find((found) => found.length > 0) ?? [];
  if (meant.length === 1) return meant[0];
  const listed = (/** @type {any[]} */ all) => all.map(({ id, name }) => `${line(name)} (${id})`).join(', ');
  if (meant.length > 1) throw failure('ambiguous_product', `"${shown}" can mean ${listed(meant)}; name one by its id.`);
  throw failure('unknown_product', `You own no product called "${shown}"; you own ${listed(products) || 'nothing'}.`);
};

/** @param {number} received @param {number} total */
const showProgress = (received, total) => {
  const part = total === 0 ? 1 : received / total;
  const done = Math.round(part * 30);
  const bar = `${'█'.repeat(done)}${'░'.repeat(30 - done)} ${Math.floor(part * 100)} % of ${(total / 1e6).toFixed(1)} MB`;
  process.stderr.write(`\r${bar}${received >= total ? '\n' : ''}`);
};

/** @param {string} path */
const sumOf = (path) => {
  const hash = createHash('sha256');
  const bytes = Buffer.alloc(1 << 20);
  const file = openSync(path, 'r');
  try {
    for (let size = readSync(file, bytes); size > 0; size = readSync(file, bytes)) hash.update(bytes.subarray(0, size));
  } finally {
    closeSync(file);
  }
  return hash.digest('hex');
};

/**
 * The target of a file: the given path, or its own name in the given folder.
 * @param {string} asked @param {string} filename
 */
const pathOf = (asked, filename) => {
  const path = resolve(asked);
  const isFolder = /[\\/]$/.test(asked) || statSync(path, { throwIfNoEntry: false })?.isDirectory();
  return isFolder ? join(path, fileNameOf(filename)) : path;
};

/**
 * True if a path is free, or has a file that this program wrote and nobody changed.
 * @param {string} path @param {string} coming @param {Installs} installs
 */
const mayWrite = (path, coming, installs) => {
  if (!existsSync(path)) return true;
  if (!statSync(path).isFile()) return false;
  const own = Object.values(installs);
  if (own.some((one) => one.path === path && one.sha256 === undefined)) return true;
  return [coming, ...own.map(({ sha256 }) => sha256)].includes(sumOf(path));
};

/** @param {Given['options']} options */
const choiceOf = ({ channel, platform }) => ({ ...(channel && { channel }), ...(platform && { platform }) });

/** @param {Given} given @param {any} product @param {string} to */
const install = async ({ options }, product, to) => {
  const installs = installedOf(options);
  let path = '';
  const { plan } = await clientOf(options, product.id).install({
    ...choiceOf(options),
    to: ({ filename, sha256 }) => {
      path = pathOf(to, filename);
      if (!options['force'] && !mayWrite(path, sha256.toLowerCase(), installs))
        throw failure('file_exists', `${path} is not a file as ${NAME} installed it; --force overwrites it.`);
      return path;
    },
    ...(process.stderr.isTTY && !options['json'] && { on_progress: showProgress }),
  });
  if (isProgram(plan)) chmodSync(path, 0o755);
  const sha256 = plan.sha256.toLowerCase();
  const here = { ...installedOf(options), [product.id]: { version: plan.version, path, sha256 } };
  await remember({ shops: { ...settings().shops, [serverOf(options)]: here } });
  return { product: product.name, version: plan.version, path, sha256 };
};

/** @type {Record<string, { about: string, value?: string }>} */
const OPTIONS = {
  server: { value: 'URL', about: 'the address of the API of the shop; without it, that of the last sign-in' },
  json: { about: 'print one JSON value, and an error as one on standard error' },
  to: { value: 'PATH', about: 'the file or the folder to write to; without it, the present folder' },
  channel: { value: 'NAME', about: 'a channel such as beta' },
  platform: { value: 'NAME', about: 'a platform such as linux-amd64; without it, that of this machine' },
  force: { about: 'overwrite a file that is not as it was installed' },
  help: { about: 'print this help' },
  version: { about: 'print the version of this program' },
};

const SHELLS = Object.keys(COMPLETIONS);

/** @param {Command} command */
const optionsOf = ({ options = [] }) => [...options, 'server', 'json', 'help'];

const EXITS = {
  0: 'done',
  1: 'refused or failed, as the message says',
  2: 'the command line is wrong',
  3: 'this machine is not signed in',
  4: 'the service can’t be reached; try again later',
};

/** @param {{ code: string, status: number | null }} error */
const exitOf = ({ code, status }) => {
  if (['usage', 'bad_address', 'no_server'].includes(code)) return 2;
  if (code === 'no_key' || status === 401) return 3;
  return code === 'unreachable' || [502, 503, 504].includes(status ?? 0) ? 4 : 1;
};

/** @type {Record<string, Command>} */
const COMMANDS = {
  'sign-in': {
    about: 'sign this machine in by a code that is entered in a browser',
    run: async ({ options }) => {
      const server = serverOf(options);
      const { device_id, replaced_key_prefix } = await clientOf(options).signIn({
        client_id: 'cli',
        device_name: hostname(),
        on_code: ({ user_code, verification_uri, verification_uri_complete: whole }) =>
          process.stderr.write(
            `Open ${line(verification_uri)} and enter ${line(user_code)}\n${whole ? `(or open ${line(whole)})\n` : ''}`,
          ),
      });
      await remember({ server });
      return { signed_in: server, device_id, replaced_key_prefix };
    },
  },
  library: {
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
    about: 'download a product, check its sum, and make a program executable',
    options: ['to', 'channel', 'platform', 'force'],
    run: async (given) => install(given, await productOf(given), given.options['to'] ?? '.'),
  },
  update: {
    args: '<product>',
    about: 'install the newest version over the one that was installed here',
    options: ['channel', 'platform', 'force'],
    run: async (given) => {
      const { options } = given;
      const product = await productOf(given);
      const here = installedOf(options)[product.id];
      if (!here || !existsSync(here.path)) {
        const named = line(product.name);
        const where = here ? `no longer at ${here.path}` : 'not installed';
        throw failure('not_installed', `${named} is ${where}; run: ${NAME} install "${named}"`);
      }
      const client = clientOf(options, product.id, here.version);
      const { update_available, download_allowed, current_version } = await client.updates(choiceOf(options));
      if (!update_available) return { product: product.name, version: here.version, updated: false };
      if (!download_allowed)
        throw failure('not_covered', `Version ${current_version} is out, and your updates don't cover it.`);
      return { ...(await install(given, product, here.path)), updated: true };
    },
  },
  license: {
    args: '<product>',
    about: 'check the license of this machine, which takes a slot',
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
      if (!given.options['json']) process.stderr.write(`Release a device at ${line(manage_url)}\n`);
      return device_list;
    },
  },
  'sign-out': {
    about: 'end the key of this machine, and release its slots',
    run: async ({ options }) => {
      await keyOf(options);
      try {
        return { released: (await clientOf(options).release()).released };
      } catch (error) {
        if (fields(error).status !== 401) throw error;
        // The key was revoked elsewhere.
        await memoryOf(serverOf(options)).set('key', null);
        return { released: false };
      }
    },
  },
  completions: {
    args: '<shell>',
    about: 'print what a shell reads to complete these commands',
    values: SHELLS,
    run: async ({ args: [shell = ''] }) => {
      const way = Object.hasOwn(COMPLETIONS, shell) ? COMPLETIONS[shell] : undefined;
      if (!way) throw failure('usage', `Name a shell: ${SHELLS.join(', ')}.`);
      const words = (/** @type {string[]} */ names) => names.map((one) => [`--${one}`, OPTIONS[one]?.about ?? '']);
      const all = Object.entries(COMMANDS);
      return way({
        name: NAME,
        first: [...all.map(([name, { about }]) => [name, about]), ...words(['help', 'version'])],
        commands: all.map(([name, command]) => [
          name,
          [...(command.values ?? []).map((one) => [one, one]), ...words(optionsOf(command))],
        ]),
        valued: Object.keys(OPTIONS).flatMap((one) => (OPTIONS[one]?.value ? [`--${one}`] : [])),
      });
    },
  },
};

const usage = () => {
  const rows = (/** @type {string[][]} */ all) =>
    all.map(([name = '', about]) => `  ${name.padEnd(20)} ${about}`).join('\n');
  const commands = Object.entries(COMMANDS).map(([name, { args = '', about }]) => [`${name} ${args}`, about]);
  const options = Object.entries(OPTIONS).map(([name, { value = '', about }]) => {
    const users = Object.keys(COMMANDS).filter((one) => COMMANDS[one]?.options?.includes(name));
    return [`--${name} ${value}`, users.length > 0 ? `${users.join(' and ')}: ${about}` : about];
  });
  return `${NAME} <command>: what you bought, on this machine\n\n${rows(commands)}\n
Options:\n${rows(options)}\n\nExit codes:\n${rows(Object.entries(EXITS))}\n`;
};

/** @param {unknown} value @returns {string} */
const asText = (value) => {
  if (typeof value === 'string') return plain(value);
  if (!Array.isArray(value)) {
    const facts = Object.entries(/** @type {object} */ (value)).filter(([, fact]) => fact !== null && fact !== '');
    return facts.map(([name, fact]) => `${line(name).padEnd(24)} ${line(fact)}`).join('\n');
  }
  const names = Object.keys(value[0] ?? {});
  const rows = [names, ...value.map((one) => names.map((name) => one[name] ?? ''))].map((cells) => cells.map(line));
  const widths = names.map((_, at) => Math.max(...rows.map((cells) => cells[at]?.length ?? 0)));
  const padded = (/** @type {string[]} */ cells) => cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ');
  return rows.map(padded).join('\n').replace(/ +$/gm, '');
};

const main = async () => {
  const types = Object.entries(OPTIONS).map(([name, { value }]) => [name, { type: value ? 'string' : 'boolean' }]);
  /** @type {Record<string, { type: 'string' | 'boolean', short?: string }>} */
  const known = { ...Object.fromEntries(types), help: { type: 'boolean', short: 'h' } };
  const parsedArgs = parseArgs({ allowPositionals: true, options: known });
  /** @type {Record<string, any>} */
  const options = parsedArgs.values;
  const [name = '', ...args] = parsedArgs.positionals;
  if (options['help'] || options['version'])
    return process.stdout.write(options['help'] ? usage() : `${about.version}\n`);
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) throw failure('usage', `Name a command: ${Object.keys(COMMANDS).join(', ')}.`);
  const other = Object.keys(options).find((option) => !optionsOf(command).includes(option));
  if (other) throw failure('usage', `${name} takes no --${other}.`);
  if (command.args ? args.length === 0 : args.length > 0)
    throw failure('usage', `Write: ${NAME} ${name} ${command.args ?? ''}`.trimEnd());
  const said = await command.run({ options, args });
  return process.stdout.write(`${options['json'] ? json(said, 2) : asText(said)}\n`);
};

// The reader of a pipe may have exited.
process.stdout.on('error', (error) => {
  if (fields(error).code !== 'EPIPE') throw error;
});

main().catch((thrown) => {
  const { code = 'failed', message, status = null } = thrown;
  const said = { code: String(code).startsWith('ERR_PARSE_ARGS') ? 'usage' : code, message: line(message), status };
  process.exitCode = exitOf(said);
  const text = `${said.message}\n${said.code === 'usage' ? `\n${usage()}` : ''}`;
  process.stderr.write(process.argv.includes('--json') ? `${json(said)}\n` : text);
});
