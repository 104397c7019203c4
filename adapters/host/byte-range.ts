import parseRange from 'range-parser';
import type { ByteRange } from '../../ports/outbound/object-store.ts';

/**
 * The bytes to send. It is `whole` too for a header that is malformed, has another unit or asks for several ranges,
 * because a server may ignore such a header.
 */
export type AskedRange = ByteRange | 'whole' | 'unsatisfiable';

const SUFFIX = /^bytes=-(\d+)$/i;

/** Reads the Range header of a request for an object of `size` bytes (RFC 9110, section 14). */
export const askedRange = (header: string | undefined, size: number): AskedRange => {
  if (header === undefined || header.includes(',')) return 'whole';
  const last = Number(SUFFIX.exec(header)?.[1] ?? 0);
  // Section 14.1.2: a suffix longer than the object means the whole object. range-parser calls it unsatisfiable.
  if (last > 0 && last >= size) return size === 0 ? 'whole' : { start: 0, end: size - 1 };
  const ranges = parseRange(size, header);
  if (ranges === -1) return 'unsatisfiable';
  if (ranges === -2 || ranges.type.toLowerCase() !== 'bytes') return 'whole';
  const [range] = ranges;
  return range ?? 'whole';
};
