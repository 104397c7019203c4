import type { Table } from '../../adapters/store/table.ts';
import type { ObjectStore } from '../../ports/outbound/object-store.ts';

/** Puts a measurement before each engine that a process opens. */
export type Measures = {
  readonly table: (table: Table) => Table;
  readonly objects: (objects: ObjectStore) => ObjectStore;
};

/** The engines as they are. */
export const UNMEASURED: Measures = { table: (table) => table, objects: (objects) => objects };
