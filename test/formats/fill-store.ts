import { presentFormat } from '../../adapters/store/formats.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { portsOfHosts, serverOf } from '../aws/migration/server-of.ts';
import { aCollectRun, DEMO, fillShop, leaveRecords, PRODUCT, submitAlone } from '../aws/migration/shop.ts';
import { openService } from '../processes/data-dir.ts';
import { done } from '../support/outcomes.ts';
import { SIGNERS, shopEvent, shopOrder } from '../support/payment-bodies.ts';
import { RUNS } from '../surface/captures.ts';
import { get, post, send } from '../surface/client.ts';
import type { Known } from './old-stores.ts';

const DEVICES = ['a-laptop', 'a-desktop', 'a-server'];

/** Gives the product every term of a license, and accounts that have them. */
const openEditions = async ({ service }: Awaited<ReturnType<typeof serverOf>>): Promise<void> => {
  const permit = grantPermit();
  const sold = { edition: 'pro', features: ['sync'] };
  const price = {
    provider: 'paddle',
    device_limit: null,
    access_days: null,
    updates_days: null,
    grace_days: 0,
    apps: null,
  };
  const fields = {
    editions: [
      { name: 'basic', features: [] },
      { name: 'pro', features: ['export'] },
    ],
    features: ['open'],
    metadata: { plan: 'a' },
    ttl_days: 30,
    prices: [
      { ...price, ...sold, id: 'pro', upgrades_from: ['basic'] },
      { ...price, id: 'sync', features: ['sync'], requires: [] },
    ],
  };
  done(await service.get('changeProduct')(permit, { product: String(PRODUCT), fields }));
  const grant = { account_id: DEMO.id, product_id: PRODUCT, device_limit: 1, metadata: { note: 'a' }, ...sold };
  const never = { access_expires_at: null, updates_supported_until: null };
  done(await service.get('grantEntitlement')(permit, { ...grant, ...never }));
};

/** Fills a new store in a folder with a record of every kind, and returns the credentials that must stay valid. */
export const fillStore = async (dataDir: string): Promise<Known> => {
  const ports = await portsOfHosts();
  const secret = { SHOP_WEBHOOK_SECRET: SIGNERS.shop.secret };
  const mount = await serverOf({ ...ports, ...secret, DATA_DIR: dataDir, SAMPLE_STORE: 'always', MAIL: 'off' });
  const { key, browser, app, waiting, license, collector } = await fillShop(mount);
  for (const device_id of DEVICES) await post(mount, '/api/license/check', key, { product_id: PRODUCT, device_id });
  const grace = { email: 'grace@bücher.example', password: 'grace-password' };
  done(await mount.service.get('addAccount')(grantPermit(), { ...grace, name: 'Grace' }));
  await openEditions(mount);
  const event = shopEvent('order', shopOrder({ lines: [{ product: 'hashcheck', total_cents: 19_000 }] }));
  const text = JSON.stringify(event);
  const headers = { 'content-type': 'application/json', ...SIGNERS.shop.sign(text, Date.now(), undefined, 'msg_sale') };
  await send(mount, 'POST', '/webhooks/shop', { text, headers });
  const replayed = await aCollectRun(mount, collector, 1);
  await post(mount, `${RUNS}/${replayed}/submit`, collector.key);
  while ((await get(mount, `${RUNS}/${replayed}`, collector.key)).body.run.state !== 'replayed')
    await new Promise((resolve) => setTimeout(resolve, 50));
  const submitted = await aCollectRun(mount, collector, 2);
  if (mount.faults.length > 0) throw mount.faults[0];
  await mount.close();
  const { service, close } = await openService(dataDir, ports);
  const run = await submitAlone(service, collector, submitted);
  await leaveRecords(service);
  const about = { kind: 'order', account_id: DEMO.id, subject_id: '9', product_id: null } as const;
  await service.get('messages').add(grantPermit(), about);
  await close();
  const credentials = {
    key,
    browser: Object.fromEntries(browser.jar),
    app,
    waiting,
    license,
    device_ids: DEVICES,
    grace,
  };
  const made = { format: presentFormat(), made_at: new Date().toISOString(), ports };
  return { ...made, ...credentials, sale: { id: 'msg_sale', event }, agent: { key: collector.key, run } };
};
