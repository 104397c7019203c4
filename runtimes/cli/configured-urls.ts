import { byHost, type Host } from '../../ports/inbound/hosts.ts';
import type { Config } from '../composition/config.ts';

/** The public addresses in the configuration; for a host without one, its port on this machine. */
export const configuredUrls = ({ urls, ports }: Config): Readonly<Record<Host, string>> =>
  byHost((host) => urls[host] ?? `http://127.0.0.1:${ports[host]}`);
