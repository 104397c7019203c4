import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DEFAULTS } from '../../limits/settings.ts';
import type { Measured } from './activations.ts';
import type { FleetReads } from './fleet-reads.ts';
import { PARTITION_UNITS, TRANSACTION_MS, WAY_MS } from './modelled-table.ts';

/** The measurements of the page. */
export type Measurements = { readonly rushes: readonly Measured[]; readonly reads: readonly FleetReads[] };

export const PAGE = join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'many-devices.md');
const RECORD = join(import.meta.dirname, 'measurements.json');

const number = (value: number): string => value.toLocaleString('en');
const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;

const rushRow = (one: Measured): string => {
  const { devices, processes, ms, limit, failed, attempts, units, half, longest } = one;
  const when = ms === 0 ? 'at once' : `in ${ms / 1000} s`;
  return row([
    `${number(devices)} ${when}, ${processes}`,
    limit === null ? 'none' : number(limit),
    failed,
    attempts,
    units,
    number(half),
    number(longest),
  ]);
};

const readsTable = (all: readonly FleetReads[]): string => {
  const requests = Object.keys(all[0]?.units ?? {});
  return [
    row(['request', ...all.map(({ devices }) => `${number(devices)} devices`)]),
    `|---|${'--:|'.repeat(all.length)}`,
    ...requests.map((request) => row([request, ...all.map(({ units }) => units[request] ?? '–')])),
  ].join('\n');
};

/** The text of docs/many-devices.md. */
export const devicesDocument = ({ rushes, reads }: Measurements): string => `# An account with many devices

\`npm run -s growth -- --devices\` measures this page and writes it.

## What a request reads

The read units of requests by an account with so many devices of one product that has no device limit. An answer lists
100 devices at most, and their number comes from a count. A test holds this for 50,000 devices on SQLite and in memory,
and holds each answer below 32 KiB.

${readsTable(reads)}

The units are those of DynamoDB's rules, on the memory engine.

## Many new devices of one license

New devices of one license that come together, over so many processes, each of which has no other work. \`failed\` is the
number of devices that were answered 503 with \`Retry-After\`. Attempts are the transactions that the table was asked for,
for each device, and units the write units of each device that got a slot. Times are those until a device had its answer:
half of the devices, and the last one.

| devices, processes | limit | failed | attempts | write units | half, ms | last, ms |
|---|--:|--:|--:|--:|--:|--:|
${rushes.map(rushRow).join('\n')}

An account may call ${number(DEFAULTS.ratePerAccount)} times a minute unless \`RATE_LIMIT_PER_MINUTE\` says otherwise, so that a license meets at most
as many new devices at once. Where it has a limit, they write one count after the other, because the limit is exact.
Without a limit they write one of 32 counts, and a device waits for few others.

DynamoDB Local does one thing at a time and tells nothing of races, so that this is a model: the memory engine with
${WAY_MS} ms for the way to the store and back, ${TRANSACTION_MS} ms for a transaction, in which another one on the same item is
cancelled, and ${number(PARTITION_UNITS)} write units a second, which is what DynamoDB gives one partition. A cancelled transaction takes its
units too. The devices of an account lie in one partition, and a new device takes 4 units: no more than ${number(PARTITION_UNITS / 4)} a second
get a slot until DynamoDB has split the partition.
`;

export const recorded = async (): Promise<Measurements> => JSON.parse(await readFile(RECORD, 'utf8'));

/** Saves the measurements and writes the page. */
export const write = async (measurements: Measurements): Promise<void> => {
  await writeFile(RECORD, `${JSON.stringify(measurements, null, 2)}\n`);
  await writeFile(PAGE, devicesDocument(measurements));
};
