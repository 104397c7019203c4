import type { DesignDocument, DocumentText } from '../../domain/documents/document.ts';
import type { Refused } from '../../domain/shared/outcome.ts';
import { MAX_PAGE_SIZE, type PagedList } from '../../domain/shared/paging.ts';
import { getDocument, getManifest } from '../../ports/inbound/design/documents.ts';
import { callDesignMcp } from '../../ports/inbound/design/mcp.ts';
import {
  DESIGN_ADVICE,
  DESIGN_INSTRUCTIONS,
  SHOP_ADVICE,
  SHOP_INSTRUCTIONS,
} from '../../ports/inbound/documentation/tools.ts';
import type { AccessRule, EndpointSpec } from '../../ports/inbound/endpoint.ts';
import { callShopMcp } from '../../ports/inbound/shop/mcp.ts';
import type { JsonBodies } from '../host/bodies.ts';
import type { Respond } from '../host/host.ts';
import { refusalBody, refusalStatus } from '../host/reply.ts';
import { bodyAtHand, type RawInput } from '../pipeline/input.ts';
import type { AdmissionParts } from './admission.ts';
import { type CanInvoke, callEndpoint, type EndpointToolParts, endpointTools } from './endpoint-tools.ts';
import { mcpHandler } from './handler.ts';
import type { ListResourcesResult, ResourceSource, Template, ToolContext } from './tool.ts';

const SCHEME = 'design://documents/';
const MARKDOWN = 'text/markdown';

const URI = /^design:\/\/documents\/([a-z0-9]+(?:-[a-z0-9]+)*)(?:\/versions\/([1-9]\d{0,8}))?$/;

/** A cursor is the number of the next page. */
const CURSOR = /^[1-9]\d{0,4}$/;

const TEMPLATES: readonly Template[] = [
  {
    name: 'document',
    title: 'The current version of a design document',
    uriTemplate: `${SCHEME}{slug}`,
    description: 'Its Markdown. list_documents has the slugs.',
    mimeType: MARKDOWN,
  },
  {
    name: 'document_version',
    title: 'A version of a design document',
    uriTemplate: `${SCHEME}{slug}/versions/{number}`,
    description: 'Its Markdown, whatever became of it. list_document_versions has the numbers; drafts are not shown.',
    mimeType: MARKDOWN,
  },
];

const NOT_FOUND = `There is no document at this URI; it is ${SCHEME} and the slug of a document, with /versions/ and a number for an earlier version.`;

const rawOf = (given: Pick<RawInput, 'params' | 'query'>, { locale }: ToolContext): RawInput => ({
  ...given,
  body: bodyAtHand(null),
  locale,
});

/** The end of a request that was refused: a resource that is not there, or a fault of the service. */
const refusedEnd = (refused: Refused) => {
  const sentence = String(refusalBody(refused)['message']);
  return refusalStatus(refused.code) >= 500 ? { fault: sentence } : { missing: sentence };
};

const resourceOf = ({ slug, title, updated_at }: DesignDocument): ListResourcesResult['resources'][number] => ({
  uri: SCHEME + slug,
  name: slug,
  title,
  mimeType: MARKDOWN,
  annotations: { lastModified: updated_at },
});

/** The documents of a page that have a current version: a document without one has nothing to read. */
const pageOf = ({ data, meta }: PagedList<DesignDocument>): { readonly result: ListResourcesResult } => ({
  result: {
    resources: data.filter(({ current_version }) => current_version > 0).map(resourceOf),
    ...(meta.current_page < meta.last_page && { nextCursor: String(meta.current_page + 1) }),
  },
});

/**
 * Design documents as resources. Each request goes the way of the REST API, through the invoker, so that it is counted
 * and permitted like a call of list_documents or read_document.
 */
const documentResources = (parts: CanInvoke): ResourceSource => ({
  templates: TEMPLATES,
  list: async (cursor = '1', context) => {
    if (!CURSOR.test(cursor)) return { invalid: 'This cursor is none of this server’s; begin without one.' };
    const raw = rawOf({ params: {}, query: { page: Number(cursor), per_page: MAX_PAGE_SIZE } }, context);
    return callEndpoint(parts, getManifest, raw, context, (outcome) =>
      outcome.ok ? pageOf(outcome.value as PagedList<DesignDocument>) : refusedEnd(outcome),
    );
  },
  read: async (uri, context) => {
    const [, slug, number] = URI.exec(uri) ?? [];
    if (slug === undefined) return { missing: NOT_FOUND };
    const query = number === undefined ? {} : { version: Number(number) };
    return callEndpoint(parts, getDocument, rawOf({ params: { slug }, query }, context), context, (outcome) => {
      if (!outcome.ok) return refusedEnd(outcome);
      const { version } = outcome.value as { readonly version: DocumentText };
      return { result: { contents: [{ uri, mimeType: MARKDOWN, text: version.body }] } };
    });
  },
});

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

/** The endpoints of the design host and of the shop host give addresses of files, and no file. */
const sign = async (): Promise<never> => {
  throw new Error('No tool of this host answers with a file.');
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

const SHOP_INFO = { name: 'shop-host', title: 'Shop', version: '1.0.0' };

/** The shop host as tools, of which a token sees those of its role. Nobody signs in here. */
export const shopMcp = (parts: DesignMcpParts): Respond =>
  mcpHandler({
    ...parts,
    endpoint: callShopMcp,
    scopes: [],
    metadataUrl: undefined,
    info: SHOP_INFO,
    instructions: SHOP_INSTRUCTIONS,
    tools: endpointTools(parts.endpoints, { ...parts, sign, advice: SHOP_ADVICE }),
    urls: [parts.urls.shop],
  });
