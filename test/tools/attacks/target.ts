import type { Reading } from '../bench/child.ts';

/** Accounts of attackers and of others on the attacked server. */
export const ATTACKERS = 10;
export const OTHERS = 6;

/** The first of the products that every account owns, and their number. */
export const PRODUCT = 9001;
export const PRODUCTS = 50;

/** The size of the file that readers download, in bytes. */
export const FILE_BYTES = 8 * 1024 * 1024;

/**
 * The number of tickets of the account that writes as much as a day allows, of replies to each, and of characters per
 * text.
 */
export const TICKETS = 50;
export const REPLIES = 19;
export const TEXT = 4000;

/** A server to attack, with keys of one account each, and the signed path of a file. */
export type Target = {
  readonly port: number;
  readonly attackers: readonly string[];
  readonly others: readonly string[];
  readonly file: string;
  /** The port of the account host, and the cookie of the account that has written all these tickets. */
  readonly pages: { readonly port: number; readonly cookie: string };
};

/** A reading that includes the server's open connections. */
export type SocketReading = Pick<Reading, 'cpuMicros' | 'rssBytes'> & { readonly sockets: number };
