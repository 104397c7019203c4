import type { Cost } from './measure.ts';
import prices from './prices.json' with { type: 'json' };

export { prices };

export type Dollars = { readonly dynamodb: number; readonly lambda: number; readonly gateway: number };

/** The list price of a million requests, with the duration that the price file assumes. */
export const dollarsPerMillion = ({ rounds, readUnits, writeUnits }: Cost): Dollars => {
  const { dynamodb, lambda, api_gateway, assumed_duration } = prices;
  const seconds = (assumed_duration.own_ms + rounds * assumed_duration.round_trip_ms) / 1000;
  return {
    dynamodb: readUnits * dynamodb.million_read_units + writeUnits * dynamodb.million_write_units,
    lambda: lambda.million_requests + 1e6 * seconds * (lambda.memory_mb / 1024) * lambda.gigabyte_second,
    gateway: api_gateway.million_requests,
  };
};
