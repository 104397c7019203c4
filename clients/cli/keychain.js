import { spawnSync } from 'node:child_process';

/** @import { Store } from '../js/index.d.ts' */

const SERVICE = 'my-software';

/** @param {string} program @param {string[]} args @param {string} [input] */
const run = (program, args, input = '') => spawnSync(program, args, { input, encoding: 'utf8', timeout: 10_000 });

/** A word in a line for `security -i`. @param {string} text */
const quoted = (text) => `"${text.replace(/["\\]/g, '\\$&')}"`;

/**
 * The commands of the system's keychain that read a text, write it from standard input, and remove it. Null if there is
 * none: on Windows, and on Linux without `secret-tool` or an open session.
 * @param {string} account
 */
const keychainOf = (account) => {
  const named = ['service', SERVICE, 'account', account];
  if (process.platform === 'darwin') {
    const own = ['-s', SERVICE, '-a', account];
    return {
      read: () => run('security', ['find-generic-password', '-w', ...own]),
      // With -i the text is read from standard input, so other processes can't see it among the arguments.
      write: (/** @type {string} */ text) => {
        const secret = Buffer.from(text).toString('base64');
        const line = `add-generic-password -U -s ${SERVICE} -a ${quoted(account)} -w ${secret}\n`;
        // In a line of more than 4,096 bytes, the rest would be a separate command.
        return line.length > 4000 ? { status: 1 } : run('security', ['-i'], line);
      },
      remove: () => run('security', ['delete-generic-password', ...own]),
    };
  }
  if (process.platform !== 'linux' || run('secret-tool', ['search', 'service', SERVICE]).status !== 0) return null;
  return {
    read: () => run('secret-tool', ['lookup', ...named]),
    write: (/** @type {string} */ text) => run('secret-tool', ['store', '--label', SERVICE, ...named], text),
    remove: () => run('secret-tool', ['clear', ...named]),
  };
};

/** @param {string} name */
const isKey = (name) => name === 'key' || name.startsWith('key.');

/**
 * A store with its key in the system's keychain, or in a file if there is none.
 * @param {Store} files @param {string} account @returns {Store}
 */
export const withKeychain = (files, account) => {
  const keychain = keychainOf(account);
  if (!keychain) return files;
  const read = () => {
    const { status, stdout } = keychain.read();
    const text = status === 0 ? stdout.trim() : '';
    // Earlier versions stored the text itself, and secret-tool reads it from standard input.
    return text === '' || text.startsWith('{') ? text : Buffer.from(text, 'base64').toString('utf8');
  };
  return {
    ...files,
    get: async (name) => (isKey(name) && read()) || files.get(name),
    set: async (name, text) => {
      if (!isKey(name)) return files.set(name, text);
      const isKept = text !== null && keychain.write(text).status === 0 && read() === text;
      // A keychain that failed to store the new key would still return the old one.
      if (!isKept) keychain.remove();
      await files.set(name, isKept ? null : text);
    },
  };
};
