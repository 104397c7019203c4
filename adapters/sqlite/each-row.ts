import type { SQLInputValue, StatementSync } from 'node:sqlite';

/** Hands over the rows of a statement one by one, until `visit` returns false. Throws the errors of SQLite. */
export const eachRow = <Row>(
  statement: StatementSync,
  parameters: readonly SQLInputValue[],
  visit: (row: Row) => boolean,
): void => {
  const rows = statement.iterate(...parameters) as IterableIterator<unknown>;
  try {
    for (const row of rows) if (!visit(row as Row)) return;
  } catch (error) {
    // A failed iteration is not at its end: the next use of the statement would fail with the same error.
    rows.return?.();
    throw error;
  }
};
