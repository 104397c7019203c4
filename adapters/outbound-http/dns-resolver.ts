import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';

/** The addresses of a host, none where it has none. Ends with the signal. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

const TIMES = { timeout: 1500, tries: 2 };

/**
 * Asks the DNS alone: a name of this machine's own, as in its hosts file, is no public name. Unlike the system's
 * resolver it can be cancelled, and holds none of the few threads that all other look-ups and files of the process need.
 * `servers` replaces the machine's name servers.
 */
export const dnsResolver =
  (servers?: readonly string[]): Resolve =>
  async (host, signal) => {
    if (isIP(host) !== 0) return [host];
    const resolver = new Resolver(TIMES);
    if (servers) resolver.setServers(servers);
    const cancel = (): void => resolver.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
      return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  };
