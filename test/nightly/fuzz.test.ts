import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import { fuzz } from '../tools/fuzz/fuzz.ts';
import { fuzzService } from '../tools/fuzz/fuzz-service.ts';
import type { ApiDocument } from '../tools/fuzz/plans.ts';
import { pythonWithSchemathesis } from '../tools/fuzz/tool.ts';

/** The inputs are the same in each run of this test. `npm run -s fuzz` uses new ones. */
const SEED = 20_261_122;
const EXAMPLES = 3;
const MINUTES = 60_000;

let python: string;
beforeAll(async () => {
  python = await pythonWithSchemathesis();
}, 5 * MINUTES);

const answer = (schema: object) => ({ description: 'An answer.', content: { 'application/json': { schema } } });
const refused = answer({ type: 'object' });
const named = answer({ type: 'object', required: ['name'], properties: { name: { type: 'string' } } });

const BROKEN = {
  openapi: '3.1.0',
  info: { title: 'A server with faults', version: '1' },
  components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
  paths: {
    '/breaks': { get: { operationId: 'breaks', responses: { 200: named } } },
    '/status': { get: { operationId: 'status', responses: { 201: named } } },
    '/body': { get: { operationId: 'body', responses: { 200: named } } },
    '/open': { get: { operationId: 'open', security: [{ key: [] }], responses: { 200: named, 401: refused } } },
  },
};

const REPLIES: Readonly<Record<string, readonly [number, object]>> = {
  '/breaks': [500, { message: 'A fault.' }],
  '/status': [200, { name: 'a' }],
  '/body': [200, { name: 1 }],
  '/open': [200, { name: 'a' }],
};

test(
  'the fuzzer finds a 500, an undocumented status, a body outside its schema, and an unchecked key',
  async () => {
    const server = createServer(({ url = '', method = '' }, res) => {
      const [status, body] = REPLIES[url.split('?')[0] as string] ?? [404, {}];
      res.writeHead(method === 'GET' ? status : 405, { 'Content-Type': 'application/json', Allow: 'GET' });
      res.end(JSON.stringify(body));
    }).listen(0, '127.0.0.1');
    try {
      await once(server, 'listening');
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const document = BROKEN as unknown as ApiDocument;
      const operations = ['breaks', 'status', 'body', 'open'];
      const plan = { host: 'api', caller: 'anyone', credential: 'a', url, document, operations } as const;
      const { findings } = await fuzz(python, plan, { seed: SEED, length: { examples: 1 } });
      expect(findings.toSorted()).toEqual([
        'API accepts requests without authentication: GET /open',
        'Response violates schema: GET /body',
        'Server error: GET /breaks',
        'Undocumented status code: GET /breaks, GET /status',
      ]);
    } finally {
      server.close();
    }
  },
  MINUTES,
);

test(
  'the service answers every call to its four hosts as its OpenAPI document says, with and without a credential',
  async () => {
    const results = await fuzzService({ seed: SEED, examples: EXAMPLES });
    const found = results.filter(({ findings }) => findings.length > 0);
    for (const { output } of found) process.stdout.write(`${output}\n`);
    expect(found.map(({ plan, findings }) => [plan.host, plan.caller, findings])).toEqual([]);
    const calls = results.map(({ plan, calls }) => `${plan.host}, ${plan.caller}: ${calls} calls`);
    process.stdout.write(`Seed ${SEED}: ${calls.join('; ')}\n`);
    expect(results.every(({ calls }) => calls > 0)).toBe(true);
  },
  10 * MINUTES,
);
