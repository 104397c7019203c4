import { nameOf } from './cases.ts';
import { dollarsPerMillion, prices } from './dollars.ts';
import type { GalleryGrowth } from './gallery-growth.ts';
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

const galleryTable = (galleries: readonly GalleryGrowth[]): string => {
  const searches = galleries[0]?.costs ?? [];
  const heads = galleries.flatMap(({ screens }) => [`${screens.toLocaleString('en')} screens`, 'again']);
  const cells = (n: number): string[] =>
    galleries
      .flatMap(({ costs }) => [costs[n]?.cold, costs[n]?.again])
      .map((cost) => (cost ? `${cost.rounds} / ${cost.calls} / ${cost.readUnits}` : '–'));
  return [
    row(['search', ...heads]),
    `|---|${'--:|'.repeat(heads.length)}`,
    ...searches.map(({ search }, n) => row([search, ...cells(n)])),
  ].join('\n');
};

/** The text of docs/costs.md. */
export const costsDocument = (
  costs: readonly Cost[],
  sizes: readonly Growth[],
  galleries: readonly GalleryGrowth[],
): string => {
  const { dynamodb, lambda, api_gateway, assumed_duration: assumed } = prices;
  const usual = costs.filter(({ when }) => when === undefined);
  const further = costs.filter(({ when }) => when !== undefined);
  return `# What a request costs on AWS

\`npm run -s costs\` writes this page. It starts DynamoDB Local, fills a table with the shop of the tests, makes each
request without HTTP, and counts. \`npm run test:aws\` measures again: it compares every row with its budget, and this
page with the new measurements.

## Each endpoint

Dollars are for a million requests.

${costTable(usual)}

A read waits for two round trips: the first reads the key, and the second everything else side by side. A write waits
for three. \`revokeLicenseDevice\`, \`logoutDevice\` and \`bulkActivate\` wait for more: after they have written, they look
again for keys and slots that changed meanwhile. These requests come once in the life of a key. \`reportError\` waits for
a fourth round trip when it begins a new group of errors. \`listScreens\` is the one read that waits for a third: its
caller has no credential, so the rate limit comes first, then the index of the gallery, then the screens of the page.

Some requests cost more, or less, in other cases:

${costTable(further)}

The usual request comes from an account with four purchases, a subscription, three orders and two devices on the
product. Its key was used today, and its device was seen today. The process has the catalog and the releases in memory.
A process reads these again when its copy is older than 30 seconds; the last rows show the most that this adds. On the
design host the request comes from an agent with one run or one document, and the gallery has one screen; for larger
galleries see below.

## How it is counted

- **Round trips** count the calls that wait for each other. Calls that are under way together count as one round trip,
  as if each took the same time. So the number doesn't depend on the machine.
- **Units** are the consumed capacity that DynamoDB Local returns, corrected by DynamoDB's rules in three places. A
  write in a transaction takes two units for each kilobyte begun, where Local counts equal writes once. A missing item
  of a batch takes one read, where Local counts none. A query that finds nothing counts as one read, to be on the safe
  side, where Local counts none.
- **Dollars** are list prices as of ${prices.as_of}, ${prices.region}, in \`test/costs/prices.json\`, not looked up since. Check them
  before you rely on them. DynamoDB on demand: ${dynamodb.million_read_units} a million reads, ${dynamodb.million_write_units} a million writes. Lambda, Arm, ${lambda.memory_mb} MB:
  ${lambda.million_requests} a million requests and ${lambda.gigabyte_second.toFixed(10)} a gigabyte-second, for an assumed ${assumed.own_ms} ms and ${assumed.round_trip_ms} ms for each round
  trip. API Gateway, REST: ${api_gateway.million_requests} a million requests.
- **Not counted** are S3 and the transfer of data, logs and metrics, the message by which \`submitCollectRun\` wakes the
  worker, the worker's own work, and the storage of the table and its backups. For \`downloadBundle\` and
  \`getContentAsset\`, the time in which Lambda streams the file isn't counted either, and for \`uploadCollectAsset\` and
  \`uploadCollectCapture\` the time in which it takes the files.

## As the table grows

The cells are round trips / calls / read units / write units of three requests, by the number of items in the table. The
items are accounts with their entitlements, devices and usage; a hundredth of the items is usage of the accounts that
make the requests. \`npm run -s growth -- --items N\` measures one size on a fresh table and writes its row here.
\`npm run test:aws\` measures the first two sizes.

${growthTable(sizes)}

## As the gallery grows

The cells are round trips / calls / read units of a page of screens, by the number of screens in the gallery: once by a
process that has nothing in memory, and once again by the same process. Each request takes one write unit, which is the
rate limit's. The screens are invented; their properties are drawn at random, which is the worst case for the index.
\`npm run -s growth -- --screens N\` measures one size on a fresh table and writes its columns here. \`npm run test:aws\`
measures the first size.

${galleryTable(galleries)}

The number of round trips does not depend on the number of screens, nor on the page. A search that is made again reads
the version of the gallery, and the screens of the page: these take 12 units where they lie far apart, and fewer where
they are neighbours. A process that has nothing in memory reads the index of each term of the search as well. This part
grows: a term that half of all screens have takes half a unit at 1,000 screens, and 2.5 at 100,000.
`;
};
