import { nameOf } from './cases.ts';
import { dollarsPerMillion, prices } from './dollars.ts';
import type { Growth } from './growth.ts';
import type { Cost } from './measure.ts';

const dollars = (amount: number): string => amount.toFixed(2);
const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;

/** The measured part of a table row, without the dollars that follow. */
export const measuredCells = (cost: Cost): string =>
  `| ${[nameOf(cost), cost.rounds, cost.calls, cost.readUnits, cost.writeUnits].join(' | ')} |`;

const costRow = (cost: Cost): string => {
  const { dynamodb, lambda, gateway } = dollarsPerMillion(cost);
  return `${measuredCells(cost)} ${[dynamodb, lambda, gateway, dynamodb + lambda + gateway].map(dollars).join(' | ')} |`;
};

const COST_HEAD = [
  row([
    'request',
    'round trips',
    'calls',
    'read units',
    'write units',
    'DynamoDB',
    'Lambda',
    'API Gateway',
    'together',
  ]),
  '|---|--:|--:|--:|--:|--:|--:|--:|--:|',
];

const costTable = (costs: readonly Cost[]): string => [...COST_HEAD, ...costs.map(costRow)].join('\n');

const growthTable = (sizes: readonly Growth[]): string => {
  const requests = sizes[0]?.costs ?? [];
  const cells = ({ costs }: Growth): string[] =>
    costs.map(({ rounds, calls, readUnits, writeUnits }) => `${rounds} / ${calls} / ${readUnits} / ${writeUnits}`);
  return [
    row(['items in the table', ...requests.map(nameOf), 'filled in']),
    `|--:|${'--:|'.repeat(requests.length + 1)}`,
    ...sizes.map((size) => row([size.items.toLocaleString('en'), ...cells(size), `${size.seconds} s`])),
  ].join('\n');
};

/** docs/costs.md. */
export const costsDocument = (costs: readonly Cost[], sizes: readonly Growth[]): string => {
  const { dynamodb, lambda, api_gateway, assumed_duration: assumed } = prices;
  const usual = costs.filter(({ when }) => when === undefined);
  const further = costs.filter(({ when }) => when !== undefined);
  return `# What a request costs on AWS

\`npm run -s costs\` makes this page: it starts DynamoDB Local, fills a table with the shop of the tests, sends each
request past HTTP and counts. \`npm run test:aws\` holds every row against its budget and this page against what it finds.

## Each endpoint

Dollars are for a million requests.

${costTable(usual)}

A read waits for two round trips, the key and then all else side by side, and a write for three. \`revokeLicenseDevice\`,
\`logoutDevice\` and \`bulkActivate\`, which come once in the life of a key, wait for more: after they have written they look
again for keys that were made or ended meanwhile.

Where the usual case is not all there is:

${costTable(further)}

The usual request comes from an account with four purchases, a subscription, three orders and two devices on the product,
with a key that was used today, on a device that was seen today, and to a process that has the catalog and the releases in
memory.
A process reads them again when what it has is older than 30 seconds; the last rows show the most that this adds.

## How it is counted

- **Round trips** are those that wait for each other. Calls that are under way together are answered together, as if each
  took the same time, and count as one; so the number doesn't depend on the machine.
- **Units** are the consumed capacity that DynamoDB Local returns, in three places put right by DynamoDB's rules: a write
  in a transaction takes two units for each kilobyte begun (Local counts equal ones once), a missing item of a batch takes
  one read, and a query that finds nothing is taken for one, to be on the safe side (Local counts none for either).
- **Dollars** are list prices as of ${prices.as_of}, ${prices.region}, in \`test/costs/prices.json\`, not looked up since: check them
  before you rely on them. DynamoDB on demand: ${dynamodb.million_read_units} a million reads, ${dynamodb.million_write_units} a million writes. Lambda, Arm, ${lambda.memory_mb} MB:
  ${lambda.million_requests} a million requests and ${lambda.gigabyte_second.toFixed(10)} a gigabyte-second, for an assumed ${assumed.own_ms} ms and ${assumed.round_trip_ms} ms for each round
  trip. API Gateway, REST: ${api_gateway.million_requests} a million requests.
- **Apart from this** are S3 and the transfer of data, logs and metrics, the storage of the table and its backups, and, for
  \`downloadBundle\` and \`getContentAsset\`, the time in which Lambda streams the file.

## As the table grows

Round trips / calls / read units / write units of three requests, with so many items in the table: accounts with their
entitlements, devices and usage. A hundredth of them is usage of the accounts that ask. Each size is made on a fresh table
by \`npm run -s growth -- --items N\`, which also writes the row here; \`npm run test:aws\` makes the first two.

${growthTable(sizes)}
`;
};
