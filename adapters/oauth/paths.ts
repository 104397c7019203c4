import { ABILITIES } from '../../domain/access/abilities.ts';

export const PATHS = {
  metadata: '/.well-known/oauth-authorization-server',
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  registration: '/oauth/register',
  revocation: '/oauth/revoke',
  device_authorization: '/oauth/device_authorization',
} as const;

export type PathName = keyof typeof PATHS;

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

/** The route of a path; undefined if the path does not belong to the authorization server. */
export const routeOf = (path: string): RouteName | undefined =>
  NAMES.get(path) ?? BELOW.find(({ pattern }) => pattern.test(path))?.name;

const WITH_ID = /^\/+(?:interaction|oauth\/+authorize|oauth\/+register)\/+(?=.)/i;

/**
 * A path of the account host as a log may contain it: without the id of an interaction, which is also the value of the
 * cookie that binds it to a browser, and without the id of a client.
 */
export const loggedPath = (path: string): string => {
  const [place] = WITH_ID.exec(path) ?? [];
  return place === undefined ? path : `${place}…`;
};

export const methodsOf = (route: RouteName): readonly string[] => METHODS[route];

export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/**
 * The metadata of the authorization server (RFC 8414, section 2). It depends only on its URL and on whether clients may
 * have metadata documents.
 */
export const serverMetadata = (issuer: string, clientDocuments: boolean) => ({
  issuer,
  authorization_endpoint: `${issuer}${PATHS.authorization}`,
  token_endpoint: `${issuer}${PATHS.token}`,
  registration_endpoint: `${issuer}${PATHS.registration}`,
  revocation_endpoint: `${issuer}${PATHS.revocation}`,
  device_authorization_endpoint: `${issuer}${PATHS.device_authorization}`,
  scopes_supported: ABILITIES,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token', DEVICE_GRANT],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: clientDocuments,
});
