import { HOSTS, variableOf } from '../../ports/inbound/hosts.ts';

/** Lets each host listen on a free port, so that tests do not collide. */
export const FREE_PORTS: Readonly<Record<string, string>> = Object.fromEntries(
  HOSTS.map((host) => [`${variableOf(host)}_PORT`, '0']),
);
