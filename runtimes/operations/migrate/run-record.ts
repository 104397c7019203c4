import { ifUnchanged, itemOf } from '../../../adapters/store/records.ts';
import type { Entry } from '../../../adapters/store/table-dump.ts';
import type { KeyOf, TypedTable } from '../../../adapters/store/typed-table.ts';
import type { Place } from './place.ts';

const RECORD: KeyOf<Run> = { pk: 'MIGRATION', sk: 'RUN' };

/**
 * The state of a run. `after` is the point up to which the table is copied. `lasting` is the sum over those entries of
 * the target that do not expire, when the run ended.
 */
export type Run =
  | { readonly from: string; readonly state: 'copying'; readonly after: string | null }
  | { readonly from: string; readonly state: 'complete'; readonly lasting: string };

/** False for the record of a run, which is not copied. */
export const isMoved = ({ pk }: Entry): boolean => pk !== RECORD.pk;

/**
 * The record of the last run. It is in the target's own table, so that a killed run can go on from any machine. Of two
 * runs at once, one finds the record changed and fails.
 */
export class RunRecord {
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
