import type { RequestListener } from 'node:http';
import type { ServedHost } from '../composition/hosts.ts';

/**
 * Picks the listener by the Host header if it is a public name, so that one port behind a proxy serves all hosts. Any
 * other request goes to the listener of its port. A name that two hosts share does not count.
 */
export const byHostName = (
  listeners: Record<ServedHost, RequestListener>,
  urls: Readonly<Partial<Record<ServedHost, string>>>,
  ofPort: ServedHost,
): RequestListener => {
  const hosts = Object.entries(urls) as [ServedHost, string][];
  const byName = Map.groupBy(hosts, ([, url]) => new URL(url).host);
  const named = new Map(
    [...byName].flatMap(([name, [first, ...more]]) => (first && !more.length ? [[name, first[0]]] : [])),
  );
  return (req, res) => listeners[named.get(req.headers.host?.toLowerCase() ?? '') ?? ofPort](req, res);
};
