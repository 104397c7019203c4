import { describe, expect, test } from 'vitest';
import { EXAMPLES, refusalResponses } from '../../adapters/openapi/document.ts';
import { documentationOf } from '../../ports/inbound/documentation.ts';
import { type EndpointSpec, isOpen } from '../../ports/inbound/endpoint.ts';
import { allEndpoints } from '../../ports/inbound/endpoints.ts';
import { REFUSAL_DATA } from '../../ports/inbound/refusal-data.ts';
import type { RefusalCode } from '../../ports/inbound/refusals.ts';
import { record } from '../tools/examples/record.ts';

const WITH_JSON = allEndpoints.flatMap(({ id, output, answer }) => {
  const [example, joinedExample] = [EXAMPLES.answers[id], EXAMPLES.joined[id]];
  return output.kind === 'json' && answer
    ? [{ id, joinedBy: output.joinedBy, answer: answer(), example, joinedExample }]
    : [];
});

const WITH_BODY = allEndpoints.flatMap(({ id, body }) =>
  body ? [{ id, body, bodyExample: documentationOf({ id }).bodyExample }] : [],
);

const refusalExample = (endpoint: EndpointSpec, status: number, code: RefusalCode): unknown =>
  (refusalResponses(endpoint) as Record<number, { content: Record<string, { examples: Record<string, unknown> }> }>)[
    status
  ]?.content['application/json']?.examples[code];

describe('the examples of the OpenAPI document', () => {
  test.each(WITH_JSON)('the response example of $id matches its schema exactly', ({ answer, example }) => {
    expect(answer.parse(example)).toEqual(example);
  });

  test('every endpoint that answers with JSON has a response example', () => {
    expect(WITH_JSON).toHaveLength(allEndpoints.filter(({ output }) => output.kind === 'json').length);
  });

  test.each(Object.entries(REFUSAL_DATA))('the example of the data of %s matches its schema exactly', (code, data) => {
    expect(data().parse(EXAMPLES.refusals[code])).toEqual(EXAMPLES.refusals[code]);
  });

  test('the examples are the service’s responses on the sample store, as recorded by npm run examples', async () => {
    expect(await record()).toEqual(EXAMPLES);
  });

  test.each(
    WITH_JSON.filter(({ joinedBy }) => joinedBy !== undefined),
  )('the two examples of $id have different values of its joined field', ({
    joinedBy = '',
    answer,
    example,
    joinedExample,
  }) => {
    expect(answer.parse(joinedExample)).toEqual(joinedExample);
    expect([example, joinedExample]).toMatchObject([{ [joinedBy]: false }, { [joinedBy]: true }]);
  });

  test.each(
    WITH_BODY,
  )('the body example of $id exists and matches its schema, in which an omitted field is null, or a flag false', ({
    body,
    bodyExample,
  }) => {
    expect(bodyExample).toBeDefined();
    const left = Object.keys(body().shape).filter((name) => !Object.hasOwn(bodyExample ?? {}, name));
    const parsed = body().parse(bodyExample);
    expect(parsed).toEqual({
      ...bodyExample,
      ...Object.fromEntries(left.map((name) => [name, parsed[name] === false ? false : null])),
    });
  });

  test.each(
    allEndpoints.filter(({ body, query, protocol }) => protocol === undefined && (body ?? query)),
  )('the 422 example of $id names a field of its input', (endpoint) => {
    const { value } = refusalExample(endpoint, 422, 'validation_failed') as { value: Record<string, unknown> };
    const { message, errors } = value as { message: string; errors: Record<string, string[]> };
    expect(Object.values(errors)).toEqual([[message]]);
    expect(Object.keys((endpoint.body ?? endpoint.query)?.().shape ?? {})).toEqual(
      expect.arrayContaining(Object.keys(errors)),
    );
  });

  test.each(
    allEndpoints.filter(({ files }) => files),
  )('the 400 and 415 examples of $id mention the form that it accepts', (endpoint) => {
    for (const [status, code] of [
      [400, 'malformed_body'],
      [415, 'unsupported_media_type'],
    ] as const) {
      const message = expect.stringContaining('multipart/form-data');
      expect(refusalExample(endpoint, status, code)).toEqual({ value: { message } });
    }
  });

  test.each(allEndpoints)('the refusals of $id include 429, 503 and, where it needs a credential, 401', (endpoint) => {
    const statuses = Object.keys(refusalResponses(endpoint)).map(Number);
    expect(statuses).toEqual(expect.arrayContaining(isOpen(endpoint) ? [429, 503] : [401, 429, 503]));
  });
});
