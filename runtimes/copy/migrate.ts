import { formatOf } from '../../adapters/store/formats.ts';
import { storeFormatKey } from '../../adapters/store/keys/store.ts';
import { chunksOf, ifUnchanged, itemOf } from '../../adapters/store/records.ts';
import { keyName, MAX_BATCH } from '../../adapters/store/table-checks.ts';
import { allEntries, type Entry, isCounter } from '../../adapters/store/table-dump.ts';
import type { KeyOf, TypedTable } from '../../adapters/store/typed-table.ts';
import { atMost } from '../../application/shared/at-most.ts';
import { counted, type Progress, unseen } from '../../application/shared/progress.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import { compare, nowInSeconds, type Part, type Side, type Sums, sumsOfBoth } from './compare.ts';
import { copyKeys, otherKeys } from './keys.ts';
import { AT_ONCE, bytesOf, copyObjects, eachKey, recordsOf } from './objects.ts';
import type { Place } from './place.ts';

const RECORD: KeyOf<Run> = { pk: 'MIGRATION', sk: 'RUN' };

/**
 * The state of a run. `after` is the point up to which the table is copied. `lasting` is the checksum of the target's
 * entries that never expire, at the end of the run.
 */
type Run =
  | { readonly from: string; readonly state: 'copying'; readonly after: string | null }
  | { readonly from: string; readonly state: 'complete'; readonly lasting: string };

type WriteRun = (run: Run) => Promise<void>;

/**
 * Reads the record of the last run, and returns it with a function that writes it. The record is in the target's own
 * table, so that a killed run can continue from any machine. Of two concurrent runs, one finds the record changed and
 * fails.
 */
const runRecord = async ({ table, name }: Place): Promise<{ run: Run | undefined; write: WriteRun }> => {
  const typed: TypedTable = table;
  const last = await typed.get(RECORD);
  let version = last?.version ?? null;
  const write = async (run: Run): Promise<void> => {
    if (!(await typed.put(itemOf(RECORD, run), ifUnchanged(version)))) {
      throw new Error(`Another run is copying to ${name}; let it end first.`);
    }
    version = (await typed.get(RECORD))?.version ?? null;
  };
  return { run: last?.data, write };
};

/** False for the record of a run, which is not copied. */
const isMoved = ({ pk }: Entry): boolean => pk !== RECORD.pk;

/** The value with its fields sorted by name, because engines need not keep their order. */
const ordered = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(ordered);
  // As pairs, because an object would put numeric names first and drop `__proto__`.
  const members = Object.entries(value).map(([name, member]) => [name, ordered(member)] as const);
  return { members: members.sort(([a], [b]) => (a < b ? -1 : 1)) };
};

/** An entry for a comparison. Its key differs for an item and a counter with the same key. */
const partOf = (entry: Entry): Part => ({
  key: `${isCounter(entry) ? 'counter' : 'item'} ${keyName(entry)}`,
  name: `${entry.pk} ${entry.sk}`,
  content: JSON.stringify([entry.expires_at ?? null, isCounter(entry) ? entry.counter : ordered(entry.data)]),
  expires: entry.expires_at !== undefined,
});

async function* entriesOf({ dump }: Place, liveAt: number): AsyncGenerator<Part> {
  for await (const entry of allEntries(dump, liveAt)) if (isMoved(entry)) yield partOf(entry);
}

const tableOf = (place: Place): Side => ({ name: place.name, parts: (liveAt) => entriesOf(place, liveAt) });
const objectsOf = (place: Place): Side => ({ name: place.name, parts: () => recordsOf(place) });

/** True for a place without data, except the format number that a start has written; that is removed. */
const isEmpty = async (place: Place): Promise<boolean> => {
  for await (const { name } of entriesOf(place, nowInSeconds())) {
    if (name !== `${storeFormatKey.pk} ${storeFormatKey.sk}`) return false;
  }
  await place.table.remove(storeFormatKey);
  return true;
};

/** The point at which copying begins; `table` is absent if both sides already have the same table. */
type Beginning = { readonly table?: { readonly after: string | null } };

type Began = Outcome<Beginning, 'target_has_other_data' | 'target_has_changed'>;

const FROM_THE_START: Began = ok({ table: { after: null } });

const otherData = (to: Place, what: string) =>
  refuse('target_has_other_data', { message: `${to.name} ${what}; name a place that is empty. Nothing was copied.` });

const beginTable = async (from: Place, to: Place, run: Run | undefined): Promise<Began> => {
  if (run && run.from !== from.name) return otherData(to, `holds a copy of ${run.from}`);
  if (run?.state === 'copying') return ok({ table: { after: run.after } });
  if (!run && (await isEmpty(to))) return FROM_THE_START;
  const [source, target] = await sumsOfBoth(tableOf(from), tableOf(to));
  if (source.entries.equals(target.entries)) return run ? ok({}) : FROM_THE_START;
  if (!run) return source.keys.equals(target.keys) ? FROM_THE_START : otherData(to, 'holds other data');
  if (run.lasting === target.lasting.sha256) return FROM_THE_START;
  return refuse('target_has_changed', {
    message: `${to.name} has been written to since it was copied from ${from.name}, and copying again would undo that; name a place that is empty. Nothing was copied.`,
  });
};

/**
 * Checks the target before anything is written, and finds where copying begins; after a killed run, that is the page in
 * progress. Refuses a target with other data, or one that was written to after it was copied.
 */
const begin = async (from: Place, to: Place, run: Run | undefined): Promise<Began> => {
  const began = await beginTable(from, to, run);
  if (!began.ok) return began;
  const inSource = eachKey(to, async (key) => ({ key, info: await from.objects.stat(key) }));
  for await (const { key, info } of inSource) if (!info) return otherData(to, `holds other objects, such as ${key}`);
  if (from.keysFolder === undefined || to.keysFolder === undefined) return began;
  const [key] = await otherKeys(from.keysFolder, to.keysFolder);
  return key === undefined ? began : otherData(to, `has another signing key or secret in ${to.keysFolder}/${key}`);
};

/**
 * Copies every entry from the point `after`, replacing those of the target. Returns the number of entries copied. Each
 * page is recorded before it is written, so that after a kill the next run begins with that page.
 */
const copyTable = async (
  from: Place,
  to: Place,
  { after, write, progress }: { after: string | null; write: WriteRun; progress: Progress },
): Promise<number> => {
  const slot = atMost(AT_ONCE);
  const seen = counted(progress, 'Entries', await from.dump.countEntries());
  let [copied, at] = [0, after];
  do {
    await write({ from: from.name, state: 'copying', after: at });
    const page = await from.dump.dump(nowInSeconds(), at ?? undefined);
    const entries = page.entries.filter(isMoved);
    await Promise.all(chunksOf(entries, MAX_BATCH).map((batch) => slot(() => to.dump.restore(batch))));
    copied += entries.length;
    seen(entries.length);
    at = page.next ?? null;
  } while (at !== null);
  return copied;
};

export type MigrationSummary = {
  readonly from: string;
  readonly to: string;
  /** False if the target already had everything. */
  readonly changed: boolean;
  /** The number of entries and their checksum, which are equal on both sides. */
  readonly table: { readonly entries: number; readonly sha256: string };
  readonly objects: { readonly objects: number; readonly bytes: number; readonly sha256: string };
  /** The numbers written by this run; after a killed run, only the rest. */
  readonly copied: { readonly entries: number; readonly objects: number; readonly bytes: number };
  /** Null if the keys were not compared, because one side stores its keys elsewhere. */
  readonly keys: { readonly copied: number; readonly files: number } | null;
};

export type NotMigrated = 'target_has_other_data' | 'target_has_changed' | 'not_equal';

type BothSums = { readonly table: Sums; readonly objects: Sums };

const compareBoth = async (from: Place, to: Place, progress: Progress): Promise<Outcome<BothSums, 'not_equal'>> => {
  const seen = counted(progress, 'Verifying', (await from.dump.countEntries()) + (await to.dump.countEntries()));
  const table = await compare(tableOf(from), tableOf(to), () => seen(1));
  if (!table.ok) return table;
  const objects = await compare(objectsOf(from), objectsOf(to));
  return objects.ok ? ok({ table: table.value, objects: objects.value }) : objects;
};

/**
 * Copies table, objects and signing keys from one place to another, and compares both. A run may be killed at any
 * moment; the next run continues, and a further run changes nothing. If the target has other data, or was written to
 * after its copy, the run is refused before anything is written. If both sides differ in the end, it is refused with
 * `not_equal`; `data.faults` names the first keys that differ.
 */
export const migrate = async (
  from: Place,
  to: Place,
  progress: Progress = unseen,
): Promise<Outcome<MigrationSummary, NotMigrated>> => {
  await formatOf(from.table);
  const { run, write } = await runRecord(to);
  const beginning = await begin(from, to, run);
  if (!beginning.ok) return beginning;
  const { table } = beginning.value;
  const entries = table ? await copyTable(from, to, { after: table.after, write, progress }) : 0;
  const copied = { entries, ...(await copyObjects(from, to, counted(progress, 'Files', await bytesOf(from)))) };
  const inFolders = from.keysFolder !== undefined && to.keysFolder !== undefined;
  const keys = inFolders ? await copyKeys(from.keysFolder, to.keysFolder) : null;
  const compared = await compareBoth(from, to, progress);
  if (!compared.ok) {
    await write({ from: from.name, state: 'copying', after: null });
    return compared;
  }
  const { table: rows, objects } = compared.value;
  if (table) await write({ from: from.name, state: 'complete', lasting: rows.lasting.sha256 });
  return ok({
    from: from.name,
    to: to.name,
    changed: copied.entries + copied.objects + (keys?.copied ?? 0) > 0,
    table: { entries: rows.entries.count, sha256: rows.entries.sha256 },
    objects: { objects: objects.entries.count, bytes: objects.bytes, sha256: objects.entries.sha256 },
    copied,
    keys,
  });
};
