import { describe, expect, test } from 'vitest';
import { refusalResponses } from '../../adapters/openapi/refusal-responses.ts';
import { allEndpoints } from '../../ports/inbound/endpoints.ts';
import { examples } from '../../ports/inbound/examples.ts';
import { DeviceLimitData } from '../../ports/inbound/schemas/licensing.ts';

const WITH_JSON = allEndpoints.flatMap(({ id, output }) => (output.kind === 'json' ? [{ id, output }] : []));

describe('the examples of the document', () => {
  test.each(WITH_JSON)('of $id is just what its schema says', ({ output: { schema, example } }) => {
    expect(schema.parse(example)).toEqual(example);
  });

  test('of the device limit is just what its schema says', () => {
    expect(DeviceLimitData.parse(examples.deviceLimit)).toEqual(examples.deviceLimit);
  });

  test('are all shown somewhere', () => {
    const shown = new Set<unknown>([...WITH_JSON.map(({ output }) => output.example), examples.deviceLimit]);
    expect(Object.entries(examples).filter(([, example]) => !shown.has(example))).toEqual([]);
  });

  test.each(allEndpoints)('of the refusals of $id name each code that a client may meet', (endpoint) => {
    const statuses = Object.keys(refusalResponses(endpoint)).map(Number);
    expect(statuses).toEqual(
      expect.arrayContaining(endpoint.access.credential === 'none' ? [429, 503] : [401, 429, 503]),
    );
  });
});
