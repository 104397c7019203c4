import { Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Agent, request } from 'undici';
import { atMost } from '../../application/shared/at-most.ts';

/** The addresses of a host; empty if it has none. The signal cancels it. */
type Resolve = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

const TIMES = { timeout: 1500, tries: 2 };

/**
 * Resolves names by DNS only: a name known only to this machine, as in its hosts file, is not public. Unlike the
 * system's resolver it can be cancelled, and it does not occupy one of the few threads that all other lookups and files
 * of the process share. `servers` replaces the machine's name servers.
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

/** Global unicast addresses (RFC 4291). Other addresses that `range()` calls unicast are not on the public internet. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * True for an address of the public internet. False for every special address: loopback, private, link-local, shared
 * (RFC 6598), multicast, reserved, and IPv6 addresses that embed an IPv4 address, public or not.
 */
export const isPublicAddress = (address: string): boolean => {
  if (!ipaddr.isValid(address) || address.includes('%')) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_UNICAST);
};

export type GuardedFetchOptions = {
  /** Resolves a host; DNS by default. */
  readonly resolve?: Resolve;
  /** Whether an address may be connected to; public addresses by default. */
  readonly permits?: (address: string) => boolean;
  /** Certificates to trust instead of the default ones, PEM. */
  readonly ca?: string;
  readonly maxBytes?: number;
  /** Milliseconds for the whole exchange, from the lookup to the last byte. */
  readonly timeout?: number;
};

/** The request was not made, or its answer was not accepted. The message says why and contains no address. */
export class FetchRefused extends Error {
  override name = 'FetchRefused';
}

const MAX_BYTES = 5 * 1024;
const TIMEOUT_MS = 4000;

/** More than the rate limits let one IP address cause, so one stranger can't block others. */
const AT_ONCE = 32;

/** A URL has an IPv6 address in brackets. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');

const family = (address: string): 4 | 6 => (address.includes(':') ? 6 : 4);

/** Limits a connection to the addresses that were checked, so a second lookup can't redirect it. */
const pinned =
  (addresses: readonly string[]): LookupFunction =>
  (_host, options, done) => {
    const all = addresses.map((address) => ({ address, family: family(address) }));
    const [first] = all;
    if (!first) return done(new FetchRefused('The host has no address.'), '');
    if (options.all) return done(null, all);
    return done(null, first.address, first.family);
  };

const readAtMost = async (body: AsyncIterable<Uint8Array>, most: number): Promise<Uint8Array<ArrayBuffer>> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > most) throw new FetchRefused(`The answer has more than ${most} bytes.`);
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
};

type Init =
  | { readonly method: 'GET'; readonly headers: Readonly<Record<string, string>> }
  | { readonly method: 'POST'; readonly headers: Readonly<Record<string, string>>; readonly body: string };

const GET: Init = { method: 'GET', headers: { accept: 'application/json' } };

/**
 * A request to a URL that a stranger chose, a GET unless `init` is given: https only, public addresses only, no
 * redirects, and a limit on size and time. The name is resolved here, all of its addresses are checked, and the
 * connection uses those addresses, so nothing is sent to a refused host. The body of the answer to a POST is not read.
 * At most 32 fetches run at once; further ones wait, which counts toward their time. Throws FetchRefused, or the fault
 * of the network.
 */
export const guardedFetch = ({
  resolve = dnsResolver(),
  permits = isPublicAddress,
  ca,
  maxBytes = MAX_BYTES,
  timeout = TIMEOUT_MS,
}: GuardedFetchOptions = {}) => {
  const limited = atMost(AT_ONCE);

  const addressesOf = async (host: string, signal: AbortSignal): Promise<readonly string[]> => {
    const addresses = await resolve(host, signal);
    if (addresses.length === 0 || !addresses.every(permits)) {
      throw new FetchRefused('The host is not on the public internet.');
    }
    return addresses;
  };

  const ask = async (url: URL, init: Init, addresses: readonly string[], signal: AbortSignal): Promise<Response> => {
    const agent = new Agent({
      connect: { lookup: pinned(addresses), timeout, ...(ca !== undefined && { ca }) },
      maxResponseSize: 'body' in init ? -1 : maxBytes + 1,
      pipelining: 0,
    });
    try {
      const answer = await request(url, { dispatcher: agent, signal, ...init });
      // The answer to a message is its status.
      const body = 'body' in init ? null : await readAtMost(answer.body, maxBytes);
      const headers = Object.entries(answer.headers).filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string',
      );
      const isBodiless = answer.statusCode === 204 || answer.statusCode === 304;
      return new Response(isBodiless ? null : body, { status: answer.statusCode, headers });
    } finally {
      await agent.destroy();
    }
  };

  return async (address: string, init: Init = GET): Promise<Response> => {
    const url = URL.parse(address);
    if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') {
      throw new FetchRefused('Only https addresses are fetched.');
    }
    const signal = AbortSignal.timeout(timeout);
    const deadline = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(new FetchRefused('The host took too long.')), { once: true });
    });
    const fetched = limited(async () => {
      signal.throwIfAborted();
      return ask(url, init, await Promise.race([addressesOf(hostOf(url), signal), deadline]), signal);
    });
    return Promise.race([fetched, deadline]);
  };
};
