import type { Condition, Key, Table } from '../../../adapters/store/table.ts';
import type { Entry } from '../../../adapters/store/table-dump.ts';
import type { Place } from './place.ts';

const RECORD: Key = { pk: 'MIGRATION', sk: 'RUN' };

/** `after` is how far the table is copied; `lasting` sums up what the target then held that does not expire. */
export type Run =
  | { readonly from: string; readonly state: 'copying'; readonly after: string | null }
  | { readonly from: string; readonly state: 'complete'; readonly lasting: string };

/** The record of a run is no part of what is moved. */
export const isMoved = ({ pk }: Entry): boolean => pk !== RECORD.pk;

/**
 * What the target's own table remembers of being copied to, so that a run that was killed can go on, from any machine.
 * Of two runs at once, one finds that the record is not as it left it, and fails.
 */
export class RunRecord {
  readonly #table: Table;
  readonly #name: string;
  #version: string | undefined;

  constructor({ table, name }: Place) {
    this.#table = table;
    this.#name = name;
  }

  /** The last run. To be called once, before any write. */
  async read(): Promise<Run | undefined> {
    const item = await this.#table.get(RECORD);
    this.#version = item?.version;
    return item?.data;
  }

  async write(run: Run): Promise<void> {
    const condition: Condition = this.#version === undefined ? { absent: true } : { version: this.#version };
    const written = await this.#table.put({ ...RECORD, data: run }, condition);
    if (!written) throw new Error(`Another run is copying to ${this.#name}; let it end first.`);
    this.#version = (await this.#table.get(RECORD))?.version;
  }
}
