import type { TestProject } from 'vitest/node';
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The variables with which clients reach the shared server. */
    postgres: Readonly<Record<'PGHOST' | 'PGPORT' | 'PGUSER', string>>;
  }
}

let server: PostgresServer;

/** Starts one server for all files of the suite. */
export const setup = async (project: TestProject): Promise<void> => {
  server = await startPostgres();
  project.provide('postgres', server.env);
};

export const teardown = (): Promise<void> => server.stop();
