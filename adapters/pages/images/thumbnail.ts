import { hash } from 'node:crypto';
import type { Thumbnail } from '../../../ports/outbound/page-reader.ts';
import { Unreadable } from '../unreadable.ts';
import { Jimp } from './codecs.ts';
import { type ImageHead, imageHead } from './image-head.ts';
import { topOfPng } from './png.ts';

const WIDTH = 480;
const MOST_HEIGHT = 960;
const QUALITY = 80;

/** White, which shows through where an image is transparent. */
const BACKGROUND = 0xffffffff;

/** The decoder of JPEG keeps all its blocks; an image that needs more is refused. */
const JPEG_LIMITS = { maxMemoryUsageInMB: 512, maxResolutionInMP: 40, tolerantDecoding: false };

const decoded = async (image: Buffer, { type }: ImageHead, rows: number) => {
  const bytes = type === 'image/png' ? await topOfPng(image, rows) : image;
  try {
    return await Jimp.fromBuffer(bytes, { 'image/jpeg': JPEG_LIMITS });
  } catch {
    throw new Unreadable(`The ${type === 'image/png' ? 'PNG' : 'JPEG'} is broken, or too large to decode.`);
  }
};

/** Makes a thumbnail in this thread. Throws Unreadable where it refuses the image. */
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
