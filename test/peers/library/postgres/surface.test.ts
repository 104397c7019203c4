import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { everySuite } from '../../../surface/every-suite.ts';
import type { OpenMount } from '../../../surface/mount.ts';
import { openStartMount } from '../../../surface/start-mount.ts';
import { postgres } from './example.ts';
import { type PostgresServer, startPostgres } from './server.ts';

let server: PostgresServer;

beforeAll(async () => {
  server = await startPostgres();
  Object.assign(process.env, server.env);
});
afterAll(() => server.stop());

/** Starts the server on an empty database, and on files in a folder that is removed with the mount. */
const openOnPostgres: OpenMount = async (settings) => {
  const PGDATABASE = `store-${randomUUID()}`;
  await server.createDatabase(PGDATABASE);
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'account-service-'));
  const env = { STORE: 'postgres', PGDATABASE, DATA_DIR };
  const mount = await openStartMount(env, settings, { engines: { tables: { postgres } } });
  const close = async (): Promise<void> => {
    await mount.close();
    await rm(DATA_DIR, { recursive: true });
  };
  return { ...mount, close };
};

describe('the server that start runs, on PostgreSQL and files', () => {
  everySuite(openOnPostgres);
});
