import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';

/** A network between a client and a server, which can fail. It stands on a socket, where clients find the server. */
export type Network = {
  /** The folder of the socket, for PGHOST. */
  readonly folder: string;
  /** From now on, connections are accepted and nothing is carried, as by a network that drops packets. */
  readonly silence: () => void;
  /** From now on, the server can't be reached, and its connections are broken. */
  readonly cut: () => Promise<void>;
  /**
   * Breaks the connections. From now on, the first message of a client arrives after so many milliseconds, and no later
   * one does.
   */
  readonly stall: (ms: number) => Promise<void>;
  /** Ends the fault. Silent connections stay dead. */
  readonly restore: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** Starts a network before the socket of a server. */
export const startNetwork = async (target: string): Promise<Network> => {
  const folder = mkdtempSync('/tmp/postgres-network-');
  const path = join(folder, '.s.PGSQL.5432');
  const open = new Set<Socket>();
  let isSilent = false;
  let stallMs: number | undefined;

  const server = createServer((client) => {
    const upstream = connect(target);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(from);
      let messages = 0;
      from.on('data', (part) => {
        const lateMs = from === client ? stallMs : undefined;
        if (isSilent || (lateMs !== undefined && messages > 0)) return;
        messages++;
        if (lateMs === undefined) to.write(part);
        else setTimeout(() => to.write(part), lateMs);
      });
      from
        .on('error', () => {})
        .once('close', () => {
          open.delete(from);
          to.destroy();
        });
    }
  });
  const listen = async (): Promise<void> => {
    server.listen(path);
    await once(server, 'listening');
  };
  const cut = async (): Promise<void> => {
    for (const socket of open) socket.destroy();
    if (!server.listening) return;
    server.close();
    await once(server, 'close');
  };
  await listen();
  return {
    folder,
    silence: () => {
      isSilent = true;
    },
    cut,
    stall: async (ms) => {
      await cut();
      stallMs = ms;
      await listen();
    },
    restore: async () => {
      await cut();
      isSilent = false;
      stallMs = undefined;
      await listen();
    },
    stop: async () => {
      await cut();
      rmSync(folder, { recursive: true });
    },
  };
};
