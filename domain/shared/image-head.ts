/** The maximum number of pixels of an image. */
export const MAX_PIXELS = 40_000_000;

type Head<T extends string> = { readonly type: T; readonly width: number; readonly height: number };

export type ImageHead = Head<'image/png' | 'image/jpeg'>;

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

/** Reads the header of a WebP (RFC 9649): the canvas of an extended file, or the frame of a simple one. */
const webpHead = (bytes: Uint8Array): Head<'image/webp'> | undefined => {
  const fourCc = (at: number): string => String.fromCharCode(...bytes.subarray(at, at + 4));
  if (bytes.length < 30 || fourCc(0) !== 'RIFF' || fourCc(8) !== 'WEBP') return undefined;
  const view = viewOf(bytes);
  const sized = (width: number, height: number): Head<'image/webp'> => ({ type: 'image/webp', width, height });
  const uint24 = (at: number): number => view.getUint16(at, true) + ((bytes[at + 2] ?? 0) << 16);
  switch (fourCc(12)) {
    case 'VP8X':
      return sized(uint24(24) + 1, uint24(27) + 1);
    case 'VP8L':
      return sized((view.getUint32(21, true) & 0x3fff) + 1, ((view.getUint32(21, true) >> 14) & 0x3fff) + 1);
    case 'VP8 ':
      return sized(view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff);
    default:
      return undefined;
  }
};

/** Like `imageHead`, for a picture that browsers show as it is, which may also be a WebP. */
export const pictureHead = (head: Uint8Array): Head<ImageHead['type'] | 'image/webp'> | undefined =>
  imageHead(head) ?? webpHead(head);
