import { existsSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';

const LEAST_NODE = 24;

/** The sentence for a Node that is too old for the service; null if it is new enough. */
export const olderNode = (): string | null => {
  const { node } = process.versions;
  const isOlder = Number.parseInt(node, 10) < LEAST_NODE;
  return isOlder ? `account-service needs Node ${LEAST_NODE} or newer, and this is Node ${node}.` : null;
};

/**
 * The folder of the package: `from` or its nearest parent with a package.json. It is the same for the sources and the
 * built files.
 */
export const packageRoot = (from: string = import.meta.dirname): string =>
  existsSync(join(from, 'package.json')) ? from : packageRoot(dirname(from));

/** True for an installed package, in a project or globally; false for a checkout. */
export const isInstalled = (root: string = packageRoot()): boolean => root.split(sep).includes('node_modules');

/** The message of an error, without its stack, for a person at a terminal. */
export const oneLine = (error: unknown): string => (error instanceof Error ? error.message : String(error));
