import { type ChildProcess, execFile, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Debian installs a server's programs outside PATH, in a folder for each version. */
const FOLDERS = [
  ...(process.env['PATH'] ?? '').split(delimiter),
  ...globSync('/usr/lib/postgresql/*/bin').sort((a, b) => b.localeCompare(a, 'en', { numeric: true })),
];

const PROGRAMS = ['initdb', 'postgres', 'createdb'];

/** PostgreSQL refuses to run as root, so root runs it as nobody. */
const NOBODY = 65_534;
const identity = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

/** The paths of sockets must be short, so the folder is directly in /tmp. */
const newFolder = (): string => {
  const folder = mkdtempSync('/tmp/postgres-');
  if (identity.uid !== undefined) chownSync(folder, identity.uid, identity.gid);
  return folder;
};

/** No test survives a power failure, so nothing waits for the disk. */
const SETTINGS = ['listen_addresses=', 'fsync=off', 'full_page_writes=off', 'max_connections=500'];

/** A PostgreSQL server in its own folder, with the user `store`. */
export type PostgresServer = {
  /** The variables with which a client reaches the server, over a socket in its folder. */
  readonly env: Readonly<Record<'PGHOST' | 'PGPORT' | 'PGUSER', string>>;
  /** The URL of a database. */
  readonly url: (database: string) => string;
  /** The path of the socket. */
  readonly socket: string;
  /** Creates an empty database. */
  readonly createDatabase: (name: string) => Promise<void>;
  /** Kills the server like a crash, and keeps its data. */
  readonly crash: () => Promise<void>;
  /** Starts the server again, after `crash`. */
  readonly restart: () => Promise<void>;
  /** Ends the server and removes its folder. */
  readonly stop: () => Promise<void>;
};

/** Starts a server with an empty cluster. If it does not start, throws with the last line that it prints. */
export const startPostgres = async (): Promise<PostgresServer> => {
  const bin = FOLDERS.find((folder) => PROGRAMS.every((program) => existsSync(join(folder, program))));
  if (bin === undefined) throw new Error('PostgreSQL is not installed: install the package postgresql.');
  const folder = newFolder();
  const data = join(folder, 'data');
  const options: SpawnOptions = { cwd: folder, env: { ...process.env, LC_ALL: 'C' }, ...identity };
  const initialize = ['-D', data, '--username=store', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'];
  await run(join(bin, 'initdb'), initialize, options as object);

  let server: ChildProcess | undefined;
  const launch = async (): Promise<void> => {
    const args = ['-D', data, '-k', folder, ...SETTINGS.flatMap((setting) => ['-c', setting])];
    const child = spawn(join(bin, 'postgres'), args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
    server = child;
    let last = '';
    for await (const line of createInterface({ input: child.stderr as NodeJS.ReadableStream })) {
      last = line;
      if (line.includes('ready to accept connections')) {
        child.stderr?.resume();
        return;
      }
    }
    throw new Error(`PostgreSQL did not start: ${last}`);
  };
  const end = async (): Promise<void> => {
    const child = server;
    server = undefined;
    if (!child || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGQUIT');
    await ended;
  };
  const atExit = (): void => void server?.kill('SIGQUIT');
  process.once('exit', atExit);
  await launch();

  const env = { PGHOST: folder, PGPORT: '5432', PGUSER: 'store' };
  return {
    env,
    url: (database) => `postgres://store@localhost/${database}?host=${folder}`,
    socket: join(folder, '.s.PGSQL.5432'),
    createDatabase: async (name) => {
      await run(join(bin, 'createdb'), [name], { env: { ...process.env, ...env } });
    },
    crash: end,
    restart: launch,
    stop: async () => {
      await end();
      process.off('exit', atExit);
      rmSync(folder, { recursive: true });
    },
  };
};
