import * as z from 'zod';
import type { ZodOpenApiResponsesObject } from 'zod-openapi';
import { JsonRpcReply } from '../../ports/inbound/documentation/answers/mcp.ts';
import { REFUSAL_DATA } from '../../ports/inbound/documentation/refusal-data.ts';
import { bodyTypes, type EndpointSpec } from '../../ports/inbound/endpoint.ts';
import { REFUSALS, type RefusalCode, refusalMessage } from '../../ports/inbound/refusals.ts';
import { type FieldErrors, fieldErrors, summary } from '../pipeline/validation.ts';

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

/** Every refusal that an endpoint can answer with: those of its access and input, and those it declares. */
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

/** A text that is no value of any enumeration, and one that is longer than any text may be. */
const WRONG_VALUES = ['none', 'x'.repeat(100_000)];

/** Inputs that may be invalid: an empty one, then inputs with one wrong field. */
const wrongInputs = ({ shape }: z.ZodObject): Record<string, string>[] => [
  {},
  ...Object.keys(shape).flatMap((field) => WRONG_VALUES.map((value) => ({ [field]: value }))),
];

/** The endpoint's own answer to an invalid field. */
const invalidInput = ({ body, query }: EndpointSpec): { message: string; errors: FieldErrors } => {
  const input = body ?? query ?? z.object({});
  for (const wrong of wrongInputs(input)) {
    const { error } = input.safeParse(wrong);
    if (error) {
      const errors = fieldErrors(error.issues.slice(0, 1), wrong);
      return { message: summary(errors), errors };
    }
  }
  return { message: REFUSALS.validation_failed.message, errors: {} };
};

/** The message of a code without details of a request. */
const messageOf = (code: RefusalCode, endpoint: EndpointSpec): string => {
  if (endpoint.files) {
    const types = bodyTypes(endpoint).join(' or ');
    if (code === 'unsupported_media_type') return `Send the body as ${types}.`;
    if (code === 'malformed_body') return `The body is not valid ${types}.`;
  }
  return refusalMessage(code, endpoint.access.credential);
};

/** Refusals of a body, which an endpoint with a protocol of its own answers in the form of that protocol. */
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
  const documented = REFUSAL_DATA[code];
  if (documented) return documented.example;
  const message = messageOf(code, endpoint);
  return REFUSALS[code].named ? { message, error: code } : { message };
};

/** Quotes `<key>` as code, because it would be a tag in a Markdown description. */
const inMarkdown = (message: string): string => message.replace(/"([^"]*<[^"]*)"/g, '`$1`');

/** The schema of a refusal's body. */
export const refusalSchema = (code: RefusalCode, endpoint: EndpointSpec): z.ZodType => {
  if (isRpcError(code, endpoint)) return JsonRpcReply;
  if (code === 'validation_failed') return ValidationError;
  return REFUSAL_DATA[code]?.schema ?? (REFUSALS[code].named ? CodedError : Message);
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
