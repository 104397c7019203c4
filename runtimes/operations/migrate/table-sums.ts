import type { Entry, TableDump } from '../../../adapters/store/table-dump.ts';
import type { Fault } from '../../../domain/shared/fault.ts';
import { bucketOf, Digest, entryContent, entryKey } from './digest.ts';
import { NAMED, type Place } from './place.ts';
import { isMoved } from './run-record.ts';

/**
 * The sums over a table: `entries` over everything, `keys` over the keys alone, `lasting` over the entries that do not
 * expire.
 */
export type TableSums = { readonly entries: Digest; readonly keys: Digest; readonly lasting: Digest };

export type EntriesSeen = (more: number) => void;

export const nowInSeconds = (): number => Math.floor(Date.now() / 1000);

async function* entriesOf(dump: TableDump, liveAt: number, seen: EntriesSeen): AsyncGenerator<Entry> {
  for (let after: string | undefined, first = true; first || after !== undefined; first = false) {
    const { entries, next } = await dump.dump(liveAt, after);
    yield* entries.filter(isMoved);
    seen(entries.length);
    after = next;
  }
}

export const isEmpty = async ({ dump }: Place): Promise<boolean> => {
  for await (const _ of entriesOf(dump, nowInSeconds(), () => {})) return false;
  return true;
};

const sumsOf = async ({ dump }: Place, liveAt: number, seen: EntriesSeen): Promise<TableSums> => {
  const sums: TableSums = { entries: new Digest(), keys: new Digest(), lasting: new Digest() };
  for await (const entry of entriesOf(dump, liveAt, seen)) {
    const [key, content] = [entryKey(entry), entryContent(entry)];
    sums.entries.add(key, content);
    sums.keys.add(key, '');
    if (entry.expires_at === undefined) sums.lasting.add(key, content);
  }
  return sums;
};

/** The sums over the entries of both sides that have not expired by now. */
export const sumsOfBoth = (from: Place, to: Place, seen: EntriesSeen): Promise<[TableSums, TableSums]> => {
  const liveAt = nowInSeconds();
  return Promise.all([sumsOf(from, liveAt, seen), sumsOf(to, liveAt, seen)]);
};

type Found = { readonly name: string; readonly content: string };

/** The entries of one bucket. */
const bucketIn = async ({ dump }: Place, bucket: number, liveAt: number): Promise<Map<string, Found>> => {
  const found = new Map<string, Found>();
  for await (const entry of entriesOf(dump, liveAt, () => {})) {
    const key = entryKey(entry);
    if (bucketOf(key) === bucket) found.set(key, { name: `${entry.pk} ${entry.sk}`, content: entryContent(entry) });
  }
  return found;
};

/**
 * One fault for each of the first few entries that differ, for two sides whose sums differ. It finds none if all
 * differing entries have expired meanwhile. It holds a 4096th of the entries in memory at a time, and reads at most
 * five such parts.
 */
export const entriesUnlike = async (from: Place, to: Place, [a, b]: readonly TableSums[]): Promise<Fault[]> => {
  const faults: Fault[] = [];
  if (!a || !b) return faults;
  for (const bucket of a.entries.bucketsUnlike(b.entries).slice(0, NAMED)) {
    const liveAt = nowInSeconds();
    const [here, there] = await Promise.all([bucketIn(from, bucket, liveAt), bucketIn(to, bucket, liveAt)]);
    for (const key of new Set([...here.keys(), ...there.keys()])) {
      const [source, target] = [here.get(key), there.get(key)];
      if (source?.content === target?.content) continue;
      const how = !target ? `only in ${from.name}` : !source ? `only in ${to.name}` : 'not the same';
      faults.push({ path: source?.name ?? target?.name ?? '', message: how });
    }
    if (faults.length >= NAMED) break;
  }
  return faults.slice(0, NAMED);
};
