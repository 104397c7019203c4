import type { Bench, Ratio } from '../bench/bench.ts';
import { holds } from '../bench/show.ts';
import { CONTAINER_CPU_MS, loadOf } from '../costs/dollars.ts';

/** The results of the three tools, as their `--json` prints them. */
export type Results = {
  readonly bench: Bench;
  readonly attacks: { readonly rows: readonly Attack[] };
  readonly costs: { readonly costs: readonly Cost[] };
};

type Attack = {
  readonly attack: string;
  readonly engine: string;
  readonly healthMedianMs: number;
  readonly healthP99Ms: number;
  readonly rssBeforeMib: number;
  readonly rssPeakMib: number;
};

type Units = { readonly rounds: number; readonly readUnits: number; readonly writeUnits: number };
type Cost = Units & { readonly request: string; readonly dollars: number };

/** The rows of both shapes of AWS, for a license check that costs so much of the table. */
export const shapeRows = (check: Units): string[][] =>
  [100, 1000, 10_000].map((perSecond) => {
    const { functions, container, tasks } = loadOf(perSecond, check);
    return [perSecond.toLocaleString('en'), functions.toFixed(2), container.toFixed(2), String(tasks)];
  });

/** The requests whose cost the page shows; `npm run -s costs` prints all. */
const MAIN_REQUESTS = [
  'checkLicense',
  'getLibrary',
  'getDeviceEntitlements',
  'planInstall',
  'getUpdate',
  'downloadBundle',
  'getAppcast',
  'getClientConfig',
  'uploadUsage',
  'recordInstall',
  'reportError',
  'bulkActivate',
  'listOrders',
  'listScreens',
];

export const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;

const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [row(head), row(head.map((_, n) => (n === 0 ? '---' : '--:'))), ...rows.map(row)].join('\n');

const ratioRow = (ratio: Ratio) => [
  ratio.name,
  ratio.value,
  `${ratio.better === 'lower' ? 'at most' : 'at least'} ${ratio.bar}`,
  holds(ratio) ? 'yes' : '**no**',
];

/** The text of docs/figures.md. */
export const figuresPage = ({ bench, attacks, costs }: Results): string => `# Figures

\`npm run -s figures\` measures everything on this page and writes it. It takes about half an hour and needs a quiet
machine and Java 17. \`npm run -s bench\`, \`npm run -s attacks\` and \`npm run -s costs\` print all figures of one kind;
\`--json\` prints them as JSON, and \`npm run -s bench -- --help\` lists the parts that \`--only\` takes.

Measured ${Object.values(bench.machine).join(', ')}.

## Speed

Each ratio compares the service with the least that one could write with Express, in processes of their own that take
turns within one run. Ratios carry over to other machines better than microseconds.

${table(['ratio', 'value', 'bar', 'holds'], bench.ratios.map(ratioRow))}

${Object.entries(bench.tables)
  .map(([name, { head, rows }]) => `### ${name}\n\n${table(head, rows)}`)
  .join('\n\n')}

## Under attack

One attacker on another address. \`/healthz\` is asked from a further one; the bars are 250 ms at the median and 150 MiB
of added memory.

${table(
  ['attack', 'engine', '/healthz median ms', 'p99 ms', 'memory added MiB'],
  attacks.rows.map((one) => [
    one.attack,
    one.engine,
    one.healthMedianMs,
    one.healthP99Ms,
    one.rssPeakMib - one.rssBeforeMib,
  ]),
)}

## Cost on AWS

Units of DynamoDB for one request, and dollars for a million: DynamoDB on demand, Lambda on Arm and a REST API, list
prices of us-east-1 in November 2026. Logs and transfer add about 0.7 dollars.

${table(
  ['request', 'round trips', 'read units', 'write units', 'dollars'],
  MAIN_REQUESTS.flatMap((name) => costs.costs.filter(({ request }) => request === name)).map((cost) => [
    cost.request,
    cost.rounds,
    cost.readUnits,
    cost.writeUnits,
    cost.dollars,
  ]),
)}

### the two shapes, all in

Dollars for a million license checks at a steady load, with logs, transfer, load balancer and public addresses. A check
takes ${CONTAINER_CPU_MS} ms of CPU in the container, with the table on DynamoDB Local, and a connection of its own.

${table(
  ['checks a second', 'functions by REST', 'container', 'tasks of 1 vCPU'],
  costs.costs.filter(({ request }) => request === 'checkLicense').flatMap(shapeRows),
)}
`;
