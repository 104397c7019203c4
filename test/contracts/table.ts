import { afterAll, afterEach, beforeAll, describe } from 'vitest';
import type { Table } from '../../adapters/store/table.ts';
import { type ContractOptions, TIMEOUT, WrittenItems } from './clean.ts';
import { checks } from './table/checks.ts';
import { conditions } from './table/conditions.ts';
import { counters } from './table/counters.ts';
import { data } from './table/data.ts';
import { expiry } from './table/expiry.ts';
import { isolation } from './table/isolation.ts';
import { limits } from './table/limits.ts';
import { type Outage, outages } from './table/outages.ts';
import { paging } from './table/paging.ts';
import { queries } from './table/queries.ts';
import { readingAndWriting } from './table/reading-and-writing.ts';
import { severalTables } from './table/several-tables.ts';
import { transactions } from './table/transactions.ts';

export type { Outage } from './table/outages.ts';

export type TableContractOptions = ContractOptions & {
  /**
   * Opens a table with an unreachable store, for example behind a proxy that answers nothing, and returns the function
   * that ends the outage. Null for an engine in the process's memory, which has no outages.
   */
  readonly outage: (() => Promise<Outage> | Outage) | null;
  /**
   * Opens another table on the store that `open` opens, with its own connections, as another process does. It may be
   * omitted only if nobody else can reach the store. It is called several times, after `open`.
   */
  readonly another?: () => Promise<Table> | Table;
};

/**
 * Registers the tests that every engine must pass; call it at the top of a Vitest file. The table is opened once and
 * closed at the end. It may have other data and be in use by others, because every test uses its own random partitions.
 * After each test its items are removed. Its counters, which no call removes, expire.
 *
 * Two concurrent calls must be able to meet inside the engine; otherwise the tests of races are meaningless: give the
 * table as many connections as in production.
 */
export const tableContract = (
  name: string,
  open: () => Promise<Table> | Table,
  { outage, another, timeout = TIMEOUT }: TableContractOptions,
): void => {
  describe(`${name} as a table`, { timeout }, () => {
    const written = new WrittenItems();
    const openAnother = another && (async () => written.watch(await another()));
    let table: Table;
    let second: Table;
    const use = () => table;
    const other = () => second;

    beforeAll(async () => {
      table = written.watch(await open());
      second = openAnother ? await openAnother() : table;
    }, timeout);
    afterEach(() => written.removeFrom(table), timeout);
    afterAll(async () => {
      await table.close();
      if (second !== table) await second.close();
    }, timeout);

    describe('reading and writing', () => readingAndWriting(use));
    describe('data', () => data(use));
    describe('isolation', () => isolation(use));
    describe('conditions', () => conditions(use, other));
    describe('checks', () => checks(use, other));
    describe('queries', () => queries(use));
    describe('paging', () => paging(use));
    describe('counters', () => counters(use));
    describe('transactions', () => transactions(use, other));
    describe('expiry', () => expiry(use));
    describe('limits', () => limits(use));
    if (openAnother) describe('several tables', () => severalTables(use, other, openAnother));
    if (outage)
      describe('outages of a table', () =>
        outages(async () => {
          const opened = await outage();
          return { ...opened, table: written.watch(opened.table) };
        }));
  });
};
