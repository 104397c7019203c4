import { createHash, createPublicKey, randomUUID, verify, webcrypto } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { appendFile, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { memoryStore, Client as PlainClient } from './client.js';

export { ApiError } from './calls.js';
export { memoryStore };

/** @import { Options, Plan, Sink, Store } from './index.d.ts' */

// Node 18 has it under this name alone.
globalThis.crypto ??= /** @type {Crypto} */ (webcrypto);

/** @param {unknown} error @returns {null} */
const absent = (error) => {
  if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return null;
  throw error;
};

/** @param {string} folder @returns {Store} */
export const fileStore = (folder) => ({
  get: (name) => readFile(join(folder, `${name}.json`), 'utf8').catch(absent),
  set: async (name, text) => {
    const path = join(folder, `${name}.json`);
    if (text === null) return rm(path, { force: true });
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // A rename replaces the file whole: a machine that loses its power has the old text or the new one.
    const draft = `${path}.${randomUUID()}`;
    await writeFile(draft, text, { mode: 0o600, flush: true });
    await rename(draft, path);
  },
});

/** @param {string} path @param {Plan} plan @returns {Sink} */
const fileSink = (path, { sha256 }) => {
  // The name has the sum, so that a download goes on with its own bytes alone.
  const part = `${path}.${sha256.slice(0, 16)}.part`;
  return {
    size: async () => (await stat(part).catch(absent))?.size ?? 0,
    write: (bytes) => appendFile(part, bytes),
    clear: () => rm(part, { force: true }),
    sha256: async () => {
      const hash = createHash('sha256');
      for await (const bytes of createReadStream(part)) hash.update(bytes);
      return hash.digest('hex');
    },
    place: () => rename(part, path),
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
      verify: (signature, data, publicKey) => {
        const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey).toString('base64url') };
        return verify(null, data, createPublicKey({ key: jwk, format: 'jwk' }), signature);
      },
      ...options,
    });
  }

  /** @protected @override @param {string} path @param {Plan} plan */
  async fileSink(path, plan) {
    await mkdir(dirname(path), { recursive: true });
    return fileSink(path, plan);
  }

  /** @protected @override */
  platform() {
    const [system, processor] = [SYSTEMS[process.platform], PROCESSORS[process.arch]];
    return system && processor && `${system}-${processor}`;
  }
}
