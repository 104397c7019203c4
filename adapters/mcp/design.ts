import type { AccessRule } from '../../domain/access/access-rule.ts';
import type { DesignDocument, DocumentText } from '../../domain/design/documents/document.ts';
import { MAX_PAGE_SIZE, type PagedList } from '../../domain/shared/paging.ts';
import { getDocument, getManifest } from '../../ports/inbound/design/documents.ts';
import { DESIGN_ADVICE, DESIGN_INSTRUCTIONS } from '../../ports/inbound/design/mcp.texts.ts';
import { callDesignMcp } from '../../ports/inbound/design/mcp.ts';
import type { EndpointSpec } from '../../ports/inbound/endpoint.ts';
import { SHOP_ADVICE, SHOP_INSTRUCTIONS } from '../../ports/inbound/shop/mcp.texts.ts';
import { callShopMcp } from '../../ports/inbound/shop/mcp.ts';
import type { JsonBodies } from '../host/bodies.ts';
import type { Respond } from '../host/host.ts';
import type { AdmissionParts } from './admission.ts';
import { type EndpointToolParts, endpointTools } from './endpoint-tools.ts';
import { mcpHandler } from './handler.ts';
import { type EndpointResources, endpointResources, MARKDOWN, type Resource } from './resources.ts';
import type { Template } from './tool.ts';

const SCHEME = 'design://documents/';

const URI = /^design:\/\/documents\/([a-z0-9]+(?:-[a-z0-9]+)*)(?:\/versions\/([1-9]\d{0,8}))?$/;

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

const resourceOf = ({ slug, title, updated_at }: DesignDocument): Resource => ({
  uri: SCHEME + slug,
  name: slug,
  title,
  mimeType: MARKDOWN,
  annotations: { lastModified: updated_at },
});

/** Design documents as resources. A document without a current version cannot be read, so it is not listed. */
const DOCUMENTS: EndpointResources = {
  templates: TEMPLATES,
  list: (page) => ({ endpoint: getManifest, params: {}, query: { page, per_page: MAX_PAGE_SIZE } }),
  pageOf: (answer) => {
    const { data, meta } = answer as PagedList<DesignDocument>;
    const resources = data.filter(({ current_version }) => current_version > 0).map(resourceOf);
    return { resources, isLast: meta.current_page >= meta.last_page };
  },
  read: (uri) => {
    const [, slug, number] = URI.exec(uri) ?? [];
    if (slug === undefined) return undefined;
    return { endpoint: getDocument, params: { slug }, query: number === undefined ? {} : { version: Number(number) } };
  },
  textOf: (answer) => (answer as { readonly version: DocumentText }).version.body,
  notFound: NOT_FOUND,
};

export type DesignMcpParts = Pick<EndpointToolParts, 'invoker' | 'urls'> &
  Pick<AdmissionParts, 'identify' | 'guard' | 'recordKeyUse'> & {
    /** The endpoints that become tools. */
    readonly endpoints: readonly EndpointSpec[];
    readonly openTo?: readonly string[] | undefined;
    readonly jsonBodies: JsonBodies;
  };

const INFO = { name: 'design-host', title: 'Design', version: '1.0.0' };

/** True for an endpoint of the gallery, a public one, or one for agents of the role `read`. */
const isForReaders = (access: AccessRule): boolean =>
  access.credential === 'gallery' ||
  access.credential === 'none' ||
  (access.credential === 'agent' && access.role === 'read');

const offered = (endpoints: readonly EndpointSpec[]): EndpointSpec[] =>
  endpoints.filter(({ host, access }) => host === 'design' && isForReaders(access));

/** The endpoints of the design and shop hosts return URLs of files, never the files themselves. */
const sign = async (): Promise<never> => {
  throw new Error('No tool of this host answers with a file.');
};

/**
 * The design MCP: the read endpoints of the design host as tools, and its documents also as resources. Callers need a
 * token of the role `read`. There is no sign-in, so clients find no metadata.
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
    resources: endpointResources(parts, DOCUMENTS),
    urls: [parts.urls.design],
  });
};

const SHOP_INFO = { name: 'shop-host', title: 'Shop', version: '1.0.0' };

/** The shop host as tools. A token sees the tools of its role. There is no sign-in. */
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
