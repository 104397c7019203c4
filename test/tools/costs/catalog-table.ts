import { type CatalogGrowth, STATES } from './catalog-growth.ts';

const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
const count = (n: number): string => n.toLocaleString('en');

/** The costs of each request in each state, by the number of products. */
const costTable = (shops: readonly CatalogGrowth[]): string => {
  const ids = [...new Set(shops[0]?.costs.map(({ id }) => id))];
  const cell = ({ costs }: CatalogGrowth, id: string, state: string): string => {
    const cost = costs.find((one) => one.id === id && one.state === state);
    return cost ? `${cost.rounds} / ${cost.calls} / ${cost.readUnits} / ${cost.writeUnits}` : '–';
  };
  return [
    row(['request', 'the process', ...shops.map(({ products }) => `${count(products)} products`)]),
    `|---|---|${'--:|'.repeat(shops.length)}`,
    ...ids.flatMap((id) => STATES.map((state) => row([id, state, ...shops.map((shop) => cell(shop, id, state))]))),
  ].join('\n');
};

const memoryTable = (shops: readonly CatalogGrowth[]): string =>
  [
    row(['products', 'MB of heap for the catalog', 'for the public releases', 'ms to read both', 'filled in']),
    '|--:|--:|--:|--:|--:|',
    ...shops.map(({ products, catalogMb, supplyMb, startMs, seconds }) =>
      row([count(products), catalogMb, supplyMb, startMs, `${seconds} s`]),
    ),
  ].join('\n');

/** The section of docs/costs.md about shops of many products. */
export const catalogSection = (shops: readonly CatalogGrowth[]): string => `## As the catalog grows

The cells are round trips / calls / read units / write units of three requests, by the number of products beside those
of the tests. A product has 3 KB of JSON and three releases. \`npm run -s growth -- --products N\` measures one size on a
fresh table and writes its column here. \`npm run test:aws\` measures the first two sizes.

${costTable(shops)}

A \`warm\` process has a copy that is young enough. With \`a copy to look after\`, the process reads the edition of the
catalog and that of the releases beside the request; after \`a product changed\`, it also reads that product. A process
that has \`just started\` reads the snapshots ([ADR 45](adr/0045-editions-and-snapshots.md)).

A process holds the catalog in memory, and the public releases once it was asked for the downloads:

${memoryTable(shops)}
`;
