import type { Reading } from '../bench/child.ts';

/** Accounts of attackers and of others on the attacked server. */
export const ATTACKERS = 10;
export const OTHERS = 6;

/** The first of the products that every account owns, and their number. */
export const PRODUCT = 9001;
export const PRODUCTS = 50;

/** Bytes of the file that readers download. */
export const FILE_BYTES = 8 * 1024 * 1024;

/** A server to attack, with keys of one account each, and the signed path of a file. */
export type Target = {
  readonly port: number;
  readonly attackers: readonly string[];
  readonly others: readonly string[];
  readonly file: string;
};

/** A reading with the connections that the server has open. */
export type SocketReading = Pick<Reading, 'cpuMicros' | 'rssBytes'> & { readonly sockets: number };
