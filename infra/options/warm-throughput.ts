import type { Context } from '../context.ts';

/**
 * The requests a second that the table takes at once, in units of DynamoDB. A new table begins with 12,000 for reads
 * and 4,000 for writes ("Understanding DynamoDB warm throughput", Amazon DynamoDB Developer Guide); less can't be asked
 * for.
 */
export type WarmThroughput = { readonly reads: number; readonly writes: number };

const NEW_TABLE: WarmThroughput = { reads: 12_000, writes: 4000 };
/** A slip of the keyboard costs no more than this. */
const MOST = 1_000_000;

/** The throughput that the context asks for; undefined leaves it to DynamoDB. Throws one sentence for a value out of bounds. */
export const warmThroughputOf = (context: Context): WarmThroughput | undefined => {
  const reads = context.whole('warmReadUnits', { least: NEW_TABLE.reads, most: MOST });
  const writes = context.whole('warmWriteUnits', { least: NEW_TABLE.writes, most: MOST });
  if (reads === undefined && writes === undefined) return undefined;
  return { reads: reads ?? NEW_TABLE.reads, writes: writes ?? NEW_TABLE.writes };
};
