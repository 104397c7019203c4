import { expect, test } from 'vitest';
import { StoreUnavailable } from '../../adapters/store/table.ts';
import { impatience, onceThereIsRoom } from '../../runtimes/express/room.ts';

const ROOMY = { free: 2 ** 29, size: 2 ** 30, freeInodes: 500, inodes: 1000 };
const FULL = { ...ROOMY, free: 0 };
const NO_INODES = { ...ROOMY, freeInodes: 0 };
const NO_SPACE = Object.assign(new Error('ENOSPC: no space left on device, mkdir'), { code: 'ENOSPC' });

test.each([
  ['full disk', new StoreUnavailable('The store is unavailable: the disk is full.'), FULL],
  ['disk that has no room for a key', NO_SPACE, FULL],
  ['disk without inodes', NO_SPACE, NO_INODES],
])('a start with a %s says so once, and goes on when there is room', async (_, error, disk) => {
  const told: string[] = [];
  let tried = 0;
  const step = async () => {
    if (++tried < 3) throw error;
    return 'opened';
  };
  expect(
    await onceThereIsRoom(
      '/data',
      step,
      (line) => told.push(line),
      async () => disk,
    ),
  ).toBe('opened');
  expect(told).toEqual([expect.stringMatching(/^The disk of \/data is full .* make room, and the start goes on\.$/)]);
});

test.each([
  ['an unavailable store whose disk has room', new StoreUnavailable('The store is locked.'), ROOMY],
  [
    'a disk whose filesystem makes inodes as needed',
    new StoreUnavailable('The store is locked.'),
    { ...ROOMY, freeInodes: 0, inodes: 0 },
  ],
  ['another error while the disk is full', new Error('A bug.'), FULL],
])('a start fails at once for %s', async (_, error, disk) => {
  const step = () => Promise.reject(error);
  await expect(
    onceThereIsRoom(
      '/data',
      step,
      () => {},
      async () => disk,
    ),
  ).rejects.toBe(error);
});

test('a signal ends the wait of a start at once', async () => {
  const told = () => impatience.abort();
  const waiting = onceThereIsRoom(
    '/data',
    () => Promise.reject(NO_SPACE),
    told,
    async () => FULL,
  );
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
});
