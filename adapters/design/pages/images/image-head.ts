import { MAX_PIXELS } from '../../../../domain/design/collect/capture.ts';

export type ImageHead = { readonly type: 'image/png' | 'image/jpeg'; readonly width: number; readonly height: number };

const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52];

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Reads the header of a PNG (sections 5.2 and 11.2.1): the signature, then IHDR. */
const pngHead = (bytes: Uint8Array): ImageHead | undefined => {
  if (bytes.length < 33 || !PNG_SIGNATURE.every((byte, i) => bytes[i] === byte)) return undefined;
  const view = viewOf(bytes);
  return { type: 'image/png', width: view.getUint32(16), height: view.getUint32(20) };
};

/** True for a start-of-frame marker: SOF0 to SOF15, except DHT, JPG and DAC (ITU-T T.81, table B.1). */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

/** Reads the header of a JPEG (ITU-T T.81, B.1 and B.2): segments with lengths, up to the start of the frame. */
const jpegHead = (bytes: Uint8Array): ImageHead | undefined => {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return undefined;
  const view = viewOf(bytes);
  let at = 2;
  while (at + 9 <= bytes.length) {
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff) return undefined;
    if (marker === 0xff) at++;
    else if (isFrame(marker)) {
      return { type: 'image/jpeg', width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    } else if (marker === 0xda || marker === 0xd9) return undefined;
    else at += 2 + Math.max(2, view.getUint16(at + 2));
  }
  return undefined;
};

/** The type and dimensions from an image's header; undefined unless it is a PNG or JPEG of at most 40 megapixels. */
export const imageHead = (head: Uint8Array): ImageHead | undefined => {
  const found = pngHead(head) ?? jpegHead(head);
  if (!found || found.width === 0 || found.height === 0) return undefined;
  return found.width * found.height > MAX_PIXELS ? undefined : found;
};
