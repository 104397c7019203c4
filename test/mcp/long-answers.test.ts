import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { expect, test } from 'vitest';
import { RESULT_CHARACTERS } from '../../adapters/mcp/tool-result.ts';
import { EXAMPLES } from '../../adapters/openapi/document.ts';
import { ok } from '../../domain/shared/outcome.ts';
import { allEndpoints } from '../../ports/inbound/endpoints.ts';
import { aKey, anAccount } from '../surface/buyers.ts';
import { message2025 } from '../surface/mcp-message.ts';
import { openMcp } from './in-process.ts';

const RATE = { allowed: true, limit: 120, remaining: 119, resets_at: 0, retry_after: 1 };

/** The example of an answer with every list repeated until it is too long for any agent. */
const swollen = (value: unknown): unknown => {
  if (Array.isArray(value))
    return Array.from({ length: 3000 }, (_, i) => value[i % value.length]).slice(0, value.length && 3000);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, swollen(inner)]));
};

const WITH_LISTS = allEndpoints.flatMap((endpoint) => {
  const example = EXAMPLES.answers[endpoint.id];
  const isLong = JSON.stringify(swollen(example) ?? '').length > RESULT_CHARACTERS;
  return endpoint.tool && isLong && endpoint.host !== 'design' && endpoint.host !== 'shop'
    ? [{ name: endpoint.tool.name, path: endpoint.path, example }]
    : [];
});

test('the list of responses that can grow long is complete', () => {
  expect(WITH_LISTS.length).toBeGreaterThan(12);
});

test.each(
  WITH_LISTS,
)('a long response of $name is shortened, still follows its schema, and says how to get the rest', async ({
  name,
  path,
  example,
}) => {
  const invoker = { invoke: async () => ({ outcome: ok(swollen(example)), rate: RATE, principal: null }) };
  const mcp = await openMcp({ invoker });
  const { value: key } = await aKey(mcp.service, await anAccount(mcp.service));
  const { body } = await mcp.tell(
    message2025('tools/call', { name, arguments: path.includes('{product}') ? { product: 4 } : {} }),
    key,
  );
  const { structuredContent, content } = body.result;
  const { _shortened, ...answer } = structuredContent;
  expect(JSON.stringify(answer).length).toBeLessThanOrEqual(RESULT_CHARACTERS);
  expect(JSON.parse(content[0].text)).toEqual(structuredContent);
  expect(_shortened).toMatch(/of 3000 entries/);
  expect(_shortened).toContain(`GET https://`);
  expect(_shortened).not.toContain('{');
  const { tools } = (await mcp.tell(message2025('tools/list'), key)).body.result;
  const { outputSchema } = tools.find((tool: { name: string }) => tool.name === name);
  expect(new AjvJsonSchemaValidator().getValidator(outputSchema)(structuredContent)).toMatchObject({ valid: true });
});
