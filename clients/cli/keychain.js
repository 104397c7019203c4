import { spawnSync } from 'node:child_process';

/** @import { Store } from '../js/index.d.ts' */

const SERVICE = 'my-software';

/** @param {string} program @param {string[]} args @param {string} [input] */
const run = (program, args, input = '') => spawnSync(program, args, { input, encoding: 'utf8', timeout: 10_000 });

/**
 * The commands of the system's keychain: how a text is read, written by standard input, and removed. Null where there is
 * none: Windows, and a Linux without `secret-tool` or without an open session.
 * @param {string} account
 */
const keychainOf = (account) => {
  const named = ['service', SERVICE, 'account', account];
  if (process.platform === 'darwin') {
    const own = ['-s', SERVICE, '-a', account];
    return {
      read: () => run('security', ['find-generic-password', '-w', ...own]),
      // With -i the text is read from standard input, so that no other process sees it among the arguments.
      write: (/** @type {string} */ text) =>
        run(
          'security',
          ['-i'],
          `add-generic-password -U -s ${SERVICE} -a "${account}" -w ${Buffer.from(text).toString('base64')}\n`,
        ),
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
 * A store whose key lies in the system's keychain, where there is one, and else in its file.
 * @param {Store} files @param {string} account @returns {Store}
 */
export const withKeychain = (files, account) => {
  const keychain = keychainOf(account);
  if (!keychain) return files;
  return {
    get: async (name) => {
      if (!isKey(name)) return files.get(name);
      const { status, stdout } = keychain.read();
      const text = stdout.trim();
      // Former versions wrote the text itself, and secret-tool takes it by standard input.
      const plain = text.startsWith('{') ? text : Buffer.from(text, 'base64').toString('utf8');
      return status === 0 && text ? plain : files.get(name);
    },
    set: async (name, text) => {
      if (!isKey(name)) return files.set(name, text);
      if (text === null) keychain.remove();
      await files.set(name, text === null || keychain.write(text).status === 0 ? null : text);
    },
  };
};
