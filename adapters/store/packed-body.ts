import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** A stored text. */
export type PackedBody = { readonly deflated: string };

/**
 * Packs a text for an item: compressed, in base64. Tables bill by the KiB, and an item is limited to 400,000 bytes,
 * which a half as long text of quotes or control characters would exceed as JSON. Text that can't be compressed grows
 * by a third.
 */
export const packedBody = (body: string): PackedBody => ({ deflated: deflateRawSync(body).toString('base64') });

export const bodyOf = ({ deflated }: PackedBody): string =>
  inflateRawSync(Buffer.from(deflated, 'base64')).toString('utf8');
