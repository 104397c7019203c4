import type { Bench, Ratio } from '../bench/bench.ts';
import { holds } from '../bench/show.ts';
import { CONTAINER_CPU_MS, loadOf } from '../costs/dollars.ts';

/** The results of the three tools, from their `--json` output. */
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

/** The rows of both AWS shapes, for a license check with this cost on the table. */
export const shapeRows = (check: Units): string[][] =>
  [100, 1000, 10_000].map((perSecond) => {
    const { functions, container, tasks } = loadOf(perSecond, check);
    return [perSecond.toLocaleString('en'), functions.toFixed(2), container.toFixed(2), String(tasks)];
  });

/** The requests whose cost is on the page; `npm run -s costs` prints all. */
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

const cellOf = (ratio: Ratio): string => (holds(ratio) ? String(ratio.value) : `**${ratio.value}**`);
const barOf = ({ better, bar }: Ratio): string => `${better === 'lower' ? 'at most' : 'at least'} ${bar}`;

/**
 * The list of processors with the date and the conditions of each measurement, and the table with a column for each.
 */
const MEASURED = /(?:^- .+: \d{4}-\d{2}-\d{2}, .*\n)+/m;
const RATIOS = /^\| ratio \|.*\n(?:\|.*\n)+/m;

const found = (page: string, part: RegExp): string[] => part.exec(page)?.[0].trimEnd().split('\n') ?? [];

/** The page's list, including the processor of this measurement. */
const measuredLines = (page: string, { processor, ...how }: Bench['machine']): string =>
  [
    ...found(page, MEASURED).filter((line) => !line.startsWith(`- ${processor}: `)),
    `- ${processor}: ${Object.values(how).join(', ')}`,
  ].join('\n');

/**
 * The page's table with the ratios of this measurement's processor; ratios that were not measured keep their values.
 */
const ratioTable = (page: string, { machine: { processor }, ratios }: Bench, names?: readonly string[]): string => {
  const cells = found(page, RATIOS).map((line) => line.split(' | ').map((cell) => cell.replaceAll(/^\| | \|$/g, '')));
  const [[, , ...earlier] = [], , ...rows] = cells;
  const processors = [...new Set([...earlier, processor])];
  const before = new Map(rows.map(([name = '', ...more]) => [name, more]));
  const lines = [...(names ?? new Set([...before.keys(), ...ratios.map(({ name }) => name)]))].map((name) => {
    const ratio = ratios.find((one) => one.name === name);
    const [bar = '', ...old] = before.get(name) ?? [];
    const values = processors.map((one, n) => (ratio && one === processor ? cellOf(ratio) : (old[n] ?? '–')));
    return [name, ratio ? barOf(ratio) : bar, ...values];
  });
  return table(['ratio', 'limit', ...processors], lines);
};

/** A page with the column of a processor on which some parts of the benchmark were measured. */
export const withColumn = (page: string, bench: Bench): string =>
  page
    .replace(MEASURED, () => `${measuredLines(page, bench.machine)}\n`)
    .replace(RATIOS, () => `${ratioTable(page, bench)}\n`);

/** The text of docs/figures.md. It keeps the columns of other processors on the page. */
export const figuresPage = ({ bench, attacks, costs }: Results, before: string): string => `# Figures

\`npm run -s figures\` measures everything on this page and writes it. That takes about half an hour and needs a quiet
machine and Java 17. \`npm run -s bench\`, \`npm run -s attacks\` and \`npm run -s costs\` print all figures of one kind;
\`--json\` prints them as JSON, and \`npm run -s bench -- --help\` lists the parts that \`--only\` takes.

Measured on:

${measuredLines(before, bench.machine)}

The ratios have a column for each processor. All other tables are from ${bench.machine.processor}, ${bench.machine.date}.
\`npm run -s figures -- --only requests,sqlite\` measures these parts of the benchmark, and writes only their ratios.

## Speed

Each ratio compares the service with a minimal Express server. Both run in their own processes and take turns within a
run, once the figures are stable. Ratios differ between processors, and with the cost of a write and of waking a client
in the machine's kernel. A value in bold misses its limit.

${ratioTable(
  before,
  bench,
  bench.ratios.map(({ name }) => name),
)}

${Object.entries(bench.tables)
  .map(([name, { head, rows }]) => `### ${name}\n\n${table(head, rows)}`)
  .join('\n\n')}

## Under attack

One attacker, at its own IP address. \`/healthz\` is requested from another address. The limits are a median of
250 ms and 150 MiB of added memory.

${table(
  ['attack', 'engine', '/healthz median ms', 'p99 ms', 'added memory in MiB'],
  attacks.rows.map((one) => [
    one.attack,
    one.engine,
    one.healthMedianMs,
    one.healthP99Ms,
    one.rssPeakMib - one.rssBeforeMib,
  ]),
)}

## Cost on AWS

DynamoDB units per request, and dollars per million requests with DynamoDB on demand, Lambda on Arm and a REST API, at
list prices of us-east-1 in November 2026. Logs and transfer add about 0.7 dollars.

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

### Total cost of the two deployments

Dollars per million license checks at a steady load, including logs, transfer, load balancer and public addresses. A
check takes ${CONTAINER_CPU_MS} ms of CPU in the container, measured with DynamoDB Local and a connection for each check.

${table(
  ['checks per second', 'functions with a REST API', 'container', 'tasks of 1 vCPU'],
  costs.costs.filter(({ request }) => request === 'checkLicense').flatMap(shapeRows),
)}
`;
