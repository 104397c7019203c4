import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of the package, from its sources as from what is built of them. */
export const packageRoot = (from: string = import.meta.dirname): string =>
  existsSync(join(from, 'package.json')) ? from : packageRoot(dirname(from));
