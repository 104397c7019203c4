import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The maximum length of an address with brackets, a zone and a port. */
const LONGEST = 100;

const IN_BRACKETS = /^\[([^[\]]+)\](?::\d{1,5})?$/;
const WITH_PORT = /^([\d.]+):\d{1,5}$/;

/**
 * The canonical form of an IP address from a transport or proxy; undefined for an invalid one. Port, brackets and zone
 * (RFC 4007, section 11) are removed. An IPv4-mapped address is the IPv4 address.
 */
export const peerAddress = (text: string): string | undefined => {
  if (isIPv4(text)) return text;
  if (text.length > LONGEST) return undefined;
  const ipv4 = WITH_PORT.exec(text)?.[1];
  if (ipv4 !== undefined) return isIPv4(ipv4) ? ipv4 : undefined;
  const [address = ''] = (IN_BRACKETS.exec(text)?.[1] ?? text).split('%', 1);
  return ipaddr.IPv6.isValid(address) ? ipaddr.process(address).toString() : undefined;
};
