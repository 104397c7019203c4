/** The hosts that buyers and agents reach: the account API, the design host, the app feeds, and sign-in. */
export const PUBLIC_HOSTS = ['api', 'design', 'app', 'account'] as const;

/** The hosts of the service. The shop host is for the shop's own systems. */
export const HOSTS = [...PUBLIC_HOSTS, 'shop'] as const;
export type Host = (typeof HOSTS)[number];

/** The name of each host, as the reference and the root of the host show it. */
export const HOST_TITLES: Readonly<Record<Host, string>> = {
  api: 'Account API',
  design: 'Design host',
  app: 'App feeds',
  account: 'Account pages',
  shop: 'Shop API',
};

/** Builds one value for each host. */
export const byHost = <T>(of: (host: Host) => T): Readonly<Record<Host, T>> =>
  Object.fromEntries(HOSTS.map((host) => [host, of(host)])) as Record<Host, T>;

/** The prefix of a host's environment variables, such as `API` of `API_PORT`. */
export const variableOf = <H extends Host>(host: H): Uppercase<H> => host.toUpperCase() as Uppercase<H>;
