import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { spawnedCli as cli } from '../support/cli.ts';
import { killServer, startServer } from './server.ts';

const LISTER = new URL('./list-modules.ts', import.meta.url).href;

let folder: string;
let env: Record<string, string>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'account-service-modules-'));
  env = { DATA_DIR: join(folder, 'data'), LISTED: join(folder, 'listed'), NODE_OPTIONS: `--import=${LISTER}` };
  // A server loads the sample store only into an empty store.
  expect(await cli(['account', 'add', '--email', 'one@example.com'], env)).toMatchObject({ code: 0 });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The packages, folders of adapters, and built-in modules that the last program loaded. */
const loaded = (): Set<string> => {
  const names = readFileSync(env['LISTED'] as string, 'utf8')
    .split('\n')
    .map((url) => {
      const [, name] = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url) ?? /\/(adapters\/[^/]+)\//.exec(url) ?? [];
      return name ?? url;
    });
  return new Set(names);
};

const AWS = ['@aws-sdk/client-dynamodb', '@aws-sdk/client-s3', '@aws-sdk/lib-dynamodb', 'serverless-http'];
const PAGES = ['hono', 'bowser', 'markdown-it', 'diff', 'sanitize-html', '@scalar/fastify-api-reference'];
const SIGN_IN = ['oidc-provider', 'openid-client', 'jose', 'koa', 'undici', 'adapters/oauth'];
const CAPTURES = ['@jimp/core', 'parse5', 'css-tree'];
const DOCUMENTS = ['zod-openapi', 'adapters/openapi', 'jsonc-parser'];
const PROTOCOL = ['@modelcontextprotocol/server', '@modelcontextprotocol/node'];
const METRICS = ['@prometheus-io/client', '@opentelemetry/api', 'tdigest', 'adapters/metrics'];
/**
 * Each provider's reader imports its package; the list of providers, `adapters/payments/providers.ts`, imports none.
 */
const PAYMENTS = ['stripe', '@paddle/paddle-node-sdk', 'standardwebhooks'];
const RARE = [...AWS, ...PAGES, ...SIGN_IN, ...CAPTURES, ...DOCUMENTS, ...PROTOCOL, ...METRICS, ...PAYMENTS];

/** As an ES module, Node's own HTTP module makes Node load its WebSocket. */
const HTTP = 'node:http';

describe('the code that a process loads', () => {
  test('a server that starts on a filled store and checks its health loads only what it needs', async () => {
    const server = await startServer(env['DATA_DIR'] as string, env);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    expect((await fetch(`${server.url}/api/library`)).status).toBe(401);
    expect((await fetch(`${server.design}/healthz`)).status).toBe(200);
    expect(await killServer(server, 'SIGTERM')).toBe(0);
    const names = loaded();
    expect(RARE.filter((name) => names.has(name))).toEqual([]);
    expect([...names]).toEqual(expect.arrayContaining(['express', 'zod', 'pino', 'adapters/sqlite', 'adapters/host']));
  });

  test('a server with metrics loads its metrics and nothing else that is rarely used', async () => {
    const server = await startServer(env['DATA_DIR'] as string, { ...env, METRICS_PORT: '0' });
    expect(await killServer(server, 'SIGTERM')).toBe(0);
    const names = loaded();
    expect(RARE.filter((name) => names.has(name)).toSorted()).toEqual(METRICS.toSorted());
  });

  test.each([
    ['account', 'list'],
    ['agent-token', 'list'],
    ['order', 'list'],
    ['product', 'list'],
    ['device', 'list', '--account', '1'],
    ['collect', 'list'],
  ])('the command %s loads only what it needs: %s', async (...args) => {
    await cli(args, env);
    const names = loaded();
    expect([...RARE, HTTP, 'express', 'pino', 'adapters/http'].filter((name) => names.has(name))).toEqual([]);
    expect([...names]).toEqual(expect.arrayContaining(['commander', 'adapters/sqlite']));
  });

  test('the help of the command line loads no service', async () => {
    expect(await cli(['--help'], env)).toMatchObject({ code: 0 });
    const names = loaded();
    expect([...RARE, HTTP, 'express', 'zod', 'inversify', 'adapters/sqlite'].filter((name) => names.has(name))).toEqual(
      [],
    );
  });
});
