/** The authorization server's paths on the account host. */
export const PATHS = {
  metadata: '/.well-known/oauth-authorization-server',
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  registration: '/oauth/register',
  revocation: '/oauth/revoke',
  device_authorization: '/oauth/device_authorization',
} as const;

export type PathName = keyof typeof PATHS;

/** The methods of each path. */
const METHODS: Readonly<Record<PathName | 'resume' | 'client', readonly string[]>> = {
  metadata: ['GET', 'HEAD'],
  authorization: ['GET'],
  resume: ['GET'],
  token: ['POST'],
  registration: ['POST'],
  client: ['GET', 'PUT', 'DELETE'],
  revocation: ['POST'],
  device_authorization: ['POST'],
};

export type RouteName = keyof typeof METHODS;

const BELOW = [
  { name: 'resume', pattern: /^\/oauth\/authorize\/[\w-]{1,100}$/ },
  { name: 'client', pattern: /^\/oauth\/register\/[\w-]{1,100}$/ },
] as const;

const NAMES = new Map(Object.entries(PATHS).map(([name, path]) => [path as string, name as PathName]));

/** The route of a path; undefined for a path that is not the authorization server's. */
export const routeOf = (path: string): RouteName | undefined =>
  NAMES.get(path) ?? BELOW.find(({ pattern }) => pattern.test(path))?.name;

const WITH_ID = /^\/+(?:interaction|oauth\/+authorize|oauth\/+register)\/+(?=.)/i;

/**
 * A path of the account host as a log may have it: without the id of an interaction, which is also the value of the
 * cookie that binds it to a browser, and without the id of a client.
 */
export const loggedPath = (path: string): string => {
  const [place] = WITH_ID.exec(path) ?? [];
  return place === undefined ? path : `${place}…`;
};

export const methodsOf = (route: RouteName): readonly string[] => METHODS[route];
