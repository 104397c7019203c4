import { StoreUnavailable } from 'account-service/table';
import { DatabaseError, Pool, type QueryResultRow } from 'pg';
import { SCHEMA } from './statements.ts';

/** Runs one statement and gives its rows. */
export type Run = <R extends QueryResultRow>(text: string, values?: unknown[]) => Promise<R[]>;

/** Milliseconds for a whole call, by the purpose of the table: its connection and the answers to all its statements. */
const CALL_MS = { serving: 8000, copying: 60_000 };

/** The pool and the server end a wait after half of a call's time, so that the error can still tell the reason. */
const limits = (callMs: number) => ({
  /** Connections of this process. */
  max: 10,
  keepAlive: true,
  /** Milliseconds to connect, and to wait for one of the connections. */
  connectionTimeoutMillis: callMs / 2,
  /** Milliseconds for a statement, and between two statements of a transaction, after which the server ends it. */
  statement_timeout: callMs / 2,
  idle_in_transaction_session_timeout: callMs,
});

/**
 * SQLSTATE of an outage: connection, credentials, no such database, resources, operator, system; a standby that takes
 * no writes, a transaction that stood still. Any other code is a bug, and is thrown as it is.
 */
const OUTAGE = /^(?:08|28|3D|53|57|58|25006|25P03)/;

/** The connections to a database. A call that gets no answer throws StoreUnavailable, whose one line says why. */
export class Database {
  readonly #name: string;
  readonly #callMs: number;
  readonly #pool: Pool;

  /** PGHOST, PGPORT, PGUSER, PGPASSWORD and PGSSLMODE say how to reach the database. */
  constructor(name: string, purpose: keyof typeof CALL_MS) {
    this.#name = name;
    this.#callMs = CALL_MS[purpose];
    this.#pool = new Pool({ database: name, ...limits(this.#callMs) });
    // The next call tells of a broken connection. An error event without a listener would end the process.
    this.#pool.on('error', () => {});
    this.#pool.on('connect', (client) => client.on('error', () => {}));
  }

  /** Runs one statement in a transaction of its own. */
  readonly run: Run = (text, values) => this.#call((run) => run(text, values));

  /** Runs statements in one transaction. Each sees what others committed before it, and an error undoes them all. */
  transaction<T>(work: (run: Run) => Promise<T>): Promise<T> {
    return this.#call(async (run) => {
      await run('BEGIN ISOLATION LEVEL READ COMMITTED');
      const result = await work(run);
      await run('COMMIT');
      return result;
    });
  }

  /** Makes the tables where they are missing. A role that may not make tables can use those that are there. */
  async ensureSchema(): Promise<void> {
    const [found] = await this.run("SELECT to_regclass('store_counters') AS counters");
    if (found?.['counters']) return;
    await this.transaction(async (run) => {
      // Processes that start at the same moment make the tables one after the other.
      await run("SELECT pg_advisory_xact_lock(hashtext('store schema'))");
      await run(SCHEMA);
    });
  }

  /** Ends the connections, after the calls under way. */
  async close(): Promise<void> {
    if (!this.#pool.ending) await this.#pool.end();
  }

  /** Runs statements on one connection. All of them, and the wait for the connection, share the time of one call. */
  async #call<T>(work: (run: Run) => Promise<T>): Promise<T> {
    const deadline = performance.now() + this.#callMs;
    const client = await this.#answer(this.#pool.connect());
    const run = async <R extends QueryResultRow>(text: string, values?: unknown[]): Promise<R[]> => {
      const statement = { text, values, query_timeout: Math.max(1, deadline - performance.now()) };
      return (await this.#answer(client.query<R>(statement))).rows;
    };
    try {
      const result = await work(run);
      client.release();
      return result;
    } catch (error) {
      // The server undoes the transaction of a connection that ends. An answer that comes late reaches nobody.
      client.release(true);
      throw error;
    }
  }

  async #answer<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      if (error instanceof DatabaseError && !OUTAGE.test(error.code ?? '')) throw error;
      // An error that is no answer of the server is one of the connection.
      const { message, code } = error as Error & { readonly code?: string };
      const reason = (message || code || "it can't be reached").split('\n')[0];
      throw new StoreUnavailable(`The database ${this.#name} is unavailable: ${reason}.`, { cause: error });
    }
  }
}
