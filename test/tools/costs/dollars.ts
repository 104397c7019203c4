import type { StackSizes } from '../../../infra/costs/sizes.ts';
import { logBytes } from './log-bytes.ts';
import type { Cost } from './measure.ts';
import { prices } from './prices.ts';
import stack from './stack.json' with { type: 'json' };

const GIGABYTE = 1e9;

const sizes = stack as StackSizes;

/** Gigabytes of memory of a function. */
const memoryOf = (name: string): number => (sizes.memory_mb[name] ?? Number.NaN) / 1024;

/** The cost of a million requests, by who is paid. */
export type Dollars = {
  readonly dynamodb: number;
  readonly lambda: number;
  readonly gateway: number;
  readonly logs: number;
  readonly transfer: number;
};

/** Gigabyte-seconds of a request, with its share of the starts of instances. */
const gigabyteSeconds = (name: string, rounds: number): number => {
  const { own_ms, round_trip_ms, start_ms, requests_per_start } = prices.assumed;
  const ms = own_ms + rounds * round_trip_ms + start_ms / requests_per_start;
  return (ms / 1000) * memoryOf(name);
};

/** The list price of a million requests in the configuration that docs/deploy.md recommends. */
export const dollarsPerMillion = ({ id, rounds, readUnits, writeUnits, answerBytes }: Cost): Dollars => {
  const { dynamodb, lambda, api_gateway, cloudwatch, transfer, assumed } = prices;
  const { functions, gateways } = sizes;
  const [name, gateway] = [functions[id], gateways[id]];
  if (!name || !gateway) throw new Error(`${id} is an endpoint of no function.`);
  return {
    dynamodb: readUnits * dynamodb.million_read_units + writeUnits * dynamodb.million_write_units,
    lambda: lambda.million_requests + 1e6 * gigabyteSeconds(name, rounds) * lambda.gigabyte_second,
    gateway: api_gateway.million_requests[gateway],
    logs: ((1e6 * logBytes(id, name)) / GIGABYTE) * cloudwatch.log_gigabyte,
    transfer: ((1e6 * (answerBytes + assumed.header_bytes)) / GIGABYTE) * transfer.gigabyte_out,
  };
};

/** The sum of what a million requests cost. */
export const together = (dollars: Dollars): number => Object.values(dollars).reduce((sum, one) => sum + one, 0);

/** The bytes of one request of a REST API that streams. */
const STREAMED_REQUEST = 10e6;

/** The list price of one download through the function that streams, the file's bytes included. */
export const dollarsPerDownload = (bytes: number): number => {
  const { lambda, api_gateway, transfer, assumed } = prices;
  const seconds = bytes / (assumed.streamed_megabytes_second * 1e6);
  const gigabytes = bytes / GIGABYTE;
  return (
    (Math.ceil(bytes / STREAMED_REQUEST) * api_gateway.million_requests.rest) / 1e6 +
    lambda.million_requests / 1e6 +
    seconds * memoryOf('downloads') * lambda.gigabyte_second +
    gigabytes * (lambda.streamed_gigabyte + transfer.gigabyte_out)
  );
};
