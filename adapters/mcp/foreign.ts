import type { HostHeaders } from '../host/request.ts';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

const hostnameOf = (host: string): string | undefined => URL.parse(`http://${host}`)?.hostname;

/**
 * True for a request of a page of another origin, or under a name of another host. A page that rebinds its own name to
 * this server's address (DNS rebinding) shows in the Host header; MCP, Streamable HTTP, Security demands both checks.
 * No Origin is fine, because only browsers send one. Loopback names can't be rebound, so they always pass as Host; as
 * Origin they pass where the service itself is on this machine. Pages of the origins in `openTo` are the store's own.
 */
export const foreignTo = (
  urls: readonly string[],
  openTo: readonly string[] = [],
): ((headers: HostHeaders) => boolean) => {
  const own = urls.map((url) => new URL(url));
  const names = new Set([...LOOPBACK, ...own.map(({ hostname }) => hostname)]);
  const hosts = new Set(own.map(({ host }) => host));
  const origins = new Set([...own.map(({ origin }) => origin), ...openTo]);
  const isOwnHost = (host: string): boolean => hosts.has(host) || names.has(hostnameOf(host) ?? '');
  const isLocal = own.some(({ hostname }) => LOOPBACK.has(hostname));
  const isOwnOrigin = (origin: string): boolean =>
    origins.has(origin) || (isLocal && LOOPBACK.has(URL.parse(origin)?.hostname ?? ''));
  return ({ host, origin }) =>
    (host !== undefined && !isOwnHost(host)) || (origin !== undefined && !isOwnOrigin(origin));
};
