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

/** True for a package that was installed, into a project or for a whole machine; false for a checkout. */
export const isInstalled = (root: string = packageRoot()): boolean => root.split(sep).includes('node_modules');

const isMissing = (error: unknown, packages: readonly string[]): boolean => {
  const { code, message = '' } = error as NodeJS.ErrnoException;
  if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') return false;
  return packages.some((name) => message.includes(`'${name}'`) || message.includes(`'${name}/`));
};

/**
 * Loads code that needs packages which not every installation has. Where one is missing, it throws one sentence with the
 * command that installs them.
 */
export const needing = async <T>(what: string, packages: readonly string[], load: () => T | Promise<T>): Promise<T> => {
  try {
    return await load();
  } catch (error) {
    if (!isMissing(error, packages)) throw error;
    throw new Error(`${what} needs packages that are not installed: npm install ${packages.join(' ')}`, {
      cause: error,
    });
  }
};

/** The message of an error, without its stack, for a person at a terminal. */
export const oneLine = (error: unknown): string => (error instanceof Error ? error.message : String(error));
