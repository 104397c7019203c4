import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HOSTS, type Host } from '../../ports/inbound/hosts.ts';

/** How long requests in flight may take to end after a stop was asked for. */
const DRAIN_MS = 20_000;

/** A port that could not be had; the message is one line that names the variable to change. */
export class PortTaken extends Error {
  override name = 'PortTaken';
}

export type Listeners = {
  readonly servers: Readonly<Record<Host, Server>>;
  /** Addresses on this machine, with the ports that were taken. */
  readonly urls: Readonly<Record<Host, string>>;
};

const listen = (server: Server, port: number, host: Host): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const variable = `${host.toUpperCase()}_PORT`;
      const why = error.code === 'EADDRINUSE' ? 'is in use' : `can't be used (${error.code ?? error.message})`;
      reject(new PortTaken(`Port ${port} ${why}; set ${variable} to another port, or to 0 for a free one.`));
    });
    server.listen(port, () => resolve());
  });

/** Takes the ports of all hosts, or none. Requests are answered once `handle` is called. */
export const listenOn = async (ports: Readonly<Record<Host, number>>): Promise<Listeners> => {
  const servers = Object.fromEntries(HOSTS.map((host) => [host, createServer()])) as Record<Host, Server>;
  try {
    for (const host of HOSTS) await listen(servers[host], ports[host], host);
  } catch (error) {
    for (const host of HOSTS) servers[host].close();
    throw error;
  }
  const url = (host: Host) => `http://127.0.0.1:${(servers[host].address() as AddressInfo).port}`;
  return { servers, urls: Object.fromEntries(HOSTS.map((host) => [host, url(host)])) as Record<Host, string> };
};

export const handle = ({ servers }: Listeners, listener: (host: Host) => RequestListener): void => {
  for (const host of HOSTS) servers[host].on('request', listener(host));
};

/** Takes no new requests, lets those in flight end, and then resolves; cuts off what takes too long. */
export const drain = async ({ servers }: Listeners): Promise<void> => {
  const cutOff = setTimeout(() => {
    for (const host of HOSTS) servers[host].closeAllConnections();
  }, DRAIN_MS);
  await Promise.all(
    HOSTS.map(
      (host) =>
        new Promise<void>((resolve) => {
          servers[host].close(() => resolve());
          servers[host].closeIdleConnections();
        }),
    ),
  );
  clearTimeout(cutOff);
};
