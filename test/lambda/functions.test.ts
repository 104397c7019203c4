import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Ed25519Signer } from '../../adapters/crypto/ed25519-signer.ts';
import { type Bundle, buildBundles } from '../../infra/bundles/build.ts';
import { bundleOf, FUNCTIONS, type FunctionName } from '../../infra/bundles/functions.ts';
import { anApp, NOW } from '../support/builders.ts';
import { aBuyer } from '../surface/buyers.ts';
import { get, post } from '../surface/client.ts';
import { openShop, publish, TOOL } from '../surface/shop.ts';
import { EMBEDDED_BUNDLES } from './build-embedded.ts';
import { Fleet } from './fleet.ts';
import { gatewayFront } from './front.ts';
import { type LambdaMount, openEmbeddedLambda } from './lambda-mount.ts';

const run = promisify(execFile);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'account-service-functions-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the deployed bundles', () => {
  let bundles: Bundle[];
  beforeAll(async () => {
    bundles = await buildBundles({ into: folder });
  }, 60_000);

  const inputsWith = (unwanted: string, names: readonly FunctionName[]): string[] =>
    bundles
      .filter(({ name }) => names.includes(name))
      .flatMap(({ name, inputs }) =>
        inputs.filter((input) => input.includes(unwanted)).map((input) => `${name}: ${input}`),
      );

  const without = (...names: readonly FunctionName[]) => FUNCTIONS.filter((name) => !names.includes(name));

  test('every bundle names the many files that it is made of', () => {
    expect(bundles.map(({ name }) => name).toSorted()).toEqual([...FUNCTIONS].toSorted());
    expect(bundles.filter(({ inputs }) => inputs.length <= 100)).toEqual([]);
  });

  test.each([
    'node_modules/swagger-ui',
    'node_modules/commander',
    'node_modules/cli-progress',
    'adapters/sqlite/connection',
    'runtimes/express',
    'runtimes/composition/areas/operations',
    'runtimes/composition/areas/everything',
    'application/operations/',
    'domain/operations/',
    'test/',
  ])('the bundles contain no file of %s', (unwanted) => {
    expect(inputsWith(unwanted, FUNCTIONS)).toEqual([]);
  });

  test.each([
    'node_modules/express/',
    'node_modules/serverless-http/',
    'adapters/openapi/',
    'adapters/web/',
    'adapters/lambda-events/express-app',
  ])('of all bundles, those of pages alone contain files of %s', (own) => {
    expect(inputsWith(own, ['reference'])).not.toEqual([]);
    expect(inputsWith(own, ['api', 'app', 'downloads', 'mcp', 'media', 'replay'])).toEqual([]);
  });

  test.each([
    'node_modules/oidc-provider/',
    'node_modules/openid-client/',
    'node_modules/undici/',
    'adapters/oauth/',
    'adapters/store/oauth-records',
    'application/sign-in/sign-in-with-password',
  ])('of all bundles, account alone contains files of %s', (own) => {
    expect(inputsWith(own, ['account'])).not.toEqual([]);
    expect(inputsWith(own, without('account'))).toEqual([]);
  });

  test.each([
    'node_modules/@modelcontextprotocol/',
    'adapters/mcp/',
  ])('of all bundles, those of hosts with an MCP alone contain files of %s', (own) => {
    for (const name of ['mcp', 'design'] as const) expect(inputsWith(own, [name]), name).not.toEqual([]);
    expect(inputsWith(own, without('mcp', 'design'))).toEqual([]);
  });

  test.each([
    'node_modules/parse5/',
    'node_modules/css-tree/',
    'node_modules/jimp/',
    'adapters/pages/thread.ts',
    'application/collect/replay-run',
    'runtimes/worker/',
  ])('of all bundles, that of the worker alone contains files of %s', (own) => {
    expect(inputsWith(own, ['replay'])).not.toEqual([]);
    expect(inputsWith(own, without('replay'))).toEqual([]);
  });

  test.each([
    'node_modules/markdown-it/',
    'node_modules/diff/',
    'adapters/web/gallery/',
  ])('of all bundles, that of the design host alone contains files of %s, and loads them with its first page', (own) => {
    expect(inputsWith(own, ['design'])).not.toEqual([]);
    expect(inputsWith(own, without('design'))).toEqual([]);
    const design = bundles.find(({ name }) => name === 'design');
    expect(design?.startInputs.filter((input) => input.includes(own))).toEqual([]);
  });

  test.each([
    'node_modules/@aws-sdk/client-sqs/',
    'adapters/pages/',
    'application/collect/',
  ])('of all bundles, those that queue jobs and do them alone contain files of %s', (own) => {
    for (const name of ['design', 'replay'] as const) expect(inputsWith(own, [name]), name).not.toEqual([]);
    expect(inputsWith(own, without('design', 'replay'))).toEqual([]);
  });

  test('the bundles that serve nothing of the design host contain none of its declarations', async () => {
    const holding = async (name: FunctionName): Promise<boolean> => {
      const files = (await readdir(bundleOf(name, folder))).filter((file) => file.endsWith('.mjs'));
      const texts = await Promise.all(files.map((file) => readFile(join(bundleOf(name, folder), file), 'utf8')));
      return texts.some((text) => text.includes('/api/agent/'));
    };
    // The texts of the account MCP name what they know; only its declarations count.
    const holders = await Promise.all(without('mcp').map(async (name) => ((await holding(name)) ? name : undefined)));
    expect(holders.filter((name) => name !== undefined)).toEqual(['design', 'reference', 'replay']);
  });

  test('the worker’s bundle has the program of its reading thread beside its entry', async () => {
    const files = await readdir(bundleOf('replay', folder));
    expect(files).toEqual(expect.arrayContaining(['index.mjs', 'page-thread.mjs']));
  });

  test('the design bundle has the skill package, at the place where the service looks for it', async () => {
    const skill = await readFile(join(bundleOf('design', folder), 'skills', 'design-host', 'SKILL.md'), 'utf8');
    expect(skill).toMatch(/^---\n/);
  });

  test('the bundles that answer no message and no reader contain no documentation', () => {
    expect(inputsWith('ports/inbound/documentation/', ['mcp'])).not.toEqual([]);
    const silent = without('mcp', 'design', 'reference');
    expect(inputsWith('ports/inbound/documentation/', silent)).toEqual([]);
  });

  test.each([
    'node_modules/body-parser',
    'node_modules/iconv-lite',
    'node_modules/mime-db',
    'node_modules/proxy-addr',
    'node_modules/qs/',
    'adapters/http/',
  ])('the bundles that answer endpoints contain no file of %s', (unwanted) => {
    expect(inputsWith(unwanted, ['api', 'app', 'downloads', 'mcp', 'media'])).toEqual([]);
  });

  test.each([
    ['app', 'licensing/check-license'],
    ['app', 'support/'],
    ['downloads', 'licensing/check-license'],
    ['downloads', 'billing/'],
  ] as const)('the %s bundle contains no use case of %s, because another function answers its endpoints', (name, area) => {
    expect(inputsWith(`application/${area}`, ['api'])).not.toEqual([]);
    expect(inputsWith(`application/${area}`, [name])).toEqual([]);
  });

  test.each([
    'node_modules/sanitize-html',
    'node_modules/fast-xml-builder',
    'node_modules/@fastify/busboy',
    'node_modules/@aws-sdk/client-dynamodb',
    'node_modules/@aws-sdk/client-s3',
    'node_modules/@aws-sdk/client-secrets-manager',
    'node_modules/@aws-sdk/credential-provider-sso',
    'adapters/appcast/appcast-xml',
    'adapters/dynamodb/',
    'adapters/host/form',
    'adapters/html/sanitizer',
    'adapters/s3/s3-objects',
    'adapters/secrets/',
    'node_modules/pino',
    'node_modules/object-inspect',
    'node_modules/@aws-sdk/client-sqs',
    'node_modules/@modelcontextprotocol',
    'node_modules/express/',
    'ports/inbound/documentation/',
    'node_modules/parse5/',
    'node_modules/jimp/',
  ])('the bundles that answer endpoints start without %s', (unwanted) => {
    const started = bundles.filter(({ name }) => name !== 'reference' && name !== 'account');
    expect(started.every(({ startInputs }) => startInputs.length > 100)).toBe(true);
    expect(started.flatMap(({ startInputs }) => startInputs.filter((input) => input.includes(unwanted)))).toEqual([]);
  });

  test.each([
    'node_modules/zod/v4/classic/from-json-schema',
    'node_modules/zod/v4/locales/ko',
  ])('the bundles without MCP, whose package needs all of zod, start without %s', (unwanted) => {
    const started = bundles.filter(({ name }) => !['reference', 'mcp', 'design'].includes(name));
    expect(started.flatMap(({ startInputs }) => startInputs.filter((input) => input.includes(unwanted)))).toEqual([]);
  });

  test('a bundle that can’t start names the missing variables', async () => {
    const start = run(
      process.execPath,
      ['--input-type=module', '-e', `await import('${bundleOf('api', folder)}/index.mjs')`],
      {
        env: { DATA_DIR: folder, STORE: 'memory', OBJECTS: 'memory', API_URL: 'https://api.example.com' },
      },
    );
    await expect(start).rejects.toThrow(/DESIGN_URL, APP_URL, ACCOUNT_URL must be set/);
  });
});

describe('the log of a function', () => {
  let mount: LambdaMount;
  let key: string;
  beforeAll(async () => {
    mount = await openEmbeddedLambda();
    await openShop(mount.service);
    ({ key } = await aBuyer(mount.service));
  });
  afterAll(() => mount.close());

  test('a function logs one line for each request, with its metrics and without secrets', async () => {
    const id = 'request-of-the-test';
    await get(mount, '/healthz');
    const reply = await get(mount, '/api/library?secret=told', key, { 'X-Request-Id': id });
    await get(mount, '/api/library', `${key}x`);
    await expect.poll(() => mount.lines.length).toBe(3);
    const lines = mount.lines.map((line) => JSON.parse(line));
    expect(lines[1]).toMatchObject({
      id,
      method: 'GET',
      path: '/api/library',
      status: 200,
      function: 'api',
      endpoint: 'getLibrary',
      status_class: '2xx',
      latency: expect.any(Number),
      accountId: expect.any(Number),
    });
    expect(lines.map(({ cold_start }) => cold_start)).toEqual([1, 0, 0]);
    const [{ Namespace, Dimensions, Metrics }] = lines[1]._aws.CloudWatchMetrics;
    expect([Namespace, Metrics[0].Name]).toEqual(['AccountService', 'latency']);
    for (const name of Dimensions[0]) expect(lines[1][name]).toEqual(expect.any(String));
    expect(reply.status).toBe(200);
    expect(mount.lines.join()).not.toContain(key.slice(4, 40));
    expect(mount.lines.join()).not.toContain('told');
  });
});

describe('the signing key of a function in a secret', () => {
  test('a function reads the secret once and signs tokens and tickets with its key', async () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    const asked: string[] = [];
    const secrets = createServer(async (req, res) => {
      asked.push(JSON.parse(Buffer.concat(await Array.fromAsync(req)).toString()).SecretId);
      const SecretString = privateKey.export({ type: 'pkcs8', format: 'pem' });
      res.writeHead(200, { 'Content-Type': 'application/x-amz-json-1.1' }).end(JSON.stringify({ SecretString }));
    });
    await new Promise<void>((resolve) => secrets.listen(0, '127.0.0.1', resolve));
    const mount = await openEmbeddedLambda(undefined, {
      LICENSE_KEY_SECRET_ARN: 'arn:aws:secretsmanager:eu-west-1:000000000000:secret:license',
      AWS_ENDPOINT_URL_SECRETS_MANAGER: `http://127.0.0.1:${(secrets.address() as AddressInfo).port}`,
      AWS_REGION: 'eu-west-1',
      AWS_ACCESS_KEY_ID: 'none',
      AWS_SECRET_ACCESS_KEY: 'none',
    });
    await openShop(mount.service);
    const { key } = await aBuyer(mount.service);
    for (const _ of [1, 2]) {
      const { body } = await post(mount, '/api/license/check', key, { product_id: TOOL, device_id: 'mine' });
      const { kid } = JSON.parse(Buffer.from(body.token.split('.')[0], 'base64url').toString());
      expect(kid).toBe(new Ed25519Signer(privateKey).publicJwk().kid);
    }
    expect(asked).toEqual(['arn:aws:secretsmanager:eu-west-1:000000000000:secret:license']);
    await mount.service.get('catalogEditor').save({ kind: 'product', value: anApp({ id: 90, feed: 'entitled' }) });
    await publish(mount.service, { id: 901, product_id: 90, version: '1', build: '1', released_at: NOW });
    const owner = await aBuyer(mount.service, { product_id: 90 });
    const { text } = await get(mount, '/distribution/v1/products/90/appcast.xml', owner.key);
    const [, header = ''] = /ticket=([^.]+)/.exec(text) ?? [];
    expect(JSON.parse(Buffer.from(header, 'base64url').toString()).kid).toBe(
      new Ed25519Signer(privateKey).publicJwk().kid,
    );
    await mount.close();
    secrets.close();
  });
});

describe('a streamed response that breaks off', () => {
  const source = (path: string): string => join(import.meta.dirname, '..', '..', 'adapters', path);

  /** A function whose object gives fewer bytes than its length. */
  const HALF = `
    import { Readable } from 'node:stream';
    import { createHost } from '${source('host/host.ts')}';
    import { streamed } from '${source('lambda-events/streamed.ts')}';
    const entry = () => ({
      status: 200,
      headers: { 'content-length': '1000' },
      body: { length: 1000, stream: Readable.from([Buffer.from('half')]) },
    });
    const options = { log: () => {}, fault: () => {}, health: async () => {} };
    export const handler = streamed(createHost([{ method: 'GET', path: '/file', entry }], options));`;

  test('a stream that fails breaks the client’s connection, so that it can’t pass for whole', async () => {
    await writeFile(join(folder, 'half.ts'), HALF);
    const outfile = join(folder, 'half', 'index.mjs');
    const banner = `import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);`;
    await build({
      entryPoints: [join(folder, 'half.ts')],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      banner: { js: banner },
    });
    const fleet = new Fleet({ bundle: join(folder, 'half'), env: {}, onLine: () => {} });
    const other = new Fleet({ bundle: bundleOf('api', EMBEDDED_BUNDLES), env: {}, onLine: () => {} });
    const others = Object.fromEntries(FUNCTIONS.map((name) => [name, other])) as Record<FunctionName, Fleet>;
    const front = gatewayFront([{ path: '/{proxy+}', to: 'downloads' }], { ...others, downloads: fleet });
    await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
    const response = await fetch(`http://127.0.0.1:${(front.address() as AddressInfo).port}/file`);
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
    front.close();
    await fleet.stop();
  });
});
