/** The hosts of the service: the account API, the design host, the app feeds, and sign-in. */
export const HOSTS = ['api', 'design', 'app', 'account'] as const;
export type Host = (typeof HOSTS)[number];
