import type { Bench } from './bench.ts';

const line = (left: string, right: string): string => `${left.padEnd(84)} ${right}\n`;

/** Formats the figures and ratios for a terminal. */
export const showTable = ({ machine, figures, ratios }: Bench): string => {
  const about = Object.values(machine).join(', ');
  const rows = Object.entries(figures).map(([name, value]) => line(name, String(value)));
  const held = ratios.map(({ name, value, bar, better }) => {
    const holds = better === 'lower' ? value <= bar : value >= bar;
    return line(
      name,
      `${value}  (${better === 'lower' ? 'at most' : 'at least'} ${bar}: ${holds ? 'holds' : 'MISSED'})`,
    );
  });
  return `${about}\n\n${rows.join('')}\n${held.join('')}`;
};
