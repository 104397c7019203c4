import { createPublicKey, verify } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dayOf } from '../../../domain/shared/instant.ts';
import { aClient } from '../../support/appcast.ts';
import { readAppcast } from '../../support/read-appcast.ts';
import { offerTo } from '../../support/sparkle-selection.ts';
import { APP, openAppShop } from '../app-shop.ts';
import { aKey, anAccount } from '../buyers.ts';
import { get, post, type Reply } from '../client.ts';
import type { Mount, OpenMount } from '../mount.ts';
import { sha256 } from '../shop.ts';

/** Creates a Node key object from the 32 bytes of an Ed25519 public key, in the base64 that an application embeds. */
const publicKeyOf = (base64: string) =>
  createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(base64, 'base64').toString('base64url') },
    format: 'jwk',
  });

/** Tests a day of an application that uses only the key that its device got at sign-in. */
export const dayOfADeviceSuite = (open: OpenMount): void => {
  let mount: Mount;

  beforeAll(async () => {
    mount = await open();
    await openAppShop(mount.service);
  });
  afterAll(async () => {
    await mount.close();
    expect(mount.faults).toEqual([]);
  });

  test('a device uses one key from start to crash, and its account and the store have all records of it', async () => {
    const { service } = mount;
    const account = await anAccount(service, { entitlements: [{ product_id: APP }] });
    const { value: key } = await aKey(service, account, { device: { device_id: 'studio-mac', name: 'Studio' } });
    const expectOk = (reply: Reply, status = 200) => {
      expect([reply.status, reply.text]).toEqual([status, expect.any(String)]);
      return reply.body;
    };

    // The application starts, and reads its entitlements, the policy and its license.
    const started = expectOk(await get(mount, '/api/device/entitlements', key));
    expect(started.products).toMatchObject([{ id: APP, access_source: 'direct' }]);
    const { policy } = expectOk(await get(mount, '/api/client-config', key));
    expect(policy.recheck_hours).toBeGreaterThan(0);
    const check = { product_id: APP, app_version: '1.0' };
    const license = expectOk(await post(mount, '/api/license/check', key, check));
    expect(license).toMatchObject({ valid: true, version_covered: true, device: { device_id: 'studio-mac' } });
    expect(license.token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);

    // It finds the update that Sparkle's rules choose, and downloads it from the link in the feed, without a header.
    const feed = await get(mount, `/distribution/v1/products/${APP}/appcast.xml`, key);
    const offer = offerTo(readAppcast(feed.text), aClient({ version: '100' }));
    expect(offer?.item).toMatchObject({ short_version: '1.1', release_id: 102 });
    const { url, length, signature } = offer?.item.enclosure ?? {};
    const download = await get(mount, String(url).replace(mount.urls.app, ''));
    expect(download.status).toBe(302);
    const file = Buffer.from(await (await fetch(download.headers.get('location') as string)).arrayBuffer());
    expect(file.byteLength).toBe(length);
    const published = publicKeyOf(await service.get('artifactSigner').publicKey());
    expect(verify(null, file, published, Buffer.from(String(signature), 'base64'))).toBe(true);

    // It installs the file, which is also the file of the install plan, and reports the install.
    const { data: plan } = expectOk(await get(mount, `/api/products/${APP}/install?platform=darwin-arm64`, key));
    expect([plan.sha256, plan.release_id]).toEqual([sha256(file.toString()), 102]);
    const install = {
      product_id: APP,
      version: plan.version,
      release_id: plan.release_id,
      artifact_sha256: plan.sha256,
    };
    const { install: recorded } = expectOk(await post(mount, '/api/device/installs', key, install), 201);
    const again = expectOk(await get(mount, `/api/products/${APP}/updates?version=${plan.version}`, key));
    expect(again.update.update_available).toBe(false);

    // It reports its usage and a crash.
    const usage_date = dayOf(new Date().toISOString());
    const usage = { consent: true, days: [{ product_id: APP, usage_date, launches: 2 }] };
    expectOk(await post(mount, '/api/device/usage', key, usage));
    const crash = {
      app_bundle_id: 'com.example.app',
      app_version: plan.version,
      error_type: 'crash',
      error_message: 'Out of bounds',
      stack_trace: '0 App 0x0001 draw() + 12',
    };
    const { report } = expectOk(await post(mount, '/api/error-reports', undefined, crash), 201);
    const problem = { kind: 'app_report', summary: 'It crashed', detail: 'When drawing.', device_id: 'studio-mac' };
    const { ticket } = expectOk(await post(mount, '/api/support/reports', key, problem), 201);

    // The account sees its device and its key, and the store sees the reports.
    const owner = (await aKey(service, account)).value;
    const { device_list } = expectOk(await get(mount, `/api/products/${APP}/license`, owner));
    expect(device_list).toMatchObject([{ device_id: 'studio-mac', name: 'Studio' }]);
    const keys = await service.get('listApiKeys')({ account_id: account });
    expect(keys).toMatchObject({
      ok: true,
      value: expect.arrayContaining([expect.objectContaining({ client: 'cli' })]),
    });
    expect(await Array.fromAsync(service.get('installs').list(account))).toMatchObject([recorded]);
    expect(await Array.fromAsync(service.get('usage').list(account))).toMatchObject([{ usage_date, launches: 2 }]);
    const reports = await service.get('listReports')({ kind: null, status: null, app: null, since: null, limit: 10 });
    expect(reports).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'error', id: report.group, reports: 1 }),
        expect.objectContaining({ kind: 'support', id: String(ticket.id), reports: 1 }),
      ]),
    );
    expect(JSON.stringify(reports)).not.toContain(key);
  });
};
