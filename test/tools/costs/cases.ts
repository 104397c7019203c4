import { deviceKeys } from '../../../adapters/store/keys/devices.ts';
import { ABILITIES } from '../../../domain/access/abilities.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import type { EndpointSpec } from '../../../ports/inbound/endpoint.ts';
import { ENDPOINTS, type EndpointId } from '../../../ports/inbound/endpoints.ts';
import type { Service } from '../../../runtimes/composition/bootstrap.ts';
import { aBill, anInvoice, anOrder, aPaymentMethod } from '../../support/builders.ts';
import { aKey, anAccount, putInvoice, putOrder } from '../../surface/buyers.ts';
import { callerOf, seatReleased } from '../../surface/callers.ts';
import { aPng } from '../../surface/captures.ts';
import { ASSET_BYTES, ORDER } from '../../surface/good-requests.ts';
import { NOTES, OTHER, SKILL, TOOL } from '../../surface/shop.ts';
import { dayFromNow } from '../../surface/times.ts';
import { DESK } from '../../surface/update-shop.ts';
import { type Ask, ask } from './ask.ts';

/** A request with measured costs, and its preparation. */
export type Case = {
  readonly id: EndpointId;
  /** The difference from the endpoint's usual request. */
  readonly when?: string;
  readonly ask?: Partial<Ask>;
  /** The same request was answered before, so the catalog is cached. */
  readonly repeated?: boolean;
  /** The key, its device and the product were not used today. */
  readonly unused?: boolean;
  /** The process is new and has nothing cached. */
  readonly cold?: boolean;
};

const DEVICE = 'a-device';

const capture = { files: { image: aPng(), html: ASSET_BYTES } };
const fiveFilters = { query: { viewport: 'mobile', lang: 'en', kind: 'sign-in', q: 'welcome back' } };

/** Variations of an endpoint's usual request, in addition to a key: a read is repeated by default. */
const ASKED: Readonly<Partial<Record<EndpointId, Partial<Case>>>> = {
  downloadBundle: { ask: { product: SKILL } },
  checkLicense: { repeated: true },
  planInstall: { ask: { query: { platform: 'linux-amd64' } } },
  getAppcast: { ask: { product: NOTES } },
  openUpdateFile: { ask: { product: DESK } },
  getTauriUpdate: { ask: { product: DESK } },
  getCollectRun: { repeated: false },
  uploadCollectAsset: { ask: { files: { file: ASSET_BYTES } } },
  uploadCollectCapture: { ask: capture },
};

/**
 * The usual request of each endpoint, with a key and a device that were already used today. A tool call costs as much
 * as its endpoint.
 */
const USUAL: readonly Case[] = (Object.keys(ENDPOINTS) as EndpointId[]).flatMap((id) => {
  const { host, method, protocol }: EndpointSpec = ENDPOINTS[id];
  return protocol === undefined && host !== 'shop' ? [{ repeated: method === 'GET', ...ASKED[id], id }] : [];
});

const week = Array.from({ length: 7 }, (_, n) => ({ product_id: TOOL, usage_date: dayFromNow(-n), launches: 1 }));

const FURTHER: readonly Case[] = [
  { id: 'checkLicense', when: 'a new device', ask: { body: { product_id: TOOL, device_id: 'a-new-device' } } },
  { id: 'checkLicense', when: 'the first of the day', unused: true },
  { id: 'recordInstall', when: 'the first of the day', unused: true },
  { id: 'bulkActivate', when: 'again', repeated: true },
  { id: 'uploadUsage', when: '7 days at once', ask: { body: { consent: true, days: week } } },
  { id: 'recordInstall', when: 'with an Idempotency-Key', ask: { idempotencyKey: 'a-name' } },
  { id: 'reportError', when: 'again', repeated: true },
  { id: 'reportProblem', when: 'again', repeated: true },
  { id: 'uploadCollectCapture', when: 'again', repeated: true, ask: capture },
  { id: 'listScreens', when: 'by five filters', repeated: true, ask: fiveFilters },
  { id: 'listScreens', when: 'by five filters, a process just started', cold: true, ask: fiveFilters },
  { id: 'getLibrary', when: 'a process just started', cold: true },
  { id: 'checkLicense', when: 'a process just started', cold: true },
  { id: 'getDownloadPipeline', when: 'a process just started', cold: true },
  { id: 'getAppcast', when: 'a process just started', cold: true, ask: { product: NOTES } },
  { id: 'downloadRelease', when: 'a process just started', cold: true },
];

export const CASES: readonly Case[] = [...USUAL, ...FURTHER];

export const nameOf = ({ id, when }: Pick<Case, 'id' | 'when'>): string => (when === undefined ? id : `${id}, ${when}`);

const YESTERDAY_MS = 24 * 60 * 60 * 1000;

/** The number of an account's invoices, more than the default page of twenty. */
const INVOICES = 25;

const bill = async (service: Service, account_id: number): Promise<void> => {
  await service.get('billingRecords').savePaymentMethod(grantPermit(), aPaymentMethod({ account_id }));
  for (const id of [ORDER, ORDER + 1, ORDER + 2]) await putOrder(service, anOrder({ id, account_id }));
  for (let id = 1; id <= INVOICES; id++) await putInvoice(service, anInvoice({ id, account_id }));
};

/**
 * Creates an account with four purchases, a subscription, three orders and 25 invoices. It has two devices on the tool,
 * one of which is the device of the returned key.
 */
export const prepare = async (
  service: Service,
  { id, unused = false }: Case,
): Promise<{ account: number; key: string; product?: number }> => {
  const endpoint: EndpointSpec = ENDPOINTS[id];
  if (endpoint.access.credential === 'agent') {
    const { key = '', product } = await callerOf(service, endpoint);
    return { account: 0, key, product };
  }
  const account = await anAccount(service, {
    entitlements: [TOOL, SKILL, NOTES, OTHER].map((product_id) => ({ product_id, device_limit: 10 })),
    subscriptions: [{ product_ids: [OTHER], grace_days: 7, apps: { tier: 'plus', features: [] }, billing: aBill() }],
  });
  await bill(service, account);
  await seatReleased(service, endpoint, account);
  const { access } = ENDPOINTS[id];
  const scoped = 'requires' in access && access.requires.some((one) => one === 'scoped');
  const made = await aKey(service, account, {
    abilities: ABILITIES,
    device: { device_id: DEVICE },
    ...(scoped && { product_id: TOOL }),
  });
  const check = { endpoint: ENDPOINTS.checkLicense, key: made.value, product: TOOL };
  await ask(service, check);
  await ask(service, { ...check, body: { product_id: TOOL, device_id: 'another-device' } });
  if (unused) await setBack(service, account, made.key.hash);
  return { account, key: made.value };
};

/** Sets the last use of the key and of its device to yesterday, and removes the use of the product. */
const setBack = async (service: Service, account: number, hash: string): Promise<void> => {
  const yesterday = new Date(Date.now() - YESTERDAY_MS).toISOString();
  const key = await service.get('apiKeys').find(hash);
  const { device } = await service.get('devices').find(account, TOOL, DEVICE);
  if (!key || !device) throw new Error('The case has no key or device.');
  await service.get('apiKeys').touch(key, yesterday);
  await service.get('table').remove(deviceKeys.use(account, TOOL));
  await service.get('devices').touch(grantPermit(), account, TOOL, { ...device, last_seen_at: yesterday });
};
