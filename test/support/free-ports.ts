import { HOSTS, variableOf } from '../../ports/inbound/hosts.ts';

/** Lets each host listen on a free port, so that no test meets the port of another. */
export const FREE_PORTS: Readonly<Record<string, string>> = Object.fromEntries(
  HOSTS.map((host) => [`${variableOf(host)}_PORT`, '0']),
);
