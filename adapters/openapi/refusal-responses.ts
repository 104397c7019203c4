import * as z from 'zod';
import type { ZodOpenApiResponsesObject } from 'zod-openapi';
import type { EndpointSpec } from '../../ports/inbound/endpoint.ts';
import { examples } from '../../ports/inbound/examples.ts';
import { REFUSALS, type RefusalCode } from '../../ports/inbound/refusals.ts';
import { DeviceLimitData } from '../../ports/inbound/schemas/licensing.ts';

const Message = z.object({ message: z.string() }).meta({ id: 'Message' });

const CodedError = z
  .object({ message: z.string(), error: z.string().meta({ description: 'a code that stays the same' }) })
  .meta({ id: 'CodedError' });

const ValidationError = z
  .object({
    message: z.string(),
    errors: z.record(z.string(), z.array(z.string())).meta({ description: 'sentences by dotted field' }),
  })
  .meta({ id: 'ValidationError' });

/** Every refusal that an endpoint can answer with: those of its access and input, and those it declares. */
export const refusalsOf = (endpoint: EndpointSpec): RefusalCode[] => {
  const { access, path, query, body, output } = endpoint;
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
  if (endpoint.idempotent) codes.push('idempotency_key_reused', 'idempotency_key_in_use');
  if (path.includes('{') && !codes.includes('order_not_found')) codes.push('not_found');
  if (output.kind === 'binary') codes.push('not_found');
  if (query || body) codes.push('validation_failed');
  if (body) codes.push('malformed_body', 'body_too_large', 'unsupported_media_type');
  return [...new Set(codes)];
};

const example = (code: RefusalCode): unknown => {
  const { message, named } = REFUSALS[code];
  if (code === 'device_limit_reached') return examples.deviceLimit;
  if (code === 'validation_failed') {
    const sentence = 'The version field is required.';
    return { message: sentence, errors: { version: [sentence] } };
  }
  return named ? { message, error: code } : { message };
};

const schema = (code: RefusalCode) => {
  if (code === 'device_limit_reached') return DeviceLimitData;
  if (code === 'validation_failed') return ValidationError;
  return REFUSALS[code].named ? CodedError : Message;
};

const RETRY_AFTER = { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' as const } } };

export const refusalResponses = (endpoint: EndpointSpec): ZodOpenApiResponsesObject => {
  const byStatus = Map.groupBy(refusalsOf(endpoint), (code) => REFUSALS[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => {
      const schemas = [...new Set(codes.map(schema))];
      return [
        status,
        {
          description: codes
            .map((code) => (REFUSALS[code].named ? `\`${code}\`: ` : '') + REFUSALS[code].message)
            .join('\n\n'),
          ...(status === 429 || status === 503 ? { headers: RETRY_AFTER } : {}),
          content: {
            'application/json': {
              schema: schemas.length === 1 ? (schemas[0] as z.ZodType) : z.union(schemas),
              examples: Object.fromEntries(codes.map((code) => [code, { value: example(code) }])),
            },
          },
        },
      ];
    }),
  );
};
