import type { Authenticate, AuthenticateAgent, RecordKeyUse } from '../../application/access/authenticate.ts';
import { signFile } from '../../application/delivery/offers.ts';
import type { AuthenticateToken } from '../../application/sign-in/authenticate-token.ts';
import { ABILITIES } from '../../domain/access/abilities.ts';
import { callMcp } from '../../ports/inbound/api/mcp.ts';
import { callDesignMcp } from '../../ports/inbound/design/mcp.ts';
import type { EndpointSpec } from '../../ports/inbound/endpoint.ts';
import type { Host } from '../../ports/inbound/hosts.ts';
import { callShopMcp } from '../../ports/inbound/shop/mcp.ts';
import type { KeySecrets } from '../../ports/outbound/access.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { Addresses } from '../host/addresses.ts';
import type { JsonBodies } from '../host/bodies.ts';
import type { HostRoute, Respond } from '../host/host.ts';
import { type LazyRoute, lazyRoute } from '../host/lazy-route.ts';
import type { Guard } from '../pipeline/guard.ts';
import type { Invoker } from '../pipeline/invoke.ts';
import { metadataUrl, protectedResourceRoutes } from './protected-resource.ts';

/*
 * A route loads its endpoint on first use, so that no other request waits for the protocol and the schemas of the
 * tools.
 */

type McpParts = {
  readonly guard: Guard;
  readonly jsonBodies: JsonBodies;
  readonly invoker: Invoker;
  readonly recordKeyUse: RecordKeyUse;
  readonly endpoints: readonly EndpointSpec[];
  readonly addresses: Addresses;
};

export type AccountMcpRouteParts = McpParts &
  Needs<'catalogs' | 'objects' | 'clock'> & {
    readonly authenticate: Authenticate;
    readonly authenticateToken: AuthenticateToken;
    readonly keySecrets: KeySecrets;
  };

export type AgentMcpRouteParts = McpParts & { readonly authenticateAgent: AuthenticateAgent };

const commonOf = ({ addresses, invoker, guard, jsonBodies, recordKeyUse }: McpParts) => ({
  invoker,
  guard,
  jsonBodies,
  recordKeyUse,
  urls: addresses.urls,
  openTo: addresses.corsOrigins,
});

export type AccountMcp = LazyRoute & {
  /** The routes of its protected-resource metadata, on the API host. */
  readonly metadata: readonly HostRoute[];
};

/** The hosts whose endpoints are tools of the account MCP. */
const HOSTS_OF_TOOLS: readonly Host[] = ['api', 'app'];

/** Identifies the caller by an API key, or by an access token issued for this resource. */
const identifyWith =
  ({ authenticate, authenticateToken, keySecrets, catalogs }: AccountMcpRouteParts, resource: string) =>
  async (credential: string) => {
    const isKey = keySecrets.hash(credential) !== undefined;
    const identifying = isKey ? authenticate(credential) : authenticateToken(credential, resource);
    // Most tools read the catalog; loading it in parallel with the credential adds no round trip.
    const [identified] = await Promise.all([identifying, catalogs.current()]);
    return identified;
  };

/** The account API as tools for agents. */
export const accountMcpRoute = (parts: AccountMcpRouteParts): AccountMcp => {
  const { urls, legacyUrl } = parts.addresses;
  const { path } = callMcp;
  const resource = `${urls.api}${path}`;
  const open = async (): Promise<Respond> => {
    const { accountMcp } = await import('./account.ts');
    return accountMcp({
      ...commonOf(parts),
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

const agentsOf = (parts: AgentMcpRouteParts, name: Host) => ({
  ...commonOf(parts),
  identify: (credential: string) => parts.authenticateAgent(credential),
  endpoints: parts.endpoints.filter(({ host }) => host === name),
});

export const designMcpRoute = (parts: AgentMcpRouteParts): LazyRoute =>
  lazyRoute(callDesignMcp, async () => (await import('./design.ts')).designMcp(agentsOf(parts, 'design')));

export const shopMcpRoute = (parts: AgentMcpRouteParts): LazyRoute =>
  lazyRoute(callShopMcp, async () => (await import('./design.ts')).shopMcp(agentsOf(parts, 'shop')));
