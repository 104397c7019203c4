import { memoryOf } from '../../../infra/bundles/functions.ts';

/**
 * List prices in us-east-1, November 2026, in dollars: DynamoDB on demand (https://aws.amazon.com/dynamodb/pricing/on-demand/),
 * Lambda on Arm (https://aws.amazon.com/lambda/pricing/), a REST API (https://aws.amazon.com/api-gateway/pricing/), Fargate
 * on Arm (https://aws.amazon.com/fargate/pricing/), an Application Load Balancer and its capacity units
 * (https://aws.amazon.com/elasticloadbalancing/pricing/), public addresses (https://aws.amazon.com/vpc/pricing/), logs
 * (https://aws.amazon.com/cloudwatch/pricing/) and transfer (https://aws.amazon.com/ec2/pricing/on-demand/).
 */
const MILLION_READ_UNITS = 0.125;
const MILLION_WRITE_UNITS = 0.625;
const MILLION_CALLS = 0.2;
const GIGABYTE_SECOND = 0.0000133334;
/** The price of a million requests to REST APIs, up to this many million a month. */
const REST_TIERS = [
  [333, 3.5],
  [1000, 2.8],
  [20_000, 2.38],
  [Number.POSITIVE_INFINITY, 1.51],
] as const;
const VCPU_HOUR = 0.03238;
const GIGABYTE_HOUR = 0.00356;
const BALANCER_HOUR = 0.0225;
const CAPACITY_UNIT_HOUR = 0.008;
const ADDRESS_HOUR = 0.005;
const LOG_GIGABYTE = 0.5;
const TRANSFER_GIGABYTE = 0.09;

/** Assumed milliseconds of a call: our own time, that of a round trip to the table, and its share of a cold start. */
const OWN_MS = 10;
const ROUND_TRIP_MS = 5;
const START_SHARE_MS = 0.5;

/** The bytes of a license check, as measured: the log lines, and the answer with its headers. */
const BYTES = { gatewayAndFunctionLog: 1070, containerLog: 320, answer: 1450 };

/**
 * The bytes that the load balancer sends to open a connection. Each check has its own connection, from another device.
 */
const HANDSHAKE_BYTES = 3500;
/** The number of new connections per second in one capacity unit. */
const CONNECTIONS_OF_UNIT = 25;

/** Milliseconds of CPU that `npm start` takes for a check on DynamoDB Local, on the machine of docs/figures.md. */
export const CONTAINER_CPU_MS = 2.3;
/** The CPU utilization at which the container stack starts another task of 1 vCPU and 2 GB. */
const BUSY = 0.6;
const LEAST_TASKS = 2;
const HOURS_OF_MONTH = 730;

/** The round trips of a request, and the units that it takes from the table. */
type Cost = { readonly rounds: number; readonly readUnits: number; readonly writeUnits: number };

/** The cost of a million requests, by payee. */
export type Dollars = { readonly dynamodb: number; readonly lambda: number; readonly gateway: number };

const dynamodbOf = ({ readUnits, writeUnits }: Cost): number =>
  readUnits * MILLION_READ_UNITS + writeUnits * MILLION_WRITE_UNITS;

/** The list price of a million requests to a function behind a REST API, without logs and transfer. */
export const dollarsPerMillion = (cost: Cost): Dollars => {
  const seconds = (OWN_MS + cost.rounds * ROUND_TRIP_MS + START_SHARE_MS) / 1000;
  return {
    dynamodb: dynamodbOf(cost),
    lambda: MILLION_CALLS + 1e6 * seconds * (memoryOf('api') / 1024) * GIGABYTE_SECOND,
    gateway: REST_TIERS[0][1],
  };
};

/** The total cost of a million requests. */
export const together = (dollars: Dollars): number => Object.values(dollars).reduce((sum, one) => sum + one, 0);

const gatewayMonth = (millions: number): number =>
  REST_TIERS.reduce((sum, [end, price], n) => {
    const begin = REST_TIERS[n - 1]?.[0] ?? 0;
    return sum + Math.max(0, Math.min(millions, end) - begin) * price;
  }, 0);

/** Gigabytes of a million requests with this many bytes each. */
const gigabytes = (bytes: number): number => bytes / 1000;

/**
 * A steady load: dollars for a million license checks in both shapes, everything included, and the container's
 * resources for it.
 */
export type Load = {
  readonly perSecond: number;
  readonly functions: number;
  readonly container: number;
  readonly tasks: number;
};

/** The prices of a steady load of requests with this cost on the table. */
export const loadOf = (perSecond: number, cost: Cost): Load => {
  const hours = HOURS_OF_MONTH;
  const millions = (perSecond * hours * 3600) / 1e6;
  const { dynamodb, lambda } = dollarsPerMillion(cost);
  const transfer = (bytes: number): number => gigabytes(bytes) * TRANSFER_GIGABYTE;
  const tasks = Math.max(LEAST_TASKS, Math.ceil((perSecond * CONTAINER_CPU_MS) / 1000 / BUSY));
  const month =
    tasks * (VCPU_HOUR + 2 * GIGABYTE_HOUR) +
    BALANCER_HOUR +
    (perSecond / CONNECTIONS_OF_UNIT) * CAPACITY_UNIT_HOUR +
    (tasks + LEAST_TASKS) * ADDRESS_HOUR;
  return {
    perSecond,
    functions:
      dynamodb +
      lambda +
      gatewayMonth(millions) / millions +
      gigabytes(BYTES.gatewayAndFunctionLog) * LOG_GIGABYTE +
      transfer(BYTES.answer),
    container:
      dynamodb +
      (month * hours) / millions +
      gigabytes(BYTES.containerLog) * LOG_GIGABYTE +
      transfer(BYTES.answer + HANDSHAKE_BYTES),
    tasks,
  };
};
