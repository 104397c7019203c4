import { crc32, deflateSync } from 'node:zlib';
import { Jimp } from '../../adapters/design/pages/images/thumbnail.ts';

type Kind = { readonly depth?: number; readonly color?: number; readonly interlace?: number };

const chunk = (type: string, data: Uint8Array): Buffer => {
  const bytes = Buffer.alloc(data.length + 12);
  bytes.writeUInt32BE(data.length, 0);
  bytes.write(type, 4, 'latin1');
  bytes.set(data, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, data.length + 8)), data.length + 8);
  return bytes;
};

/** A PNG with this head, whose compressed rows are these bytes, valid or not. */
export const pngOf = (width: number, height: number, rows: Uint8Array, kind: Kind = {}): Buffer => {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([kind.depth ?? 8, kind.color ?? 6, 0, 0, kind.interlace ?? 0], 8);
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};

/** An image with different pixels, so that its rows do not compress to almost nothing. */
const drawn = (width: number, height: number) => {
  const image = new Jimp({ width, height, color: 0xffffffff });
  for (let i = 0; i < image.bitmap.data.length; i += 4) image.bitmap.data[i] = (i / 4) % 251;
  return image;
};

export const aPng = (width: number, height: number): Promise<Buffer> => drawn(width, height).getBuffer('image/png');
export const aJpeg = (width: number, height: number): Promise<Buffer> => drawn(width, height).getBuffer('image/jpeg');
