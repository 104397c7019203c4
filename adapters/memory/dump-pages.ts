import { PAGE_BYTES } from '../store/table-checks.ts';
import {
  type Entry,
  type EntryPage,
  isCounter,
  nextOf,
  PAGE_ENTRIES,
  type Position,
  positionOf,
} from '../store/table-dump.ts';
import { compareUtf8 } from './partition.ts';

const placeOf = (entry: Entry): Position => [isCounter(entry) ? 'counter' : 'item', entry.pk, entry.sk];

/** Orders items before counters, and each kind by its keys. */
const compare = ([kindA, pkA, skA]: Position, [kindB, pkB, skB]: Position): number => {
  if (kindA !== kindB) return kindA === 'item' ? -1 : 1;
  return compareUtf8(pkA, pkB) || compareUtf8(skA, skB);
};

/**
 * The page of these entries that comes after a place. It sorts all entries for each page: tables in memory are small.
 */
export const pageOf = (entries: Iterable<Entry>, after: string | undefined): EntryPage => {
  const start = positionOf(after);
  const rest = [...entries].filter((entry) => compare(placeOf(entry), start) > 0);
  rest.sort((a, b) => compare(placeOf(a), placeOf(b)));
  const page: Entry[] = [];
  let bytes = 0;
  for (const entry of rest) {
    page.push(entry);
    bytes += Buffer.byteLength(JSON.stringify(entry));
    if (page.length === PAGE_ENTRIES || bytes >= PAGE_BYTES) break;
  }
  const last = page.at(-1);
  return last && rest.length > page.length ? { entries: page, next: nextOf(placeOf(last)) } : { entries: page };
};
