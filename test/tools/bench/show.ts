import type { Bench, Ratio } from './bench.ts';

const line = (left: string, right: string): string => `${left.padEnd(88)} ${right}\n`;

export const holds = ({ value, bar, better }: Ratio): boolean => (better === 'lower' ? value <= bar : value >= bar);

const columns = (rows: readonly (readonly (string | number)[])[]): string =>
  rows
    .map(([first = '', ...more]) => String(first).padEnd(48) + more.map((c) => String(c).padStart(14)).join(''))
    .join('\n');

/** Formats the figures, tables and ratios for a terminal. */
export const showTable = ({ machine, figures, ratios, tables }: Bench): string => {
  const about = Object.values(machine).join(', ');
  const rows = Object.entries(figures).map(([name, value]) => line(name, String(value)));
  const more = Object.entries(tables).map(
    ([name, { head, rows: cells, chart }]) =>
      `${name}\n${columns([head, ...cells])}\n${chart === undefined ? '' : `\n${chart}\n`}\n`,
  );
  const held = ratios.map((ratio) => {
    const { name, value, bar, better } = ratio;
    return line(
      name,
      `${value}  (${better === 'lower' ? 'at most' : 'at least'} ${bar}: ${holds(ratio) ? 'holds' : 'MISSED'})`,
    );
  });
  return `${about}\n\n${rows.join('')}\n${more.join('')}${held.join('')}`;
};
