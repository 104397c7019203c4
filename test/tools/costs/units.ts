/**
 * The units that DynamoDB consumes for a call. They are those of DynamoDB Local, with three corrections:
 * - Local counts equal writes of a transaction once. Here each one counts.
 * - Local counts no read for a missing item of a batch. Here it counts as a read.
 * - Local counts no read for a query without results. Here it counts as a read, to be on the safe side.
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

/** The size of an item in bytes. The table stores texts, and numbers of up to 16 digits. */
const sizeOf = (item: Attributes): number =>
  Object.entries(item).reduce(
    (sum, [name, value]) => sum + name.length + (typeof value === 'string' ? Buffer.byteLength(value) : 9),
    0,
  );

/** The units of a transaction. It writes each item twice, to prepare and to commit, and the larger size counts. */
const transactionUnits = (steps: readonly Step[], before: readonly (Attributes | undefined)[]): number =>
  steps.reduce((sum, { Put }, n) => {
    const bytes = Math.max(sizeOf(before[n] ?? {}), sizeOf(Put?.Item ?? {}));
    return sum + 2 * Math.max(1, Math.ceil(bytes / KILOBYTE));
  }, 0);

/** The keys of the items in a transaction, in order. */
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

/** The units of a call. `before` has the previous state of the items in a transaction. */
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
