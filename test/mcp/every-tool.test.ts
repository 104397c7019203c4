import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { beforeAll, describe, expect, test } from 'vitest';
import { ABILITIES, DEVICE_KEY_ABILITIES, PERSONAL_KEY_ABILITIES } from '../../domain/access/abilities.ts';
import { permits, requires } from '../../domain/access/access-rule.ts';
import type { ApiKey } from '../../domain/access/api-key.ts';
import { principalOfKey } from '../../domain/access/principal.ts';
import { DOCUMENTATION } from '../../ports/inbound/documentation.ts';
import { type EndpointSpec, pathParams, type ToolSpec } from '../../ports/inbound/endpoint.ts';
import { allEndpoints } from '../../ports/inbound/endpoints.ts';
import { aKey } from '../surface/buyers.ts';
import { seatReleased } from '../surface/callers.ts';
import { aToolsCustomer, goodArguments } from '../surface/good-arguments.ts';
import { goodBody } from '../surface/good-requests.ts';
import { message2025 } from '../surface/mcp-message.ts';
import { badBody } from '../surface/requests.ts';
import { TOOL } from '../surface/shop.ts';
import { type Answer, type McpHost, openMcp } from './in-process.ts';

type ToolEndpoint = EndpointSpec & { readonly tool: ToolSpec };

/** The design host and the shop host have their own MCP. */
const OF_ACCOUNTS = allEndpoints.filter(({ host }) => host !== 'design' && host !== 'shop');
const WITH_TOOL = OF_ACCOUNTS.filter((endpoint): endpoint is ToolEndpoint => endpoint.tool !== undefined);

/** Endpoints that are not tools: a style sheet, feeds and a redirect for updaters, and the MCP endpoint itself. */
const NO_TOOLS = [
  'callMcp',
  'downloadRelease',
  'getAppcast',
  'getProductContentCss',
  'getTauriUpdate',
  'leaseLicense',
  'openUpdateFile',
  'returnLease',
  'startTrial',
];

let mcp: McpHost;
let account: number;

const keyFor = async (endpoint: EndpointSpec): Promise<string> => {
  const scope = requires(endpoint, 'scoped') ? { product_id: TOOL } : {};
  const customer = await aCustomer();
  await seatReleased(mcp.service, endpoint, customer);
  return (await aKey(mcp.service, customer, { abilities: ABILITIES, device: { device_id: 'a-device' }, ...scope }))
    .value;
};

const aCustomer = (): Promise<number> => aToolsCustomer(mcp.service);

beforeAll(async () => {
  mcp = await openMcp();
  account = await aCustomer();
});

const listing = async (key: string) => (await mcp.tell(message2025('tools/list'), key)).body.result.tools as Listed[];

type Schema = Record<string, unknown> & { readonly properties?: Readonly<Record<string, Schema>> };
type Listed = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Schema;
  readonly outputSchema: Schema;
  readonly annotations: Readonly<Record<string, unknown>>;
};

const call = (key: string, name: string, args: object): Promise<Answer> =>
  mcp.tell(message2025('tools/call', { name, arguments: args }), key);

/** Arguments with the other name of the product; undefined if they have none. */
const swapped = ({ product, product_id, ...rest }: Record<string, unknown>): object | undefined => {
  if (product !== undefined) return { ...rest, product_id: product };
  return product_id === undefined ? undefined : { ...rest, product: product_id };
};

describe('the endpoints and their tools', () => {
  test('all endpoints of the account API are tools, except those that no agent could use', () => {
    const without = OF_ACCOUNTS.filter(({ tool }) => tool === undefined).map(({ id }) => id);
    expect(without.toSorted()).toEqual(NO_TOOLS);
  });

  test('the names of tools differ', () => {
    const names = WITH_TOOL.map(({ tool }) => tool.name);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('the list of MCP tools', () => {
  const KEYS = [
    ['a key with every ability', { abilities: ABILITIES }],
    ['a key that a person made', { abilities: PERSONAL_KEY_ABILITIES }],
    ['a key of a device with mcp.read', { abilities: [...DEVICE_KEY_ABILITIES, 'mcp.read'] }],
    ['a key with mcp.read alone', { abilities: ['mcp.read'] }],
    ['a key that is bound to a product', { abilities: ABILITIES, product_id: TOOL }],
    ...ABILITIES.map((one) => [`a key without ${one}`, { abilities: ABILITIES.filter((other) => other !== one) }]),
  ] as [string, { abilities: ApiKey['abilities']; product_id?: number }][];

  test.each(
    KEYS.filter(([, { abilities }]) => abilities.includes('mcp.read')),
  )('the caller %s sees exactly the tools that it may call', async (_, options) => {
    const { key, value } = await aKey(mcp.service, await aCustomer(), options);
    const names = (await listing(value)).map(({ name }) => name);
    const allowed = WITH_TOOL.filter((endpoint) => permits(principalOfKey(key), endpoint));
    expect(names.toSorted()).toEqual(allowed.map(({ tool }) => tool.name).toSorted());
    const hidden = WITH_TOOL.filter((endpoint) => !allowed.includes(endpoint));
    for (const { tool } of hidden) expect((await call(value, tool.name, {})).body.error.code).toBe(-32_602);
  });

  test('the list for a full key costs less than 9,500 tokens of four characters', async () => {
    const { value } = await aKey(mcp.service, account, { product_id: TOOL });
    const tools = await listing(value);
    expect(tools).toHaveLength(WITH_TOOL.length);
    expect(JSON.stringify(tools).length / 4).toBeLessThan(9500);
  });

  test('the order of tools is that of their texts, and the same each time', async () => {
    const { value } = await aKey(mcp.service, await aCustomer(), { product_id: TOOL });
    const order = Object.keys(DOCUMENTATION).flatMap(
      (id) => WITH_TOOL.find((endpoint) => endpoint.id === id)?.tool.name ?? [],
    );
    expect((await listing(value)).map(({ name }) => name)).toEqual(order);
  });
});

describe('calls of a tool', () => {
  const listed = async (endpoint: ToolEndpoint, key: string): Promise<Listed> => {
    const tool = (await listing(key)).find(({ name }) => name === endpoint.tool.name);
    if (!tool) throw new Error(`${endpoint.tool.name} is not listed.`);
    return tool;
  };

  const nested = (schema: unknown): unknown[] =>
    typeof schema === 'object' && schema !== null ? [schema, ...Object.values(schema).flatMap(nested)] : [];

  test.each(
    WITH_TOOL,
  )('the tool $tool.name has a plain name, a title, a text, all four hints and plain schemas', async (endpoint) => {
    const { name, title, description, inputSchema, outputSchema, annotations } = await listed(
      endpoint,
      await keyFor(endpoint),
    );
    expect(name).toMatch(/^[a-z0-9_]{1,40}$/);
    expect(title.length).toBeGreaterThan(5);
    expect(description.length).toBeGreaterThan(40);
    const { effect } = endpoint.tool;
    expect(annotations).toEqual({
      readOnlyHint: effect === 'reads',
      destructiveHint: effect === 'replaces' || effect === 'destroys',
      idempotentHint: effect !== 'adds',
      openWorldHint: false,
    });
    expect(description.split(/[.!?](?:\s|$)/).length).toBeLessThanOrEqual(3);
    expect([inputSchema['type'], outputSchema['type']]).toEqual(['object', 'object']);
    for (const schema of [inputSchema, outputSchema]) {
      for (const word of ['anyOf', 'oneOf', 'allOf', '$ref', '$defs']) expect(schema).not.toHaveProperty(word);
      expect(JSON.stringify(schema)).not.toContain('"$ref"');
    }
    expect(nested(outputSchema).some((one) => (one as Schema)['additionalProperties'] === false)).toBe(false);
  });

  test.each(
    WITH_TOOL,
  )('the tool $tool.name answers valid arguments by its output schema, and repeats the JSON as text', async (endpoint) => {
    const key = await keyFor(endpoint);
    const { outputSchema, inputSchema } = await listed(endpoint, key);
    const args = goodArguments(endpoint);
    const ajv = new AjvJsonSchemaValidator();
    expect(ajv.getValidator(inputSchema)(args)).toMatchObject({ valid: true });
    const { status, body } = await call(key, endpoint.tool.name, args);
    expect(status).toBe(200);
    const { content, structuredContent, isError } = body.result;
    expect([isError, content]).toEqual([undefined, expect.any(Array)]);
    expect(ajv.getValidator(outputSchema)(structuredContent)).toMatchObject({ valid: true });
    expect(JSON.parse(content.at(-1).text)).toEqual(structuredContent);
    expect(mcp.faults).toEqual([]);
  });

  test.each(
    WITH_TOOL.filter(({ body }) => body),
  )('the tool $tool.name names an invalid field of its arguments', async (endpoint) => {
    const args = { ...goodArguments(endpoint), ...badBody(endpoint, TOOL) };
    const { result } = (await call(await keyFor(endpoint), endpoint.tool.name, args)).body;
    expect(result.isError).toBe(true);
    expect(result.content[0].text).toMatch(/^Change these arguments and call again:\n- \w+/);
    expect(result).not.toHaveProperty('structuredContent');
  });

  test.each(WITH_TOOL)('the tool $tool.name refuses an unknown argument and does nothing', async (endpoint) => {
    const key = await keyFor(endpoint);
    const { result } = (await call(key, endpoint.tool.name, { ...goodArguments(endpoint), none: 1 })).body;
    expect(result.isError).toBe(true);
    expect(result.content[0].text).toContain(`${endpoint.tool.name} has no argument "none"`);
    expect((await mcp.tell(message2025('ping'), key)).status).toBe(200);
  });

  test.each(
    WITH_TOOL.filter((endpoint) => swapped(goodArguments(endpoint)) !== undefined),
  )('the tool $tool.name accepts product and product_id alike, and refuses both together', async (endpoint) => {
    const [key, args] = [await keyFor(endpoint), goodArguments(endpoint)];
    const both = (await call(key, endpoint.tool.name, { ...args, ...swapped(args) })).body.result;
    expect(both.content[0].text).toMatch(/has no argument "product(_id)?"/);
    expect((await call(key, endpoint.tool.name, swapped(args) as object)).body.result).not.toHaveProperty('isError');
  });

  test.each(
    WITH_TOOL.filter(({ path }) => path.includes('{')),
  )('the tool $tool.name names every missing argument', async (endpoint) => {
    const { result } = (await call(await keyFor(endpoint), endpoint.tool.name, {})).body;
    expect(result.isError).toBe(true);
    for (const name of pathParams(endpoint.path)) expect(result.content[0].text).toContain(`- ${name}: The `);
    expect(mcp.faults).toEqual([]);
  });

  test.each(
    WITH_TOOL.filter(({ path }) => path.includes('{')),
  )('the tool $tool.name with an object in place of an id finds nothing', async (endpoint) => {
    const wrong = Object.fromEntries(pathParams(endpoint.path).map((name) => [name, { a: 1 }]));
    const { result } = (
      await call(await keyFor(endpoint), endpoint.tool.name, { ...goodArguments(endpoint), ...wrong })
    ).body;
    expect(result.isError).toBe(true);
    expect(mcp.faults).toEqual([]);
  });

  test.each(
    WITH_TOOL.filter(({ path }) => path.includes('{')),
  )('the tool $tool.name with an unknown id returns an error that says where to find ids', async (endpoint) => {
    const args = Object.fromEntries(pathParams(endpoint.path).map((name) => [name, name === 'product' ? 999 : 'none']));
    const { result } = (
      await call(await keyFor(endpoint), endpoint.tool.name, { ...args, ...goodBody(endpoint, TOOL) })
    ).body;
    expect(result.isError).toBe(true);
    if (!requires(endpoint, 'scoped')) expect(result.content[0].text).toMatch(/list_/);
  });
});
