import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import { everySuite } from './every-suite.ts';
import { openExpressMount } from './express-mount.ts';
import type { OpenMount } from './mount.ts';

/** Opens the service on the engines of `npm start`: SQLite and files, in a folder that is removed with the mount. */
const openEmbedded: OpenMount = async (settings) => {
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'account-service-'));
  const mount = await openExpressMount({ DATA_DIR }, settings);
  const close = async (): Promise<void> => {
    await mount.close();
    await rm(DATA_DIR, { recursive: true });
  };
  return { ...mount, close };
};

describe('the service on Express, on SQLite and files', () => {
  everySuite(openEmbedded);
});
