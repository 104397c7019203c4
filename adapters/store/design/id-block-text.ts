import { BLOCK_IDS, emptyBlock, type IdBlock } from '../../../domain/design/gallery/id-block.ts';

/*
 * The shortest text form of a block. The first character names the encoding, and the rest is base64:
 * `b`: the bits; `r`: run lengths, alternately of ids outside and inside the block, beginning with those outside. A
 * length is written in groups of seven bits, the lowest first; the highest bit of a byte says that another byte
 * follows.
 */

const bitAt = (block: IdBlock, place: number): number => ((block[place >> 3] ?? 0) >> (place & 7)) & 1;

const lengthBytes = (length: number): number[] => (length < 128 ? [length] : [(length & 127) | 128, length >> 7]);

/** The run lengths up to the last id in the block; undefined if the bits are no longer. */
const runsOf = (block: IdBlock): Uint8Array | undefined => {
  const bytes: number[] = [];
  let start = 0;
  let bit = 0;
  for (let place = 0; place < BLOCK_IDS; place++) {
    // Most bytes of a block repeat one bit.
    if ((place & 7) === 0 && block[place >> 3] === (bit === 0 ? 0 : 255)) {
      place += 7;
      continue;
    }
    if (bitAt(block, place) === bit) continue;
    bytes.push(...lengthBytes(place - start));
    if (bytes.length >= block.length) return undefined;
    start = place;
    bit ^= 1;
  }
  if (bit === 1) bytes.push(...lengthBytes(BLOCK_IDS - start));
  return Uint8Array.from(bytes);
};

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

export const blockText = (block: IdBlock): string => {
  const runs = runsOf(block);
  return runs === undefined ? `b${base64(block)}` : `r${base64(runs)}`;
};

export const blockFromText = (text: string): IdBlock => {
  const bytes = Buffer.from(text.slice(1), 'base64');
  if (text.startsWith('b')) return new Uint8Array(bytes);
  const block = emptyBlock();
  let place = 0;
  let bit = 0;
  for (let n = 0; n < bytes.length; n++) {
    const low = bytes[n] ?? 0;
    const length = low < 128 ? low : (low & 127) | ((bytes[++n] ?? 0) << 7);
    if (bit === 1)
      for (let id = place; id < place + length; id++) block[id >> 3] = (block[id >> 3] ?? 0) | (1 << (id & 7));
    place += length;
    bit ^= 1;
  }
  return block;
};
