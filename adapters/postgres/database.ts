import { DatabaseError, Pool, type QueryResultRow } from 'pg';
import { StoreBusy, StoreUnavailable } from '../store/table.ts';
import { LOOK, SCHEMA } from './statements.ts';

/** Milliseconds for a whole call, by the purpose of the table: the wait for a connection, and for the answer on it. */
const CALL_MS = { serving: 8000, copying: 60_000 };

const OLDEST_VERSION = 13;

/** Connections of a process, unless `pool_max_conns` of the URL says otherwise. */
const CONNECTIONS = 10;

/** A connection is replaced after so many seconds, so none stays at a server that others have left. */
const CONNECTION_SECONDS = 600;

/** SQLSTATE of a call that did not happen because others hold what it needs: locks, connections. */
const BUSY = /^(?:40|55P03|53300)/;

/**
 * SQLSTATE of an outage: connection, credentials, no such database, resources, operator, system, damage, rights; a
 * standby that takes no writes, an isolation that the engine can't use. Any other code is a bug, and is thrown as it is.
 */
const OUTAGE = /^(?:08|28|3D|53|57|58|XX00[12]|25006|25001|42501)/;

/** The connections to a database. A call that gets no answer throws StoreUnavailable, whose one line says why. */
export class Database {
  /** Server and database, without user and password. */
  readonly name: string;
  readonly #callMs: number;
  #pool: Pool;

  private constructor(url: string, callMs: number) {
    this.name = url.replace(/\?.*/s, '').replace(/^.*?:\/\/(?:.*@)?/s, '');
    this.#callMs = callMs;
    // The pool and the server end a wait after half of a call's time, so that the error can still tell the reason.
    this.#pool = this.#newPool(url, { statement_timeout: callMs / 2 });
  }

  /** Connects, and makes the tables where they are missing. */
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

  /** Runs one statement, which is its own transaction. */
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
        // An answer that comes late reaches nobody, and another server may take the next call.
        client.release(true);
        throw error;
      }
    } catch (error) {
      throw this.#fault(error as Error);
    }
  }

  /** Ends the connections, after the calls under way. */
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
    // The next call tells of a broken connection. An error event without a listener would end the process.
    pool.on('error', () => {});
    pool.on('connect', (client) => client.on('error', () => {}));
    return pool;
  }

  async #prepare(url: string): Promise<void> {
    const look = () => this.run<{ is_made: boolean; encoding: string; version: number }>(LOOK);
    const [found] = await look().catch(async (error: Error) => {
      // PgBouncer takes no time limit from a client.
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
    // An error that is no answer of the server is one of the connection.
    const isOutage = !(error instanceof DatabaseError) || OUTAGE.test(code);
    return isOutage ? new StoreUnavailable(told, { cause: error }) : error;
  }
}
