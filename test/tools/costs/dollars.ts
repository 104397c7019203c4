import { memoryOf } from '../../../infra/bundles/memory.ts';
import type { Cost } from './measure.ts';

/**
 * List prices in us-east-1, November 2026, in dollars: DynamoDB on demand (https://aws.amazon.com/dynamodb/pricing/on-demand/),
 * Lambda on Arm (https://aws.amazon.com/lambda/pricing/), a REST API (https://aws.amazon.com/api-gateway/pricing/).
 */
const MILLION_READ_UNITS = 0.125;
const MILLION_WRITE_UNITS = 0.625;
const MILLION_CALLS = 0.2;
const GIGABYTE_SECOND = 0.0000133334;
const MILLION_REST_REQUESTS = 3.5;

/** Assumed milliseconds of a call: our own, those of a round trip to the table, and its share of a cold start. */
const OWN_MS = 10;
const ROUND_TRIP_MS = 5;
const START_SHARE_MS = 0.5;

/** The cost of a million requests, by who is paid. Logs and transfer add about 0.6 dollars. */
export type Dollars = { readonly dynamodb: number; readonly lambda: number; readonly gateway: number };

/** The list price of a million requests to a function behind a REST API. */
export const dollarsPerMillion = ({ rounds, readUnits, writeUnits }: Cost): Dollars => {
  const seconds = (OWN_MS + rounds * ROUND_TRIP_MS + START_SHARE_MS) / 1000;
  return {
    dynamodb: readUnits * MILLION_READ_UNITS + writeUnits * MILLION_WRITE_UNITS,
    lambda: MILLION_CALLS + 1e6 * seconds * (memoryOf('api') / 1024) * GIGABYTE_SECOND,
    gateway: MILLION_REST_REQUESTS,
  };
};

/** The sum of what a million requests cost. */
export const together = (dollars: Dollars): number => Object.values(dollars).reduce((sum, one) => sum + one, 0);
