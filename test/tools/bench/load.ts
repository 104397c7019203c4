import type { ChildServer } from './child.ts';
import { Connection, type Shot } from './connection.ts';

export type { Shot } from './connection.ts';

/**
 * The number of concurrent requests, which keeps the server busy. Otherwise the kernel's work of waking a sleeping
 * client would count only against the slower server.
 */
const CONNECTIONS = 32;

const openAll = (port: number, count: number, statuses?: readonly number[]): Promise<Connection[]> =>
  Promise.all(Array.from({ length: count }, () => Connection.open(port, statuses)));

export type Closed = {
  readonly requests: number;
  readonly seconds: number;
  /** The CPU time of this process in microseconds. */
  readonly clientMicros: number;
  /** The duration of each request in milliseconds. */
  readonly millis: Float64Array;
};

/** Sends `count` requests; each connection sends the next one once it has its response. */
export const closedLoop = async (
  port: number,
  count: number,
  shot: (n: number) => Shot,
  connections = CONNECTIONS,
): Promise<Closed> => {
  const all = await openAll(port, connections);
  const millis = new Float64Array(count);
  const cpu = process.cpuUsage();
  const from = performance.now();
  await new Promise<void>((resolve, reject) => {
    let [sent, answered] = [0, 0];
    const next = (connection: Connection): void => {
      if (sent === count) return;
      const n = sent++;
      const begun = performance.now();
      const done = (): void => {
        millis[n] = performance.now() - begun;
        if (++answered === count) resolve();
        else next(connection);
      };
      connection.send(shot(n), done, reject);
    };
    for (const connection of all) next(connection);
  });
  const seconds = (performance.now() - from) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  for (const connection of all) connection.close();
  return { requests: count, seconds, clientMicros: user + system, millis };
};

/**
 * The maximum number of concurrent requests under an open-loop load; further ones wait in the client, and their wait
 * counts.
 */
const OPEN_CONNECTIONS = 64;

export type Open = { readonly millis: Float64Array; readonly latest: number };

/**
 * Sends requests at predetermined moments, at `rate` a second, whether or not earlier ones have been answered. The
 * duration of each counts from its moment, so a stall of the server counts for every request during it. The client
 * reads the clock in each turn of its event loop, because a timer would be a millisecond late;
 * `latest` is the maximum delay, in milliseconds, of a request although a connection was free.
 */
export const openLoop = async (
  port: number,
  rate: number,
  seconds: number,
  shot: (n: number) => Shot,
): Promise<Open> => {
  const free = await openAll(port, OPEN_CONNECTIONS);
  const all = [...free];
  const count = Math.round(rate * seconds);
  const millis = new Float64Array(count);
  let latest = 0;
  await new Promise<void>((resolve, reject) => {
    let [sent, answered] = [0, 0];
    let hadFree = true;
    const start = performance.now() + 10;
    const momentOf = (n: number): number => start + (n * 1000) / rate;
    const sendDue = (): void => {
      const now = performance.now();
      while (sent < count && momentOf(sent) <= now && free.length > 0) {
        const connection = free.pop() as Connection;
        const due = momentOf(sent);
        if (hadFree) latest = Math.max(latest, now - due);
        const n = sent++;
        const done = (): void => {
          millis[n] = performance.now() - due;
          free.push(connection);
          if (++answered === count) resolve();
        };
        connection.send(shot(n), done, reject);
      }
      hadFree = free.length > 0;
      if (sent < count) setImmediate(sendDue);
    };
    sendDue();
  });
  for (const connection of all) connection.close();
  return { millis, latest };
};

/** The CPU microseconds of a server per request, for `count` requests with many in parallel. */
export const cpuPerRequest = async (server: ChildServer, count: number, shot: (n: number) => Shot): Promise<number> => {
  const before = await server.read();
  await closedLoop(server.port, count, shot);
  const after = await server.read();
  return (after.cpuMicros - before.cpuMicros) / count;
};
