import { METRICS, restTable } from './at-rest.ts';
import { nameOf } from './cases.ts';
import type { CatalogGrowth } from './catalog-growth.ts';
import { catalogSection } from './catalog-table.ts';
import { dollarsPerDownload, dollarsPerMillion, together } from './dollars.ts';
import type { GalleryGrowth } from './gallery-growth.ts';
import type { Growth } from './growth.ts';
import type { Cost } from './measure.ts';
import { prices } from './prices.ts';

const dollars = (amount: number): string => amount.toFixed(2);
const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;

/** The measured part of a table row, without the dollars that follow. */
export const measuredCells = (cost: Cost): string =>
  `| ${[nameOf(cost), cost.rounds, cost.calls, cost.readUnits, cost.writeUnits].join(' | ')} |`;

const costRow = (cost: Cost): string => {
  const paid = dollarsPerMillion(cost);
  const { dynamodb, lambda, gateway, logs, transfer } = paid;
  return `${measuredCells(cost)} ${[dynamodb, lambda, gateway, logs, transfer, together(paid)].map(dollars).join(' | ')} |`;
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
    'logs',
    'transfer',
    'together',
  ]),
  '|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|',
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
  catalogs: readonly CatalogGrowth[],
  galleries: readonly GalleryGrowth[],
): string => {
  const { dynamodb, lambda, api_gateway, cloudwatch, transfer, assumed } = prices;
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
A process looks after its copy every 20 seconds, by reading one item of the catalog and one of the releases; the last
rows show processes that have no copy. On the
design host the request comes from an agent with one run or one document, and the gallery has one screen; for larger
galleries see below.

## How it is counted

- **Round trips** count the calls that wait for each other. Calls that are under way together count as one round trip,
  as if each took the same time. So the number doesn't depend on the machine.
- **Units** are the consumed capacity that DynamoDB Local returns, corrected by DynamoDB's rules in three places. A
  write in a transaction takes two units for each kilobyte begun, where Local counts equal writes once. A missing item
  of a batch takes one read, where Local counts none. A query that finds nothing counts as one read, to be on the safe
  side, where Local counts none.
- **Dollars** are list prices of ${prices.region} as of ${prices.as_of}, with their sources in \`test/costs/prices.json\`.
  Check them before you rely on them. DynamoDB on demand: ${dynamodb.million_read_units} a million reads, ${dynamodb.million_write_units} a million writes. Lambda, Arm:
  ${lambda.million_requests} a million requests and ${lambda.gigabyte_second.toFixed(10)} a gigabyte-second. API Gateway: ${api_gateway.million_requests.http} a million requests of an HTTP
  API, ${api_gateway.million_requests.rest} of a REST API. Logs: ${cloudwatch.log_gigabyte} a gigabyte taken in. Transfer: ${transfer.gigabyte_out} a gigabyte out.
- **What the stack decides** is read from the synthesized stacks with the settings that [Deploying to AWS](deploy.md)
  recommends: the function of each endpoint, its memory, the gateway's log line, and what is paid at rest.
- **Assumed**, not measured: a request takes ${assumed.own_ms} ms and ${assumed.round_trip_ms} ms for each round trip; the start of an instance takes
  ${assumed.start_ms} ms and serves ${assumed.requests_per_start.toLocaleString('en')} requests; the headers of an answer take ${assumed.header_bytes} bytes.
- **Not counted** are S3, the message by which \`submitCollectRun\` wakes the worker, and the worker's own work; for
  \`uploadCollectAsset\` and \`uploadCollectCapture\`, the time in which the function takes the files. Free tiers aren't
  taken off.
- **The bytes of a file** come on top for \`downloadBundle\` and \`getContentAsset\`. A download of 200 MB costs
  ${dollarsPerDownload(200e6).toFixed(3)} dollars, at the ${assumed.streamed_megabytes_second} MB a second at which the gateway streams; nine tenths are the transfer, which a signed
  URL costs too.
- **Looking after the catalog** adds at most two read units to a request: each process looks after 20 to 30 seconds
  whether the catalog or the releases have changed. In a shop with one request for each look, that is
  ${dollars(2 * dynamodb.million_read_units)} dollars a million.

## At rest

Dollars a month while nobody calls, beside the storage: ${dynamodb.gigabyte_month} a gigabyte of the table, and ${dynamodb.point_in_time_gigabyte_month} more for its backup
to any second of the last 35 days.

${restTable()}

The functions' own metrics are paid for the hours in which they are sent: ${cloudwatch.metric_month} dollars a month for each endpoint and
class of status. A shop that is asked for every endpoint each hour, with answers that are 2xx and 4xx, pays
${METRICS.dollars.toFixed(2)} dollars for ${METRICS.most} metrics.

## As the table grows

The cells are round trips / calls / read units / write units of three requests, by the number of items in the table. The
items are accounts with their entitlements, devices and usage; a hundredth of the items is usage of the accounts that
make the requests. \`npm run -s growth -- --items N\` measures one size on a fresh table and writes its row here.
\`npm run test:aws\` measures the first two sizes.

${growthTable(sizes)}

${catalogSection(catalogs)}
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
