import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { atMost } from '../../../adapters/crypto/at-most.ts';
import { loadOrCreateText, readPrivately, replaceWhole } from '../../../adapters/crypto/secret-file.ts';
import { parseSigningKey } from '../../../adapters/crypto/signing-key-file.ts';
import { keyPartsOf } from '../../../adapters/crypto/signing-key-maker.ts';
import { SINGLE_KEY_FILES, SigningKeyRingFiles } from '../../../adapters/crypto/signing-key-ring-files.ts';
import { ifUnchanged, itemOf } from '../../../adapters/store/records.ts';
import { MAX_BATCH } from '../../../adapters/store/table-checks.ts';
import type { Entry, TableDump } from '../../../adapters/store/table-dump.ts';
import type { KeyOf, TypedTable } from '../../../adapters/store/typed-table.ts';
import type { Fault } from '../../../domain/shared/fault.ts';
import { type Outcome, ok, refuse } from '../../../domain/shared/outcome.ts';
import { KEY_USES } from '../../../domain/signing/key-use.ts';
import { keyFilesIn } from '../key-files.ts';
import { bucketOf, Digest, entryContent, entryKey } from './digest.ts';
import { compareObjects, copyObjects, type ObjectCounts, objectsOnlyIn } from './objects.ts';
import { AT_ONCE, type MigrateProgress, NAMED, type Place } from './place.ts';

const RECORD: KeyOf<Run> = { pk: 'MIGRATION', sk: 'RUN' };

/**
 * The state of a run. `after` is the point up to which the table is copied. `lasting` is the sum over those entries of
 * the target that do not expire, when the run ended.
 */
type Run =
  | { readonly from: string; readonly state: 'copying'; readonly after: string | null }
  | { readonly from: string; readonly state: 'complete'; readonly lasting: string };

/** False for the record of a run, which is not copied. */
const isMoved = ({ pk }: Entry): boolean => pk !== RECORD.pk;

/**
 * The record of the last run. It is in the target's own table, so that a killed run can go on from any machine. Of two
 * runs at once, one finds the record changed and fails.
 */
class RunRecord {
  readonly #table: TypedTable;
  readonly #name: string;
  #version: string | null = null;

  constructor({ table, name }: Place) {
    this.#table = table;
    this.#name = name;
  }

  /** The last run; undefined if there was none. Call it once, before any write. */
  async read(): Promise<Run | undefined> {
    const item = await this.#table.get(RECORD);
    this.#version = item?.version ?? null;
    return item?.data;
  }

  async write(run: Run): Promise<void> {
    const written = await this.#table.put(itemOf(RECORD, run), ifUnchanged(this.#version));
    if (!written) throw new Error(`Another run is copying to ${this.#name}; let it end first.`);
    this.#version = (await this.#table.get(RECORD))?.version ?? null;
  }
}

/**
 * The sums over a table: `entries` over everything, `keys` over the keys alone, `lasting` over the entries that do not
 * expire.
 */
type TableSums = { readonly entries: Digest; readonly keys: Digest; readonly lasting: Digest };

type EntriesSeen = (more: number) => void;

const nowInSeconds = (): number => Math.floor(Date.now() / 1000);

async function* entriesOf(dump: TableDump, liveAt: number, seen: EntriesSeen): AsyncGenerator<Entry> {
  for (let after: string | undefined, first = true; first || after !== undefined; first = false) {
    const { entries, next } = await dump.dump(liveAt, after);
    yield* entries.filter(isMoved);
    seen(entries.length);
    after = next;
  }
}

const isEmpty = async ({ dump }: Place): Promise<boolean> => {
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
const sumsOfBoth = (from: Place, to: Place, seen: EntriesSeen): Promise<[TableSums, TableSums]> => {
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
const entriesUnlike = async (from: Place, to: Place, [a, b]: readonly TableSums[]): Promise<Fault[]> => {
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

/**
 * The files of a single key in the target that hold an earlier key of the source's ring: the target was copied before
 * the key in use changed. `names` are the files that both sides have.
 */
const singleKeysOfBefore = async (source: string, target: string, names: readonly string[]): Promise<string[]> => {
  const found: string[] = [];
  for (const use of KEY_USES) {
    const name = SINGLE_KEY_FILES[use];
    if (name === undefined || !names.includes(name)) continue;
    const { ring } = await new SigningKeyRingFiles(source, use).read();
    const key = parseSigningKey(readPrivately(join(target, name)) ?? '');
    const before = key && keyPartsOf(key).kid;
    if (ring.some(({ kid, d }) => kid === before && d === null)) found.push(name);
  }
  return found;
};

/**
 * The files that both sides have with different contents, where the target's is no earlier copy: a ring has replaced
 * the keys of an empty file of the source, and the single key of a file that it knows as an old one.
 */
const keysUnlike = async (from: Place, to: Place): Promise<string[]> => {
  if (from.keysFolder === undefined || to.keysFolder === undefined) return [];
  const [source, target] = [from.keysFolder, to.keysFolder];
  const [mine, theirs] = await Promise.all([keyFilesIn(source), keyFilesIn(target)]);
  const both = mine.filter((name) => theirs.includes(name));
  const texts = await Promise.all(
    both.map((name) => Promise.all([source, target].map((folder) => readFile(join(folder, name), 'utf8')))),
  );
  const before = await singleKeysOfBefore(source, target, both);
  return both.filter((name, i) => {
    const [here, there] = texts[i] ?? [];
    return here !== '' && here !== there && !before.includes(name);
  });
};

type KeysCopied = { readonly copied: number; readonly files: number };

/**
 * Copies the key files that the target lacks or has from before a rotation, for their owner alone (mode 0600). Returns
 * the number of files copied and of all files. Undefined, with nothing copied, if one side does not keep its keys in a
 * folder.
 */
const copyKeys = async (from: Place, to: Place): Promise<KeysCopied | undefined> => {
  if (from.keysFolder === undefined || to.keysFolder === undefined) return undefined;
  const [source, target] = [from.keysFolder, to.keysFolder];
  const names = await keyFilesIn(source);
  const there = await keyFilesIn(target);
  const lacking = names.filter((name) => !there.includes(name));
  if (lacking.length > 0) await mkdir(target, { recursive: true, mode: 0o700 });
  for (const name of lacking) {
    const text = await readFile(join(source, name), 'utf8');
    if (loadOrCreateText(join(target, name), () => text) !== text) {
      throw new Error(`${join(target, name)} was created by another process meanwhile, with other content.`);
    }
  }
  const outdated = await singleKeysOfBefore(source, target, there);
  for (const name of outdated) replaceWhole(join(target, name), await readFile(join(source, name), 'utf8'));
  return { copied: lacking.length + outdated.length, files: names.length };
};

/** The point where copying the table begins; no `table` if both sides have the same table already. */
type Beginning = { readonly table?: { readonly after: string | null } };

type Began = Outcome<Beginning, 'target_has_other_data' | 'target_has_changed'>;

const FROM_THE_START: Began = ok({ table: { after: null } });

const otherData = (to: Place, what: string) =>
  refuse('target_has_other_data', { message: `${to.name} ${what}; name a place that is empty. Nothing was copied.` });

const beginTable = async (from: Place, to: Place, run: Run | undefined): Promise<Began> => {
  if (run && run.from !== from.name) return otherData(to, `holds a copy of ${run.from}`);
  if (run?.state === 'copying') return ok({ table: { after: run.after } });
  if (!run && (await isEmpty(to))) return FROM_THE_START;
  const [source, target] = await sumsOfBoth(from, to, () => {});
  if (source.entries.equals(target.entries)) return run ? ok({}) : FROM_THE_START;
  if (run) {
    return run.lasting === target.lasting.sha256
      ? FROM_THE_START
      : refuse('target_has_changed', {
          message: `${to.name} has been written to since it was copied from ${from.name}, and copying again would undo that; name a place that is empty. Nothing was copied.`,
        });
  }
  return source.keys.equals(target.keys) ? FROM_THE_START : otherData(to, 'holds other data');
};

/**
 * Checks the target before anything is written, and finds the point where copying begins; after a killed run, that is
 * the page it was at. Refuses a target with other data, or one that was written to since it was copied.
 */
const begin = async (from: Place, to: Place, run: Run | undefined): Promise<Began> => {
  const began = await beginTable(from, to, run);
  if (!began.ok) return began;
  const [object] = await objectsOnlyIn(from, to);
  if (object !== undefined) return otherData(to, `holds other objects, such as ${object}`);
  const [key] = await keysUnlike(from, to);
  if (key !== undefined) return otherData(to, `has another signing key or secret in ${to.keysFolder}/${key}`);
  return began;
};

const batches = (entries: readonly Entry[]): Entry[][] =>
  Array.from({ length: Math.ceil(entries.length / MAX_BATCH) }, (_, i) =>
    entries.slice(i * MAX_BATCH, (i + 1) * MAX_BATCH),
  );

/**
 * Copies every entry after `after`, and replaces those of the target. Returns the number of entries copied. Each page
 * is recorded before it is written, so that after a kill the next run begins with that page.
 */
const copyTable = async (
  from: Place,
  to: Place,
  { record, after: start, progress }: { record: RunRecord; after: string | null; progress: MigrateProgress },
): Promise<number> => {
  const slot = atMost(AT_ONCE);
  const total = await from.dump.countEntries();
  let copied = 0;
  let after = start;
  do {
    await record.write({ from: from.name, state: 'copying', after });
    const page = await from.dump.dump(nowInSeconds(), after ?? undefined);
    const entries = page.entries.filter(isMoved);
    await Promise.all(batches(entries).map((batch) => slot(() => to.dump.restore(batch))));
    copied += entries.length;
    progress('Entries', copied, Math.max(total, copied));
    after = page.next ?? null;
  } while (after !== null);
  return copied;
};

export type Migrated = {
  readonly from: string;
  readonly to: string;
  /** False if the target had everything before. */
  readonly changed: boolean;
  /** The number of entries and their sum, which are the same on both sides. */
  readonly table: { readonly entries: number; readonly sha256: string };
  readonly objects: ObjectCounts & { readonly sha256: string };
  /** The numbers written by this run; after a killed run, only the rest. */
  readonly copied: ObjectCounts & { readonly entries: number };
  /** Null if the keys were not compared, because one side keeps its keys elsewhere. */
  readonly keys: KeysCopied | null;
};

export type NotMigrated = 'target_has_other_data' | 'target_has_changed' | 'not_equal';

/** The most comparisons. A second one is necessary only if entries expire while both sides are read. */
const LOOKS = 3;

const equalTables = async (
  from: Place,
  to: Place,
  progress: MigrateProgress,
): Promise<Outcome<TableSums, 'not_equal'>> => {
  const total = (await from.dump.countEntries()) + (await to.dump.countEntries());
  let unlike: Fault[] = [];
  for (let look = 0; look < LOOKS && unlike.length === 0; look++) {
    let seen = 0;
    const [source, target] = await sumsOfBoth(from, to, (more) => progress('Verifying', (seen += more), total));
    if (source.entries.equals(target.entries)) return ok(target);
    unlike = await entriesUnlike(from, to, [source, target]);
  }
  return differ(from, to, unlike);
};

const differ = (from: Place, to: Place, unlike: readonly Fault[]) =>
  refuse('not_equal', {
    message: `${to.name} and ${from.name} differ; was one of them written to meanwhile? The first differences:`,
    data: { faults: unlike },
  });

/** Copies the table and the objects to the target. */
const copy = async (from: Place, to: Place, record: RunRecord, { table }: Beginning, progress: MigrateProgress) => {
  const entries = table ? await copyTable(from, to, { record, after: table.after, progress }) : 0;
  return { entries, ...(await copyObjects(from, to, progress)) };
};

/**
 * Copies table, objects and signing keys from one place to another, and compares both. A run may be killed at any
 * moment; the next run goes on where it was, and a run after that changes nothing. If the target holds other data, or
 * was written to since its copy, the run is refused before anything is written. If both sides differ in the end, it is
 * refused with `not_equal`; `data.faults` names the first keys that differ.
 */
export const migrate = async (
  from: Place,
  to: Place,
  progress: MigrateProgress = () => {},
): Promise<Outcome<Migrated, NotMigrated>> => {
  const record = new RunRecord(to);
  const beginning = await begin(from, to, await record.read());
  if (!beginning.ok) return beginning;
  const copied = await copy(from, to, record, beginning.value, progress);
  const keys = (await copyKeys(from, to)) ?? null;
  const tables = await equalTables(from, to, progress);
  const { unlike, ...objects } = await compareObjects(from, to);
  const startOver = () => record.write({ from: from.name, state: 'copying', after: null });
  if (!tables.ok || unlike.length > 0) {
    await startOver();
    return tables.ok ? differ(from, to, unlike) : tables;
  }
  const { entries, lasting } = tables.value;
  if (beginning.value.table) await record.write({ from: from.name, state: 'complete', lasting: lasting.sha256 });
  return ok({
    from: from.name,
    to: to.name,
    changed: copied.entries + copied.objects + (keys?.copied ?? 0) > 0,
    table: { entries: entries.count, sha256: entries.sha256 },
    objects,
    copied,
    keys,
  });
};
