import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** A text as it is stored. */
export type PackedBody = { readonly deflated: string };

/**
 * A text for an item: compressed, in base64. Tables bill by the KiB, and an item has 400,000 bytes at most, which a text
 * of half as many quotes or control characters would exceed as JSON. Text that can't be compressed grows by a third.
 */
export const packedBody = (body: string): PackedBody => ({ deflated: deflateRawSync(body).toString('base64') });

export const bodyOf = ({ deflated }: PackedBody): string =>
  inflateRawSync(Buffer.from(deflated, 'base64')).toString('utf8');
