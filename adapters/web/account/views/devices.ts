import { html } from 'hono/html';
import type { OwnDevice } from '../../../../application/sign-in/own-devices.ts';
import { day } from '../../shared/dates.ts';
import { emptyBox, facts, type Html, type Notice, noticeBox } from '../../shared/pieces.ts';
import { confirmation } from './confirmation.ts';
import { csrfField, deviceTabs, layout, type Page } from './page.ts';

export type ProductDevices = {
  readonly id: number;
  readonly name: string;
  /** Null is no limit. */
  readonly device_limit: number | null;
  readonly used: number;
  readonly devices: readonly OwnDevice[];
  /** The id that asks for the page after this one; null where there is none. */
  readonly next: string | null;
};

export type DevicesModel = {
  readonly products: readonly ProductDevices[];
  /** True for the page of one product. */
  readonly single: boolean;
  readonly notice: Notice | null;
};

const deviceRow = (page: Page, product: ProductDevices, device: OwnDevice, single: boolean): Html => {
  const { devices: m } = page.m;
  const name = device.name ?? m.unnamed;
  return html`<li class="row"><div class="title">${single ? html`<h2>${name}</h2>` : html`<h3>${name}</h3>`}<p class="id"><span class="unseen">${m.id}: </span>${device.device_id}</p></div>
${facts([
  [m.activated, day(page, device.activated_at)],
  [m.lastSeen, day(page, device.last_seen_at)],
])}
${device.withdrawn ? html`<p class="note">${m.withdrawn}</p>` : ''}
${confirmation(page, {
  label: m.release,
  about: name,
  question: m.confirm(name, product.name),
  button: m.confirmButton,
  action: '/devices/release',
  fields: { product: String(product.id), device: device.device_id },
})}</li>`;
};

/** Leads to the further devices of a product, or from the list of all products to the page of one. */
const moreLink = (page: Page, { id, name }: ProductDevices, next: string, single: boolean): Html => {
  const { devices: m } = page.m;
  const query = new URLSearchParams({ product: String(id), ...(single && { after: next }) });
  return html`<p class="more"><a href="/devices?${query}">${m.more}<span class="unseen"> ${name}</span></a></p>`;
};

const productCard = (page: Page, product: ProductDevices, single: boolean): Html => {
  const { devices: m } = page.m;
  const { id, name, device_limit: limit, used, devices, next } = product;
  const isFull = limit !== null && limit > 0 && used >= limit && !devices.some(({ withdrawn }) => withdrawn);
  // Access that has ended allows no device.
  const count = m.used(used, limit === 0 ? null : limit);
  const title = single ? '' : html`<h2><a href="/devices?product=${id}">${name}</a></h2>`;
  return html`<section class="card">
<div class="head">${title}<p class="count">${count}</p></div>
${limit === 0 ? html`<p class="note">${m.ended}</p>` : ''}${isFull ? html`<p class="note">${m.full}</p>` : ''}
${devices.length === 0 ? html`<p class="none">${m.none}</p>` : html`<ul class="rows">${devices.map((device) => deviceRow(page, product, device, single))}</ul>`}${next === null ? '' : moreLink(page, product, next, single)}
</section>`;
};

/** The devices of one product, or of every product of the account. */
export const devicesView = (page: Page, { products, single, notice }: DevicesModel): Html => {
  const { devices: m } = page.m;
  const [only] = products;
  const title = single && only ? m.titleOf(only.name) : m.title;
  return layout(page, {
    title,
    section: 'devices',
    body: html`${single ? html`<p class="up"><a href="/devices">${m.all}</a></p>` : ''}<h1>${single ? title : page.m.nav.devices}</h1>${single ? '' : deviceTabs(page, 'devices')}
<p class="lead">${m.lead}</p>
${noticeBox(notice)}
${products.length === 0 ? emptyBox(m.empty, m.emptyText) : products.map((product) => productCard(page, product, single))}
<p class="more"><a href="/devices/offline">${page.m.offline.title}</a></p>`,
  });
};

/** The form for the request of a machine that is never online, and the file to carry back to it. */
export type OfflineModel =
  | { readonly kind: 'form'; readonly fault?: string }
  | { readonly kind: 'file'; readonly file: string; readonly product: string };

export const offlineView = (page: Page, model: OfflineModel): Html => {
  const { offline: m } = page.m;
  const form = (fault = ''): Html => html`${fault && noticeBox({ kind: 'fault', text: fault })}
<form method="post" action="/devices/offline" class="card">${csrfField(page)}
<label for="request">${m.request}</label>
<textarea id="request" name="request" rows="4" required spellcheck="false" placeholder='{"product_id":4,"device_id":"…"}'></textarea>
<button>${m.button}</button></form>`;
  const file = (text: string, product: string): Html => html`<section class="card">
<label for="file">${m.file(product)}</label>
<textarea id="file" rows="8" readonly spellcheck="false">${text}</textarea>
<p><a class="button" download="license.json" href="data:application/json,${encodeURIComponent(text)}">${m.download}</a></p>
<p class="note">${m.fileText}</p></section>`;
  return layout(page, {
    title: m.title,
    section: 'devices',
    body: html`<p class="up"><a href="/devices">${page.m.devices.title}</a></p><h1>${m.title}</h1>
<p class="lead">${m.lead}</p>
${model.kind === 'file' ? file(model.file, model.product) : form(model.fault)}`,
  });
};
