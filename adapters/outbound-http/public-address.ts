import ipaddr from 'ipaddr.js';

/** IPv6 ranges that carry an IPv4 address: mapped, compatible, NAT64 (RFC 6052, RFC 8215), 6to4 and Teredo. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * True for an address of the public internet. False for every special one: loopback, private, link-local, shared
 * (RFC 6598), multicast, reserved, and IPv6 addresses that stand for an IPv4 address, public or not.
 */
export const isPublicAddress = (address: string): boolean => {
  if (!ipaddr.isValid(address) || address.includes('%')) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_UNICAST);
};
