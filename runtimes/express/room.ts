import { setTimeout as delay } from 'node:timers/promises';
import { StoreUnavailable } from '../../adapters/store/table.ts';
import type { Disk } from '../../domain/shared/disk.ts';
import { oneLine } from '../configuration/installation.ts';
import { diskOf } from '../doctor/files.ts';

/** The free bytes and inodes with which a start counts as failed for another reason than a full disk. */
const [ROOM_BYTES, ROOM_INODES] = [16 * 2 ** 20, 16];
const RETRY_MS = 1000;

/** Ends a start that waits: nothing runs yet that needs time to stop. */
export const impatience = new AbortController();

/**
 * Repeats a step of the start while the disk of a folder is full. A server that exits would be started again and again,
 * and some day not at all; this one goes on as soon as there is room. `tell` gets the reason once.
 */
export const onceThereIsRoom = async <T>(
  folder: string,
  step: () => Promise<T>,
  tell: (line: string) => void,
  room: (folder: string) => Promise<Disk> = diskOf,
): Promise<T> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await step();
    } catch (error) {
      const disk = await room(folder).catch(() => undefined);
      const isOfDisk = error instanceof StoreUnavailable || (error as NodeJS.ErrnoException).code === 'ENOSPC';
      const isFull = disk && (disk.free < ROOM_BYTES || (disk.inodes > 0 && disk.freeInodes < ROOM_INODES));
      if (!isOfDisk || !isFull) throw error;
      if (attempt === 1) tell(`The disk of ${folder} is full (${oneLine(error)}); make room, and the start goes on.`);
      await delay(RETRY_MS, undefined, { signal: impatience.signal });
    }
  }
};
