import { connect, type Socket } from 'node:net';
import type { ChildServer } from './child.ts';

export type Shot = {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
};

/**
 * The number of requests in flight, enough to keep the server busy. Otherwise the kernel's work to wake a sleeping
 * client would count against the slower server alone.
 */
const CONNECTIONS = 32;

const wire = ({ method, path, headers, body = '' }: Shot): string => {
  const lines = Object.entries({ Host: 'bench', ...headers, 'Content-Length': String(Buffer.byteLength(body)) });
  return `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`;
};

/** Reads one response from the socket by its Content-Length, with minimal work. */
const answered = (socket: Socket): Promise<void> =>
  new Promise((resolve, reject) => {
    let wanted = -1;
    let seen = 0;
    const read = (part: Buffer): void => {
      if (wanted < 0) {
        const head = part.toString('latin1', 0, 2048);
        const end = head.indexOf('\r\n\r\n');
        const length = /content-length: (\d+)/i.exec(head)?.[1];
        if (!head.startsWith('HTTP/1.1 200') || end < 0 || length === undefined) {
          reject(new Error(`The server answered ${head.slice(0, 60)}.`));
          return;
        }
        wanted = end + 4 + Number(length);
      }
      seen += part.length;
      if (seen < wanted) return;
      socket.off('data', read);
      resolve();
    };
    socket.on('data', read);
  });

/** The CPU microseconds of a server per request, for `count` requests with many in flight. */
export const cpuPerRequest = async (server: ChildServer, count: number, shot: (n: number) => Shot): Promise<number> => {
  const sockets = Array.from({ length: CONNECTIONS }, () =>
    connect({ port: server.port, host: '127.0.0.1', noDelay: true }),
  );
  await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
  const before = await server.read();
  let next = 0;
  await Promise.all(
    sockets.map(async (socket) => {
      while (next < count) {
        const done = answered(socket);
        socket.write(wire(shot(next++)));
        await done;
      }
    }),
  );
  const after = await server.read();
  for (const socket of sockets) socket.destroy();
  return (after.cpuMicros - before.cpuMicros) / count;
};

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
};

/** Returns the medians of several rounds. The two take turns, so that a slow moment of the machine affects both. */
export const takeTurns = async (
  rounds: number,
  ours: () => Promise<number>,
  bare: () => Promise<number>,
): Promise<{ ours: number; bare: number; ratio: number }> => {
  const readings: { ours: number; bare: number }[] = [];
  for (let round = 0; round < rounds; round++) readings.push({ bare: await bare(), ours: await ours() });
  return {
    ours: median(readings.map((one) => one.ours)),
    bare: median(readings.map((one) => one.bare)),
    ratio: median(readings.map((one) => one.ours / one.bare)),
  };
};
