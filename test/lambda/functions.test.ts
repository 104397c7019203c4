import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signingKeyMaker } from '../../adapters/crypto/ed25519-keys.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { firstRing, writeSigningKeyRing } from '../../domain/signing/signing-key-ring.ts';
import { bundleOf, FUNCTIONS, type FunctionName } from '../../infra/bundles/functions.ts';
import { anApp, NOW } from '../support/builders.ts';
import { aBuyer } from '../surface/buyers.ts';
import { get, post } from '../surface/client.ts';
import { openShop, publish, TOOL } from '../surface/shop.ts';
import { EMBEDDED_BUNDLES } from './build-embedded.ts';
import { Fleet } from './fleet.ts';
import { gatewayFront } from './front.ts';
import { type LambdaMount, openEmbeddedLambda } from './lambda-mount.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'account-service-functions-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

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
    const made = signingKeyMaker.newKey();
    const asked: string[] = [];
    const secrets = createServer(async (req, res) => {
      asked.push(JSON.parse(Buffer.concat(await Array.fromAsync(req)).toString()).SecretId);
      const SecretString = writeSigningKeyRing(firstRing(made, NOW));
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
      expect(JSON.parse(Buffer.from(body.token.split('.')[0], 'base64url').toString()).kid).toBe(made.kid);
    }
    expect(asked).toEqual(['arn:aws:secretsmanager:eu-west-1:000000000000:secret:license']);
    await mount.service
      .get('catalogEditor')
      .save(grantPermit(), { kind: 'product', value: anApp({ id: 90, feed: 'entitled' }) });
    await publish(mount.service, { id: 901, product_id: 90, version: '1', build: '1', released_at: NOW });
    const owner = await aBuyer(mount.service, { product_id: 90 });
    const { text } = await get(mount, '/distribution/v1/products/90/appcast.xml', owner.key);
    const [, header = ''] = /ticket=([^.]+)/.exec(text) ?? [];
    expect(JSON.parse(Buffer.from(header, 'base64url').toString()).kid).toBe(made.kid);
    await mount.close();
    secrets.close();
  });
});

describe('a streamed response that breaks off', () => {
  const source = (path: string): string => join(import.meta.dirname, '..', '..', 'adapters', path);

  /** A function whose object has fewer bytes than its length says. */
  const HALF = `
    import { Readable } from 'node:stream';
    import { createHost } from '${source('host/host.ts')}';
    import { streamed } from '${source('lambda-events/host-function.ts')}';
    const entry = () => ({
      status: 200,
      headers: { 'content-length': '1000' },
      body: { length: 1000, stream: Readable.from([Buffer.from('half')]) },
    });
    const options = { log: () => {}, fault: () => {}, health: async () => {} };
    export const handler = streamed(createHost([{ method: 'GET', path: '/file', entry }], options));`;

  test('a failed stream breaks the client’s connection, so it can’t pass for complete', async () => {
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
    const fleet = new Fleet({ bundle: join(folder, 'half'), env: () => ({}), onLine: () => {} });
    const other = new Fleet({ bundle: bundleOf('api', EMBEDDED_BUNDLES), env: () => ({}), onLine: () => {} });
    const others = Object.fromEntries(FUNCTIONS.map((name) => [name, other])) as Record<FunctionName, Fleet>;
    const routes = [{ path: '/{proxy+}', to: 'downloads' }] as const;
    const front = gatewayFront(routes, { ...others, downloads: fleet });
    await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
    const response = await fetch(`http://127.0.0.1:${(front.address() as AddressInfo).port}/file`);
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
    front.close();
    await fleet.stop();
  });
});
