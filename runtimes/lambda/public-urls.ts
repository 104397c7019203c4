import { HOSTS, type Host, variableOf } from '../../ports/inbound/hosts.ts';
import { type Config, ConfigError } from '../composition/config.ts';

/**
 * The public address of every host. Throws ConfigError if one is missing, because a function listens on no port that
 * could replace it.
 */
export const publicUrls = ({ urls }: Pick<Config, 'urls'>): Record<Host, string> => {
  const missing = HOSTS.filter((host) => urls[host] === undefined);
  if (missing.length > 0) {
    const names = missing.map((host) => `${variableOf(host)}_URL`).join(', ');
    throw new ConfigError(`${names} must be set: the public address of the host, such as https://api.example.com.`);
  }
  return urls as Record<Host, string>;
};
