import { callDesignMcp } from '../../ports/inbound/design/mcp.ts';
import { DESIGN_ADVICE, DESIGN_INSTRUCTIONS } from '../../ports/inbound/documentation/design-tools.ts';
import type { AccessRule, EndpointSpec } from '../../ports/inbound/endpoint.ts';
import type { Respond } from '../host/host.ts';
import type { JsonBodies } from '../host/json-bodies.ts';
import type { AdmissionParts } from './admission.ts';
import { documentResources } from './document-resources.ts';
import { type EndpointToolParts, endpointTools } from './endpoint-tools.ts';
import { mcpHandler } from './handler.ts';

export type DesignMcpParts = Pick<EndpointToolParts, 'invoker' | 'urls'> &
  Pick<AdmissionParts, 'identify' | 'guard' | 'recordKeyUse'> & {
    /** The endpoints that the service answers. */
    readonly endpoints: readonly EndpointSpec[];
    readonly openTo?: readonly string[] | undefined;
    readonly jsonBodies: JsonBodies;
  };

const INFO = { name: 'design-host', title: 'Design', version: '1.0.0' };

/** True for an endpoint that everybody may call, or an agent that reads. */
const isForReaders = (access: AccessRule): boolean =>
  access.credential === 'gallery' ||
  access.credential === 'none' ||
  (access.credential === 'agent' && access.role === 'read');

const offered = (endpoints: readonly EndpointSpec[]): EndpointSpec[] =>
  endpoints.filter(({ host, access }) => host === 'design' && isForReaders(access));

/** The endpoints of the design host give addresses of files, and no file. */
const sign = async (): Promise<never> => {
  throw new Error('No tool of the design host answers with a file.');
};

/**
 * The design MCP: what agents may read of the design host, as tools, and its documents as resources too (specification,
 * Design MCP). Its callers have tokens of the role read. Nobody signs in, so that it has no metadata for clients.
 */
export const designMcp = (parts: DesignMcpParts): Respond => {
  const tools = endpointTools(offered(parts.endpoints), { ...parts, sign, advice: DESIGN_ADVICE });
  return mcpHandler({
    ...parts,
    endpoint: callDesignMcp,
    scopes: [],
    metadataUrl: undefined,
    info: INFO,
    instructions: DESIGN_INSTRUCTIONS,
    tools,
    resources: documentResources(parts),
    urls: [parts.urls.design],
  });
};
