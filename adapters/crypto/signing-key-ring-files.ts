import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { toInstant } from '../../domain/shared/instant.ts';
import { type KeyUse, SIGNED } from '../../domain/signing/key-use.ts';
import {
  firstRing,
  readSigningKeyRing,
  type SigningKeyRing,
  writeSigningKeyRing,
} from '../../domain/signing/signing-key-ring.ts';
import type { ReadSigningKeyRing, SigningKeyRings } from '../../ports/outbound/signing.ts';
import { keyPartsOf, parseSigningKey, signingKeyMaker } from './ed25519-keys.ts';
import { createOnce, emptyFile, readPrivately } from './secret-file.ts';

const SECRET_VARIABLES: Readonly<Record<KeyUse, string>> = {
  policy: 'POLICY_KEYS_SECRET_ARN',
  license: 'LICENSE_KEY_SECRET_ARN',
  artifact: 'ARTIFACT_KEY_SECRET_ARN',
};

/** The message about a use that has no key yet, where none is created implicitly. */
export const noKey = (use: KeyUse): string =>
  `No key signs ${SIGNED[use]}; set ${SECRET_VARIABLES[use]} to the secret that has one, or make the first: signing-key create --use ${use}`;

/** The message about keys whose files are missing. */
export const lostKeys = (folder: string, use: KeyUse): string =>
  `The keys that sign ${SIGNED[use]} are lost: ${folder} has no ${use}-signing file any more; copy these files from a backup: restore BACKUP --files (docs/backup.md).`;

/** The message about keys that the table knows of but this folder does not contain. */
export const keysElsewhere = (folder: string, use: KeyUse): string =>
  `The keys that sign ${SIGNED[use]} are not in ${folder}; set ${SECRET_VARIABLES[use]} to the secret that has them, or copy the files ${use}-signing.* there from where they are.`;

/** Remembers, outside the key folder, which uses have ever had a key. */
export type MadeKeys = {
  readonly has: (use: KeyUse) => Promise<boolean>;
  readonly add: (use: KeyUse) => Promise<void>;
};

/** Remembers nothing: the key folder is the only record. */
const FORGETFUL: MadeKeys = { has: async () => false, add: async () => {} };

export type FirstKeys = {
  readonly made?: MadeKeys;
  /** False to create no key for a use without one. */
  readonly make?: boolean;
  /** The message about keys that `made` knows of but the folder does not contain. */
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

/** The file with the number 0 holds the only key of a use, as versions before key rings wrote it. */
const ringFile = (use: KeyUse, number: number): string =>
  number === 0 ? `${use}-signing.pem` : `${use}-signing.${number}.json`;

/** The number in the name of a ring's file; undefined for any other name. */
export const ringFileNumber = (use: KeyUse, name: string): number | undefined => {
  const [, number = 0] = /-signing\.([1-9]\d{0,8})\.json$/.exec(name) ?? [];
  return name === ringFile(use, Number(number)) ? Number(number) : undefined;
};

const NO_KEYS: ReadSigningKeyRing = { ring: [], version: null };

/**
 * Stores the ring of a use in a folder, in files that only their owner may read: `policy-signing.1.json`, and one more
 * file for each change. The file with the highest number counts. If several processes change the ring at once, one
 * succeeds. Earlier files are emptied and not removed: otherwise a process that has read an earlier file could create
 * its successor a second time. The single-key file of an older version stays until the first change, so that the older
 * version can still read it.
 * The first read creates the first key, except for the policy, which an operator decides to sign. If `made` knows of a
 * key, the files are lost: the read throws and creates no other key.
 */
export class SigningKeyRingFiles implements SigningKeyRings {
  readonly keptFor = 1000;
  readonly #folder: string;
  readonly #use: KeyUse;
  readonly #made: MadeKeys;
  readonly #make: boolean;
  readonly #absent: NonNullable<FirstKeys['absent']>;
  #isKnown = false;

  constructor(folder: string, use: KeyUse, { made = FORGETFUL, make = true, absent = lostKeys }: FirstKeys = {}) {
    this.#folder = folder;
    this.#use = use;
    this.#made = made;
    this.#make = make;
    this.#absent = absent;
  }

  async read({ brings = false } = {}): Promise<ReadSigningKeyRing> {
    const read = this.#newest() ?? (brings || this.#use === 'policy' ? NO_KEYS : await this.#first());
    if (read.ring.length > 0) await this.#know();
    return read;
  }

  /** The ring in the newest file; undefined if there is no file. */
  #newest(): ReadSigningKeyRing | undefined {
    for (let before = -1; ; ) {
      const last = Math.max(-1, ...this.#numbers());
      if (last < 0) return undefined;
      const ring = last === 0 ? this.#single() : readSigningKeyRing(readPrivately(this.#file(last)) ?? '');
      if (ring) return { ring, version: String(last) };
      // Another process may have created the next file and emptied this one since the folder was listed.
      if (last === before) throw new Error(this.#unread(last));
      before = last;
    }
  }

  /** The ring of an older version's only key; undefined if the file does not hold a key. */
  #single(): SigningKeyRing | undefined {
    const key = parseSigningKey(readPrivately(this.#file(0)) ?? '');
    return key && firstRing(keyPartsOf(key), toInstant(statSync(this.#file(0)).mtimeMs));
  }

  async save(ring: SigningKeyRing, { version }: ReadSigningKeyRing): Promise<boolean> {
    const last = Number(version ?? 0) + 1;
    if (!createOnce(this.#file(last), writeSigningKeyRing(ring))) return false;
    for (const number of this.#numbers()) if (number < last) emptyFile(this.#file(number));
    await this.#know();
    return true;
  }

  /** The ring of a use that has no file yet. */
  async #first(): Promise<ReadSigningKeyRing> {
    const had = await this.#made.has(this.#use);
    // Another process may have created the first key since the first look, and `made` then knows of it.
    const there = this.#newest();
    if (there) return there;
    if (had) throw new Error(this.#absent(this.#folder, this.#use));
    if (!this.#make) return NO_KEYS;
    createOnce(this.#file(1), writeSigningKeyRing(firstRing(signingKeyMaker.newKey(), toInstant(Date.now()))));
    return this.#newest() ?? NO_KEYS;
  }

  async #know(): Promise<void> {
    if (!this.#isKnown) await this.#made.add(this.#use);
    this.#isKnown = true;
  }

  /** A file is emptied only after its successor exists, so the successor of an empty last file is lost. */
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
