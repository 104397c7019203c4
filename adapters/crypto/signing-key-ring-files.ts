import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { SigningKeyRing } from '../../domain/policy/signing-key-ring.ts';
import { readSigningKeyRing, writeSigningKeyRing } from '../../domain/policy/signing-key-ring-text.ts';
import type { ReadSigningKeyRing, SigningKeyRings } from '../../ports/outbound/policy-keys.ts';
import { createOnce, emptyFile, readPrivately } from './secret-file.ts';

const NAME = /^policy-signing\.([1-9]\d{0,8})\.json$/;

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
};

/**
 * Keeps the ring in a folder, in files that only their owner may read: `policy-signing.1.json`, and one more file for
 * each change. The file with the highest number counts. Of processes that change the ring at once, one succeeds.
 * Earlier files are emptied and not removed: a process that has read an earlier file could otherwise create the file
 * after it a second time.
 */
export class SigningKeyRingFiles implements SigningKeyRings {
  readonly keptFor = 1000;
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async read(): Promise<ReadSigningKeyRing> {
    for (let before = 0; ; ) {
      const last = Math.max(0, ...this.#numbers());
      if (last === 0) return { ring: [], version: null };
      const file = this.#file(last);
      const ring = readSigningKeyRing(readPrivately(file) ?? '');
      if (ring) return { ring, version: String(last) };
      // Another process may have made the next file and emptied this one since the folder was listed.
      if (last === before) {
        throw new Error(`${file} does not hold the keys of the client policy; restore the file from a copy.`);
      }
      before = last;
    }
  }

  async save(ring: SigningKeyRing, { version }: ReadSigningKeyRing): Promise<boolean> {
    const last = Number(version ?? 0) + 1;
    if (!createOnce(this.#file(last), writeSigningKeyRing(ring))) return false;
    for (const number of this.#numbers()) if (number < last) emptyFile(this.#file(number));
    return true;
  }

  #numbers(): number[] {
    return namesIn(this.#folder)
      .map((name) => NAME.exec(name)?.[1])
      .filter((number) => number !== undefined)
      .map(Number);
  }

  #file(number: number): string {
    return join(this.#folder, `policy-signing.${number}.json`);
  }
}
