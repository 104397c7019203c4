import { expect, test } from 'vitest';
import { StoreUnavailable } from '../../adapters/store/table.ts';
import { onceThereIsRoom } from '../../runtimes/express/room.ts';

const FULL = { free: 0, size: 2 ** 30 };
const ROOMY = { free: 2 ** 29, size: 2 ** 30 };

test('a start with a full disk says so once, and goes on when there is room', async () => {
  const told: string[] = [];
  let tried = 0;
  const step = async () => {
    if (++tried < 3) throw new StoreUnavailable('The store is unavailable: the disk is full.');
    return 'opened';
  };
  expect(
    await onceThereIsRoom(
      '/data',
      step,
      (line) => told.push(line),
      async () => FULL,
    ),
  ).toBe('opened');
  expect(told).toEqual([expect.stringMatching(/^The disk of \/data is full .* make room, and the start goes on\.$/)]);
});

test.each([
  ['an unavailable store whose disk has room', new StoreUnavailable('The store is locked.'), ROOMY],
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
