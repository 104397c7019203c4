import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LambdaMount, openEmbeddedLambda } from './lambda-mount.ts';

const ARN = 'arn:aws:secretsmanager:eu-west-1:000000000000:secret:origin';
const SECRETS: Readonly<Record<string, string>> = { [`${ARN}-1`]: 'a'.repeat(48), [`${ARN}-2`]: 'b'.repeat(48) };

let secrets: Server;
let mount: LambdaMount;
beforeAll(async () => {
  secrets = createServer(async (req, res) => {
    const { SecretId } = JSON.parse(Buffer.concat(await Array.fromAsync(req)).toString());
    res.writeHead(200, { 'Content-Type': 'application/x-amz-json-1.1' });
    res.end(JSON.stringify({ SecretString: SECRETS[SecretId] }));
  });
  await new Promise<void>((resolve) => secrets.listen(0, '127.0.0.1', resolve));
  mount = await openEmbeddedLambda(undefined, {
    ORIGIN_SECRET_ARN: Object.keys(SECRETS).join(','),
    AWS_ENDPOINT_URL_SECRETS_MANAGER: `http://127.0.0.1:${(secrets.address() as AddressInfo).port}`,
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'none',
    AWS_SECRET_ACCESS_KEY: 'none',
  });
});
afterAll(async () => {
  await mount.close();
  secrets.close();
  secrets.closeAllConnections();
});

/** A path that each function with requests answers, and the status of its answer. */
const PATHS = [
  ['api', 'api', '/api/library', 401],
  ['downloads', 'api', '/api/products/1/bundle', 401],
  ['mcp', 'api', '/.well-known/oauth-protected-resource', 200],
  ['reference', 'api', '/openapi.json', 200],
  ['app', 'app', '/healthz', 200],
  ['account', 'account', '/healthz', 200],
  ['account', 'account', '/sign-in', 200],
  ['design', 'design', '/api/v1/taxonomy', 200],
  ['design', 'design', '/', 200],
  ['media', 'design', '/media/none', 404],
] as const;

describe('the functions behind an origin secret', () => {
  test.each(PATHS)('the function %s answers on the host %s at %s with each of two secrets', async (...asked) => {
    const [name, host, path, status] = asked;
    for (const secret of Object.values(SECRETS)) {
      const headers = { 'X-Origin-Secret': secret, 'CloudFront-Viewer-Address': '203.0.113.9:443' };
      const { status: answered } = await fetch(mount.urls[host] + path, { headers });
      expect(answered).toBe(status);
    }
    const line = mount.requestLines().findLast((one) => one['function'] === name);
    expect(line).toMatchObject({ status, address: '203.0.113.9' });
  });

  test.each(PATHS)('the function %s refuses a request around the front on the host %s at %s', async (_, host, path) => {
    const headers = { 'CloudFront-Viewer-Address': '203.0.113.9:443' };
    const answer = await fetch(mount.urls[host] + path, { headers });
    expect(answer.status).toBe(403);
    expect(await answer.json()).toEqual({
      message: 'This address takes no requests of its own; send them to the public name of this host.',
    });
  });

  test('no log line has an origin secret', () => {
    expect(mount.lines.length).toBeGreaterThan(PATHS.length);
    for (const secret of Object.values(SECRETS)) expect(mount.lines.join()).not.toContain(secret);
  });
});
