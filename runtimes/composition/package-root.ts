import { existsSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';

/**
 * The folder of the package: `from` or its nearest parent with a package.json. It is the same for the sources and the
 * built files.
 */
export const packageRoot = (from: string = import.meta.dirname): string =>
  existsSync(join(from, 'package.json')) ? from : packageRoot(dirname(from));

/** True for a package that was installed, into a project or for a whole machine; false for a checkout. */
export const isInstalled = (root: string = packageRoot()): boolean => root.split(sep).includes('node_modules');
