import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { toInstant } from '../../domain/shared/instant.ts';
import { type KeyUse, SIGNED } from '../../domain/signing/key-use.ts';
import {
  currentKey,
  firstRing,
  type PrivateKey,
  readSigningKeyRing,
  type SigningKeyRing,
  writeSigningKeyRing,
} from '../../domain/signing/signing-key-ring.ts';
import type { ReadSigningKeyRing, SigningKeyRings } from '../../ports/outbound/signing.ts';
import { privateKeyOf } from './key-objects.ts';
import { lostKeys } from './missing-keys.ts';
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

/** Remembers, outside the folder of the keys, for which uses a key was ever there. */
export type MadeKeys = {
  readonly has: (use: KeyUse) => Promise<boolean>;
  readonly add: (use: KeyUse) => Promise<void>;
};

/** The folder of the keys is its only memory. */
const FORGETFUL: MadeKeys = { has: async () => false, add: async () => {} };

export type FirstKeys = {
  readonly made?: MadeKeys;
  /** False where a use without a key stays without one. */
  readonly make?: boolean;
  /** The sentence about keys that `made` knows of and the folder has not. */
  readonly absent?: (folder: string, use: KeyUse) => string;
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

const NO_KEYS: ReadSigningKeyRing = { ring: [], version: null };

const ringFile = (use: KeyUse, number: number): string => `${use}-signing.${number}.json`;

/**
 * Keeps the ring of a use in a folder, in files that only their owner may read: `policy-signing.1.json`, and one more
 * file for each change. The file with the highest number counts. Of processes that change the ring at once, one
 * succeeds. Earlier files are emptied and not removed: a process that has read an earlier file could otherwise create
 * the file after it a second time.
 *
 * Where a use has a file of a single key, that key is the ring until the first change, and the file is created with a
 * new key if it is missing. Where `made` knows of a key, the files are lost: reading throws, and makes no other key.
 * After a change, the file has the key in use, for an older version of the service.
 */
export class SigningKeyRingFiles implements SigningKeyRings {
  readonly keptFor = 1000;
  readonly #folder: string;
  readonly #use: KeyUse;
  readonly #single: string | undefined;
  readonly #made: MadeKeys;
  readonly #make: boolean;
  readonly #absent: NonNullable<FirstKeys['absent']>;
  #isKnown = false;

  constructor(folder: string, use: KeyUse, { made = FORGETFUL, make = true, absent = lostKeys }: FirstKeys = {}) {
    this.#folder = folder;
    this.#use = use;
    const single = SINGLE_KEY_FILES[use];
    this.#single = single && join(folder, single);
    this.#made = made;
    this.#make = make;
    this.#absent = absent;
  }

  async read(): Promise<ReadSigningKeyRing> {
    const read = await this.#read();
    if (read.ring.length > 0) await this.#know();
    return read;
  }

  async #read(): Promise<ReadSigningKeyRing> {
    for (let before = 0; ; ) {
      const last = Math.max(0, ...this.#numbers());
      if (last === 0) return this.#first();
      const file = this.#file(last);
      const ring = readSigningKeyRing(readPrivately(file) ?? '');
      if (ring) return { ring, version: String(last) };
      // Another process may have made the next file and emptied this one since the folder was listed.
      if (last === before) throw new Error(this.#unread(last));
      before = last;
    }
  }

  async save(ring: SigningKeyRing, { version }: ReadSigningKeyRing): Promise<boolean> {
    const last = Number(version ?? 0) + 1;
    if (!createOnce(this.#file(last), writeSigningKeyRing(ring))) return false;
    for (const number of this.#numbers()) if (number < last) emptyFile(this.#file(number));
    const key = currentKey(ring, toInstant(Date.now()));
    if (this.#single !== undefined && key) keepSingleKey(this.#single, key);
    await this.#know();
    return true;
  }

  /** The ring of a use that has never changed its keys. */
  async #first(): Promise<ReadSigningKeyRing> {
    if (this.#single === undefined) return NO_KEYS;
    if (existsSync(this.#single)) return firstIn(this.#single);
    const had = await this.#made.has(this.#use);
    // Another process may have made the first key since the first look, which is what `made` then knows of.
    if (had && !existsSync(this.#single)) throw new Error(this.#absent(this.#folder, this.#use));
    return had || this.#make ? firstIn(this.#single) : NO_KEYS;
  }

  async #know(): Promise<void> {
    if (!this.#isKnown) await this.#made.add(this.#use);
    this.#isKnown = true;
  }

  /** Only a file that has a successor is emptied, so that the successor of an empty one is lost. */
  #unread(last: number): string {
    const keys = `the keys that sign ${SIGNED[this.#use]}`;
    const advice = 'copy it from a backup: restore BACKUP --files (docs/backup.md).';
    return readPrivately(this.#file(last)) === ''
      ? `${this.#file(last + 1)} or a later one, which has ${keys}, is lost; ${advice}`
      : `${this.#file(last)} does not hold ${keys}; ${advice}`;
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
