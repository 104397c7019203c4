import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { toInstant } from '../../domain/shared/instant.ts';
import { type KeyUse, SIGNED } from '../../domain/signing/key-use.ts';
import { currentKey, firstRing, type PrivateKey, type SigningKeyRing } from '../../domain/signing/signing-key-ring.ts';
import { readSigningKeyRing, writeSigningKeyRing } from '../../domain/signing/signing-key-ring-text.ts';
import type { ReadSigningKeyRing, SigningKeyRings } from '../../ports/outbound/signing-keys.ts';
import { privateKeyOf } from './key-objects.ts';
import { createOnce, emptyFile, readPrivately, replaceWhole } from './secret-file.ts';
import { loadOrCreateSigningKey, parseSigningKey, pemOf } from './signing-key-file.ts';
import { keyPartsOf } from './signing-key-maker.ts';

/**
 * The file of a single key, as older versions of the service have it. The policy never had one, and is not signed until
 * an operator makes a key.
 */
export const SINGLE_KEY_FILES: Readonly<Partial<Record<KeyUse, string>>> = {
  license: 'license-signing.pem',
  artifact: 'artifact-signing.pem',
};

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
};

/** The number in the name of a ring's file; undefined for any other name. */
export const ringFileNumber = (use: KeyUse, name: string): number | undefined => {
  const [, number] = /-signing\.([1-9]\d{0,8})\.json$/.exec(name) ?? [];
  return number !== undefined && name === ringFile(use, Number(number)) ? Number(number) : undefined;
};

const ringFile = (use: KeyUse, number: number): string => `${use}-signing.${number}.json`;

/**
 * Keeps the ring of a use in a folder, in files that only their owner may read: `policy-signing.1.json`, and one more
 * file for each change. The file with the highest number counts. Of processes that change the ring at once, one
 * succeeds. Earlier files are emptied and not removed: a process that has read an earlier file could otherwise create
 * the file after it a second time.
 *
 * Where a use has a file of a single key, that key is the ring until the first change, and the file is created with a
 * new key if it is missing. After a change, the file has the key in use, for an older version of the service.
 */
export class SigningKeyRingFiles implements SigningKeyRings {
  readonly keptFor = 1000;
  readonly #folder: string;
  readonly #use: KeyUse;
  readonly #single: string | undefined;

  constructor(folder: string, use: KeyUse) {
    this.#folder = folder;
    this.#use = use;
    const single = SINGLE_KEY_FILES[use];
    this.#single = single && join(folder, single);
  }

  async read(): Promise<ReadSigningKeyRing> {
    for (let before = 0; ; ) {
      const last = Math.max(0, ...this.#numbers());
      if (last === 0) return this.#single === undefined ? { ring: [], version: null } : firstIn(this.#single);
      const file = this.#file(last);
      const ring = readSigningKeyRing(readPrivately(file) ?? '');
      if (ring) return { ring, version: String(last) };
      // Another process may have made the next file and emptied this one since the folder was listed.
      if (last === before) {
        throw new Error(`${file} does not hold the keys that sign ${SIGNED[this.#use]}; restore the file from a copy.`);
      }
      before = last;
    }
  }

  async save(ring: SigningKeyRing, { version }: ReadSigningKeyRing): Promise<boolean> {
    const last = Number(version ?? 0) + 1;
    if (!createOnce(this.#file(last), writeSigningKeyRing(ring))) return false;
    for (const number of this.#numbers()) if (number < last) emptyFile(this.#file(number));
    const key = currentKey(ring);
    if (this.#single !== undefined && key) keepSingleKey(this.#single, key);
    return true;
  }

  #numbers(): number[] {
    return namesIn(this.#folder)
      .map((name) => ringFileNumber(this.#use, name))
      .filter((number) => number !== undefined);
  }

  #file(number: number): string {
    return join(this.#folder, ringFile(this.#use, number));
  }
}

/** Writes the key to the file of a single key. A file that has the key already stays as its owner wrote it. */
export const keepSingleKey = (file: string, key: PrivateKey): void => {
  const there = parseSigningKey(readPrivately(file) ?? '');
  if (!there || keyPartsOf(there).kid !== key.kid) replaceWhole(file, pemOf(privateKeyOf(key)));
};

const firstIn = (file: string): ReadSigningKeyRing => {
  const key = loadOrCreateSigningKey(file);
  return { ring: firstRing(keyPartsOf(key), toInstant(statSync(file).mtimeMs)), version: '0' };
};
