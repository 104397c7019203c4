import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';

/** How long requests in flight may take to end after a stop was asked for. */
const DRAIN_MS = 20_000;

/** A port that could not be had; the message is one line that names the variable to change. */
export class PortTaken extends Error {
  override name = 'PortTaken';
}

/** Servers by the name of what they serve, with the ports that were taken. */
export type Listeners<Name extends string> = {
  readonly servers: Readonly<Record<Name, Server>>;
  /** Addresses on this machine. */
  readonly urls: Readonly<Record<Name, string>>;
};

const listen = (server: Server, port: number, address: string | undefined, name: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
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
 * Takes all the ports, or none, on one address of this machine or on all. Requests are answered once `handle` is called.
 */
export const listenOn = async <Name extends string>(
  ports: Readonly<Record<Name, number>>,
  address?: string,
): Promise<Listeners<Name>> => {
  const names = namesOf(ports);
  const servers = perName(names, () => createServer());
  try {
    for (const name of names) await listen(servers[name], ports[name], address, name);
  } catch (error) {
    for (const name of names) servers[name].close();
    throw error;
  }
  const host = address === undefined ? '127.0.0.1' : isIPv6(address) ? `[${address}]` : address;
  const url = (name: Name) => `http://${host}:${(servers[name].address() as AddressInfo).port}`;
  return { servers, urls: perName(names, url) };
};

export const handle = <Name extends string>(
  { servers }: { readonly servers: Readonly<Partial<Record<Name, Server>>> },
  listener: (name: Name) => RequestListener,
): void => {
  for (const name of namesOf(servers)) servers[name]?.on('request', listener(name));
};

/** Takes no new requests, lets those in flight end, and then resolves; cuts off what takes too long. */
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
