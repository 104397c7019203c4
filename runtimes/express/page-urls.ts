import { type Config, ConfigError } from '../composition/config.ts';

/** The hosts with pages, which link from the root of their host, and the variables with their public addresses. */
const WITH_PAGES = [
  ['account', 'ACCOUNT_URL'],
  ['design', 'DESIGN_URL'],
] as const;

/**
 * Throws ConfigError, with a line for each, where the public address of a host with pages has a path. The functions of
 * AWS take such an address, because they show no pages under it.
 */
export const checkPageUrls = ({ urls }: Pick<Config, 'urls'>): void => {
  const lines = WITH_PAGES.flatMap(([host, variable]) => {
    const url = urls[host];
    return url === undefined || URL.parse(url)?.pathname === '/'
      ? []
      : `${variable} takes a URL without a path, because the pages of this host link from its root; it is "${url}". Give the host a name or a port of its own.`;
  });
  if (lines.length > 0) throw new ConfigError(lines.join('\n'));
};
