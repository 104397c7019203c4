import type { Fault } from '../../../domain/shared/fault.ts';
import { type Outcome, ok, refuse } from '../../../domain/shared/outcome.ts';
import { type Beginning, begin } from './begin.ts';
import { copyTable } from './copy-table.ts';
import { compareObjects, copyObjects, type ObjectCounts } from './objects.ts';
import type { MigrateProgress, Place } from './place.ts';
import { RunRecord } from './run-record.ts';
import { copyKeys, type KeysCopied } from './signing-keys.ts';
import { entriesUnlike, sumsOfBoth, type TableSums } from './table-sums.ts';

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
