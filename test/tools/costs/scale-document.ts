import { DEVICE_DAY, type Mean, REQUESTS_A_DAY } from './device-day.ts';
import { together } from './dollars.ts';
import type { Footprint } from './footprint.ts';
import { prices } from './prices.ts';
import { type Need, QUOTAS, type Quota } from './quotas.ts';
import { type Fleet, fleetOf, type Load, loadOf, PEAK } from './scale.ts';

const LOADS = [1000, 10_000, 100_000];
const FLEETS = [1e6, 10e6, 100e6];

const whole = (amount: number): string => Math.round(amount).toLocaleString('en');
const fine = (amount: number): string => amount.toFixed(2);

/** Two places in front of the comma are enough of what is assumed in part. */
const rough = (amount: number): string =>
  amount === 0 ? '0' : Number(amount.toPrecision(2)).toLocaleString('en', { maximumFractionDigits: 2 });

const named = (name: keyof Need): string => QUOTAS[name].short;

/** The first bottleneck, and every other limit that has to be raised. */
const limits = ({ parts }: Load): string =>
  parts
    .filter(({ part }, n) => n === 0 || part > 1)
    .map(({ name, part }) => `${named(name)}: ${rough(part * 100)} %`)
    .join('; ');

const loadRow = (load: Load): string =>
  `| ${whole(load.perSecond)} | ${rough(load.need.lambda)} | ${rough(load.need.reads)} | ${rough(load.need.writes)} | ${rough(load.dollarsMonth)} | ${limits(load)} |`;

const fleetRow = (fleet: Fleet): string =>
  `| ${[
    `${whole(fleet.devices / 1e6)} M`,
    `${rough(fleet.meanPerSecond)} / ${rough(fleet.peakPerSecond)}`,
    rough(fleet.items / 1e6),
    rough(fleet.gigabytes),
    rough(fleet.requestsMonth),
    rough(fleet.storageMonth),
    rough((fleet.requestsMonth + fleet.storageMonth) * 12),
    limits(fleet.peak),
  ].join(' | ')} |`;

const quotaRow = ({ name, first, moves, source }: Quota): string =>
  `| ${name} | ${whole(first)} | ${moves} | [AWS](${source}) |`;

const dayRow = ([name, count]: readonly [string, number]): string =>
  `| ${name} | ${count < 1 ? `1 in ${Math.round(1 / count)} days` : count} |`;

/** The text of docs/scale.md. */
export const scaleDocument = (mean: Mean, footprint: Footprint): string => {
  const { dynamodb, lambda, gateway, logs, transfer } = mean.dollarsPerMillion;
  return `# How far it goes on AWS, and what that costs

\`npm run -s costs\` writes this page from the units that it measures on DynamoDB Local, the sizes of the synthesized
stacks and one file of list prices. What is assumed is said where it is used: replace it by your own before you rely on
a figure.

## A device's day

| request | a day |
|---|--:|
${Object.entries(DEVICE_DAY).map(dayRow).join('\n')}

These ${fine(REQUESTS_A_DAY)} requests are assumed. Their average request takes ${fine(mean.readUnits)} read units, ${fine(mean.writeUnits)} write units and ${fine(mean.ms)} ms of an
instance, and a million of them cost ${fine(together(mean.dollarsPerMillion))} dollars: DynamoDB ${fine(dynamodb)}, Lambda ${fine(lambda)}, the gateway ${fine(gateway)}, logs ${fine(logs)}, transfer
${fine(transfer)}. The units are measured ([What a request costs](costs.md)); the milliseconds are assumed there.

An account with one purchase and one device, used daily for years, keeps ${whole(footprint.items)} items of ${fine(footprint.bytes / 1e3)} kilobytes in all. This
is measured: a device is used for two months on a store in memory, and what expires is counted with its lifetime.

## By requests a second

Sustained day and night; each row holds for the average request of a device's day.

| requests a second | instances busy | read units a second | write units a second | dollars a month | first bottleneck, in percent of AWS's first limit, and what else has to be raised |
|--:|--:|--:|--:|--:|---|
${LOADS.map((perSecond) => loadRow(loadOf(perSecond, mean))).join('\n')}

## By devices

Every device is used daily. The busiest second has ${PEAK} times the average, which is assumed. Storage is
${prices.dynamodb.gigabyte_month} dollars a gigabyte and month, and ${prices.dynamodb.point_in_time_gigabyte_month} more for the backup to any second.

| devices | requests a second, average / busiest | million items | gigabytes | requests, dollars a month | storage, dollars a month | dollars a year | first bottleneck of the busiest second |
|--:|--:|--:|--:|--:|--:|--:|---|
${FLEETS.map((devices) => fleetRow(fleetOf(devices, mean, footprint))).join('\n')}

## The limits to ask for

| limit | at first | what moves it | source |
|---|--:|---|---|
${Object.values(QUOTAS).map(quotaRow).join('\n')}

Give the throttles of the stack the same numbers as the limits of the gateway, and the table
[warm throughput](aws/options.md) before a launch: a new table on demand takes 4,000 write units and 12,000 read units a
second at once, and grows from there.

## What no limit of AWS moves

A partition of the table takes 1,000 write units and 3,000 read units a second, whoever asks. So these have an end of
their own, however large the table is:

| what | end | what happens there |
|---|---|---|
| calls of one account | \`RATE_LIMIT_PER_MINUTE\` | 429, out of the memory of the instance once it has seen the limit passed |
| activations of one license with a device limit | each one writes the same count of slots | the count is exact; an activation that meets others is decided again, and is 503 with \`Retry-After\` when it has met too many |
| changes of the catalog | one version | readers keep the copy that they have, and look at the version every 30 seconds |
| reports of one fault by everybody | one group | the group keeps its newest reports and counts the rest |

## What lowers the bill

- Below some ten requests a second, nothing: what is paid at rest is most of it ([At rest](costs.md#at-rest)).
- The gateway is the largest part after the table: \`gateway=http\` is in the figures above.
- One of the ${fine(mean.writeUnits)} write units of a request counts it for the rate limit.
- With a steady load, DynamoDB's provisioned or reserved capacity and Lambda's savings plans cost less than what these
  tables count on demand. Their prices depend on a contract, so that no figure of theirs is here.
- A container on a machine of its own answers a check for the price of the machine ([options](aws/options.md)).

One region holds the data of an account; [ADR 5](adr/0005-license-limits.md) has the reason.
`;
};
