import { type StoreFormat, storeFormatKey } from './keys/store.ts';
import { ifUnchanged, itemOf } from './records.ts';
import type { TableDump } from './table-dump.ts';
import type { TypedTable } from './typed-table.ts';

/** The table of a store, and the reader of all of it. */
export type Formatted = { readonly table: TypedTable; readonly tableScan: Pick<TableDump, 'dump'> };

/**
 * Brings the data of a format to the next one. Processes of the version before may read and write the data meanwhile
 * and afterwards, so that a new process starts beside an old one and the way back is open for one format.
 */
export type FormatStep = {
  /** A sentence for the log. */
  readonly does: string;
  /**
   * Changes some of the data from a place on, and gives the place where the next page begins; null after the last one.
   * A page may be done twice, and by two processes at once, one of which is long past it: each write depends on the
   * item as it was read.
   */
  readonly page: (store: Formatted, after: string | null) => Promise<string | null>;
};

/** The first step brings data of format 1 to format 2. CHANGELOG.md says for each format what a start does to it. */
export const STEPS: readonly FormatStep[] = [];

/** The format that this version writes. */
export const presentFormat = (): number => STEPS.length + 1;

/** The data of a version that knew no formats. */
const UNNUMBERED: StoreFormat = { format: 1, open_to: 1, after: null };

const read = async (table: TypedTable) => {
  const item = await table.get(storeFormatKey);
  const kept = item?.data ?? UNNUMBERED;
  const present = presentFormat();
  if (kept.open_to <= present) return { item, kept };
  throw new Error(
    `The data of this store have format ${kept.format}, and this version knows formats up to ${present}; run the newer version again, or restore a backup from before its first start (docs/backup.md).`,
  );
};

/** The format of a store's data. Throws a one-line error where only a newer version may use them. */
export const formatOf = async (table: TypedTable): Promise<number> => (await read(table)).kept.format;

/**
 * Throws a one-line error where this version can't use the data as they are. It reads the present format and the one
 * before, because an old process may still write that. It writes nothing.
 */
export const checkFormat = async (table: TypedTable): Promise<void> => {
  const [format, present] = [await formatOf(table), presentFormat()];
  if (format >= present - 1) return;
  throw new Error(
    `The data of this store have format ${format}, and this version reads ${present - 1} and ${present}; run a command of this version on the store, such as account list, which brings the data there.`,
  );
};

/**
 * Brings the data of a store to the present format, page by page. The next start goes on where one was killed, and
 * several at once do no harm. Throws a one-line error where only a newer version may use the data.
 */
export const bringForward = async (store: Formatted, tell: (line: string) => void): Promise<void> => {
  for (let told = 0; ; ) {
    const { item, kept } = await read(store.table);
    const { format } = kept;
    const step = STEPS[format - 1];
    if (item && !step) return;
    if (step && told < format) tell(`The data of this store have format ${format}. ${step.does}`);
    told = format;
    const after = step ? await step.page(store, kept.after) : null;
    const isDone = step !== undefined && after === null;
    const next = isDone ? { format: format + 1, open_to: format, after } : { ...kept, after };
    // Where another process has written first, the next look shows how far it is.
    const isWritten = await store.table.put(itemOf(storeFormatKey, next), ifUnchanged(item?.version ?? null));
    if (isWritten && isDone) tell(`The data of this store have format ${format + 1} now.`);
  }
};
