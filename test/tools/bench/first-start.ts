import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../../support/free-port.ts';
import { FREE_PORTS } from '../../support/free-ports.ts';
import type { Shot } from './connection.ts';
import { type Program, RunningProgram } from './programs.ts';
import { licenseShot } from './service.ts';

/** The ports of a server with a given port for its API. */
export const portsOf = (port: number): Record<string, string> => ({
  BENCH_PORT: String(port),
  ...FREE_PORTS,
  API_PORT: String(port),
});

/** A license check for a product of a first start's demo account. */
export const demoShot = (key: string): Shot => ({
  ...licenseShot(key, 1)(0),
  body: JSON.stringify({ product_id: 4, device_id: 'bench', app_version: '1.2.0' }),
});

/** The demo account's key, which a first start prints once it serves requests. */
export const printedKey = async (server: RunningProgram): Promise<string> => {
  for (;;) {
    const key = /ACCOUNT_API_KEY=(\S+)/.exec(server.out)?.[1];
    if (key !== undefined) return key;
    if (server.ended) throw new Error('A first start ended before it printed a key.');
    await wait(5);
  }
};

/** Starts the service for the first time, which fills its store, and returns the demo key. */
export const fill = async (program: Program, env: Record<string, string>): Promise<string> => {
  const port = await freePort();
  const server = new RunningProgram(program, { ...env, ...portsOf(port) }, port);
  const key = await printedKey(server);
  await server.stop();
  return key;
};
