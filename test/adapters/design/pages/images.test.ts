import { describe, expect, test } from 'vitest';
import { Jimp, thumbnailOf } from '../../../../adapters/design/pages/images/thumbnail.ts';
import { threadedImages } from '../../../../adapters/design/pages/reading-thread.ts';
import { aJpeg, aPng, pngOf } from '../../../support/images.ts';

const reader = threadedImages();

const thumbnail = async (image: Uint8Array) => {
  const { bytes, width, height } = await thumbnailOf(image);
  const { bitmap } = await Jimp.fromBuffer(Buffer.from(bytes));
  expect([bitmap.width, bitmap.height]).toEqual([width, height]);
  return [width, height];
};

describe('the header of an image', () => {
  test('the header of a PNG or JPEG gives its type and dimensions', async () => {
    expect(reader.measure((await aPng(30, 20)).subarray(0, 64))).toEqual({ type: 'image/png', width: 30, height: 20 });
    expect(reader.measure(await aJpeg(31, 21))).toEqual({ type: 'image/jpeg', width: 31, height: 21 });
  });

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['a GIF', Buffer.from('GIF89a\x01\0\x01\0')],
    ['a PNG that is cut in its head', pngOf(1, 1, Buffer.alloc(5)).subarray(0, 30)],
    ['a PNG without a row', pngOf(1, 0, Buffer.alloc(5))],
    ['a PNG of more than 40 megapixels', pngOf(10_000, 4001, Buffer.alloc(5))],
    ['a PNG of four thousand million columns', pngOf(0xffffffff, 1, Buffer.alloc(5))],
    ['a JPEG of fillings alone', Buffer.concat([Buffer.from('ffd8', 'hex'), Buffer.alloc(100_000, 0xff)])],
    ['a JPEG whose lengths are zero', Buffer.from(`ffd8${'ffe00000'.repeat(1000)}`, 'hex')],
    ['a JPEG that begins its data without a frame', Buffer.from('ffd8ffda00020000000000000000', 'hex')],
  ])('a file of %s is not an image', (_, bytes) => expect(reader.measure(bytes)).toBeUndefined());
});

describe('the thumbnail of an image', () => {
  test.each([
    ['is 480 pixels wide', 1280, 720, [480, 270]],
    ['is cut to 960 pixels from the top', 600, 4000, [480, 960]],
    ['is no larger than its image', 100, 50, [100, 50]],
    ['of a narrow image is cut, and no wider', 40, 3000, [40, 960]],
    ['of one wide row has one row', 5000, 1, [480, 1]],
  ])('%s', async (_, width, height, expected) => {
    expect(await thumbnail(await aPng(width, height))).toEqual(expected);
    expect(await thumbnail(await aJpeg(width, height))).toEqual(expected);
  });

  test('the same image gives the same thumbnail', async () => {
    const image = await aPng(700, 300);
    expect(await thumbnailOf(image)).toEqual(await thumbnailOf(Buffer.from(image)));
  });

  test('the thumbnail of a long image shows its top', async () => {
    const image = new Jimp({ width: 480, height: 3000, color: 0x0000ffff });
    image.composite(new Jimp({ width: 480, height: 960, color: 0xff0000ff }), 0, 0);
    const { bytes } = await thumbnailOf(await image.getBuffer('image/png'));
    const { bitmap } = await Jimp.fromBuffer(Buffer.from(bytes));
    expect(bitmap.data[(480 * 955 + 5) * 4]).toBeGreaterThan(200);
  });

  test.each([
    ['grey of one bit', { depth: 1, color: 0 }, 3],
    ['grey of 16 bits', { depth: 16, color: 0 }, 33],
    ['grey and alpha', { depth: 8, color: 4 }, 33],
    ['colors of 16 bits', { depth: 16, color: 2 }, 97],
  ])('a thumbnail can be made from a PNG in %s', async (_, kind, row) => {
    expect(await thumbnail(pngOf(16, 4, Buffer.alloc(4 * row), kind))).toEqual([16, 4]);
  });

  test('a thumbnail can be made from an interlaced PNG', async () => {
    expect(await thumbnail(pngOf(1, 1, Buffer.alloc(5), { interlace: 1 }))).toEqual([1, 1]);
  });
});

/** Rows that compress to a thousandth: 256 MiB in 256 KiB. */
const BOMB = Buffer.alloc(256 * 1_048_576);

describe('a malicious image', () => {
  test.each([
    ['more rows than its head says', () => pngOf(10, 10, BOMB)],
    ['more rows than its head says, interlaced', () => pngOf(10, 10, BOMB, { interlace: 1 })],
    ['fewer rows than its head says', () => pngOf(10, 10, Buffer.alloc(100))],
    ['a palette of 16 bits', () => pngOf(10, 10, Buffer.alloc(410), { depth: 16, color: 3 })],
    ['an unknown color type', () => pngOf(10, 10, Buffer.alloc(410), { color: 5 })],
    ['no end', () => pngOf(10, 10, Buffer.alloc(410)).subarray(0, -12)],
    ['a wrong checksum', () => pngOf(10, 10, Buffer.alloc(410)).fill(1, 29, 30)],
    ['an unknown filter', () => pngOf(10, 10, Buffer.alloc(410, 9))],
    ['a palette of which it has none', () => pngOf(10, 10, Buffer.alloc(110), { color: 3 })],
  ])('a malicious image is refused with a reason: %s', async (_, image) => {
    await expect(thumbnailOf(image())).rejects.toThrow(/^The PNG is broken/);
  });

  test('a truncated JPEG is refused', async () => {
    const image = await aJpeg(300, 300);
    await expect(thumbnailOf(image.subarray(0, image.length / 2))).rejects.toThrow(/^The JPEG is broken/);
  });

  test('a malicious image takes no more memory than its header states', async () => {
    const before = process.memoryUsage().arrayBuffers;
    const image = pngOf(10, 10, BOMB);
    await expect(thumbnailOf(image)).rejects.toThrow('The PNG is broken.');
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(32 * 1_048_576);
  });
});
