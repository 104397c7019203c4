import { html } from 'hono/html';
import * as z from 'zod';
import type { OwnDevice, ProductDevices as OwnProductDevices } from '../../../../application/devices/own-devices.ts';
import { deviceIdOf, LONGEST_DEVICE_ID, sharedAt } from '../../../../domain/devices/seat.ts';
import { inLocale } from '../../../../domain/shared/locale.ts';
import { LONGEST_DEVICE_NAME } from '../../../../domain/sign-in/device-sign-in.ts';
import { day, dayText } from '../../shared/dates.ts';
import { emptyBox, facts, type Html, type Notice, noticeBox, unseen } from '../../shared/pieces.ts';
import { type Answer, goTo, show } from '../answer.ts';
import { idIn } from '../form.ts';
import type { Paths } from '../paths.ts';
import { noticeIn } from '../routes/notices.ts';
import { confirmation } from '../views/confirmation.ts';
import { notFoundView } from '../views/messages.ts';
import { csrfField, deviceTabs, layout, type Page } from '../views/page.ts';
import { revokeForm, type ShownKey, shownKeys } from './keys.ts';

export type ProductDevices = Omit<OwnProductDevices, 'name'> & { readonly name: string };

type Slot = OwnDevice & { readonly product: Pick<ProductDevices, 'id' | 'name'> };

/** A machine with the slots that it holds and the keys that were signed in on it. */
export type Machine = {
  readonly device_id: string;
  readonly name: string | null;
  readonly slots: readonly Slot[];
  readonly keys: readonly ShownKey[];
};

/** The machines of products and keys, the one that was seen last first. */
export const machinesOf = (products: readonly ProductDevices[], keys: readonly ShownKey[]): Machine[] => {
  const slots = products.flatMap(({ id, name, devices }) => devices.map((one) => ({ ...one, product: { id, name } })));
  const byDevice = Map.groupBy(slots, ({ device_id }) => device_id);
  const keyed = Map.groupBy(
    keys.filter(({ device }) => device !== null),
    ({ device }) => device?.device_id ?? '',
  );
  const seen = ({ slots: held, keys: own }: Machine): string =>
    [...held.map((one) => one.last_seen_at), ...own.map((one) => one.last_used_at ?? one.created_at)].sort().at(-1) ??
    '';
  return [...new Set([...byDevice.keys(), ...keyed.keys()])]
    .map((device_id) => {
      const [held, own] = [byDevice.get(device_id) ?? [], keyed.get(device_id) ?? []];
      const name = [...held, ...own.map(({ device }) => device)].find((one) => one?.name)?.name ?? null;
      return { device_id, name, slots: held, keys: own };
    })
    .toSorted((a, b) => (seen(a) < seen(b) ? 1 : seen(a) > seen(b) ? -1 : 0));
};

export type DevicesModel = {
  readonly products: readonly ProductDevices[];
  readonly machines: readonly Machine[];
  /** True for the page of one product. */
  readonly single: boolean;
  readonly notice: Notice | null;
};

/** The page that the forms of a list lead back to. */
const from = (single: boolean): Readonly<Record<string, string>> => (single ? {} : { from: 'all' });

const slotRow = (page: Page, machine: string, { product, ...slot }: Slot, single: boolean): Html => {
  const { devices: m } = page.m;
  const { offline_until: until } = slot;
  const shared = sharedAt(slot);
  const holds = until === null ? null : m.holds(dayText(page.locale, until));
  return html`<li class="row"><div class="title"><h3>${product.name}</h3></div>
${facts([
  [m.activated, day(page, slot.activated_at)],
  [m.lastSeen, day(page, slot.last_seen_at)],
  [m.offlineUntil, until && day(page, until)],
])}
${slot.withdrawn ? html`<p class="note">${m.withdrawn}</p>` : ''}${shared === null ? '' : html`<p class="note">${m.shared(dayText(page.locale, shared))}</p>`}
${
  slot.released_at !== null
    ? html`<p class="note">${m.releasedOn(dayText(page.locale, slot.released_at))} ${holds}</p>`
    : confirmation(page, {
        label: m.release,
        about: `${machine}, ${product.name}`,
        question: holds ?? m.confirm(machine, product.name),
        button: m.confirmButton,
        action: '/devices/release',
        fields: { product: String(product.id), device: slot.device_id, ...from(single) },
      })
}</li>`;
};

const keyRow = (page: Page, key: ShownKey): Html => {
  const { keys: m, notYet } = page.m;
  return html`<li class="row"><div class="title"><h3>${page.m.devices.key}</h3><p class="kind">${m.device(key.client_name ?? '')} · <a href="/keys#key-${String(key.id)}"><code>${key.prefix}…</code></a></p></div>
${facts([
  [m.createdOn, day(page, key.created_at)],
  [m.lastUsed, key.last_used_at === null ? notYet : day(page, key.last_used_at)],
])}
${revokeForm(page, key, key.name)}</li>`;
};

const renameForm = (page: Page, { device_id, name }: Machine, n: number): Html => {
  const { devices: m } = page.m;
  return html`<details class="more"><summary>${m.rename}${unseen(name ?? m.unnamed)}</summary>
<form method="post" action="/devices/rename" class="inlineform">${csrfField(page)}<input type="hidden" name="device" value="${device_id}">
<label for="name-${n}">${m.name}</label><input id="name-${n}" name="name" value="${name ?? ''}" maxlength="${String(LONGEST_DEVICE_NAME)}" autocomplete="off"><button class="main">${m.renameButton}</button></form></details>`;
};

const machineCard = (page: Page, machine: Machine, n: number, single: boolean): Html => {
  const { devices: m } = page.m;
  const { device_id, slots, keys } = machine;
  const name = machine.name ?? m.unnamed;
  const kept = slots.filter(({ released_at }) => released_at === null);
  const leave =
    kept.length < 2
      ? ''
      : confirmation(page, {
          label: m.releaseAll,
          about: name,
          question: m.confirmAll(name),
          button: m.confirmAllButton,
          action: '/devices/release',
          fields: { device: device_id },
        });
  return html`<li class="card">
<div class="title"><h2>${name}</h2><p class="id"><span class="unseen">${m.id}: </span>${device_id}</p></div>
<ul class="rows">${slots.map((slot) => slotRow(page, name, slot, single))}${keys.map((key) => keyRow(page, key))}</ul>
${kept.length === 0 ? '' : html`<div class="ways">${renameForm(page, machine, n)}${leave}</div>`}
</li>`;
};

/** Leads to the further devices of a product, or from the list of all machines to the page of one product. */
const moreLink = (page: Page, { id, name, next }: ProductDevices, single: boolean): Html | '' => {
  const { devices: m } = page.m;
  if (next === null) return '';
  const query = new URLSearchParams({ product: String(id), ...(single && { after: next }) });
  return html`<p class="more"><a href="/devices?${query}">${m.more}<span class="unseen"> ${name}</span></a></p>`;
};

const usedText = ({ m: { devices: m } }: Page, { device_limit: limit, used }: ProductDevices): string =>
  // Access that has ended allows no device.
  m.used(used, limit === 0 ? null : limit);

const isFull = ({ device_limit: limit, used, devices }: ProductDevices): boolean =>
  limit !== null && limit > 0 && used >= limit && !devices.some(({ withdrawn }) => withdrawn);

const productNotes = ({ m: { devices: m } }: Page, product: ProductDevices): Html =>
  html`${product.device_limit === 0 ? html`<p class="note">${m.ended}</p>` : ''}${isFull(product) && product.devices.some(({ offline_until }) => offline_until === null) ? html`<p class="note">${m.full}</p>` : ''}`;

/** The slots of each product that has devices, of which a license has a number. */
const slotList = (page: Page, products: readonly ProductDevices[]): Html | '' => {
  const { devices: m } = page.m;
  const rows = products
    .filter(({ used }) => used > 0)
    .map(
      (one) => html`<li class="head"><a href="/devices?product=${one.id}">${one.name}</a>
<span>${isFull(one) ? html`<span class="badge due">${m.noneFree}</span> ` : ''}<span class="count">${usedText(page, one)}</span></span></li>`,
    );
  return rows.length === 0
    ? ''
    : html`<section class="card" aria-labelledby="slots"><h2 id="slots">${m.slots}</h2><ul class="plainlist">${rows}</ul></section>`;
};

const machineList = (page: Page, machines: readonly Machine[], single: boolean): Html =>
  html`<ul class="cards">${machines.map((one, n) => machineCard(page, one, n, single))}</ul>`;

/** The machines of an account with their products and keys, or the devices of one product. */
export const devicesView = (page: Page, { products, machines, single, notice }: DevicesModel): Html => {
  const { devices: m } = page.m;
  const [only] = products;
  const all = html`<h1>${page.m.nav.devices}</h1>${deviceTabs(page, 'devices')}
<p class="lead">${m.lead}</p>
${noticeBox(notice)}
${slotList(page, products)}
${machines.length === 0 ? emptyBox(m.empty, m.emptyText, { href: '/library', text: page.m.library.title }) : machineList(page, machines, false)}${products.map((product) => moreLink(page, product, false))}`;
  const one = (
    product: ProductDevices,
  ): Html => html`<p class="up"><a href="/devices">${m.all}</a></p><h1>${m.titleOf(product.name)}</h1>
${noticeBox(notice)}<p class="count">${usedText(page, product)}</p>${productNotes(page, product)}
${machines.length === 0 ? html`<p class="none">${m.none}</p>` : machineList(page, machines, true)}${moreLink(page, product, true)}`;
  return layout(page, {
    title: single && only ? m.titleOf(only.name) : m.title,
    section: 'devices',
    body: html`${single && only ? one(only) : all}
<p class="more"><a href="/devices/offline">${page.m.offline.title}</a></p>`,
  });
};

/** The form for the request of a machine that is never online, and the file to carry back to it. */
export type OfflineModel =
  | { readonly kind: 'form'; readonly fault?: string }
  | { readonly kind: 'file'; readonly file: string; readonly product: string };

export const offlineView = (page: Page, model: OfflineModel): Html => {
  const { offline: m } = page.m;
  const form = (fault = ''): Html => html`${fault && noticeBox({ kind: 'fault', text: fault, first: true })}
<form method="post" action="/devices/offline" class="card">${csrfField(page)}
<div class="field"><label for="request">${m.request}</label>
<textarea id="request" name="request" rows="4" required spellcheck="false" placeholder='{"product_id":4,"device_id":"…"}'></textarea></div>
<p><button class="main">${m.button}</button></p></form>`;
  const file = (text: string, product: string): Html => html`<section class="card">
<label for="file">${m.file(product)}</label>
<textarea id="file" rows="8" readonly spellcheck="false">${text}</textarea>
<p><a class="button main" download="license.json" href="data:application/json,${encodeURIComponent(text)}">${m.download}</a></p>
<p class="note">${m.fileText}</p></section>`;
  return layout(page, {
    title: m.title,
    section: 'devices',
    body: html`<p class="up"><a href="/devices">${page.m.devices.title}</a></p><h1>${m.title}</h1>
<p class="lead">${m.lead}</p>
${model.kind === 'file' ? file(model.file, model.product) : form(model.fault)}`,
  });
};

/** The machines of the account, and the page of one product, which answers of the API lead to. */
export const addDevicePages = (paths: Paths): void => {
  const { checkLicense, listOwnDevices, releaseDevice, renameDevice } = paths.settings.parts;

  paths.own('/devices', async (visit): Promise<Answer> => {
    const { session, locale, query } = visit;
    const asked = query.get('product');
    const id = idIn(asked);
    const after = id === null ? null : (query.get('after')?.slice(0, LONGEST_DEVICE_ID) ?? null);
    const [listed, keys] = await Promise.all([
      asked === null || id !== null ? listOwnDevices(session.account_id, id, after) : { products: [] },
      asked === null ? shownKeys(paths, visit) : [],
    ]);
    if (asked !== null && listed.products.length === 0) return show(notFoundView, 404, '/devices');
    const products = listed.products.map((product) => ({ ...product, name: inLocale(product.name, locale) ?? '' }));
    const machines = machinesOf(products, keys);
    const notice = noticeIn(query, {
      done: ({ devices: { held, released, renamed } }) => ({ held, released, renamed }),
      faults: ({ devices: { gone } }) => ({ gone }),
    });
    return show((page) => devicesView(page, { products, machines, single: asked !== null, notice: notice(page.m) }));
  });

  paths.boundedForm('/devices/release', '/devices', async ({ session, form, permit }): Promise<Answer> => {
    const product_id = form.id('product');
    const device_id = form.text('device');
    const isWhole = product_id === null && form.text('product') === '';
    if ((product_id === null && !isWhole) || device_id.length > LONGEST_DEVICE_ID)
      return show(notFoundView, 404, '/devices');
    const released = await releaseDevice(permit, { account_id: session.account_id, product_id, device_id });
    const back = isWhole || form.text('from') === 'all' ? '' : `product=${product_id}&`;
    return goTo(
      `/devices?${back}done=${released.ok ? (released.value.offline_until === null ? 'released' : 'held') : 'gone'}`,
    );
  });

  paths.boundedForm('/devices/rename', '/devices', async ({ session, form, permit }) => {
    const device_id = form.text('device');
    if (device_id.length > LONGEST_DEVICE_ID) return show(notFoundView, 404, '/devices');
    const named = await renameDevice(permit, { account_id: session.account_id, device_id, name: form.text('name') });
    return goTo(`/devices?done=${named.ok ? 'renamed' : 'gone'}`);
  });

  paths.own('/devices/offline', () => show((page) => offlineView(page, { kind: 'form' })));

  paths.boundedForm('/devices/offline', '/devices/offline', async ({ session, form, permit, locale }) => {
    const asked = requestIn(form.text('request'));
    if (!asked) return show((page) => offlineView(page, { kind: 'form', fault: page.m.offline.wrong }), 422);
    const account_id = session.account_id;
    const scope = { product_id: null };
    const question = { bundle_id: null, ...asked };
    const begun = await checkLicense({ account_id, scope, device: null, question, offline: true, locale });
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
  device_id: z.string().transform(deviceIdOf).pipe(z.string()),
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
