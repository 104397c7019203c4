import type { Ability } from '../../domain/access/abilities.ts';
import type { Principal } from '../../domain/access/principal.ts';
import { DEFAULT_PERMISSIONS } from '../../domain/sign-in/oauth-grant.ts';
import { getLibrary, getProductDetail } from '../../ports/inbound/api/catalog.ts';
import { ACCOUNT_ADVICE, ACCOUNT_INSTRUCTIONS } from '../../ports/inbound/api/mcp.texts.ts';
import { callMcp } from '../../ports/inbound/api/mcp.ts';
import type { EndpointSpec } from '../../ports/inbound/endpoint.ts';
import type { AnswerOf } from '../../ports/inbound/endpoints.ts';
import type { JsonBodies } from '../host/bodies.ts';
import type { Respond } from '../host/host.ts';
import { type AdmissionParts, isSignedIn } from './admission.ts';
import { type EndpointToolParts, endpointTools } from './endpoint-tools.ts';
import { mcpHandler } from './handler.ts';
import { type EndpointResources, endpointResources, MARKDOWN } from './resources.ts';
import type { Tool } from './tool.ts';
import { RESULT_CHARACTERS } from './tool-result.ts';

export type AccountMcpParts = Omit<EndpointToolParts, 'advice'> &
  Omit<AdmissionParts, 'endpoint' | 'scopes' | 'invalid'> & {
    /** The endpoints that become tools. */
    readonly endpoints: readonly EndpointSpec[];
    /** Other URLs under which the endpoint may be called, such as the legacy host's. */
    readonly otherUrls: readonly string[];
    readonly openTo?: readonly string[] | undefined;
    readonly jsonBodies: JsonBodies;
  };

const INFO = { name: 'account-service', title: 'Account', version: '1.0.0' };

const INVALID =
  'This key or token is unknown, revoked, expired, or was issued for another service; sign in again or create a key.';

const SCOPES: readonly Ability[] = DEFAULT_PERMISSIONS;

const MANUAL = /^account:\/\/products\/([1-9]\d{0,15})\/manual$/;
const uriOf = (id: number): string => `account://products/${id}/manual`;

/** The number of manuals on a page of the list. */
const PAGE = 50;

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [`## ${title}`, lines.map((line) => `- ${line}`).join('\n')];

/** The manual of a product as Markdown, cut to the size limit of a result. */
const manualOf = ({ product, manual, setup_steps }: AnswerOf<'getProductDetail'>): string =>
  [
    `# ${product.name}`,
    ...(manual?.summary ? [manual.summary] : []),
    ...section('Requirements', manual?.requirements ?? []),
    ...section('Install', manual?.install_steps ?? []),
    ...section('Verify', manual?.verification_steps ?? []),
    ...section('Set up', setup_steps),
    ...section('Troubleshooting', manual?.troubleshooting ?? []),
  ]
    .join('\n\n')
    .slice(0, RESULT_CHARACTERS)
    .toWellFormed();

/** The manuals of the products that the caller may use, as resources. */
const MANUALS: EndpointResources = {
  templates: [
    {
      name: 'manual',
      title: 'The manual of a product',
      uriTemplate: 'account://products/{product}/manual',
      description: 'As show_product_detail has it. list_library has the ids.',
      mimeType: MARKDOWN,
    },
  ],
  list: () => ({ endpoint: getLibrary, params: {}, query: {} }),
  pageOf: (answer, page) => {
    const { items } = answer as AnswerOf<'getLibrary'>;
    const listed = items.filter(({ product }) => product.manual).slice((page - 1) * PAGE);
    const resources = listed.slice(0, PAGE).map(({ product: { id, name } }) => ({
      uri: uriOf(id),
      name: `manual-${id}`,
      title: name,
      mimeType: MARKDOWN,
    }));
    return { resources, isLast: listed.length <= PAGE };
  },
  read: (uri) => {
    const [, product] = MANUAL.exec(uri) ?? [];
    return product === undefined ? undefined : { endpoint: getProductDetail, params: { product }, query: {} };
  },
  textOf: (answer) => manualOf(answer as AnswerOf<'getProductDetail'>),
  notFound: `There is no manual at this URI; it is ${uriOf(4)} with the id of a product.`,
};

/**
 * Lists the permissions that the caller lacks, the tools that each would unlock, and the page where the owner grants
 * them.
 */
const lackedBy =
  (account: string) =>
  (principal: Principal, tools: readonly Tool[]): string => {
    const lacked = Map.groupBy(tools, (tool) => tool.lacks(principal));
    const named = [...lacked].flatMap(([permission, opened]) =>
      permission === undefined ? [] : [`${permission} (${opened.map(({ name }) => name).join(', ')})`],
    );
    if (named.length === 0) return '';
    return isSignedIn(principal)
      ? `This sign-in lacks ${named.join('; ')}. The owner of the account gives permissions when the client connects: disconnect it at ${account}/apps, and connect again.`
      : `This key lacks ${named.join('; ')}. The owner of the account creates a key that has them at ${account}/keys.`;
  };

/** The account MCP: the endpoints of the account API as tools (docs/agents.md). */
export const accountMcp = (parts: AccountMcpParts): Respond => {
  const tools = endpointTools(parts.endpoints, { ...parts, advice: ACCOUNT_ADVICE });
  return mcpHandler({
    ...parts,
    endpoint: callMcp,
    scopes: SCOPES,
    invalid: INVALID,
    info: INFO,
    instructions: ACCOUNT_INSTRUCTIONS,
    lacking: lackedBy(parts.urls.account),
    tools,
    resources: endpointResources(parts, MANUALS),
    urls: [parts.urls.api, ...parts.otherUrls],
  });
};
