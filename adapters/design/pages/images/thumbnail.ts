import { hash } from 'node:crypto';
import { once } from 'node:events';
import { crc32, createInflate, deflateSync } from 'node:zlib';
import { createJimp } from '@jimp/core';
import jpeg from '@jimp/js-jpeg';
import png from '@jimp/js-png';
import { methods as resizing } from '@jimp/plugin-resize';
import { type ImageHead, imageHead } from '../../../../domain/shared/image-head.ts';
import type { Thumbnail } from '../../../../ports/outbound/design/collect.ts';
import { Unreadable } from '../unreadable.ts';

/** The maximum size of the decoded rows in bytes: 40 megapixels of four bytes, and the filter byte of each row. */
const MOST_BYTES = 170_000_000;

/** The samples of a pixel by color type (PNG, 11.2.1), and the bit depths that each allows. */
const COLOR_TYPES: ReadonlyMap<number, readonly [samples: number, depths: readonly number[]]> = new Map([
  [0, [1, [1, 2, 4, 8, 16]]],
  [2, [3, [8, 16]]],
  [3, [1, [1, 2, 4, 8]]],
  [4, [2, [8, 16]]],
  [6, [4, [8, 16]]],
]);

/** Adam7 (PNG, 8.2): the first column and row of each pass, and its increments. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

type Chunk = { readonly type: string; readonly data: Buffer };

const broken = () => new Unreadable('The PNG is broken.');

/** The chunks of a PNG up to IEND. Throws Unreadable if a chunk is truncated or its checksum is wrong. */
const chunksOf = (image: Buffer): Chunk[] => {
  const chunks: Chunk[] = [];
  for (let at = 8; at + 12 <= image.length; ) {
    const end = at + 12 + image.readUInt32BE(at);
    if (end > image.length) throw broken();
    if (crc32(image.subarray(at + 4, end - 4)) !== image.readUInt32BE(end - 4)) throw broken();
    const type = image.toString('latin1', at + 4, at + 8);
    chunks.push({ type, data: image.subarray(at + 8, end - 4) });
    if (type === 'IEND') return chunks;
    at = end;
  }
  throw broken();
};

const chunkBytes = (type: string, data: Uint8Array): Buffer => {
  const bytes = Buffer.alloc(data.length + 12);
  bytes.writeUInt32BE(data.length, 0);
  bytes.write(type, 4, 'latin1');
  bytes.set(data, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, data.length + 8)), data.length + 8);
  return bytes;
};

/**
 * Inflates compressed rows to their first `needed` bytes. Throws Unreadable unless the rows have `whole` bytes.
 */
const inflated = async (parts: readonly Buffer[], needed: number, whole: number): Promise<Buffer> => {
  const rows = Buffer.alloc(needed);
  let size = 0;
  const inflate = createInflate();
  inflate.on('data', (bytes: Buffer) => {
    if (size < needed) rows.set(bytes.subarray(0, needed - size), size);
    size += bytes.length;
    if (size > whole) inflate.destroy(broken());
  });
  const ended = once(inflate, 'end');
  ended.catch(() => {});
  try {
    for (const part of parts) if (!inflate.write(part)) await Promise.race([once(inflate, 'drain'), ended]);
    inflate.end();
    await ended;
  } catch {
    throw broken();
  } finally {
    inflate.destroy();
  }
  if (size !== whole) throw broken();
  return rows;
};

const rowBytes = (width: number, bits: number): number => (width === 0 ? 0 : 1 + Math.ceil((width * bits) / 8));

const interlacedBytes = (width: number, height: number, bits: number): number =>
  PASSES.reduce((sum, [x, y, dx, dy]) => {
    const rows = Math.max(0, Math.ceil((height - y) / dy));
    return sum + rows * rowBytes(Math.max(0, Math.ceil((width - x) / dx)), bits);
  }, 0);

/**
 * The top of a PNG as a separate PNG of at most `height` rows, uncompressed and with the necessary chunks only, so
 * that decoding it takes as much memory as its header declares. An interlaced image stays whole. Throws Unreadable if
 * the image is broken anywhere, or contains more or less than its header declares.
 */
const topOfPng = async (image: Buffer, mostRows: number): Promise<Buffer> => {
  const chunks = chunksOf(image);
  const [head] = chunks;
  if (head?.type !== 'IHDR' || head.data.length !== 13) throw broken();
  const [width, height] = [head.data.readUInt32BE(0), head.data.readUInt32BE(4)];
  const [depth = 0, color = 0, , , interlace = 0] = head.data.subarray(8);
  const [samples, depths] = COLOR_TYPES.get(color) ?? [0, []];
  if (!depths.includes(depth) || interlace > 1) throw broken();
  const bits = samples * depth;
  const isInterlaced = interlace === 1;
  const rows = isInterlaced ? height : Math.min(height, mostRows);
  const whole = isInterlaced ? interlacedBytes(width, height, bits) : height * rowBytes(width, bits);
  const needed = isInterlaced ? whole : rows * rowBytes(width, bits);
  if (needed > MOST_BYTES) throw new Unreadable('The PNG has too many pixels of too many bits.');
  const compressed = chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data);
  const data = await inflated(compressed, needed, whole);
  const newHead = Buffer.from(head.data);
  newHead.writeUInt32BE(rows, 4);
  return Buffer.concat([
    image.subarray(0, 8),
    chunkBytes('IHDR', newHead),
    ...chunks
      .filter(({ type }) => type === 'PLTE' || type === 'tRNS')
      .map((chunk) => chunkBytes(chunk.type, chunk.data)),
    chunkBytes('IDAT', deflateSync(data, { level: 0 })),
    chunkBytes('IEND', Buffer.alloc(0)),
  ]);
};

/** Jimp with only the parts that thumbnails need. The whole package takes five times the disk space. */
export const Jimp = createJimp({ formats: [jpeg, png], plugins: [resizing] });

const WIDTH = 480;
const MOST_HEIGHT = 960;
const QUALITY = 80;

/** White, which shows where an image is transparent. */
const BACKGROUND = 0xffffffff;

/** The JPEG decoder holds all blocks in memory; an image that needs more is refused. */
const JPEG_LIMITS = { maxMemoryUsageInMB: 512, maxResolutionInMP: 40, tolerantDecoding: false };

const decoded = async (image: Buffer, { type }: ImageHead, rows: number) => {
  const bytes = type === 'image/png' ? await topOfPng(image, rows) : image;
  try {
    return await Jimp.fromBuffer(bytes, { 'image/jpeg': JPEG_LIMITS });
  } catch {
    throw new Unreadable(`The ${type === 'image/png' ? 'PNG' : 'JPEG'} is broken, or too large to decode.`);
  }
};

/** Creates a thumbnail in this thread. Throws Unreadable if it refuses the image. */
export const thumbnailOf = async (image: Uint8Array): Promise<Thumbnail> => {
  const head = imageHead(image);
  if (!head) throw new Unreadable('The image is not a PNG or JPEG of at most 40 megapixels.');
  const bytes = Buffer.from(image.buffer, image.byteOffset, image.byteLength);
  const whole = await decoded(bytes, head, Math.ceil((head.width * MOST_HEIGHT) / Math.min(WIDTH, head.width)));
  const width = Math.min(WIDTH, whole.width);
  const rows = Math.min(whole.height, Math.ceil((whole.width * MOST_HEIGHT) / width));
  const source = new Jimp({
    width: whole.width,
    height: rows,
    data: whole.bitmap.data.subarray(0, whole.width * rows * 4),
  });
  const height = Math.max(1, Math.min(MOST_HEIGHT, Math.round((rows * width) / source.width)));
  if (width < source.width) source.resize({ w: width, h: height });
  const flat = new Jimp({ width, height, color: BACKGROUND }).composite(source, 0, 0);
  const jpeg = new Uint8Array(await flat.getBuffer('image/jpeg', { quality: QUALITY }));
  return { bytes: jpeg, sha256: hash('sha256', jpeg), width, height };
};
