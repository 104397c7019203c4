import type { RequestListener, Server } from 'node:http';
import { type AddressInfo, isIPv6, Server as NetServer, Socket } from 'node:net';
import { startingHost } from '../../adapters/host/host.ts';
import { type GuardOptions, guardedServer } from '../../adapters/http/guarded-server.ts';
import { nodeListener } from '../../adapters/http/node-requests.ts';

/** The time that requests in progress may take after a stop, in milliseconds. */
const DRAIN_MS = 20_000;

/** The same once a successor has taken over: it lets a download of 1 GiB finish at 1.2 Mbit/s. */
const SUCCEEDED_DRAIN_MS = 2 * 60 * 60 * 1000;

/** Listening sockets that the parent of this process holds, by port. */
export type HeldSockets = Map<number, Socket>;

/**
 * The sockets that systemd passes to a process (sd_listen_fds(3)), from descriptor 3 on. Nobody accepts connections on
 * them yet.
 */
export const heldSockets = (env: Readonly<Record<string, string | undefined>>): HeldSockets => {
  const count = env['LISTEN_PID'] === String(process.pid) ? Number(env['LISTEN_FDS']) : 0;
  return new Map(
    Array.from({ length: count }, (_, n) => {
      const socket = new Socket({ fd: 3 + n, readable: false, writable: false });
      return [(socket.address() as AddressInfo).port, socket];
    }),
  );
};

/** A port or an address that can't be used. The one-line message names the variable to change. */
export class PortTaken extends Error {
  override name = 'PortTaken';
}

/** The listening servers by the name of their host. */
export type Listeners<Name extends string> = {
  readonly servers: Readonly<Record<Name, Server>>;
  /** Replaces the listener of every server for all later requests. */
  readonly handle: (listener: (name: Name) => RequestListener) => void;
  /** Addresses on this machine. */
  readonly urls: Readonly<Record<Name, string>>;
};

/** The addresses that mean every address of this machine. */
const EVERYWHERE: readonly string[] = ['0.0.0.0', '::'];

/** The host of a URL that reaches an address from this machine. */
const reachedAt = (address: string): string => {
  if (EVERYWHERE.includes(address)) return '127.0.0.1';
  return isIPv6(address) ? `[${address}]` : address;
};

/** System error codes for an address that this machine does not have. */
const NO_ADDRESS: readonly (string | undefined)[] = ['EADDRNOTAVAIL', 'EAFNOSUPPORT'];

const listen = (server: Server, port: number, address: string, name: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (NO_ADDRESS.includes(error.code)) {
        const variable = name === 'shop' ? 'SHOP_ADDRESS' : 'LISTEN_ADDRESS';
        reject(new PortTaken(`This machine has no address ${address}; set ${variable} to one that it has.`));
        return;
      }
      const variable = `${name.toUpperCase()}_PORT`;
      const why = error.code === 'EADDRINUSE' ? 'is in use' : `can't be used (${error.code ?? error.message})`;
      reject(new PortTaken(`Port ${port} ${why}; set ${variable} to another port, or to 0 for a free one.`));
    });
    server.listen(port, address, () => resolve());
  });

const perName = <Name extends string, T>(names: readonly Name[], make: (name: Name) => T): Record<Name, T> =>
  Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, T>;

const namesOf = <Name extends string>(record: Readonly<Partial<Record<Name, unknown>>>): Name[] =>
  Object.keys(record) as Name[];

/**
 * Listens on all ports or on none, each on one address of this machine or on every one, within the limits of the guard.
 * Until `handle` is called, every request gets 503 with Retry-After, because a port that accepts connections must
 * respond. A port with a held socket is removed from `held`, and its requests wait for `handle` or for another process
 * on this socket. Throws PortTaken.
 */
export const listenOn = async <Name extends string>(
  ports: Readonly<Record<Name, number>>,
  addressOf: (name: Name) => string,
  guard: GuardOptions = {},
  held: HeldSockets = new Map(),
): Promise<Listeners<Name>> => {
  const names = namesOf(ports);
  const starting = startingHost(guard.log ?? (() => {}));
  const listeners = perName(names, () => nodeListener(starting));
  const servers = perName(names, (name) => guardedServer((req, res) => listeners[name](req, res), guard));
  const waiting: [Server, Socket][] = [];
  try {
    for (const name of names) {
      const socket = held.get(ports[name]);
      if (socket) waiting.push([servers[name], socket]);
      else await listen(servers[name], ports[name], addressOf(name), name);
      held.delete(ports[name]);
    }
  } catch (error) {
    for (const name of names) servers[name].close();
    throw error;
  }
  const portOf = (name: Name) => (servers[name].address() as AddressInfo | null)?.port ?? ports[name];
  const url = (name: Name) => `http://${reachedAt(addressOf(name))}:${portOf(name)}`;
  const handle = (listener: (name: Name) => RequestListener): void => {
    for (const name of names) listeners[name] = listener(name);
    // As many connections may wait in the socket as the system allows; Node would set 511.
    for (const [server, socket] of waiting.splice(0)) server.listen(socket, 4096);
  };
  return { servers, urls: perName(names, url), handle };
};

/**
 * Stops accepting connections, and resolves once the requests in progress have ended. Each further response closes its
 * connection. Requests that run for more than 20 seconds are cut off. If a successor serves the same sockets, they have
 * two hours, and idle connections stay open for one last request, because a proxy that sends one now must not find its
 * connection closed. A second call may shorten the first.
 */
export const drain = async ({ servers }: Pick<Listeners<string>, 'servers'>, isSucceeded = false): Promise<void> => {
  const all: readonly Server[] = Object.values(servers);
  const cut = (): void => {
    for (const server of all) server.closeAllConnections();
  };
  const cutOff = setTimeout(cut, isSucceeded ? SUCCEEDED_DRAIN_MS : DRAIN_MS);
  await Promise.all(
    all.map((server) => {
      server.prependListener('request', (_, res) => {
        res.shouldKeepAlive = false;
      });
      return new Promise<unknown>((resolve) => {
        // The method of node:http would close idle connections, too.
        if (isSucceeded) NetServer.prototype.close.call(server, resolve);
        else server.close(resolve);
      });
    }),
  );
  clearTimeout(cutOff);
};
