import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import { everyEngineSuite } from '../surface/every-suite.ts';
import { openExpressMount } from '../surface/express-mount.ts';
import { newDatabase } from './databases.ts';

describe('the service on Express, on PostgreSQL and files', () => {
  everyEngineSuite(async (settings) => {
    const DATA_DIR = await mkdtemp(join(tmpdir(), 'account-service-'));
    const mount = await openExpressMount({ STORE: 'postgres', DATABASE_URL: await newDatabase(), DATA_DIR }, settings);
    const close = async (): Promise<void> => {
      await mount.close();
      await rm(DATA_DIR, { recursive: true });
    };
    return { ...mount, close };
  });
});
