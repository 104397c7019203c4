import parseRange from 'range-parser';
import type { ByteRange } from '../../ports/outbound/object-store.ts';

/** `whole` also where the header is malformed, in another unit or asks for several ranges: a server may ignore it then. */
export type AskedRange = ByteRange | 'whole' | 'unsatisfiable';

const SUFFIX = /^bytes=-(\d+)$/i;

/** What a Range header asks of an object of `size` bytes (RFC 9110, section 14). */
export const askedRange = (header: string | undefined, size: number): AskedRange => {
  if (header === undefined || header.includes(',')) return 'whole';
  const last = Number(SUFFIX.exec(header)?.[1] ?? 0);
  // Section 14.1.2: a suffix longer than the object is all of it; range-parser would call it unsatisfiable.
  if (last > 0 && last >= size) return size === 0 ? 'whole' : { start: 0, end: size - 1 };
  const ranges = parseRange(size, header);
  if (ranges === -1) return 'unsatisfiable';
  if (ranges === -2 || ranges.type.toLowerCase() !== 'bytes') return 'whole';
  const [range] = ranges;
  return range ?? 'whole';
};
