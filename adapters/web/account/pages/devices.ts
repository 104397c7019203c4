import { html } from 'hono/html';
import * as z from 'zod';
import type { OwnDevice, ProductDevices as OwnProductDevices } from '../../../../application/devices/own-devices.ts';
import { isFull, type Machine as MachineOf, machinesOf } from '../../../../domain/devices/machines.ts';
import { deviceIdOf, LONGEST_DEVICE_ID, sharedAt, shownDeviceId } from '../../../../domain/devices/seat.ts';
import { FOR_EVER } from '../../../../domain/licensing/license-check.ts';
import { type Instant, toInstant } from '../../../../domain/shared/instant.ts';
import { inLocale } from '../../../../domain/shared/locale.ts';
import { LONGEST_DEVICE_NAME } from '../../../../domain/sign-in/device-sign-in.ts';
import { day, dayIn } from '../../shared/dates.ts';
import { attribute, emptyBox, facts, type Html, type Notice, noticeBox, unseen } from '../../shared/pieces.ts';
import { type Answer, goTo, show } from '../answer.ts';
import { isTokenOf, saidToken } from '../csrf.ts';
import { type Form, idIn } from '../form.ts';
import { keepFields, type OwnFormVisit } from '../guard.ts';
import type { Messages } from '../messages/en.ts';
import { keptFields, type Paths } from '../paths.ts';
import { noticeIn } from '../routes/notices.ts';
import { confirmation, hiddenFields } from '../views/confirmation.ts';
import { backAgain, notFoundView } from '../views/messages.ts';
import { csrfField, deviceTabs, layout, type Page } from '../views/page.ts';
import { revokeForm, type ShownKey, shownKeys } from './keys.ts';
import { type Order, withdrawableNote } from './orders.ts';

export type ProductDevices = Omit<OwnProductDevices, 'name'> & { readonly name: string };

type Machine = MachineOf<OwnDevice, ShownKey>;

/**
 * A list of devices: of one product, or of all; of a product's devices, those after this one. `request` is the license
 * request of a computer that waits for a free slot.
 */
type DeviceList = { readonly product: number | null; readonly after: string | null; readonly request: string | null };

export type DevicesModel = DeviceList & {
  readonly products: readonly ProductDevices[];
  readonly machines: readonly Machine[];
  readonly notice: Notice | null;
};

/** The fields with which a form returns to the list that contains it. */
const listFields = ({ product, after, request }: DeviceList): Readonly<Record<string, string>> => ({
  ...(product !== null && { list: String(product) }),
  ...(after !== null && { after }),
  ...(request !== null && { request }),
});

const listPath = ({ product, after, request }: DeviceList, more: Readonly<Record<string, string>> = {}): string => {
  const query = {
    ...(product !== null && { product: String(product) }),
    ...(after !== null && { after }),
    ...(request !== null && { request }),
    ...more,
  };
  return `/devices?${new URLSearchParams(query)}`;
};

/** The page that creates a license file. */
const OFFLINE = '/devices/offline';

const EVERY_DEVICE: DeviceList = { product: null, after: null, request: null };

/** The signed text of a URL: which step was taken, and on which device. */
const saidOf = (done: string, device: string): string => JSON.stringify([done, device]);

const afterIn = (text: string): string | null => text.slice(0, LONGEST_DEVICE_ID) || null;

/** The title of a device: its name, else its platform and the start of its id. */
const titleOf = (
  m: Messages,
  { name, platform, device_id }: Pick<Machine, 'name' | 'platform' | 'device_id'>,
): string => {
  const id = shownDeviceId(device_id);
  return name ?? (platform === null ? m.devices.unnamed(id) : `${m.platforms[platform]} · ${id}`);
};

type Slot = Machine['slots'][number];

/** The words for a device that holds a slot, or for a running session. */
const slotWords = ({ devices: m }: Messages, { is_session }: Pick<Slot, 'is_session'>) => (is_session ? m.session : m);

const heldText = (page: Page, slot: Slot): string | null =>
  slot.offline_until === null ? null : slotWords(page.m, slot).holds(dayIn(page, slot.offline_until));

/** The dates of a slot, and what the shop or a license file says of it. */
const slotFacts = (page: Page, slot: Slot): Html => {
  const { devices: m } = page.m;
  const { offline_until: until, released_at } = slot;
  const shared = sharedAt(slot);
  return html`${facts([
    [m.activated, day(page, slot.activated_at)],
    [m.lastSeen, day(page, slot.last_seen_at)],
    [slotWords(page.m, slot).offlineUntil, until && day(page, until)],
  ])}
${slot.withdrawn ? html`<p class="note">${m.withdrawn}</p>` : ''}${shared === null ? '' : html`<p class="note">${m.shared(dayIn(page, shared))}</p>`}${released_at === null ? '' : html`<p class="note">${m.releasedOn(dayIn(page, released_at))} ${heldText(page, slot)}</p>`}`;
};

const releaseForm = (page: Page, machine: string, slot: Slot, list: DeviceList): Html | '' => {
  const m = slotWords(page.m, slot);
  const { product, device_id, released_at } = slot;
  if (released_at !== null) return '';
  return confirmation(page, {
    label: m.release,
    about: `${machine}, ${product.name}`,
    question: heldText(page, slot) ?? m.confirm(machine, product.name),
    button: m.confirmButton,
    action: '/devices/release',
    fields: { product: String(product.id), device: device_id, name: machine, ...listFields(list) },
  });
};

const keyText = ({ m }: Page, key: ShownKey): Html =>
  html`${m.keys.device(key.client_name ?? '')} · <a href="/keys#key-${String(key.id)}"><code>${key.prefix}…</code></a>`;

const keyFacts = (page: Page, { created_at, last_used_at }: ShownKey): Html =>
  facts([
    [page.m.keys.createdOn, day(page, created_at)],
    [page.m.keys.lastUsed, last_used_at === null ? page.m.notYet : day(page, last_used_at)],
  ]);

const renameForm = (page: Page, machine: Machine, n: number, list: DeviceList): Html => {
  const { devices: m } = page.m;
  const { device_id, name } = machine;
  return html`<details class="more"><summary>${m.rename}${unseen(titleOf(page.m, machine))}</summary>
<form method="post" action="/devices/rename" class="inlineform">${hiddenFields(page, { device: device_id, ...listFields(list) })}
<label for="name-${n}">${m.name}</label><input id="name-${n}" name="name" value="${name ?? ''}" maxlength="${String(LONGEST_DEVICE_NAME)}" autocomplete="off"><button class="main">${m.renameButton}</button></form></details>`;
};

/** The rows of a machine's products and keys, where it has more than one. */
const partRows = (page: Page, name: string, { slots, keys }: Machine, list: DeviceList): Html =>
  html`<ul class="rows">${slots.map(
    (slot) =>
      html`<li class="row"><div class="title"><h3>${slot.product.name}</h3></div>${slotFacts(page, slot)}${releaseForm(page, name, slot, list)}</li>`,
  )}${keys.map(
    (key) =>
      html`<li class="row"><div class="title"><h3>${page.m.devices.key}</h3><p class="kind">${keyText(page, key)}</p></div>${keyFacts(page, key)}${revokeForm(page, key, key.name)}</li>`,
  )}</ul>`;

/** A machine in one row. Its product or its key has its own row only beside another one. */
const machineRow = (page: Page, machine: Machine, n: number, list: DeviceList): Html => {
  const { devices: m } = page.m;
  const { device_id, slots, keys, platform } = machine;
  const name = titleOf(page.m, machine);
  const held = slots.filter(({ released_at }) => released_at === null);
  const [slot, key] = slots.length + keys.length === 1 ? [slots[0], keys[0]] : [];
  const kind = [
    machine.name === null || platform === null ? '' : page.m.platforms[platform],
    slot && list.product === null ? slot.product.name : '',
    key ? keyText(page, key) : '',
  ].filter((text) => text !== '');
  const releaseAll = (): Html =>
    confirmation(page, {
      label: m.releaseAll,
      about: name,
      question: m.confirmAll(name),
      button: m.confirmAllButton,
      action: '/devices/release',
      fields: { device: device_id, name, ...listFields(list) },
    });
  return html`<li class="row machine"><div class="title"><h2>${name}</h2>${kind.length === 0 ? '' : html`<p class="kind">${kind.map((text, at) => html`${at > 0 ? ' · ' : ''}${text}`)}</p>`}</div>
${slot ? slotFacts(page, slot) : ''}${key ? keyFacts(page, key) : ''}
<div class="ways">${held.length === 0 ? '' : renameForm(page, machine, n, list)}<details class="more"><summary>${m.id}${unseen(name)}</summary><p class="id">${device_id}</p></details>${slot ? releaseForm(page, name, slot, list) : ''}${key ? revokeForm(page, key, key.name) : ''}${held.length < 2 ? '' : releaseAll()}</div>
${slot || key ? '' : partRows(page, name, machine, list)}</li>`;
};

/** Links to the next devices of a product, or from the list of all machines to the page of one product. */
const moreLink = (
  page: Page,
  { id, name, next }: ProductDevices,
  single: boolean,
  request: string | null,
): Html | '' => {
  const { devices: m } = page.m;
  if (next === null) return '';
  const path = listPath({ product: id, after: single ? next : null, request });
  return html`<p class="more"><a href="${path}">${m.more}<span class="unseen"> ${name}</span></a></p>`;
};

const usedText = (m: Messages['devices'], { device_limit: limit, used }: ProductDevices): string =>
  // A product whose access has ended allows no device.
  m.used(used, limit === 0 ? null : limit);

const productNotes = ({ m }: Page, product: ProductDevices): Html => {
  const free = isFull(product) ? product.devices.find(({ offline_until }) => offline_until === null) : undefined;
  return html`${product.device_limit === 0 ? html`<p class="note">${m.devices.ended}</p>` : ''}${free ? html`<p class="note">${slotWords(m, free).full}</p>` : ''}`;
};

/** The used slots of each product with devices, out of the number that the license allows. */
const slotList = (page: Page, products: readonly ProductDevices[]): Html | '' => {
  const { devices: m } = page.m;
  const rows = products
    .filter(({ used }) => used > 0)
    .map(
      (one) => html`<li class="head"><a href="/devices?product=${one.id}">${one.name}</a>
<span>${isFull(one) ? html`<span class="badge due">${m.noneFree}</span> ` : ''}<span class="count">${usedText(page.m.devices, one)}</span></span></li>`,
    );
  return rows.length === 0
    ? ''
    : html`<section class="card" aria-labelledby="slots"><h2 id="slots">${m.slots}</h2><ul class="plainlist">${rows}</ul></section>`;
};

const machineList = (page: Page, machines: readonly Machine[], list: DeviceList): Html =>
  html`<div class="card"><ul class="rows">${machines.map((one, n) => machineRow(page, one, n, list))}</ul></div>`;

/** The way back to the license request that waits for a free slot. */
const waiting = ({ m: { offline: m } }: Page, { request }: DeviceList): Html | '' =>
  request === null
    ? ''
    : html`<p class="note"><a href="${OFFLINE}?${new URLSearchParams({ request }).toString()}">${m.back}</a></p>`;

/** The machines of an account with their products and keys, or the devices of one product. */
export const devicesView = (page: Page, { products, machines, notice, ...list }: DevicesModel): Html => {
  const { devices: m } = page.m;
  const [single] = list.product === null ? [] : products;
  const all = html`<h1>${page.m.nav.devices}</h1>${deviceTabs(page, 'devices')}
<p class="lead">${m.lead}</p>
<p class="actions"><a class="button" href="/device">${page.m.device.title}</a><a class="button" href="${OFFLINE}">${page.m.offline.title}</a></p>
${noticeBox(notice)}${waiting(page, list)}
${slotList(page, products)}
${machines.length === 0 ? emptyBox(m.empty, m.emptyText, { href: '/library', text: page.m.library.title }) : machineList(page, machines, list)}${products.map((product) => moreLink(page, product, false, list.request))}`;
  const one = (
    product: ProductDevices,
  ): Html => html`<p class="up"><a href="/devices">${m.all}</a></p><h1>${m.titleOf(product.name)}</h1>
${noticeBox(notice)}${waiting(page, list)}<p class="count">${usedText(page.m.devices, product)}</p><p class="more"><a href="${OFFLINE}">${page.m.offline.title}</a></p>${productNotes(page, product)}
${machines.length > 0 ? machineList(page, machines, list) : product.used > 0 ? '' : html`<p class="none">${m.none}</p>`}${moreLink(page, product, true, list.request)}`;
  return layout(page, {
    title: single ? m.titleOf(single.name) : m.title,
    section: 'devices',
    body: single ? one(single) : all,
  });
};

/** The form for the request of a machine that is never online, or the file to carry back to it. */
export type OfflineModel =
  | {
      readonly kind: 'form';
      /** The submitted text, and its fault. */
      readonly typed?: string;
      /** True if the text was preserved when the session ended. */
      readonly isKept?: boolean;
      readonly fault?: string;
      /** The product whose slots are all taken. */
      readonly full?: number | undefined;
      readonly orders: readonly Order[];
    }
  | {
      readonly kind: 'file';
      readonly file: string;
      readonly product: string;
      readonly device_id: string;
      readonly until: Instant;
      readonly isForEver: boolean;
    };

/** The name of the file, by which a person with several of them tells which product it is for. */
const fileNameOf = (product: string): string =>
  `${`${product} license`.replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '-').replace(/^-/, '')}.json`;

export const offlineView = (page: Page, model: OfflineModel): Html => {
  const { offline: m } = page.m;
  const form = ({ typed = '', isKept, fault, full, orders }: Extract<OfflineModel, { kind: 'form' }>): Html => {
    const link =
      full === undefined
        ? {}
        : { link: { href: listPath({ product: full, after: null, request: waitingIn(typed) }), text: m.full } };
    const notice = isKept ? backAgain(page) : null;
    return html`${noticeBox(fault === undefined ? notice : { kind: 'fault', text: fault, first: true, ...link })}
${orders.map((order) => withdrawableNote(page, order, m.withdrawable))}
<form method="post" action="${OFFLINE}" class="card">${csrfField(page)}
<div class="field"><label for="request">${m.request}</label><p class="hint" id="request-hint">${m.requestHint}</p>
<textarea id="request" name="request" rows="4" required spellcheck="false" aria-describedby="request-hint"${attribute('aria-invalid', fault === undefined || full !== undefined ? undefined : 'true')}>${typed}</textarea></div>
<p><button class="main">${m.button}</button></p></form>`;
  };
  const file = ({ file, product, device_id, until, isForEver }: Extract<OfflineModel, { kind: 'file' }>): Html =>
    html`<section class="card"><h2>${m.file(product)}</h2>
<p>${m[isForEver ? 'fileForEver' : 'fileText'](titleOf(page.m, { name: null, platform: null, device_id }), dayIn(page, until))}</p>
<p><a class="button main" download="${fileNameOf(product)}" href="data:application/json,${encodeURIComponent(file)}">${m.download}</a></p></section>`;
  return layout(page, {
    title: m.title,
    section: 'devices',
    body: html`<p class="up"><a href="/devices">${page.m.devices.title}</a></p><h1>${m.title}</h1>
<p class="lead">${m.lead}</p>
${model.kind === 'file' ? file(model) : form(model)}`,
  });
};

/** The pages for all machines, and for one product, which API answers link to. */
export const addDevicePages = (paths: Paths): void => {
  const { checkLicense, listOrders, listOwnDevices, releaseDevice, renameDevice } = paths.settings.parts;

  paths.own('/devices', async (visit): Promise<Answer> => {
    const { session, locale, query, sent } = visit;
    const product = query.get('product');
    const id = idIn(product);
    const after = id === null ? null : afterIn(query.get('after') ?? '');
    const [listed, keys] = await Promise.all([
      product === null || id !== null ? listOwnDevices(session.account_id, id, after) : { products: [] },
      product === null ? shownKeys(paths, visit) : [],
    ]);
    const said = { done: query.get('done') ?? '', device: query.get('device') ?? '', said: query.get('said') ?? '' };
    if (product !== null && listed.products.length === 0) {
      // Releasing the last device of a product whose access has ended also removes the product's list.
      return said.said === '' ? show(notFoundView, 404, '/devices') : goTo(listPath(EVERY_DEVICE, said));
    }
    const products = listed.products.map((product) => ({ ...product, name: inLocale(product.name, locale) ?? '' }));
    const machines = machinesOf(products, keys);
    const freed = products.find(({ id: one }) => one === (id ?? idIn(query.get('of'))));
    const named = machines.find(({ device_id }) => device_id === said.device);
    const isOurs = isTokenOf(sent.session ?? '', said.said, saidOf(said.done, said.device));
    const notice = noticeIn(query, {
      done: (all) => {
        const { devices: m } = all;
        const device = isOurs ? said.device : m.someDevice;
        return {
          held: slotWords(all, { is_session: freed?.devices.some(({ is_session }) => is_session) ?? false }).held(
            device,
          ),
          released: m.released(device),
          freed: freed ? m.freed(device, freed.name, usedText(m, freed)) : m.released(device),
          freedAll: m.freedAll(device),
          renamed: named ? m.renamed(titleOf(all, named)) : m.nameSaved,
        };
      },
      faults: ({ devices: { gone } }) => ({ gone }),
    });
    const list = { product: id, after, request: waitingIn(query.get('request')) };
    return show((page) => devicesView(page, { products, machines, ...list, notice: notice(page.m) }));
  });

  const listIn = (form: Form): DeviceList => {
    const product = form.id('list');
    const after = product === null ? null : afterIn(form.text('after'));
    return { product, after, request: waitingIn(form.text('request')) };
  };

  paths.boundedForm('/devices/release', '/devices', async ({ session, form, permit, sent }): Promise<Answer> => {
    const product_id = form.id('product');
    const device_id = form.text('device');
    const isWhole = product_id === null && form.text('product') === '';
    if ((product_id === null && !isWhole) || device_id.length > LONGEST_DEVICE_ID)
      return show(notFoundView, 404, '/devices');
    const released = await releaseDevice(permit, { account_id: session.account_id, product_id, device_id });
    if (!released.ok) return goTo(listPath(listIn(form), { done: 'gone' }));
    const done = released.value.offline_until !== null ? 'held' : isWhole ? 'freedAll' : 'freed';
    const device = [...form.text('name')].slice(0, LONGEST_DEVICE_NAME).join('');
    const said = saidToken(sent.session ?? '', saidOf(done, device));
    return goTo(listPath(listIn(form), { done, device, said, ...(product_id && { of: String(product_id) }) }));
  });

  paths.boundedForm('/devices/rename', '/devices', async ({ session, form, permit }) => {
    const device = form.text('device');
    if (device.length > LONGEST_DEVICE_ID) return show(notFoundView, 404, '/devices');
    const input = { account_id: session.account_id, device_id: device, name: form.text('name') };
    const named = await renameDevice(permit, input);
    return goTo(listPath(listIn(form), named.ok ? { done: 'renamed', device } : { done: 'gone' }));
  });

  paths.own(OFFLINE, async (visit) => {
    const draft = (await keptFields(paths.settings, visit))?.['request'];
    const typed = draft ?? waitingIn(visit.query.get('request')) ?? '';
    const { orders } = await listOrders({ account_id: visit.session.account_id, locale: visit.locale });
    return show((page) => offlineView(page, { kind: 'form', typed, isKept: draft !== undefined, orders }));
  });

  const makeFile = async ({ session, form, permit, locale }: OwnFormVisit): Promise<Answer> => {
    const typed = form.text('request');
    const request = requestIn(typed);
    const account_id = session.account_id;
    const refused = async (fault?: string | null, full?: number): Promise<Answer> => {
      const { orders } = await listOrders({ account_id, locale });
      const model = { kind: 'form', typed, full, orders } as const;
      return show((page) => offlineView(page, { ...model, fault: fault ?? page.m.offline.wrong }), 422);
    };
    if (!request) return refused();
    const scope = { product_id: null };
    const body = { bundle_id: null, ...request };
    const begun = await checkLicense({ account_id, scope, key: null, body, offline: true, locale });
    const checked = typeof begun === 'function' ? await begun({ permit }) : begun;
    if (!checked.ok) {
      return refused(checked.message, checked.code === 'device_limit_reached' ? request.product_id : undefined);
    }
    const { token, checked_at, product, device, message } = checked.value;
    const until = device?.offline_until ?? null;
    if (token === null || until === null) return refused(message);
    const made = {
      file: JSON.stringify({ token, checked_at }),
      product: product.name,
      device_id: request.device_id,
      until,
      isForEver: endOf(token) === FOR_EVER,
    };
    return show((page) => offlineView(page, { kind: 'file', ...made }));
  };
  paths.boundedForm('/devices/offline', OFFLINE, makeFile, { keeps: keepFields(() => OFFLINE, ['request']) });
};

/** The end of a token of this service. */
const endOf = (token: string): Instant => {
  const [, payload = ''] = token.split('.');
  return toInstant(JSON.parse(Buffer.from(payload, 'base64url').toString()).exp * 1000);
};

const OfflineRequest = z.object({
  product_id: z.int().min(1),
  device_id: z.string().transform(deviceIdOf).pipe(z.string()),
  app_version: z.string().max(100).nullish().default(null),
  perpetual: z.boolean().optional().catch(undefined),
});

/** A request that waits for a free slot, in the form in which addresses carry it; null for any other text. */
const waitingIn = (text: string | null): string | null => {
  const request = requestIn(text ?? '');
  return request === undefined ? null : JSON.stringify(request);
};

/** The request that a client's `offlineRequest` created; undefined for any other text. */
const requestIn = (text: string): z.output<typeof OfflineRequest> | undefined => {
  try {
    return OfflineRequest.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
};
