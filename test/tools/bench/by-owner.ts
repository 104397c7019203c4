import type { ByOwner } from './inspection.ts';
import type { Table } from './part.ts';

/** Sums by owner, under the name of what was profiled. */
export type Columns = Readonly<Record<string, ByOwner>>;

const tenths = (value: number): number => Math.round(value * 10) / 10;

const sumOf = (sums: readonly number[]): number => sums.reduce((all, one) => all + one, 0);

/** A table of sums by owner, the largest first. Owners below `least` in every column are one row. */
export const tableByOwner = (columns: Columns, least: number): Table => {
  const all = Object.values(columns);
  const owners = [...new Set(all.flatMap((column) => Object.keys(column)))];
  const highest = (owner: string): number => Math.max(...all.map((column) => column[owner] ?? 0));
  const { shown = [], small = [] } = Object.groupBy(owners, (owner) => (highest(owner) < least ? 'small' : 'shown'));
  const cell = (value: number): number => (least < 1 ? tenths(value) : Math.round(value));
  const rows = shown
    .toSorted((a, b) => highest(b) - highest(a))
    .map((owner) => [owner, ...all.map((column) => cell(column[owner] ?? 0))]);
  const rest = all.map((column) => cell(sumOf(small.map((owner) => column[owner] ?? 0))));
  return {
    head: ['owner', ...Object.keys(columns)],
    rows: [...rows, ['all others', ...rest], ['together', ...all.map((column) => cell(sumOf(Object.values(column))))]],
  };
};

/** Kinds of owners and the characters that draw them. */
const KINDS = [
  {
    mark: '█',
    title: 'our sources',
    of: (owner: string) => /^(adapters|application|domain|ports|runtimes)\b/.test(owner),
  },
  { mark: '▓', title: 'packages', of: (owner: string) => owner.startsWith('package ') },
  { mark: '▒', title: 'Node’s modules', of: (owner: string) => owner.startsWith('node:') },
  { mark: '░', title: 'garbage collection, kernel, compiler, the benchmark itself', of: () => true },
] as const;

const WIDTH = 60;

/** One bar for each column, drawn to the same scale, with a legend. */
export const chartByOwner = (columns: Columns, unit: string): string => {
  const sums = Object.entries(columns).map(([name, column]) => {
    const byKind = Object.entries(column).map(([owner, sum]) => ({ kind: KINDS.find(({ of }) => of(owner)), sum }));
    return {
      name,
      kinds: KINDS.map((kind) => ({ ...kind, sum: sumOf(byKind.filter((o) => o.kind === kind).map((o) => o.sum)) })),
    };
  });
  const most = Math.max(...sums.map(({ kinds }) => sumOf(kinds.map(({ sum }) => sum))));
  const bars = sums.map(({ name, kinds }) => {
    const bar = kinds.map(({ mark, sum }) => mark.repeat(Math.round((sum / most) * WIDTH))).join('');
    return `${name.padEnd(16)}${String(Math.round(tenths(sumOf(kinds.map(({ sum }) => sum))))).padStart(5)} ${unit}  ${bar}`;
  });
  return [...bars, '', ...KINDS.map(({ mark, title }) => `${mark} ${title}`)].join('\n');
};
