import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { PolicyKeyRing } from '../../domain/policy/key-ring.ts';
import { readKeyRing, writeKeyRing } from '../../domain/policy/key-ring-text.ts';
import type { KeyRings, ReadKeyRing } from '../../ports/outbound/policy-keys.ts';
import { createOnce, readPrivately } from './secret-file.ts';

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
 * change, so that of processes that change it at once one does. The last one counts; those before it undo a change, and
 * may be removed.
 */
export class KeyRingFiles implements KeyRings {
  readonly keptFor = 1000;
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async read(): Promise<ReadKeyRing> {
    const numbers = namesIn(this.#folder).map((name) => Number(NAME.exec(name)?.[1] ?? 0));
    const last = Math.max(0, ...numbers);
    if (last === 0) return { ring: [], version: null };
    const file = this.#file(last);
    const ring = readKeyRing(readPrivately(file) ?? '');
    if (!ring) throw new Error(`${file} does not hold the keys of the client policy; put a copy of it back.`);
    return { ring, version: String(last) };
  }

  async save(ring: PolicyKeyRing, { version }: ReadKeyRing): Promise<boolean> {
    return createOnce(this.#file(Number(version ?? 0) + 1), writeKeyRing(ring));
  }

  #file(number: number): string {
    return join(this.#folder, `policy-signing.${number}.json`);
  }
}
