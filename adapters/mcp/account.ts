import type { Ability } from '../../domain/access/abilities.ts';
import { DEFAULT_PERMISSIONS } from '../../domain/sign-in/oauth-grant.ts';
import { callMcp } from '../../ports/inbound/api/mcp.ts';
import { ACCOUNT_ADVICE, ACCOUNT_INSTRUCTIONS } from '../../ports/inbound/documentation/tools.ts';
import type { EndpointSpec } from '../../ports/inbound/endpoint.ts';
import type { JsonBodies } from '../host/bodies.ts';
import type { Respond } from '../host/host.ts';
import type { AdmissionParts } from './admission.ts';
import { type EndpointToolParts, endpointTools } from './endpoint-tools.ts';
import { mcpHandler } from './handler.ts';

export type AccountMcpParts = Omit<EndpointToolParts, 'advice'> &
  Omit<AdmissionParts, 'endpoint' | 'scopes' | 'invalid'> & {
    /** The endpoints of the account API that the service answers. */
    readonly endpoints: readonly EndpointSpec[];
    /** Further addresses under which the endpoint may be called, such as the legacy host's. */
    readonly otherUrls: readonly string[];
    readonly openTo?: readonly string[] | undefined;
    readonly jsonBodies: JsonBodies;
  };

const INFO = { name: 'account-service', title: 'Account', version: '1.0.0' };

const INVALID =
  'This key or token is unknown, revoked, expired, or was issued for another service; sign in again or create a key.';

const SCOPES: readonly Ability[] = DEFAULT_PERMISSIONS;

/** The account MCP: the endpoints of the account API as tools (specification, Account MCP). */
export const accountMcp = (parts: AccountMcpParts): Respond => {
  const tools = endpointTools(parts.endpoints, { ...parts, advice: ACCOUNT_ADVICE });
  return mcpHandler({
    ...parts,
    endpoint: callMcp,
    scopes: SCOPES,
    invalid: INVALID,
    info: INFO,
    instructions: ACCOUNT_INSTRUCTIONS,
    tools,
    urls: [parts.urls.api, ...parts.otherUrls],
  });
};
