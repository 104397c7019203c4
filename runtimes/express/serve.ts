import type { RequestListener, Server } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import { startingHost } from '../../adapters/host/host.ts';
import { nodeListener } from '../../adapters/http/carry.ts';
import { type GuardOptions, guardedServer } from '../../adapters/http/guarded-server.ts';

/** Milliseconds for which requests in flight may run on after a stop. */
const DRAIN_MS = 20_000;

/** A port or an address that can't be used. The message is one line that names the variable to change. */
export class PortTaken extends Error {
  override name = 'PortTaken';
}

/** The servers by the name of their host. They listen on their ports. */
export type Listeners<Name extends string> = {
  readonly servers: Readonly<Record<Name, Server>>;
  /** Replaces the listener of every server for all requests from then on. */
  readonly handle: (listener: (name: Name) => RequestListener) => void;
  /** Addresses on this machine. */
  readonly urls: Readonly<Record<Name, string>>;
};

/** Addresses that stand for every address of this machine. */
const EVERYWHERE: readonly string[] = ['0.0.0.0', '::'];

/** The host of a URL that reaches an address from this machine. */
const reachedAt = (address: string): string => {
  if (EVERYWHERE.includes(address)) return '127.0.0.1';
  return isIPv6(address) ? `[${address}]` : address;
};

/** Codes of the system's errors for an address that this machine does not have. */
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
 * Listens on all ports or on none, each on an address of this machine or on every one, within the bounds of the guard.
 * Until `handle` is called, every request is answered 503 with Retry-After, because a port that takes connections must
 * answer. Throws PortTaken.
 */
export const listenOn = async <Name extends string>(
  ports: Readonly<Record<Name, number>>,
  addressOf: (name: Name) => string,
  guard: GuardOptions = {},
): Promise<Listeners<Name>> => {
  const names = namesOf(ports);
  const starting = startingHost(guard.log ?? (() => {}));
  const listeners = perName(names, () => nodeListener(starting));
  const servers = perName(names, (name) => guardedServer((req, res) => listeners[name](req, res), guard));
  try {
    for (const name of names) await listen(servers[name], ports[name], addressOf(name), name);
  } catch (error) {
    for (const name of names) servers[name].close();
    throw error;
  }
  const url = (name: Name) => `http://${reachedAt(addressOf(name))}:${(servers[name].address() as AddressInfo).port}`;
  const handle = (listener: (name: Name) => RequestListener): void => {
    for (const name of names) listeners[name] = listener(name);
  };
  return { servers, urls: perName(names, url), handle };
};

/**
 * Stops taking requests, and resolves once the requests in flight have ended. Requests that run for more than 20
 * seconds are cut off.
 */
export const drain = async ({ servers }: Pick<Listeners<string>, 'servers'>): Promise<void> => {
  const all = Object.values(servers);
  const cutOff = setTimeout(() => {
    for (const server of all) server.closeAllConnections();
  }, DRAIN_MS);
  await Promise.all(
    all.map(
      (server) =>
        new Promise<void>((resolve) => {
          server.close(() => resolve());
          server.closeIdleConnections();
        }),
    ),
  );
  clearTimeout(cutOff);
};
