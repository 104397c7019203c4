/**
 * The units that DynamoDB takes for a call. They are what DynamoDB Local says, but for what it is known to leave out:
 * - of a transaction it counts writes of the same size once;
 * - a key of a batch without an item takes a read, which it counts as none;
 * - a query that finds nothing it counts as none too: here it is taken for a read, to be on the safe side.
 *
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html
 */

type Attributes = Readonly<Record<string, unknown>>;
type Keyed = { readonly Key: Attributes };
type Step = { readonly Put?: { readonly Item: Attributes }; readonly Delete?: Keyed; readonly ConditionCheck?: Keyed };

export type Input = {
  readonly ConsistentRead?: boolean;
  readonly TransactItems?: readonly Step[];
  readonly RequestItems?: Readonly<
    Record<string, { readonly Keys: readonly object[]; readonly ConsistentRead?: boolean }>
  >;
};

export type Output = {
  readonly ConsumedCapacity?: Capacity | readonly Capacity[];
  readonly Responses?: Readonly<Record<string, readonly object[]>>;
};

type Capacity = { readonly CapacityUnits?: number };

const WRITES = new Set(['PutItem', 'UpdateItem', 'DeleteItem', 'TransactWriteItems', 'BatchWriteItem']);
const KILOBYTE = 1024;

/** Bytes of the items that this table keeps: texts, and numbers of up to 16 digits. */
const sizeOf = (item: Attributes): number =>
  Object.entries(item).reduce(
    (sum, [name, value]) => sum + name.length + (typeof value === 'string' ? Buffer.byteLength(value) : 9),
    0,
  );

/** A transaction writes each item twice: once to prepare it and once for good. The larger of before and after counts. */
const transactionUnits = (steps: readonly Step[], before: readonly (Attributes | undefined)[]): number =>
  steps.reduce((sum, { Put }, n) => {
    const bytes = Math.max(sizeOf(before[n] ?? {}), sizeOf(Put?.Item ?? {}));
    return sum + 2 * Math.max(1, Math.ceil(bytes / KILOBYTE));
  }, 0);

/** The keys that a transaction writes, in its order. */
export const keysOf = ({ TransactItems = [] }: Input): { pk: unknown; sk: unknown }[] =>
  TransactItems.map(({ Put, Delete, ConditionCheck }) => {
    const { pk, sk } = Put?.Item ?? (Delete ?? ConditionCheck)?.Key ?? {};
    return { pk, sk };
  });

const reported = ({ ConsumedCapacity }: Output): number => {
  if (ConsumedCapacity === undefined) throw new Error('A call of DynamoDB does not say what it consumed.');
  return [ConsumedCapacity].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
};

const readMinimum = (consistent: boolean | undefined): number => (consistent ? 1 : 0.5);

const missingUnits = ({ RequestItems = {} }: Input, { Responses = {} }: Output): number =>
  Object.entries(RequestItems).reduce(
    (sum, [table, { Keys, ConsistentRead }]) =>
      sum + (Keys.length - (Responses[table]?.length ?? 0)) * readMinimum(ConsistentRead),
    0,
  );

/** The units of a call; `before` are the items that a transaction writes, as they were. */
export const unitsOf = (
  operation: string,
  input: Input,
  output: Output,
  before: readonly (Attributes | undefined)[],
): { readUnits: number; writeUnits: number } => {
  if (operation === 'TransactWriteItems') {
    return { readUnits: 0, writeUnits: transactionUnits(input.TransactItems ?? [], before) };
  }
  const units = reported(output);
  if (WRITES.has(operation)) return { readUnits: 0, writeUnits: units };
  const readUnits =
    operation === 'BatchGetItem'
      ? units + missingUnits(input, output)
      : Math.max(units, readMinimum(input.ConsistentRead));
  return { readUnits, writeUnits: 0 };
};
