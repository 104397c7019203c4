import { createHash, createPublicKey, randomUUID, verify, webcrypto } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { link, lstat, mkdir, open, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { Client as PlainClient } from './client.js';

export { ApiError } from './calls.js';
export { memoryStore } from './store.js';

/** @import { Options, Plan, Sink, Store } from './index.d.ts' */

// Node 18 has it only under this name.
globalThis.crypto ??= /** @type {Crypto} */ (webcrypto);

/** @param {unknown} error */
const codeOf = (error) => /** @type {NodeJS.ErrnoException} */ (error).code ?? '';

/** @param {unknown} error @returns {null} */
const absent = (error) => {
  if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return null;
  throw error;
};

/**
 * Replaces a file by another. Windows refuses that while a virus scanner reads one of them.
 * @param {string} from @param {string} to
 */
const replace = async (from, to) => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await rename(from, to);
    } catch (error) {
      const isHeld = process.platform === 'win32' && ['EPERM', 'EACCES', 'EBUSY'].includes(codeOf(error));
      if (!isHeld || attempt === 5) throw error;
      await new Promise((resolve) => setTimeout(resolve, attempt * 20));
    }
  }
};

/** @param {string} folder @returns {Store} */
export const fileStore = (folder) => {
  const pathOf = (/** @type {string} */ name) => join(folder, `${name}.json`);
  /**
   * Writes a text to a draft beside a path, and moves it there.
   * @param {string} path @param {string} text @param {(draft: string) => Promise<void>} put
   */
  const draft = async (path, text, put) => {
    await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error) => {
      // For a drive that is not connected, Node reports a missing file, and for an ordinary file that it exists.
      throw new Error(`the folder ${folder} can't be made (${codeOf(error)})`);
    });
    const own = `${path}.${randomUUID()}`;
    try {
      const file = await open(own, 'wx', 0o600);
      try {
        await file.writeFile(text);
        await file.sync();
      } finally {
        await file.close();
      }
      await put(own);
    } finally {
      await rm(own, { force: true });
    }
  };
  return {
    get: async (name) => {
      const found = await stat(pathOf(name)).catch(absent);
      // Reading a pipe would never end.
      if (found?.isFile() === false) throw new Error(`${pathOf(name)} is no file`);
      return found && readFile(pathOf(name), 'utf8').catch(absent);
    },
    set: async (name, text) => {
      const path = pathOf(name);
      if (text === null) return rm(path, { force: true });
      // A rename is atomic: after a power failure the file has the old text or the new one.
      return draft(path, text, (own) => replace(own, path));
    },
    create: async (name, text) => {
      const path = pathOf(name);
      try {
        await draft(path, text, async (own) => {
          try {
            await link(own, path);
          } catch (error) {
            if (codeOf(error) === 'EEXIST') throw error;
            // This disk has no hard links.
            await writeFile(path, text, { mode: 0o600, flag: 'wx' });
          }
        });
        return true;
      } catch (error) {
        if (codeOf(error) === 'EEXIST') return false;
        throw error;
      }
    },
  };
};

/**
 * Node's own fetch keeps a connection, and with it the process, if a proxy never ends its answer.
 * @type {NonNullable<Options['fetch']>}
 */
const fetchByProxy = (url, init) => {
  const { constructor: Dispatcher } = Reflect.get(globalThis, Symbol.for('undici.globalDispatcher.1')) ?? {};
  if (Dispatcher?.name !== 'EnvHttpProxyAgent') return fetch(url, init);
  const dispatcher = new Dispatcher();
  init.signal?.addEventListener('abort', () => dispatcher.destroy());
  return fetch(url, /** @type {RequestInit} */ ({ ...init, dispatcher }));
};

/**
 * Claims the part of an interrupted download that nobody has written to for a while.
 * @param {string} folder @param {string} stem @param {string} own @param {number} seconds
 */
const claim = async (folder, stem, own, seconds) => {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (!name.startsWith(stem) || !name.endsWith('.part')) continue;
    try {
      const { mtimeMs } = await lstat(path).then((found) => (found.isFile() ? found : { mtimeMs: Infinity }));
      if (Date.now() - mtimeMs < seconds * 1000) continue;
      // Touching it marks it as in use.
      await utimes(path, new Date(), new Date());
      await rename(path, own);
      return true;
    } catch {}
  }
  return false;
};

/** @param {string} path @param {Plan} plan @param {number} timeout @returns {Promise<Sink>} */
const fileSink = async (path, { sha256 }, timeout) => {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true });
  // The name includes the checksum, so that a download only resumes from its own bytes.
  const stem = `.${basename(path).slice(0, 60)}.${sha256.slice(0, 16)}.`;
  const part = join(folder, `${stem}${randomUUID().slice(0, 8)}.part`);
  const { O_RDWR, O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW = 0 } = constants;
  const how = (await claim(folder, stem, part, 2 * timeout)) ? O_NOFOLLOW : O_CREAT | O_EXCL;
  const file = await open(part, O_RDWR | O_APPEND | how, 0o666);
  const size = async () => (await file.stat()).size;
  let isPlaced = false;
  return {
    size,
    write: (bytes) => file.appendFile(bytes),
    clear: () => file.truncate(0),
    sha256: async () => {
      const hash = createHash('sha256');
      for await (const bytes of createReadStream(part)) hash.update(bytes);
      return hash.digest('hex');
    },
    place: async () => {
      await file.sync();
      await replace(part, path);
      isPlaced = true;
    },
    close: async () => {
      const isEmpty = (await size()) === 0;
      await file.close();
      if (isEmpty && !isPlaced) await rm(part, { force: true });
    },
  };
};

/** @type {Readonly<Record<string, string>>} */
const SYSTEMS = { darwin: 'darwin', linux: 'linux', win32: 'windows' };
/** @type {Readonly<Record<string, string>>} */
const PROCESSORS = { x64: 'amd64', arm64: 'arm64' };

export class Client extends PlainClient {
  /** @param {Options} options */
  constructor(options) {
    super({
      device_name: hostname(),
      fetch: fetchByProxy,
      verify: (signature, data, publicKey) => {
        const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey).toString('base64url') };
        return verify(null, data, createPublicKey({ key: jwk, format: 'jwk' }), signature);
      },
      ...options,
    });
  }

  /** @protected @override @param {string} path @param {Plan} plan @param {number} timeout */
  fileSink(path, plan, timeout) {
    return fileSink(path, plan, timeout);
  }

  /** @protected @override */
  platform() {
    const [system, processor] = [SYSTEMS[process.platform], PROCESSORS[process.arch]];
    return system && processor && `${system}-${processor}`;
  }
}
