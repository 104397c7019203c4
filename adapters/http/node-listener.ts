import type { IncomingMessage, RequestListener } from 'node:http';
import { isIP } from 'node:net';
import proxyAddr from 'proxy-addr';
import type { Host } from '../host/host.ts';
import { type AddressOf, carry, requestOf } from './carry.ts';

/**
 * The most works that begin in one turn. A work holds most memory between its begin and its end, and works that begin
 * together end together, so that hundreds of large answers at once would take memory for all of them.
 */
const WORKS_OF_TURN = 32;

/**
 * Begins the works of one turn of the event loop together, at its end. Requests that arrive together then go through
 * each step of the service side by side, while its code is in the processor's caches, which takes a good part of their
 * CPU away. Works beyond 32 begin in the next turns, in their order. A work must not throw, because the works after it
 * would not begin.
 */
export const sideBySide = (): ((work: () => void) => void) => {
  let waiting: (() => void)[] = [];
  const begin = (): void => {
    const works = waiting.slice(0, WORKS_OF_TURN);
    waiting = waiting.slice(WORKS_OF_TURN);
    if (waiting.length > 0) setImmediate(begin);
    for (const work of works) work();
  };
  return (work) => {
    if (waiting.length === 0) setImmediate(begin);
    waiting.push(work);
  };
};

export type { AddressOf } from './carry.ts';

/**
 * The client's address: the nearest address that is not a trusted proxy's. `trustedProxies` are addresses, ranges, or
 * names such as `loopback`. Without any, the address is the socket's own. No header that a client can forge counts.
 */
export const addressBehind = (trustedProxies: readonly string[]): AddressOf => {
  if (trustedProxies.length === 0) return (req) => req.socket.remoteAddress ?? '';
  const trust = proxyAddr.compile([...trustedProxies]);
  return (req: IncomingMessage) => proxyAddr(req, trust) ?? '';
};

/** True for the address of a trusted proxy, which carries the requests of many clients. */
export const isProxy = (trustedProxies: readonly string[]): ((address: string) => boolean) => {
  if (trustedProxies.length === 0) return () => false;
  const trust = proxyAddr.compile([...trustedProxies]);
  return (address) => isIP(address) > 0 && trust(address, 0);
};

/** A listener that serves a host on a server of Node, without a framework. */
export const nodeListener = (host: Host, addressOf: AddressOf = addressBehind([])): RequestListener => {
  const begin = sideBySide();
  return (req, res) => {
    // A connection that ends before the work begins has no address then.
    const address = addressOf(req);
    const request = requestOf(req, req.url ?? '/', () => address);
    begin(() => void carry(host, req, res, request).catch(() => res.destroy()));
  };
};
