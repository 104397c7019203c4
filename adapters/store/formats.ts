import { type StoreFormat, storeFormatKey } from './keys/store.ts';
import { ifUnchanged, itemOf } from './records.ts';
import type { TableDump } from './table-dump.ts';
import type { TypedTable } from './typed-table.ts';

/** The table of a store, and its dump. */
export type Formatted = { readonly table: TypedTable; readonly tableScan: Pick<TableDump, 'dump'> };

/**
 * Migrates the data from one format to the next. Processes of the previous version may read and write the data during
 * and after the migration, so new and old processes can run together, and a rollback by one format is possible.
 */
export type FormatStep = {
  /** The description of the step for the log. */
  readonly description: string;
  /**
   * Migrates one page from a position on, and returns the position of the next page, or null after the last one. A page
   * may be migrated twice or by two processes concurrently: each write requires the item to be unchanged since the
   * read.
   */
  readonly page: (store: Formatted, after: string | null) => Promise<string | null>;
};

/** The first step migrates data from format 1 to format 2. CHANGELOG.md describes the migration to each format. */
export const STEPS: readonly FormatStep[] = [];

/** The format that this version writes. */
export const presentFormat = (): number => STEPS.length + 1;

/** The format of data without a stored format number. */
const UNNUMBERED: StoreFormat = { format: 1, open_to: 1, after: null };

const read = async (table: TypedTable) => {
  const item = await table.get(storeFormatKey);
  const progress = item?.data ?? UNNUMBERED;
  const present = presentFormat();
  if (progress.open_to <= present) return { item, progress };
  throw new Error(
    `The data of this store have format ${progress.format}, and this version knows formats up to ${present}; run the newer version again, or restore a backup from before its first start (docs/backup.md).`,
  );
};

/** The format of a store's data. Throws a one-line error if only a newer version may use it. */
export const formatOf = async (table: TypedTable): Promise<number> => (await read(table)).progress.format;

/**
 * Throws a one-line error if this version can't use the data. It accepts the current and the previous format, because
 * an old process may still write that. It writes nothing.
 */
export const checkFormat = async (table: TypedTable): Promise<void> => {
  const [format, present] = [await formatOf(table), presentFormat()];
  if (format >= present - 1) return;
  throw new Error(
    `The data of this store have format ${format}, and this version reads ${present - 1} and ${present}; run a command of this version on the store, such as account list, which brings the data there.`,
  );
};

/**
 * Migrates a store's data to the current format, page by page. After an interruption, the next start continues;
 * concurrent starts are harmless. Throws a one-line error if only a newer version may use the data.
 */
export const bringForward = async (store: Formatted, tell: (line: string) => void): Promise<void> => {
  for (let reported = 0; ; ) {
    const { item, progress } = await read(store.table);
    const { format } = progress;
    const step = STEPS[format - 1];
    if (item && !step) return;
    if (step && reported < format) tell(`The data of this store have format ${format}. ${step.description}`);
    reported = format;
    const after = step ? await step.page(store, progress.after) : null;
    const isDone = step !== undefined && after === null;
    const next = isDone ? { format: format + 1, open_to: format, after } : { ...progress, after };
    // If another process wrote first, the next read shows its progress.
    const isWritten = await store.table.put(itemOf(storeFormatKey, next), ifUnchanged(item?.version ?? null));
    if (isWritten && isDone) tell(`The data of this store have format ${format + 1} now.`);
  }
};
