import type { JsonBodies } from '../../../adapters/host/bodies.ts';
import type { HostRoute, Respond } from '../../../adapters/host/host.ts';
import { type LazyRoute, lazyRoute } from '../../../adapters/host/lazy.ts';
import { metadataUrl, protectedResourceRoutes } from '../../../adapters/mcp/protected-resource.ts';
import type { Guard } from '../../../adapters/pipeline/guard.ts';
import type { Invoker } from '../../../adapters/pipeline/invoke.ts';
import { StoredSignInTokens } from '../../../adapters/store/sign-in-tokens.ts';
import type { Authenticate, RecordKeyUse } from '../../../application/access/authenticate.ts';
import { signFile } from '../../../application/delivery/offers.ts';
import { type AuthenticateToken, authenticateToken } from '../../../application/sign-in/authenticate-token.ts';
import { ABILITIES } from '../../../domain/access/abilities.ts';
import { callMcp } from '../../../ports/inbound/api/mcp.ts';
import type { EndpointSpec } from '../../../ports/inbound/endpoint.ts';
import type { Host } from '../../../ports/inbound/hosts.ts';
import type { KeySecrets } from '../../../ports/outbound/access.ts';
import type { Catalogs } from '../../../ports/outbound/catalog.ts';
import type { ObjectStore } from '../../../ports/outbound/object-store.ts';
import type { SignInTokens } from '../../../ports/outbound/sign-in.ts';
import type { Clock } from '../../../ports/outbound/system.ts';
import { onTable } from '../area.ts';
import type { Addresses } from '../settings.ts';

export type Parts = {
  readonly authenticate: Authenticate;
  readonly authenticateToken: AuthenticateToken;
  readonly keySecrets: KeySecrets;
  readonly catalogs: Catalogs;
  readonly guard: Guard;
  readonly jsonBodies: JsonBodies;
  readonly invoker: Invoker;
  readonly recordKeyUse: RecordKeyUse;
  readonly endpoints: readonly EndpointSpec[];
  readonly objects: ObjectStore;
  readonly clock: Clock;
  readonly addresses: Addresses;
};

/** The account MCP on its hosts. */
export type AccountMcp = LazyRoute & {
  /** The routes of its protected-resource metadata, for the API host. */
  readonly metadata: readonly HostRoute[];
};

/** The hosts whose endpoints are tools of the account MCP. */
const HOSTS_OF_TOOLS: readonly Host[] = ['api', 'app'];

/** The caller of a key, or of an access token that was issued for this resource. */
const identifyWith =
  ({ authenticate, authenticateToken, keySecrets, catalogs }: Parts, resource: string) =>
  async (credential: string) => {
    const isKey = keySecrets.hash(credential) !== undefined;
    const identifying = isKey ? authenticate(credential) : authenticateToken(credential, resource);
    // Most tools read the catalog; beside the credential it costs no round trip of its own.
    const [identified] = await Promise.all([identifying, catalogs.current()]);
    return identified;
  };

/** The endpoint loads when it is needed: no other request waits for the protocol and the schemas of the tools. */
const accountMcp = (parts: Parts): AccountMcp => {
  const { urls, legacyUrl } = parts.addresses;
  const { path } = callMcp;
  const resource = `${urls.api}${path}`;
  const open = async (): Promise<Respond> => {
    const { accountMcp: make } = await import('../../../adapters/mcp/account.ts');
    const { invoker, guard, jsonBodies, recordKeyUse } = parts;
    return make({
      invoker,
      guard,
      jsonBodies,
      recordKeyUse,
      urls,
      openTo: parts.addresses.corsOrigins,
      otherUrls: legacyUrl === undefined ? [] : [legacyUrl],
      endpoints: parts.endpoints.filter(({ host }) => HOSTS_OF_TOOLS.includes(host)),
      identify: identifyWith(parts, resource),
      metadataUrl: metadataUrl(urls.api, path),
      sign: (file) => signFile(parts, file),
    });
  };
  return {
    ...lazyRoute(callMcp, open),
    metadata: protectedResourceRoutes(path, {
      resource,
      authorization_servers: [urls.account],
      scopes_supported: ABILITIES,
      resource_name: 'Account MCP',
    }),
  };
};

/** The account API as tools for agents. */
export const mcp = {
  parts: {
    signInTokens: onTable<SignInTokens>(StoredSignInTokens),
    authenticateToken,
    accountMcp,
  },
};
