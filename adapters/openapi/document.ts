import * as z from 'zod';
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiRequestBodyObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { type AccessRule, abilityOf } from '../../domain/access/access-rule.ts';
import { documentationOf } from '../../ports/inbound/documentation.ts';
import type { EndpointDocumentation } from '../../ports/inbound/documented.ts';
import { bodyTypes, type EndpointSpec, type FileSpec } from '../../ports/inbound/endpoint.ts';
import { allEndpoints } from '../../ports/inbound/endpoints.ts';
import { GROUPS } from '../../ports/inbound/groups.ts';
import { HOST_TITLES, HOSTS, type Host } from '../../ports/inbound/hosts.ts';
import { jsonRpcReply } from '../../ports/inbound/json-rpc.ts';
import { REFUSAL_DATA } from '../../ports/inbound/refusal-data.ts';
import { REFUSALS, type RefusalCode, refusalMessage } from '../../ports/inbound/refusals.ts';
import { webhookBodies } from '../../ports/inbound/shop/webhook-bodies.ts';
import { type FieldErrors, fieldErrors, summary } from '../pipeline/input.ts';
import RECORDED from './examples.json' with { type: 'json' };
import { withNamedSchemas } from './schemas.ts';

/**
 * Recorded answers of the sample store (`npm run examples`): successful answers and answers that joined an existing
 * record, by endpoint id, and refusals with data, by code.
 */
export const EXAMPLES: {
  readonly answers: Readonly<Record<string, unknown>>;
  readonly joined: Readonly<Record<string, unknown>>;
  readonly refusals: Readonly<Record<string, unknown>>;
} = RECORDED;

const Message = z.object({ message: z.string() }).meta({ id: 'Message' });

const CodedError = z
  .object({ message: z.string(), error: z.string().meta({ description: 'a code that never changes' }) })
  .meta({ id: 'CodedError' });

const ValidationError = z
  .object({
    message: z.string(),
    errors: z.record(z.string(), z.array(z.string())).meta({ description: 'sentences by dotted field' }),
  })
  .meta({ id: 'ValidationError' });

/** Every refusal of an endpoint: those of its access and input, and those it declares. */
export const refusalsOf = (endpoint: EndpointSpec): RefusalCode[] => {
  const { access, path, query, body, output, protocol } = endpoint;
  const codes: RefusalCode[] = ['rate_limited', 'unavailable', ...endpoint.refusals];
  if (access.credential === 'key') {
    codes.push('missing_api_key', 'invalid_api_key');
    if (access.ability) codes.push('missing_api_key_ability');
    if (access.requires?.includes('entitlement')) codes.push('product_entitlement_required');
    if (path.includes('{product}')) codes.push('product_api_key_scope_required');
  }
  if (access.credential === 'key?') {
    codes.push('invalid_api_key');
    if (access.keyAbility) codes.push('missing_api_key_ability');
  }
  if (access.credential === 'agent') codes.push('missing_api_key', 'invalid_api_key', 'missing_api_key_ability');
  if (endpoint.idempotent) codes.push('idempotency_key_reused', 'idempotency_key_in_use');
  if (path.includes('{') && !codes.includes('order_not_found')) codes.push('not_found');
  if (output.kind === 'binary') codes.push('not_found');
  if ((query || body || endpoint.named) && protocol === undefined) codes.push('validation_failed');
  if (query && protocol === undefined) codes.push('malformed_query');
  if (body) codes.push('malformed_body', 'body_too_slow', 'body_too_large', 'unsupported_media_type');
  return [...new Set(codes)];
};

/** A text outside any enumeration, and one that is longer than any text may be. */
const WRONG_VALUES = ['none', 'x'.repeat(100_000)];

/** Inputs that may be invalid: an empty one, then inputs with one wrong field. */
const wrongInputs = ({ shape }: z.ZodObject): Record<string, string>[] => [
  {},
  ...Object.keys(shape).flatMap((field) => WRONG_VALUES.map((value) => ({ [field]: value }))),
];

/** The endpoint's own answer to an invalid field. */
const invalidInput = ({ body, query }: EndpointSpec): { message: string; errors: FieldErrors } => {
  const input = body?.() ?? query?.() ?? z.object({});
  for (const wrong of wrongInputs(input)) {
    const { error } = input.safeParse(wrong);
    if (error) {
      const errors = fieldErrors(error.issues.slice(0, 1), wrong);
      return { message: summary(errors), errors };
    }
  }
  return { message: REFUSALS.validation_failed.message, errors: {} };
};

/** The message of a code, without details of a request. */
const messageOf = (code: RefusalCode, endpoint: EndpointSpec): string => {
  if (endpoint.files) {
    const types = bodyTypes(endpoint).join(' or ');
    if (code === 'unsupported_media_type') return `Send the body as ${types}.`;
    if (code === 'malformed_body') return `The body is not valid ${types}.`;
  }
  return refusalMessage(code, endpoint.access.credential);
};

/** Refusals of a body. An endpoint with its own protocol answers them in the form of that protocol. */
const OF_BODIES: readonly RefusalCode[] = [
  'malformed_body',
  'body_too_slow',
  'body_too_large',
  'unsupported_media_type',
];

const isRpcError = (code: RefusalCode, { protocol }: EndpointSpec): boolean =>
  protocol !== undefined && OF_BODIES.includes(code);

const example = (code: RefusalCode, endpoint: EndpointSpec): unknown => {
  if (isRpcError(code, endpoint)) {
    const error = { code: code === 'malformed_body' ? -32_700 : -32_600, message: messageOf(code, endpoint) };
    return { jsonrpc: '2.0', id: null, error };
  }
  if (code === 'validation_failed') return invalidInput(endpoint);
  if (REFUSAL_DATA[code]) return EXAMPLES.refusals[code];
  const message = messageOf(code, endpoint);
  return REFUSALS[code].named ? { message, error: code } : { message };
};

/** Quotes `<key>` as code, because it would be a tag in a Markdown description. */
const inMarkdown = (message: string): string => message.replace(/"([^"]*<[^"]*)"/g, '`$1`');

export const refusalSchema = (code: RefusalCode, endpoint: EndpointSpec): z.ZodType => {
  if (isRpcError(code, endpoint)) return jsonRpcReply();
  if (code === 'validation_failed') return ValidationError;
  return REFUSAL_DATA[code]?.() ?? (REFUSALS[code].named ? CodedError : Message);
};

const RETRY_AFTER = { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' as const } } };

export const refusalResponses = (endpoint: EndpointSpec): ZodOpenApiResponsesObject => {
  const byStatus = Map.groupBy(refusalsOf(endpoint), (code) => REFUSALS[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => {
      const schemas = [...new Set(codes.map((code) => refusalSchema(code, endpoint)))];
      return [
        status,
        {
          description: codes
            .map((code) => (REFUSALS[code].named ? `\`${code}\`: ` : '') + inMarkdown(messageOf(code, endpoint)))
            .join('\n\n'),
          ...(status === 429 || status === 503 ? { headers: RETRY_AFTER } : {}),
          content: {
            'application/json': {
              schema: schemas.length === 1 ? (schemas[0] as z.ZodType) : z.union(schemas),
              examples: Object.fromEntries(codes.map((code) => [code, { value: example(code, endpoint) }])),
            },
          },
        },
      ];
    }),
  );
};

type Example = Readonly<Record<string, unknown>> | undefined;

/** The fields of a form, each with its own example, because API reference pages fill in a form field by field. */
const formFields = (body: z.ZodObject, example: Example): z.ZodRawShape =>
  Object.fromEntries(
    Object.entries<z.ZodType>(body.shape as Record<string, z.ZodType>).map(([name, field]) => [
      name,
      example?.[name] === undefined ? field : field.meta({ ...field.meta(), example: example[name] }),
    ]),
  );

const filePart = ({ maxBytes, required }: FileSpec): z.ZodType => {
  const file = z.string().meta({ format: 'binary', description: `at most ${maxBytes} bytes` });
  return required ? file : file.optional();
};

/**
 * The body of an endpoint with files. In a form each file is its own part; JSON can't contain files. The form comes
 * first, because many client generators use only the first content type, and without it a client could send no file.
 */
const withFiles = (body: z.ZodObject, files: Readonly<Record<string, FileSpec>>, example: Example) => {
  const parts = Object.entries(files).map(([part, file]) => [part, filePart(file)]);
  const isForm = Object.values(files).some(({ required }) => required);
  return {
    'multipart/form-data': { schema: z.object({ ...formFields(body, example), ...Object.fromEntries(parts) }) },
    ...(isForm ? {} : { 'application/json': { schema: body, example } }),
  };
};

/** The request body of an endpoint, with an example for each content type; undefined if the endpoint has no body. */
const requestBody = (
  { body, files }: EndpointSpec,
  { bodyExample: example }: EndpointDocumentation,
): ZodOpenApiRequestBodyObject | undefined =>
  body && {
    required: files !== undefined || !body().safeParse({}).success,
    content: files ? withFiles(body(), files, example) : { 'application/json': { schema: body(), example } },
  };

/** The parameters of an endpoint's path, each with its example; undefined if the path has none. */
const pathParameters = (
  { params }: EndpointSpec,
  { pathExamples: examples = {} }: EndpointDocumentation,
): z.ZodObject | undefined => {
  if (!params) return undefined;
  const shape = params().shape as Readonly<Record<string, z.ZodType>>;
  const withExample = (name: string, field: z.ZodType) => field.meta({ ...field.meta(), example: examples[name] });
  return params().extend(
    Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, withExample(name, field)])),
  );
};

/** The public URLs of the hosts, without a trailing slash. */
export type HostUrls = Readonly<Record<Host, string>>;

const DESCRIPTION = `The account-side API of a software-product store: what a buyer owns, how to install it, whether a device may run it.

Send \`Authorization: Bearer <key>\` with every call. Each account may make 120 calls a minute with all its keys together; \`X-RateLimit-Remaining\` tells how many are left, and a 429 says in \`Retry-After\` how many seconds to wait. Requests without a valid key, unknown paths included, count against the IP address. Ids are integers, times are ISO 8601 in UTC, and money is an integer in minor units beside its currency. Texts come in Korean or English as \`Accept-Language\` asks, and so do the sentences of refusals that a buyer may read. A key that is bound to one product sees that product, its library entry, bundles and entitlements alone; orders, invoices, payment methods and subscriptions are those of the whole account, by abilities of their own.

Send texts in UTF-8; other bytes are 400. Null and an empty text count as absent where a value may be left out, an integer may come as a text, a query parameter may come twice with one value, and a slash at the end of a path changes nothing.

Answers grow: a later version may add a member to an object and a value to an enumeration. Let your generator make an unknown value of it (openapi-generator: \`enumUnknownDefaultCase\`), or read such members as texts.`;

const USUAL = {
  'X-Request-Id': { description: 'Names this request in our logs.', schema: { type: 'string' as const } },
  'X-RateLimit-Limit': { description: 'Calls allowed in a minute.', schema: { type: 'integer' as const } },
  'X-RateLimit-Remaining': { description: 'Calls left in this minute.', schema: { type: 'integer' as const } },
};

const LANGUAGE = {
  'Content-Language': {
    description:
      'The language of the words of the answer, `en` or `ko`; for products the languages that they are described in, as their `content_locale` says.',
    schema: { type: 'string' as const },
  },
};

const countHeader = ({ output }: EndpointSpec, { counted: description = '' }: EndpointDocumentation) => {
  if (output.kind !== 'empty' || output.countedBy === undefined) return {};
  return { [output.countedBy]: { description, schema: { type: 'integer' as const, minimum: 0 } } };
};

const redirect = (headers: typeof USUAL): ZodOpenApiResponsesObject => ({
  302: {
    description: 'The file is at the address in Location.',
    headers: { ...headers, Location: { description: 'A short-lived address.', schema: { type: 'string' } } },
  },
});

const success = (endpoint: EndpointSpec, documentation: EndpointDocumentation): ZodOpenApiResponsesObject => {
  const { output, localized } = endpoint;
  const headers = localized && localized !== true ? { ...USUAL, ...LANGUAGE } : USUAL;
  const binary = { schema: { type: 'string' as const, format: 'binary' } };
  switch (output.kind) {
    case 'json': {
      const answer = endpoint.answer?.();
      const answers = Object.fromEntries(
        [output.status, ...(output.joinedBy === undefined ? [] : [200])].map((status) => [
          status,
          {
            description: status === output.status ? 'Done.' : 'The resource exists already; nothing was created.',
            headers,
            content: {
              'application/json': {
                schema: answer,
                example: EXAMPLES[status === output.status ? 'answers' : 'joined'][endpoint.id],
              },
            },
          },
        ]),
      );
      if (output.otherwise === 'redirect') return { ...answers, ...redirect(headers) };
      return output.otherwise === 'empty' ? { ...answers, 204: { description: 'There is none.', headers } } : answers;
    }
    case 'css':
      return {
        200: { description: 'The stylesheet.', headers, content: { 'text/css': { schema: { type: 'string' } } } },
      };
    case 'binary':
      return {
        200: { description: 'The whole file.', headers, content: { 'application/octet-stream': binary } },
        206: { description: 'The range asked for.', headers, content: { 'application/octet-stream': binary } },
        304: { description: 'The client has this file already (If-None-Match).' },
        412: { description: 'The file is not the one that If-Match names.' },
        416: { description: 'The range lies outside the file.' },
      };
    case 'xml':
      return {
        200: { description: 'The feed.', headers, content: { [output.mediaType]: { schema: { type: 'string' } } } },
      };
    case 'redirect':
      return redirect(headers);
    case 'empty':
      return {
        204: {
          description: 'Done; the response has no body.',
          headers: { ...headers, ...countHeader(endpoint, documentation) },
        },
      };
  }
};

const SECURITY: Readonly<Record<AccessRule['credential'], Record<string, string[]>[]>> = {
  none: [],
  gallery: [],
  agent: [{ agentToken: [] }],
  key: [{ apiKey: [] }],
  'key?': [{}, { apiKey: [] }],
};

const securityOf = (access: AccessRule): Record<string, string[]>[] => [
  ...SECURITY[access.credential],
  ...(access.credential === 'key' && access.orSignInToken ? [{ signIn: [] }] : []),
];

const requestHeaders = ({ localized, idempotent, named }: EndpointSpec) => {
  const taken = {
    ...(localized && {
      'Accept-Language': z.string().optional().meta({ description: '`ko` or `en`' }),
    }),
    ...((named || idempotent) && {
      'Idempotency-Key': z
        .string()
        .min(1)
        .max(255)
        .regex(/^[!-~]+$/)
        .optional()
        .meta({
          description: `a name for this request: sent again within 24 hours, it ${named ? 'makes anew what nobody has used' : 'gets the first answer'}`,
        }),
    }),
  };
  return Object.keys(taken).length > 0 ? { header: z.object(taken) } : {};
};

/** The permission that a call needs, as a sentence after the endpoint's description. */
const needed = (endpoint: EndpointSpec): string => {
  const { access } = endpoint;
  if (access.credential === 'agent') return access.role ? ` Needs a token of the role \`${access.role}\`.` : '';
  const ability = abilityOf(endpoint);
  if (ability === undefined) return '';
  return access.credential === 'key?'
    ? ` A key that is sent needs the ability \`${ability}\`.`
    : ` Needs a key with the ability \`${ability}\`.`;
};

const operation = (endpoint: EndpointSpec, urls: HostUrls, server: Host): ZodOpenApiOperationObject => {
  const { access } = endpoint;
  const documentation = documentationOf(endpoint);
  const { group, summary, description } = documentation;
  const path = pathParameters(endpoint, documentation);
  const body = requestBody(endpoint, documentation);
  const accepted = endpoint.protocol === undefined ? {} : { 202: { description: 'A notification; there is no body.' } };
  const notModified = endpoint.cache !== undefined ? { 304: { description: 'Unchanged (If-None-Match).' } } : {};
  return {
    operationId: endpoint.id,
    tags: [group],
    summary,
    description: `${description}${needed(endpoint)}`,
    'x-host': endpoint.host,
    'x-access': access,
    security: securityOf(access),
    ...(endpoint.host === server ? {} : { servers: [{ url: urls[endpoint.host] }] }),
    requestParams: {
      ...(path ? { path } : {}),
      ...(endpoint.query ? { query: queryParameters(endpoint.query()) } : {}),
      ...requestHeaders(endpoint),
    },
    ...(body ? { requestBody: body } : {}),
    responses: {
      ...success(endpoint, documentation),
      ...accepted,
      ...notModified,
      ...refusalResponses(endpoint),
    },
  } as ZodOpenApiOperationObject;
};

/**
 * The query parameters, each in the single form that its field documents, because client generators make a type of
 * every branch of a union. An empty parameter counts as absent.
 */
const queryParameters = ({ shape }: z.ZodObject): z.ZodObject =>
  z.object(
    Object.fromEntries(
      Object.entries<z.ZodType>(shape as Record<string, z.ZodType>).map(([name, field]) => [
        name,
        z
          .unknown()
          .optional()
          .meta({ ...field.meta(), param: { allowEmptyValue: true } }),
      ]),
    ),
  );

/** The groups of operations by host, as Scalar and Redoc read them. A group has the host of its first endpoint. */
const groupsByHost = (): { readonly name: string; readonly tags: string[] }[] => {
  const hostOf = new Map(allEndpoints.toReversed().map((one) => [documentationOf(one).group as string, one.host]));
  const tagsOf = (host: Host): string[] => Object.keys(GROUPS).filter((group) => hostOf.get(group) === host);
  return HOSTS.flatMap((host) => (tagsOf(host).length > 0 ? [{ name: HOST_TITLES[host], tags: tagsOf(host) }] : []));
};
const SIGNED_HEADERS = z.object({
  'webhook-id': z.string().meta({ description: 'the same in each attempt; a body with a known one is a duplicate' }),
  'webhook-timestamp': z.string().meta({ description: 'Unix seconds of the attempt' }),
  'webhook-signature': z.string().meta({ description: '`v1,` and the signature, once for each secret' }),
});

/** The requests that the shop's own systems get, by their kinds. */
const webhooks = (): Record<string, { post: ZodOpenApiOperationObject }> =>
  Object.fromEntries(
    webhookBodies().map(({ kind, description, body }) => [
      kind,
      {
        post: {
          operationId: `on_${kind.replace('.', '_')}`,
          tags: ['Shop'],
          summary: kind,
          description: `${description} Signed as Standard Webhooks.`,
          security: [],
          requestParams: { header: SIGNED_HEADERS },
          requestBody: { required: true, content: { 'application/json': { schema: body } } },
          responses: {
            '2XX': { description: 'Delivered.' },
            '410': { description: 'Sends nothing more.' },
            default: { description: 'Sent again later.' },
          },
        },
      },
    ]),
  );

/**
 * The OpenAPI 3.1 document of the endpoints of one host, or of all hosts. In the document of all hosts, the API host is
 * the server, and operations of other hosts name their own. Few client generators read those, so each host serves its
 * own document.
 */
export const openApiDocument = (urls: HostUrls, host?: Host): object => {
  const paths: ZodOpenApiPathsObject = {};
  const server = host ?? 'api';
  const endpoints = allEndpoints.filter((endpoint) => host === undefined || endpoint.host === host);
  const groups = new Set(endpoints.map((endpoint) => documentationOf(endpoint).group as string));
  for (const endpoint of endpoints.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    paths[endpoint.path] = {
      ...paths[endpoint.path],
      [endpoint.method.toLowerCase()]: operation(endpoint, urls, server),
    };
  }
  const document = createDocument({
    openapi: '3.1.0',
    info: { title: 'Account API', version: '1', description: DESCRIPTION },
    servers: [{ url: urls[server] }],
    tags: Object.entries(GROUPS).flatMap(([name, description]) => (groups.has(name) ? [{ name, description }] : [])),
    ...(host === undefined && { 'x-tagGroups': groupsByHost() }),
    paths,
    ...((host === undefined || host === 'shop') && { webhooks: webhooks() }),
    components: {
      securitySchemes: {
        ...(endpoints.some(({ access }) => access.credential.startsWith('key')) && {
          apiKey: {
            type: 'http',
            scheme: 'bearer',
            description: 'An account API key, which begins with `svc_`, or the license key of a product.',
          },
        }),
        ...(endpoints.some(({ access }) => access.credential === 'key' && access.orSignInToken) && {
          signIn: {
            type: 'http',
            scheme: 'bearer',
            description: `The access token of a sign-in at ${urls.account}, which only the MCP endpoint takes.`,
          },
        }),
        ...(endpoints.some(({ access }) => access.credential === 'agent') && {
          agentToken: {
            type: 'http',
            scheme: 'bearer',
            description:
              'The token of a design agent or of one of the shop’s own systems, which begins with `agt_` and has one role.',
          },
        }),
      },
    },
  });
  return withNamedSchemas(document);
};
