import { describe, expect, test } from 'vitest';
import { refusalResponses } from '../../adapters/openapi/refusal-responses.ts';
import { bodyExamples } from '../../ports/inbound/body-examples.ts';
import type { EndpointSpec } from '../../ports/inbound/endpoint.ts';
import { allEndpoints } from '../../ports/inbound/endpoints.ts';
import { examples } from '../../ports/inbound/examples.ts';
import type { RefusalCode } from '../../ports/inbound/refusals.ts';
import { DeviceLimitData } from '../../ports/inbound/schemas/licensing.ts';

const WITH_JSON = allEndpoints.flatMap(({ id, output }) => (output.kind === 'json' ? [{ id, output }] : []));

const refusalExample = (endpoint: EndpointSpec, status: number, code: RefusalCode): unknown =>
  (refusalResponses(endpoint) as Record<number, { content: Record<string, { examples: Record<string, unknown> }> }>)[
    status
  ]?.content['application/json']?.examples[code];

describe('the examples of the document', () => {
  test.each(WITH_JSON)('of $id is just what its schema says', ({ output: { schema, example } }) => {
    expect(schema.parse(example)).toEqual(example);
  });

  test('of the device limit is just what its schema says', () => {
    expect(DeviceLimitData.parse(examples.deviceLimit)).toEqual(examples.deviceLimit);
  });

  test('are all shown somewhere', () => {
    const shown = new Set<unknown>([
      ...WITH_JSON.flatMap(({ output }) => [output.example, output.joinedExample]),
      ...allEndpoints.map(({ bodyExample }) => bodyExample),
      examples.deviceLimit,
    ]);
    const all = [...Object.entries<unknown>(examples), ...Object.entries<unknown>(bodyExamples)];
    expect(all.filter(([, example]) => !shown.has(example))).toEqual([]);
  });

  test.each(
    WITH_JSON.filter(({ output }) => output.joinedBy !== undefined),
  )('of $id that created nothing says so, and the other that it did', ({ output }) => {
    const { schema, example, joinedBy = '', joinedExample } = output;
    expect(schema.parse(joinedExample)).toEqual(joinedExample);
    expect([example, joinedExample]).toMatchObject([{ [joinedBy]: false }, { [joinedBy]: true }]);
  });

  test.each(
    allEndpoints.filter(({ body }) => body),
  )('of the body of $id is there, and is just what its schema takes', ({ body, bodyExample }) => {
    expect(bodyExample).toBeDefined();
    expect(body?.parse(bodyExample)).toEqual(bodyExample);
  });

  test.each(
    allEndpoints.filter(({ body, query }) => body ?? query),
  )('of a 422 of $id is of a field that it has', (endpoint) => {
    const { value } = refusalExample(endpoint, 422, 'validation_failed') as { value: Record<string, unknown> };
    const { message, errors } = value as { message: string; errors: Record<string, string[]> };
    expect(Object.values(errors)).toEqual([[message]]);
    expect(Object.keys((endpoint.body ?? endpoint.query)?.shape ?? {})).toEqual(
      expect.arrayContaining(Object.keys(errors)),
    );
  });

  test.each(
    allEndpoints.filter(({ upload }) => upload),
  )('of the refusals of $id speak of the form that it takes', (endpoint) => {
    for (const [status, code] of [
      [400, 'malformed_body'],
      [415, 'unsupported_media_type'],
    ] as const) {
      const message = expect.stringContaining('multipart/form-data');
      expect(refusalExample(endpoint, status, code)).toEqual({ value: { message } });
    }
  });

  test.each(allEndpoints)('of the refusals of $id name each code that a client may meet', (endpoint) => {
    const statuses = Object.keys(refusalResponses(endpoint)).map(Number);
    expect(statuses).toEqual(
      expect.arrayContaining(endpoint.access.credential === 'none' ? [429, 503] : [401, 429, 503]),
    );
  });
});
