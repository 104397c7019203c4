import { tmpdir } from 'node:os';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Host } from '../../adapters/host/host.ts';
import { SpoolFolder } from '../../adapters/host/spool.ts';
import { openApiDocument } from '../../adapters/openapi/document.ts';
import { EVERY_AREA } from '../../runtimes/composition/areas/everything.ts';
import { bootstrap } from '../../runtimes/composition/bootstrap.ts';
import { openHost, routesBeside } from '../../runtimes/composition/hosts.ts';
import { aClock } from '../support/fakes.ts';
import { memoryEngines, SETTINGS } from '../support/memory-engines.ts';
import { aKey, anAccount } from './buyers.ts';
import { message2025 } from './mcp-message.ts';
import { seatsArea } from './own-area/seats.ts';
import { OTHER, openShop, SECRET, TOOL } from './shop.ts';

const PER_ACCOUNT = 12;
const clock = aClock();

const wire = () =>
  bootstrap({ ...SETTINGS, perAccount: PER_ACCOUNT, catalogAge: 1 }, memoryEngines(), [...EVERY_AREA, seatsArea], {
    clock,
  });

/** An endpoint of a team's own passes the same gates as this package's, and is described and offered as they are. */
describe('an area of a team’s own', () => {
  let service: ReturnType<typeof wire>;
  let host: Host;
  let logged: Record<string, unknown>[];
  let key: string;

  beforeEach(async () => {
    service = wire();
    await openShop(service);
    logged = [];
    host = openHost('api', {
      service,
      urls: SETTINGS.urls,
      options: {
        log: (line) => void logged.push(line),
        fault: (error) => {
          throw error;
        },
        health: async () => {},
      },
      spool: new SpoolFolder(tmpdir()),
      beside: routesBeside('api', service, {}),
    });
    key = (await aKey(service, await anAccount(service, { entitlements: [{ product_id: TOOL }] }))).value;
  });

  const ask = async (method: string, path: string, json?: unknown, credential?: string) => {
    const bytes = json === undefined ? new Uint8Array() : Buffer.from(JSON.stringify(json));
    const reply = await host.handle({
      method,
      path,
      query: '',
      headers: {
        host: 'api.example.com',
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...(credential !== undefined && { authorization: `Bearer ${credential}` }),
      },
      address: () => '203.0.113.7',
      length: bytes.length,
      body: () => bytes,
    });
    return { status: reply.status, headers: reply.headers, body: JSON.parse(String(reply.body)) };
  };
  const hold = (seats: unknown, credential: string | undefined = key, product = TOOL) =>
    ask('PUT', `/api/products/${product}/seats`, { seats }, credential);
  const tell = (method: string, params: object) => ask('POST', '/api/mcp', message2025(method, { ...params }), key);

  test('its endpoint answers, with its own port, a port of ours, and the rate headers of every answer', async () => {
    const { status, headers, body } = await hold(2);
    expect([status, body]).toEqual([200, { seats: 2 }]);
    expect(headers).toMatchObject({
      'x-ratelimit-limit': String(PER_ACCOUNT),
      'x-ratelimit-remaining': String(PER_ACCOUNT - 1),
    });
    expect(service.get('seats').writes).toMatchObject([{ seats: 2, at: clock.now() }]);
    expect((await ask('GET', '/api/seats')).body).toEqual({ held: 2 });
  });

  test('a refusal of its own has its status, its code, its sentence and its data', async () => {
    await hold(5);
    const other = (await aKey(service, await anAccount(service, { entitlements: [{ product_id: TOOL }] }))).value;
    expect(await hold(2, other)).toMatchObject({
      status: 409,
      body: { message: 'There are not as many seats left.', error: 'no_seats_left', left: 1 },
    });
  });

  test('every gate refuses as it refuses for our endpoints, and nothing is written', async () => {
    const account = await anAccount(service, { entitlements: [{ product_id: TOOL }] });
    const unable = (await aKey(service, account, { abilities: ['products.read'] })).value;
    const refused = await Promise.all([
      ask('PUT', `/api/products/${TOOL}/seats`, { seats: 1 }),
      hold(1, 'svc_wrong'),
      hold(1, unable),
      hold(1, key, OTHER),
      hold(1, key, SECRET),
      hold(1, key, 999),
      hold(6),
    ]);
    expect(refused.map(({ status, body }) => [status, body.error ?? body.errors ?? null])).toEqual([
      [401, 'missing_api_key'],
      [401, 'invalid_api_key'],
      [403, 'missing_api_key_ability'],
      [403, 'product_entitlement_required'],
      [404, null],
      [404, null],
      [422, { seats: ['The seats field must not be greater than 5.'] }],
    ]);
    expect(service.get('seats').writes).toEqual([]);
  });

  test('its calls count with the calls of the account, and are refused over the limit', async () => {
    for (let n = 0; n < PER_ACCOUNT; n++) await hold(1);
    expect((await hold(1)).status).toBe(429);
    expect(service.get('seats').writes).toHaveLength(PER_ACCOUNT);
  });

  test('the log names its endpoint, the account and the code of a refusal', async () => {
    await hold(1);
    await hold(1, 'svc_wrong');
    expect(logged).toMatchObject([
      { status: 200, answered: { endpoint: 'holdSeats', accountId: expect.any(Number), code: null } },
      { status: 401, answered: { endpoint: 'holdSeats', accountId: null, code: 'invalid_api_key' } },
    ]);
  });

  test('the OpenAPI document has its operation, its group and its refusals', async () => {
    const document = openApiDocument(SETTINGS.urls, await service.get('ownEndpoints')()) as never as {
      paths: Record<string, Record<string, { tags: string[]; responses: Record<string, { content: object }> }>>;
      tags: { name: string }[];
    };
    const operation = document.paths['/api/products/{product}/seats']?.['put'];
    expect(operation?.tags).toEqual(['Seats']);
    expect(Object.keys(operation?.responses ?? {})).toEqual(
      expect.arrayContaining(['200', '401', '403', '404', '409', '422', '429', '503']),
    );
    expect(operation?.responses['409']?.content).toMatchObject({
      'application/json': { examples: { no_seats_left: { value: { left: 1 } } } },
    });
    expect(document.paths['/api/seats']?.['get']?.tags).toEqual(['Public']);
    expect(document.paths['/api/library']).toBeDefined();
    expect(document.tags.map(({ name }) => name)).toContain('Seats');
  });

  test('the account MCP lists its tool last, by its group too, and calls it', async () => {
    const { body } = await tell('tools/list', {});
    expect(body.result.tools.at(-1)).toMatchObject({
      name: 'hold_seats',
      title: 'Hold seats',
      inputSchema: { properties: { seats: { type: 'integer' } }, required: ['product', 'seats'] },
    });
    const called = await tell('tools/call', { name: 'hold_seats', arguments: { product: TOOL, seats: 3 } });
    expect(called.body.result.structuredContent).toEqual({ seats: 3 });
    expect(service.get('seats').held).toBe(3);
  });

  test('its tool tells an agent of a refusal of its own', async () => {
    const other = (await aKey(service, await anAccount(service, { entitlements: [{ product_id: TOOL }] }))).value;
    await hold(5, other);
    const { body } = await tell('tools/call', { name: 'hold_seats', arguments: { product: TOOL, seats: 3 } });
    expect(body.result).toMatchObject({ isError: true, content: [{ text: 'There are not as many seats left.' }, {}] });
  });
});
