import { type ChildProcess, execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { killServer, spawnServer } from '../../processes/server.ts';
import { compileExample } from './support.ts';

const run = promisify(execFile);

const EXAMPLE = 'examples/own-endpoint';
const REDOCLY = 'test/peers/node_modules/@redocly/cli/bin/cli.js';

/** A product that the demo account of the sample store owns, one on sale that it lacks, and one that is hidden. */
const [OWNED, FOREIGN, HIDDEN, UNKNOWN] = [4, 6, 7, 999];

const PER_MINUTE = 40;

describe('an endpoint of another team beside ours, on the built package', () => {
  let folder: string;
  let child: ChildProcess;
  let url: string;
  let demo: string;
  let stranger: string;
  let log = '';

  /** Runs the example's command line on the server's store. */
  const cli = async (...args: string[]): Promise<Record<string, unknown>> => {
    const env = { ...process.env, DATA_DIR: join(folder, 'data') };
    return JSON.parse(
      (await run(process.execPath, [`${EXAMPLE}/cli.ts`, ...args, '--json'], { env, maxBuffer: 1e8 })).stdout,
    );
  };
  const keyOf = async (account: number, ...args: string[]): Promise<string> =>
    (await cli('key', 'create', '--account', String(account), '--name', 'Test', ...args))['key'] as string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'own-endpoint-'));
    const env = { LOG_LEVEL: 'info', RATE_LIMIT_PER_MINUTE: String(PER_MINUTE) };
    child = spawnServer(join(folder, 'data'), env, 'pipe', `${EXAMPLE}/server.ts`);
    child.stderr?.on('data', (part: Buffer) => {
      log += part;
    });
    let said = '';
    for await (const part of child.stdout ?? []) {
      said += String(part);
      if (/API key\s+svc_/.test(said)) break;
    }
    url = /Account API\s+(\S+)/.exec(said)?.[1] as string;
    demo = /API key\s+(svc_\w+)/.exec(said)?.[1] as string;
    const { id } = (await cli('account', 'add', '--email', 'stranger@example.com')) as { id: number };
    stranger = await keyOf(id, '--abilities', 'support.report');
  });

  afterAll(async () => {
    await killServer({ child }, 'SIGTERM');
    await rm(folder, { recursive: true });
  });

  const send = async (method: string, path: string, body: object, key?: string) => {
    const reply = await fetch(url + path, {
      method,
      headers: { 'content-type': 'application/json', ...(key !== undefined && { authorization: `Bearer ${key}` }) },
      body: JSON.stringify(body),
    });
    const json = (await reply.json()) as Record<string, unknown>;
    return { status: reply.status, headers: reply.headers, body: json };
  };
  const rate = (product: number, key?: string, stars: unknown = 5) =>
    send('PUT', `/api/products/${product}/rating`, { stars }, key);
  const refusal = async (product: number, key?: string, stars?: unknown) => {
    const { status, body } = await rate(product, key, stars);
    return [status, body['error'] ?? body['errors'] ?? body['message']];
  };

  test('the example compiles against the types of the package, and its own tests pass', async () => {
    await compileExample('own-endpoint');
    const { stdout } = await run(process.execPath, ['--test', `${EXAMPLE}/*.test.ts`]);
    expect(stdout).toMatch(/pass 5\n/);
  });

  test('the endpoint refuses by the rule of the team, and answers once the product was used', async () => {
    expect(await rate(OWNED, demo)).toMatchObject({
      status: 409,
      body: { error: 'product_not_used', message: 'Use this product once before you rate it.' },
    });
    await send('POST', '/api/license/check', { product_id: OWNED, device_id: 'laptop' }, demo);
    expect(await rate(OWNED, demo)).toMatchObject({ status: 200, body: { stars: 5, rated_at: expect.any(String) } });
  });

  test('the gates refuse whoever may not call it', async () => {
    const unable = await keyOf(1, '--abilities', 'products.read');
    const bound = await keyOf(1, '--abilities', 'support.report', '--product', '2');
    expect(await refusal(OWNED)).toEqual([401, 'missing_api_key']);
    expect(await refusal(OWNED, unable)).toEqual([403, 'missing_api_key_ability']);
    expect(await refusal(OWNED, bound)).toEqual([403, 'product_api_key_scope_required']);
    expect(await refusal(FOREIGN, stranger)).toEqual([403, 'product_entitlement_required']);
    expect(await refusal(OWNED, demo, 6)).toEqual([422, { stars: ['The stars field must not be greater than 5.'] }]);
  });

  test('a hidden product that is not the caller’s is 404, as one that does not exist', async () => {
    const none = [404, 'There is no such product.'];
    expect(await refusal(HIDDEN, stranger)).toEqual(none);
    expect(await refusal(UNKNOWN, stranger)).toEqual(none);
  });

  test('the OpenAPI document of the server and of the command line has it, and passes the same lint as ours', async () => {
    const printed = (await cli('openapi')) as { paths: object };
    const served = (await (await fetch(`${url}/openapi.json`)).json()) as { paths: object };
    expect(Object.keys(served.paths)).toEqual(Object.keys(printed.paths));
    expect(printed).toMatchObject({
      paths: { '/api/products/{product}/rating': { put: { operationId: 'rateProduct', tags: ['Ratings'] } } },
      tags: expect.arrayContaining([{ name: 'Ratings', description: 'What buyers think of the products.' }]),
    });
    const file = join(folder, 'openapi.json');
    await writeFile(file, JSON.stringify(printed));
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    await run(process.execPath, [REDOCLY, 'lint', '--config', 'test/peers/redocly.yaml', file], { env });
  });

  test('agents find it among the tools, and call it', async () => {
    const client = new Client({ name: 'case', version: '1' });
    const requestInit = { headers: { Authorization: `Bearer ${demo}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL('/api/mcp', url), { requestInit }));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['list_library', 'rate_product']));
    await client.callTool({ name: 'check_license', arguments: { product_id: OWNED, device_id: 'laptop' } });
    const rated = await client.callTool({ name: 'rate_product', arguments: { product: OWNED, stars: 3 } });
    expect(rated.structuredContent).toMatchObject({ stars: 3 });
    const refused = await client.callTool({ name: 'rate_product', arguments: { product: FOREIGN, stars: 3 } });
    expect(refused).toMatchObject({ isError: true });
    await client.close();
  });

  test('the operator’s check of the store finds nothing wrong with its records', async () => {
    const checks = (await cli('doctor')) as unknown as readonly { readonly check: string; readonly ok: boolean }[];
    expect(checks.map(({ check }) => check)).toContain('store');
    expect(checks.filter(({ ok }) => !ok)).toEqual([]);
  });

  test('its calls count against the limit of the account, and are logged as ours are', async () => {
    const statuses: number[] = [];
    for (let n = 0; n <= PER_MINUTE && statuses.at(-1) !== 429; n++)
      statuses.push((await rate(UNKNOWN, stranger)).status);
    expect(statuses.at(-1)).toBe(429);
    expect((await rate(OWNED, demo)).headers.get('x-ratelimit-limit')).toBe(String(PER_MINUTE));
    const logged = () =>
      log.split('\n').flatMap((line) => (line.endsWith('}') && line.includes('rateProduct') ? [JSON.parse(line)] : []));
    const expected = [
      { msg: 'request', endpoint: 'rateProduct', accountId: 1, status: 409, code: 'product_not_used' },
      { msg: 'request', endpoint: 'rateProduct', accountId: expect.any(Number), status: 429, code: 'rate_limited' },
    ];
    await expect
      .poll(logged, { timeout: 10_000 })
      .toEqual(expect.arrayContaining(expected.map((line) => expect.objectContaining(line))));
  });
});
