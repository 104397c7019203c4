import * as z from 'zod';
import { inLocale } from '../../../../domain/shared/locale.ts';
import { goTo, show } from '../answer.ts';
import { idIn } from '../form.ts';
import type { Paths } from '../paths.ts';
import { devicesView, offlineView } from '../views/devices.ts';
import { notFoundView } from '../views/messages.ts';
import { noticeIn } from './notices.ts';

/** The longest id that a client gives its device. */
const LONGEST_DEVICE_ID = 255;

/** The devices of each product, and the page of one product, which answers of the API lead to. */
export const addDevicePages = (paths: Paths): void => {
  const { checkLicense, listOwnDevices, releaseDevice } = paths.settings.parts;

  paths.own('/devices', async ({ session, locale, query }) => {
    const asked = query.get('product');
    const id = idIn(asked);
    const after = id === null ? null : (query.get('after')?.slice(0, LONGEST_DEVICE_ID) ?? null);
    const listed =
      asked === null || id !== null ? await listOwnDevices(session.account_id, id, after) : { products: [] };
    if (asked !== null && listed.products.length === 0) return show(notFoundView, 404, '/devices');
    const products = listed.products.map((product) => ({ ...product, name: inLocale(product.name, locale) ?? '' }));
    const notice = noticeIn(query, { done: ({ devices: { released, gone } }) => ({ released, gone }) });
    return show((page) => devicesView(page, { products, single: asked !== null, notice: notice(page.m) }));
  });

  paths.boundedForm('/devices/release', '/devices', async ({ session, form, permit }) => {
    const product_id = form.id('product');
    const device_id = form.text('device');
    if (product_id === null || device_id.length > LONGEST_DEVICE_ID) return show(notFoundView, 404, '/devices');
    const released = await releaseDevice(permit, { account_id: session.account_id, product_id, device_id });
    return goTo(`/devices?product=${product_id}&done=${released.ok ? 'released' : 'gone'}`);
  });

  paths.own('/devices/offline', () => show((page) => offlineView(page, { kind: 'form' })));

  paths.boundedForm('/devices/offline', '/devices/offline', async ({ session, form, permit, locale }) => {
    const asked = requestIn(form.text('request'));
    if (!asked) return show((page) => offlineView(page, { kind: 'form', fault: page.m.offline.wrong }), 422);
    const accountId = session.account_id;
    const scope = { product_id: null };
    const question = { bundle_id: null, ...asked };
    const begun = await checkLicense({ accountId, scope, device: null, question, offline: true, locale });
    const checked = typeof begun === 'function' ? await begun({ permit }) : begun;
    const message = checked.ok ? checked.value.message : checked.message;
    if (!checked.ok || checked.value.token === null)
      return show((page) => offlineView(page, { kind: 'form', fault: message ?? page.m.offline.wrong }), 422);
    const { token, checked_at, product } = checked.value;
    const file = JSON.stringify({ token, checked_at });
    return show((page) => offlineView(page, { kind: 'file', file, product: product.name }));
  });
};

const OfflineRequest = z.object({
  product_id: z.int().min(1),
  device_id: z.string().min(1).max(LONGEST_DEVICE_ID),
  app_version: z.string().max(100).nullish().default(null),
});

/** The request that a client's `offlineRequest` made; undefined for any other text. */
const requestIn = (text: string): z.output<typeof OfflineRequest> | undefined => {
  try {
    return OfflineRequest.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
};
