import type { Constant } from './constant.ts';

/** A row of docs/limits.md. */
export type Row = {
  /** The things that are bounded, such as "live keys". */
  readonly what: string;
  readonly bound: Constant | readonly Constant[];
  /** How the bound is written; a plain number if left out. With several constants, it gets all of them. */
  readonly as?: (...values: number[]) => string;
  /** The counted subject, such as "account". */
  readonly per: string;
  /** The answer to a client that goes beyond the bound. */
  readonly seen: string;
  /** The time after which the bound is free again, or the thing is forgotten. */
  readonly lifetime: string;
  /** The environment variable that changes the bound. */
  readonly setting?: string;
};

export type Section = { readonly title: string; readonly text?: string; readonly rows: readonly Row[] };

const KIB = 1024;

/** Bytes in the largest unit that leaves a whole number. */
export const bytes = (value: number): string => {
  const units = ['bytes', 'KiB', 'MiB', 'GiB'];
  let [left, unit] = [value, 0];
  while (left % KIB === 0 && unit < units.length - 1) [left, unit] = [left / KIB, unit + 1];
  return `${left.toLocaleString('en')} ${units[unit]}`;
};

export const plain = (value: number): string => value.toLocaleString('en');

export const seconds = (ms: number): string => `${plain(ms / 1000)} seconds`;

export const minutes = (ms: number): string => `${plain(ms / 60_000)} minutes`;

export const characters = (length: number): string => `${plain(length)} characters`;

export const days = (value: number): string => `${plain(value)} days`;
