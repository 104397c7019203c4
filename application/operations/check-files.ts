import type { ObjectState, ObjectStore } from '../../ports/outbound/object-store.ts';
import type { FindStoredFiles, NamedObject } from './find-stored-files.ts';
import { type Progress, unseen } from './progress.ts';

export type Ports = { findStoredFiles: FindStoredFiles; objects: ObjectStore };

/** A file whose bytes are not those of its record. */
export type FaultyFile = NamedObject & { readonly state: Exclude<ObjectState, 'whole'> };

export type CheckedFiles = {
  /** The number of different files, and their bytes. */
  readonly files: number;
  readonly bytes: number;
  /** The first faulty files, as many as asked for; `faulty` counts all. */
  readonly faults: readonly FaultyFile[];
  readonly faulty: number;
};

export type FilesCheck = {
  readonly quick: boolean;
  /** The most faulty files that are named; a thousand by default. */
  readonly most?: number;
  readonly progress?: Progress;
};

/** The most faulty files that people are told. */
const MOST_FAULTS = 1000;

/**
 * Compares every file that the store refers to with the size and the SHA-256 of its record. `quick` looks whether the
 * file is there and has its size, and reads no bytes. A file that several records name is examined once.
 */
export const checkFiles = ({ findStoredFiles, objects }: Ports) => {
  /** The bytes of all different files by their records. */
  const readBytes = async (): Promise<number> => {
    const sizes = new Map<string, number>();
    for await (const { key, size } of findStoredFiles()) sizes.set(key, size);
    return [...sizes.values()].reduce((sum, size) => sum + size, 0);
  };

  return async ({ quick, most = MOST_FAULTS, progress = unseen }: FilesCheck): Promise<CheckedFiles> => {
    const seenKeys = new Set<string>();
    const faults: FaultyFile[] = [];
    let [bytes, faulty, read] = [0, 0, 0];
    const total = quick ? 0 : await readBytes();
    const seen = (more: number): void => progress('Checking files', (read += more), Math.max(total, read));
    for await (const file of findStoredFiles()) {
      if (seenKeys.has(file.key)) continue;
      seenKeys.add(file.key);
      bytes += file.size;
      const state = await objects.examine(file.key, file, { depth: quick ? 'size' : 'bytes', ...(!quick && { seen }) });
      if (state === 'whole' || (state === 'missing' && file.mayLack)) continue;
      if (++faulty <= most) faults.push({ ...file, state });
    }
    return { files: seenKeys.size, bytes, faults, faulty };
  };
};

export type CheckFiles = ReturnType<typeof checkFiles>;
