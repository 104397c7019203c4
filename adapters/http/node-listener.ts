import type { IncomingMessage, RequestListener } from 'node:http';
import { isIP } from 'node:net';
import proxyAddr from 'proxy-addr';
import type { Host } from '../host/host.ts';
import { type AddressOf, carry, requestOf } from './carry.ts';

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
export const nodeListener =
  (host: Host, addressOf: AddressOf = addressBehind([])): RequestListener =>
  (req, res) => {
    const request = requestOf(req, req.url ?? '/', addressOf);
    carry(host, req, res, request).catch(() => res.destroy());
  };
