import { type Configuration, errors } from 'oidc-provider';
import { ABILITIES } from '../../domain/access/abilities.ts';
import { DEFAULT_PERMISSIONS, permissionsIn } from '../../domain/sign-in/sign-in-token.ts';

export const ACCESS_TOKEN_SECONDS = 3600;

/** Scopes of OpenID Connect that clients ask for out of habit. They give nothing here and do no harm. */
const IDLE_SCOPES = new Set(['openid', 'profile', 'email', 'offline_access']);

/**
 * The scope that a request with this `scope` parameter asks the account's owner for: our permissions in it, or the
 * default ones where it names none. Throws InvalidScope where it names only scopes that do not exist.
 */
export const askedScope = (scope: string | undefined): string => {
  const named = (scope ?? '').split(' ').filter((name) => name !== '' && !IDLE_SCOPES.has(name));
  if (named.length === 0) return DEFAULT_PERMISSIONS.join(' ');
  const permissions = permissionsIn(named.join(' '));
  if (permissions.length === 0) throw new errors.InvalidScope('none of the requested scopes exists', named.join(' '));
  return permissions.join(' ');
};

type Indicators = NonNullable<NonNullable<Configuration['features']>['resourceIndicators']>;

/** Every token is for this one resource (RFC 8707): it stands in for a missing one, and any other one is refused. */
export const onlyResource = (resource: string): Indicators => ({
  enabled: true,
  defaultResource: async (_ctx, _client, oneOf) => (oneOf?.some((one) => one !== resource) ? oneOf : resource),
  useGrantedResource: async () => true,
  getResourceServerInfo: async (_ctx, asked) => {
    if (asked !== resource) throw new errors.InvalidTarget(`tokens are issued for ${resource} only`);
    return {
      scope: ABILITIES.join(' '),
      audience: resource,
      accessTokenTTL: ACCESS_TOKEN_SECONDS,
      accessTokenFormat: 'opaque',
    };
  },
});
