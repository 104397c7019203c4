import { afterAll, beforeAll, describe } from 'vitest';
import type { Table } from '../../adapters/store/table.ts';
import { conditions } from './table/conditions.ts';
import { counters } from './table/counters.ts';
import { isolation } from './table/isolation.ts';
import { limits } from './table/limits.ts';
import { paging } from './table/paging.ts';
import { queries } from './table/queries.ts';
import { readingAndWriting } from './table/reading-and-writing.ts';
import { transactions } from './table/transactions.ts';

export type TableContractOptions = {
  /** The time limit of one test in milliseconds. The default is 20 s. */
  readonly timeout?: number;
};

/**
 * Registers the tests that every engine has to pass. The table is opened once and closed at the end. It may hold other
 * data and be in use by others, because every test uses random partitions of its own.
 */
export const tableContract = (
  name: string,
  open: () => Promise<Table> | Table,
  { timeout = 20_000 }: TableContractOptions = {},
): void => {
  describe(`${name} as a table`, { timeout }, () => {
    let table: Table;
    const use = () => table;

    beforeAll(async () => {
      table = await open();
    });
    afterAll(() => table.close());

    describe('reading and writing', () => readingAndWriting(use));
    describe('isolation', () => isolation(use));
    describe('conditions', () => conditions(use));
    describe('queries', () => queries(use));
    describe('paging', () => paging(use));
    describe('counters', () => counters(use));
    describe('transactions', () => transactions(use));
    describe('limits', () => limits(use));
  });
};
