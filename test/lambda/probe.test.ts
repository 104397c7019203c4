import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleOf } from '../../infra/bundles/functions.ts';
import { aBuyer } from '../surface/buyers.ts';
import { openShop, TOOL } from '../surface/shop.ts';
import { EMBEDDED_BUNDLES } from './build-embedded.ts';
import { Fleet } from './fleet.ts';
import { type LambdaMount, openEmbeddedLambda } from './lambda-mount.ts';

const ARN = 'arn:aws:secretsmanager:eu-west-1:000000000000:secret:probe';

let mount: LambdaMount;
let secrets: Server;
let key: string;
beforeAll(async () => {
  mount = await openEmbeddedLambda();
  await openShop(mount.service);
  ({ key } = await aBuyer(mount.service));
  secrets = createServer((_, res) => {
    const answer = JSON.stringify({ SecretString: `${key}\n` });
    res.writeHead(200, { 'Content-Type': 'application/x-amz-json-1.1' }).end(answer);
  });
  await new Promise<void>((resolve) => secrets.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  secrets.close();
  await mount.close();
});

/** Runs the built probe against the built functions, twice on one instance. Returns its log lines. */
const probed = async (env: Readonly<Record<string, string>>) => {
  const lines: string[] = [];
  const { api, app, design } = mount.urls;
  const probe = new Fleet({
    bundle: bundleOf('probe', EMBEDDED_BUNDLES),
    env: () => ({
      STAGE: 'test',
      PROBE_API_URL: api,
      PROBE_OTHER_URLS: `${app} ${design} ${mount.legacyUrl}`,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: `http://127.0.0.1:${(secrets.address() as AddressInfo).port}`,
      AWS_REGION: 'eu-west-1',
      AWS_ACCESS_KEY_ID: 'none',
      AWS_SECRET_ACCESS_KEY: 'none',
      ...env,
    }),
    onLine: (line) => lines.push(line),
  });
  for (const _ of [1, 2]) (await probe.invoke('{}')).settled();
  await expect.poll(() => lines.length).toBe(2);
  await probe.stop();
  return lines;
};

test('the built probe finds the built functions healthy, including the legacy host', async () => {
  for (const line of await probed({})) {
    expect(JSON.parse(line)).toMatchObject({
      probe_ok: 1,
      stage: 'test',
      findings: [{ url: `${mount.urls.api}/healthz`, status: 200 }, { ok: true }, { ok: true }, { ok: true }],
    });
  }
});

test('the built probe checks a license with the key from a secret, and its log lines contain no key', async () => {
  const lines = await probed({ PROBE_PRODUCT: String(TOOL), PROBE_KEY_SECRET_ARN: ARN });
  for (const line of lines) {
    const { probe_ok, findings } = JSON.parse(line);
    expect([probe_ok, findings[0]]).toEqual([
      1,
      { url: `${mount.urls.api}/api/license/check`, ok: true, status: 200, ms: expect.any(Number) },
    ]);
  }
  expect(lines.join()).not.toContain(key);
});

test('the built probe reports a product that its account may not use', async () => {
  for (const line of await probed({ PROBE_PRODUCT: '999999', PROBE_KEY_SECRET_ARN: ARN })) {
    expect(JSON.parse(line)).toMatchObject({ probe_ok: 0, findings: [{ ok: false }, { ok: true }, {}, {}] });
  }
});
