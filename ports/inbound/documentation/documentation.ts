import type { EndpointSpec } from '../endpoint.ts';
import type { EndpointId, Endpoints } from '../endpoints.ts';
import { JsonRpcReply } from './answers/mcp.ts';
import { ClientConfigData } from './answers/policy.ts';
import { billingDocumentation } from './billing.ts';
import { catalogDocumentation } from './catalog.ts';
import { collectDocumentation } from './collect.ts';
import { deliveryDocumentation } from './delivery.ts';
import { devicesDocumentation } from './devices.ts';
import { documentsDocumentation } from './documents.ts';
import type { AnswerIn, DocumentationOf, EndpointDocumentation } from './endpoint-documentation.ts';
import { examples } from './examples/examples.ts';
import { galleryDocumentation } from './gallery.ts';
import { licensingDocumentation } from './licensing.ts';
import { supportDocumentation } from './support.ts';

const policyDocumentation = {
  getClientConfig: {
    group: 'Client config',
    summary: 'Get the signed client policy',
    description:
      'The lowest version that clients should have, the time that they may run offline, and the revoked devices. The document is signed, so that it can be kept and passed on. To verify it, take the key with the `kid` of the signature’s header from `/.well-known/jwks.json`, verify the signature, and use its payload. Reject a document whose `version` is lower than one that you have seen. The document is the same for everybody.',
    answer: { schema: ClientConfigData, example: examples.clientConfig },
  },
} as const;

const mcpDocumentation = {
  callMcp: {
    group: 'MCP',
    summary: 'Call the account API as tools',
    description:
      'One JSON-RPC message of the Model Context Protocol (Streamable HTTP, revisions 2025-11-25 and 2026-07-28) for each request, answered by one JSON document. The tools are the endpoints that the credential may call. The access token of a sign-in is accepted here, and nowhere else. The reply to `initialize` has an `Mcp-Session-Id`, which is never needed. A notification gets 202 without a body. A batch, a message that is no JSON-RPC and an unknown protocol version are 400 with a JSON-RPC error.',
    bodyExample: { jsonrpc: '2.0', id: '1', method: 'ping', params: {} },
    answer: { schema: JsonRpcReply, example: { jsonrpc: '2.0', id: '1', result: {} } },
  },
} as const;

const designMcpDocumentation = {
  callDesignMcp: {
    group: 'Design MCP',
    summary: 'Read the design host by tools and resources',
    description:
      'One JSON-RPC message of the Model Context Protocol (Streamable HTTP, revisions 2025-11-25 and 2026-07-28) for each request, answered by one JSON document. The caller needs an agent token of the role `read`; nobody signs in here. The tools are the endpoints of this host that such a token may call. Approved documents are resources too: `resources/list` names them page by page, and `resources/read` has the Markdown of `design://documents/{slug}` and of `design://documents/{slug}/versions/{number}`. A notification gets 202 without a body. A batch, a message that is no JSON-RPC and an unknown protocol version are 400 with a JSON-RPC error.',
    bodyExample: { jsonrpc: '2.0', id: '1', method: 'ping', params: {} },
    answer: { schema: JsonRpcReply, example: { jsonrpc: '2.0', id: '1', result: {} } },
  },
} as const;

/** The documentation of every endpoint by its id. An endpoint without it does not compile. */
export const DOCUMENTATION = {
  ...catalogDocumentation,
  ...deliveryDocumentation,
  ...licensingDocumentation,
  ...devicesDocumentation,
  ...billingDocumentation,
  ...policyDocumentation,
  ...supportDocumentation,
  ...mcpDocumentation,
  ...designMcpDocumentation,
  ...documentsDocumentation,
  ...collectDocumentation,
  ...galleryDocumentation,
} satisfies { readonly [Id in EndpointId]: DocumentationOf<Endpoints[Id]> };

export type Documentation = typeof DOCUMENTATION;

/** The JSON that an endpoint answers with. */
export type AnswerOf<Id extends EndpointId> = AnswerIn<Documentation[Id]>;

/** The documentation of an endpoint that is only known at run time. */
export const documentationOf = ({ id }: Pick<EndpointSpec, 'id'>): EndpointDocumentation =>
  DOCUMENTATION[id as EndpointId];
