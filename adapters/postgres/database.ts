import { DatabaseError, Pool, type QueryResultRow } from 'pg';
import { StoreBusy, StoreUnavailable } from '../store/table.ts';
import { LOOK, SCHEMA } from './statements.ts';

/** The time limit of a call in milliseconds, by the purpose of the table. It includes the wait for a connection. */
const CALL_MS = { serving: 8000, copying: 60_000 };

const OLDEST_VERSION = 13;

/** The connections of a process, unless `pool_max_conns` in the URL sets another number. */
const CONNECTIONS = 10;

/** A connection is replaced after this many seconds, so that none stays with an old server after a failover. */
const CONNECTION_SECONDS = 600;

/** SQLSTATE of a call that did not happen because others hold its locks or all connections. */
const BUSY = /^(?:40|55P03|53300)/;

/**
 * SQLSTATE of an outage: connection, credentials, missing database, resources, operator intervention, system error,
 * damaged data, permissions, a read-only standby, an unsupported isolation level. Any other code is a bug, and is
 * thrown unchanged.
 */
const OUTAGE = /^(?:08|28|3D|53|57|58|XX00[12]|25006|25001|42501)/;

/**
 * The connections to a database. A call without a response throws StoreUnavailable, whose one-line message says why.
 */
export class Database {
  /** Server and database, without user and password. */
  readonly name: string;
  readonly #callMs: number;
  #pool: Pool;

  private constructor(url: string, callMs: number) {
    this.name = url.replace(/\?.*/s, '').replace(/^.*?:\/\/(?:.*@)?/s, '');
    this.#callMs = callMs;
    // The pool and the server stop waiting after half of a call's time, so that their error can still give the reason.
    this.#pool = this.#newPool(url, { statement_timeout: callMs / 2 });
  }

  /** Connects, and creates missing tables. */
  static async open(url: string, purpose: keyof typeof CALL_MS): Promise<Database> {
    const database = new Database(url, CALL_MS[purpose]);
    try {
      await database.#prepare(url);
      return database;
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  /** Runs one statement in its own transaction. */
  async run<R extends QueryResultRow>(text: string, values?: unknown[]): Promise<R[]> {
    const deadline = performance.now() + this.#callMs;
    try {
      const client = await this.#pool.connect();
      try {
        const statement = { text, ...(values && { values }), query_timeout: Math.max(1, deadline - performance.now()) };
        const { rows } = await client.query<R>(statement);
        client.release();
        return rows;
      } catch (error) {
        // A late response reaches nobody, and another server may take the next call.
        client.release(true);
        throw error;
      }
    } catch (error) {
      throw this.#fault(error as Error);
    }
  }

  /** Closes the connections once the calls in progress have ended. */
  async close(): Promise<void> {
    if (!this.#pool.ending) await this.#pool.end();
  }

  #newPool(connectionString: string, limits: { readonly statement_timeout?: number }): Pool {
    const max = Number(/[?&]pool_max_conns=(\d+)/.exec(connectionString)?.[1] ?? CONNECTIONS);
    const waits = {
      connectionTimeoutMillis: this.#callMs / 2,
      maxLifetimeSeconds: CONNECTION_SECONDS,
      keepAlive: true,
    };
    const pool = new Pool({ connectionString, max, ...waits, ...limits });
    // The next call reports a broken connection. An error event without a listener would end the process.
    pool.on('error', () => {});
    pool.on('connect', (client) => client.on('error', () => {}));
    return pool;
  }

  async #prepare(url: string): Promise<void> {
    const look = () => this.run<{ is_made: boolean; encoding: string; version: number }>(LOOK);
    const [found] = await look().catch(async (error: Error) => {
      // PgBouncer accepts no time limit from a client.
      if (!error.message.includes('unsupported startup parameter')) throw error;
      await this.close();
      this.#pool = this.#newPool(url, {});
      return look();
    });
    if (!found) return;
    const { encoding, version } = found;
    if (version < OLDEST_VERSION)
      throw new Error(`The server of ${this.name} is PostgreSQL ${version}; the store needs ${OLDEST_VERSION}.`);
    if (encoding !== 'UTF8')
      throw new Error(
        `The database ${this.name} has the encoding ${encoding}; make another: createdb --encoding=UTF8 --template=template0 NAME`,
      );
    if (!found.is_made) await this.run(SCHEMA);
  }

  #fault(error: Error & { readonly code?: string }): Error {
    const { message, code = '' } = error;
    const told = `The database ${this.name} is unavailable: ${(message || code || "it can't be reached").split('\n')[0]}.`;
    if (error instanceof DatabaseError && BUSY.test(code)) return new StoreBusy(told, { cause: error });
    // An error that did not come from the server is a connection error.
    const isOutage = !(error instanceof DatabaseError) || OUTAGE.test(code);
    return isOutage ? new StoreUnavailable(told, { cause: error }) : error;
  }
}
