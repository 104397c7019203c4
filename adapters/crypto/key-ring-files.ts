import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { PolicyKeyRing } from '../../domain/policy/key-ring.ts';
import { readKeyRing, writeKeyRing } from '../../domain/policy/key-ring-text.ts';
import type { KeyRings, ReadKeyRing } from '../../ports/outbound/policy-keys.ts';
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
 * The ring in files of a folder, each of which only its owner may read: `policy-signing.1.json`, and one more for each
 * change, so that of processes that change it at once one does. The last one counts. Those before it are emptied and stay
 * where they are: were they removed, a process that read one of them before could make the file after it once more.
 */
export class KeyRingFiles implements KeyRings {
  readonly keptFor = 1000;
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async read(): Promise<ReadKeyRing> {
    for (let before = 0; ; ) {
      const last = Math.max(0, ...this.#numbers());
      if (last === 0) return { ring: [], version: null };
      const file = this.#file(last);
      const ring = readKeyRing(readPrivately(file) ?? '');
      if (ring) return { ring, version: String(last) };
      // Another process may have made the next file and emptied this one since the folder was listed.
      if (last === before) {
        throw new Error(`${file} does not hold the keys of the client policy; put a copy of it back.`);
      }
      before = last;
    }
  }

  async save(ring: PolicyKeyRing, { version }: ReadKeyRing): Promise<boolean> {
    const last = Number(version ?? 0) + 1;
    if (!createOnce(this.#file(last), writeKeyRing(ring))) return false;
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
