import sizes from './stack.json' with { type: 'json' };

/** The list price of a gigabyte-second that is kept started, on Arm in us-east-1: https://aws.amazon.com/lambda/pricing/ */
const STARTED_GIGABYTE_SECOND = 0.0000033334;

/** Dollars of an instance of the api function that is kept started for a month of 730 hours. */
export const startedMonth = (): number => 730 * 3600 * (sizes.memory_mb.api / 1024) * STARTED_GIGABYTE_SECOND;
