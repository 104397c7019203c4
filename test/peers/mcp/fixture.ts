import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { JsonBodies } from '../../../adapters/host/bodies.ts';
import { createHost } from '../../../adapters/host/host.ts';
import { nodeListener } from '../../../adapters/http/node-requests.ts';
import { mcpHandler } from '../../../adapters/mcp/handler.ts';
import type { CallEnd, CallToolResult, Tool } from '../../../adapters/mcp/tool.ts';
import { ANYONE } from '../../../domain/access/principal.ts';
import { ok } from '../../../domain/shared/outcome.ts';
import { callMcp } from '../../../ports/inbound/api/mcp.ts';
import { endpoint } from '../../../ports/inbound/endpoint.ts';

/** One red pixel, and a sound of zero length. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';

const SCHEMA_2020 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

const text = (one: string) => ({ type: 'text' as const, text: one });
const image = { type: 'image' as const, data: PNG, mimeType: 'image/png' };
const audio = { type: 'audio' as const, data: WAV, mimeType: 'audio/wav' };
const embedded = (uri: string, mimeType: string, content: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: content },
});

const result = (...content: CallToolResult['content']): CallEnd => ({ result: { content } });

/** The tools that the conformance suite calls by fixed names, as far as a server with only tools can have them. */
const ANSWERS: Readonly<Record<string, CallEnd>> = {
  test_simple_text: result(text('This is a simple text response for testing.')),
  test_image_content: result(image),
  test_audio_content: result(audio),
  test_embedded_resource: result(
    embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
  ),
  test_multiple_content_types: result(
    text('Multiple content types test:'),
    image,
    embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ),
  test_error_handling: {
    result: { isError: true, content: [text('This tool intentionally returns an error for testing')] },
  },
  test_logging_tool: result(text('Nothing was logged.')),
  test_streaming_elicitation: result(text('Nothing was asked.')),
  json_schema_2020_12_tool: result(text('Done.')),
};

const tool = (name: string, ended: CallEnd): Tool => ({
  name,
  group: 'fixture',
  bodyLimit: 64 * 1024,
  listing: {
    name,
    title: name,
    description: 'A tool of the conformance suite.',
    inputSchema: (name === 'json_schema_2020_12_tool' ? SCHEMA_2020 : { type: 'object', properties: {} }) as never,
  },
  permits: () => true,
  lacks: () => undefined,
  call: async () => ended,
});

const RATE = { allowed: true, limit: 1e6, remaining: 1e6, resets_at: 0, retry_after: 1 };

/** The endpoint of the fixture, which accepts any credential. */
const OPEN = endpoint({ ...callMcp, id: 'fixture', access: { credential: 'none' } });

/** The MCP handler of the service with the conformance suite's own tools, on its own server. */
export const openFixture = async (): Promise<{ readonly url: string; readonly close: () => void }> => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const entry = mcpHandler({
    endpoint: OPEN,
    tools: Object.entries(ANSWERS).map(([name, ended]) => tool(name, ended)),
    info: { name: 'fixture', title: 'Fixture', version: '1' },
    instructions: 'The tools of the conformance suite.',
    urls: [url],
    jsonBodies: new JsonBodies(),
    identify: async () => ok(ANYONE),
    guard: {
      spent: () => undefined,
      limitAddress: async () => RATE,
      count: async () => RATE,
    },
    recordKeyUse: async () => undefined,
    metadataUrl: undefined,
    scopes: [],
  });
  const options = { log: () => undefined, fault: console.error, health: async () => undefined };
  server.on('request', nodeListener(createHost([{ method: 'POST', path: callMcp.path, entry }], options)));
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { url, close };
};
