import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { FREE_PORTS } from '../support/free-ports.ts';

/** A server process on a data folder, as `npm start` runs it. */
export type ServerProcess = {
  readonly url: string;
  /** The address of the design host. */
  readonly design: string;
  /** The address of the app host. */
  readonly app: string;
  /** The address of the account host. */
  readonly account: string;
  readonly child: ChildProcess;
};

const ENVIRONMENT = {
  ...FREE_PORTS,
  RATE_LIMIT_PER_MINUTE: '1000000',
  RATE_LIMIT_AGENT_PER_MINUTE: '1000000',
  RATE_LIMIT_ANONYMOUS_PER_MINUTE: '1000000',
  LOG_LEVEL: 'error',
};

/** The program of `npm start`. */
const MAIN = 'runtimes/express/main.ts';

/** Starts a server process without waiting until it is up. */
export const spawnServer = (
  dataDir: string,
  env: Record<string, string> = {},
  errors: 'inherit' | 'pipe' = 'inherit',
  program = MAIN,
): ChildProcess =>
  spawn(process.execPath, [program], {
    env: { ...process.env, ...ENVIRONMENT, DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', errors],
  });

/** Starts a server process, and waits until it has printed its addresses. */
export const startServer = async (
  dataDir: string,
  env: Record<string, string> = {},
  program = MAIN,
): Promise<ServerProcess> => {
  const child = spawnServer(dataDir, env, 'inherit', program);
  let said = '';
  for await (const part of child.stdout ?? []) {
    said += String(part);
    const url = /Account API\s+(\S+)/.exec(said)?.[1];
    const design = /Design host\s+(\S+)/.exec(said)?.[1];
    const app = /App host\s+(\S+)/.exec(said)?.[1];
    const account = /Sign-in\s+(\S+)/.exec(said)?.[1];
    if (url && design && app && account) return { url, design, app, account, child };
  }
  throw new Error(`The server ended before it was up: ${said}`);
};

export const killServer = async (
  { child }: Pick<ServerProcess, 'child'>,
  signal: 'SIGKILL' | 'SIGTERM' | 'SIGINT',
): Promise<number | null> => {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  child.kill(signal);
  const [code] = await once(child, 'exit');
  return code as number | null;
};
