import { join } from 'node:path';
import type { Bench } from './bench.ts';
import type { Bar, Part, Table } from './part.ts';
import { holds } from './show.ts';

export const PERFORMANCE_PAGE = join(import.meta.dirname, '..', '..', '..', 'docs', 'performance.md');

const RATIOS = 'Ratios';

const HEAD = `# Performance

The service beside the least that one could write with Express. \`npm run -s bench -- --write\` measures everything on this
page and writes it; \`--only\` measures parts, whose names \`--help\` lists. Each side of a comparison is a process of its
own, warmed until it is steady, and the two take turns. A ratio is the median of the ratios of the rounds, so that it may
differ a little from the quotient of the medians. CPU time is that of the whole process, all of its threads and the
kernel's work for it included. Figures hold for this machine; ratios carry over to others better.`;

const RATIOS_TEXT = 'The service against the baseline of each row. The sections below say how each is measured.';

const line = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;

/** A table whose first column is text and whose other columns are numbers. */
const tableText = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [line(head), line(head.map((_, n) => (n === 0 ? '---' : '--:'))), ...rows.map(line)].join('\n');

const barText = ({ bar, better }: Bar): string => `${better === 'lower' ? 'at most' : 'at least'} ${bar}`;

const number = (value: number | undefined): string =>
  value === undefined
    ? '–'
    : value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 2 : value < 100 ? 1 : 0 });

const cellText = (cell: string | number): string => (typeof cell === 'number' ? number(cell) : cell);

const measuredTable = ({ head, rows, chart }: Table): string =>
  [
    tableText(
      head,
      rows.map((row) => row.map(cellText)),
    ),
    ...(chart === undefined ? [] : [`\`\`\`text\n${chart}\n\`\`\``]),
  ].join('\n\n');

const sectionText = ({ title, text, figures, tables = [] }: Part, bench: Bench): string =>
  [
    `## ${title}`,
    text,
    ...(figures.length === 0
      ? []
      : [
          tableText(
            ['figure', 'value'],
            figures.map((name) => [name, number(bench.figures[name])]),
          ),
        ]),
    ...tables.flatMap((name) => [`### ${name}`, measuredTable(bench.tables[name] ?? { head: [''], rows: [] })]),
  ].join('\n\n');

const ratiosText = (parts: readonly Part[], { ratios }: Bench): string => {
  const measured = new Map(ratios.map((ratio) => [ratio.name, ratio]));
  const rows = parts.flatMap(({ ratios: bars }) =>
    Object.entries(bars).map(([name, bar]) => {
      const ratio = measured.get(name);
      return [name, ratio ? String(ratio.value) : '–', barText(bar), ratio ? (holds(ratio) ? 'yes' : '**no**') : '–'];
    }),
  );
  return [`## ${RATIOS}`, RATIOS_TEXT, tableText(['ratio', 'value', 'bar', 'holds'], rows)].join('\n\n');
};

const machineText = ({ machine }: Bench): string => `Measured ${Object.values(machine).join(', ')}.`;

/** The text of docs/performance.md. */
export const performancePage = (parts: readonly Part[], bench: Bench): string =>
  `${[HEAD, machineText(bench), ratiosText(parts, bench), ...parts.map((one) => sectionText(one, bench))].join('\n\n')}\n`;

/**
 * The names on a page: its headings, and under each the figures, or the ratios with their bars. The rows of a table under
 * a heading of its own are left out, because a measurement may name others.
 */
export const namesOn = (page: string): string[] => {
  const names: string[] = [];
  let heading = '';
  for (const text of page.split('\n')) {
    if (text.startsWith('#')) names.push((heading = text));
    const [name = '', , bar = ''] = text.startsWith('| ') ? text.slice(2, -2).split(' | ') : [];
    if (name !== '' && !heading.startsWith('###')) names.push(heading === `## ${RATIOS}` ? `${name}: ${bar}` : name);
  }
  return names;
};

const NOTHING: Bench = { machine: {}, figures: {}, ratios: [], tables: {} };

/** The page of the parts without any values, to compare a written page with. */
export const emptyPage = (parts: readonly Part[]): string => performancePage(parts, NOTHING);
