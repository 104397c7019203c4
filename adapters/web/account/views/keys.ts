import { html } from 'hono/html';
import { ABILITIES, type Ability } from '../../../../domain/access/abilities.ts';
import type { ApiKey } from '../../../../domain/access/api-key.ts';
import type { Instant } from '../../../../domain/shared/instant.ts';
import { day } from '../../shared/dates.ts';
import { attribute, checkbox, facts, field, flag, type Html, type Notice, noticeBox } from '../../shared/pieces.ts';
import { SCRIPT_PATH } from '../assets/assets.ts';
import { confirmation } from './confirmation.ts';
import { csrfField, deviceTabs, layout, type Page } from './page.ts';

export type OwnProduct = { readonly id: number; readonly name: string };

export type ShownKey = Pick<
  ApiKey,
  'id' | 'name' | 'prefix' | 'kind' | 'abilities' | 'product_id' | 'device' | 'created_at' | 'last_used_at'
> & {
  /** The name of the program that signed in with a device. */
  readonly client_name: string | null;
  /** The moment at which the key ends if nobody uses it again; null for never. */
  readonly ends_at: Instant | null;
};

/** The fields of the form for a new key, as they were sent. */
export type KeyForm = {
  readonly name: string;
  readonly abilities: readonly Ability[];
  /** An id, or the empty text for the whole account. */
  readonly product: string;
  readonly expires: string;
};

export type KeyFormFaults = { readonly [Field in keyof KeyForm]?: string | undefined };

export type KeysModel = {
  readonly keys: readonly ShownKey[];
  readonly products: readonly OwnProduct[];
  readonly form: KeyForm;
  readonly faults: KeyFormFaults;
  /** The live keys of the whole account, and of each product, that there may be. */
  readonly limit: number;
  /** A text that the form carries, by which it creates a key once only. */
  readonly once: string;
  /** The first day that a key can end on, `YYYY-MM-DD`. */
  readonly today: string;
  readonly notice: Notice | null;
};

const abilityList = ({ m }: Page, abilities: readonly Ability[]): Html =>
  html`<ul class="abilities">${abilities.map((ability) => html`<li>${m.abilities[ability]}</li>`)}</ul>`;

const keyRow = (page: Page, key: ShownKey, products: ReadonlyMap<number, string>): Html => {
  const { keys: m, never, notYet } = page.m;
  const scope = key.product_id === null ? m.wholeAccount : (products.get(key.product_id) ?? m.product(key.product_id));
  const [origin, title] = {
    personal: [m.personal, key.name],
    device: [m.device(key.client_name ?? key.device?.name ?? ''), key.device?.name || key.name],
    license: [m.license, page.m.library.licenseKey],
  }[key.kind];
  return html`<li class="card">
<div class="head"><h3>${title}</h3><code class="prefix"><span class="unseen">${m.prefix} </span>${key.prefix}…</code></div>
<p class="kind">${origin}</p>
${facts([
  [m.scope, scope],
  [m.createdOn, day(page, key.created_at)],
  [m.lastUsed, key.last_used_at === null ? notYet : day(page, key.last_used_at)],
  [m.expires, key.ends_at === null ? never : day(page, key.ends_at)],
  [m.abilities, abilityList(page, key.abilities)],
])}
${confirmation(page, {
  label: m.revoke,
  about: title,
  question: key.device === null ? m.confirm : m.confirmDevice,
  button: m.confirmButton,
  action: '/keys/revoke',
  fields: { key: String(key.id) },
})}</li>`;
};

/** The field that the page starts at: the first one with a fault. */
const firstFault = (faults: KeyFormFaults): keyof KeyForm | undefined =>
  (['name', 'abilities', 'product', 'expires'] as const).find((name) => faults[name] !== undefined);

const scopeSelect = ({ m }: Page, { products, form, faults }: KeysModel): Html => {
  const option = (value: string, label: string): Html =>
    value === form.product
      ? html`<option value="${value}" selected>${label}</option>`
      : html`<option value="${value}">${label}</option>`;
  return html`<div class="field"><label for="product">${m.keys.scopeLabel}</label>
<p class="hint" id="product-hint">${m.keys.scopeHint}</p>
<select id="product" name="product" aria-describedby="product-hint${faults.product === undefined ? '' : ' product-error'}"${attribute('aria-invalid', faults.product && 'true')}${flag('autofocus', firstFault(faults) === 'product')}>
${option('', m.keys.wholeAccount)}${products.map(({ id, name }) => option(String(id), name))}
</select>${faults.product === undefined ? '' : html`<p class="wrong" id="product-error">${faults.product}</p>`}</div>`;
};

const createForm = (page: Page, model: KeysModel): Html => {
  const { keys: m, abilities } = page.m;
  const { form, faults, limit, once, today } = model;
  const first = firstFault(faults);
  return html`<section class="card" aria-labelledby="create"><h2 id="create">${m.create}</h2>
<p class="hint">${m.limit(limit)}</p>
<form method="post" action="/keys" class="stack">${csrfField(page)}<input type="hidden" name="once" value="${once}">
${field({ name: 'name', label: m.name, hint: m.nameHint, value: form.name, error: faults.name, first: first === 'name', maxlength: 100, required: true })}
<fieldset class="choices"><legend>${m.may}</legend>${faults.abilities === undefined ? '' : html`<p class="wrong" id="ability-error">${faults.abilities}</p>`}
${ABILITIES.map((ability, n) =>
  checkbox({
    name: 'ability',
    value: ability,
    label: abilities[ability],
    note: html`<code>${ability}</code>`,
    checked: form.abilities.includes(ability),
    fault: faults.abilities && 'ability-error',
    first: n === 0 && first === 'abilities',
  }),
)}</fieldset>
${scopeSelect(page, model)}
${field({ name: 'expires', label: m.expiryLabel, hint: m.expiryHint, type: 'date', value: form.expires, error: faults.expires, first: first === 'expires', min: today })}
<button class="main">${m.submit}</button>
</form></section>`;
};

/** The keys of an account, and the form for a new one. */
export const keysView = (page: Page, model: KeysModel): Html => {
  const { keys: m } = page.m;
  const names = new Map(model.products.map(({ id, name }) => [id, name]));
  const list = html`<ul class="cards">${model.keys.map((key) => keyRow(page, key, names))}</ul>`;
  return layout(page, {
    title: m.title,
    section: 'devices',
    body: html`<h1>${page.m.nav.devices}</h1>${deviceTabs(page, 'keys')}
<p class="lead">${m.lead}</p>
${noticeBox(model.notice)}
<h2>${m.list}</h2>
${model.keys.length === 0 ? html`<p class="none">${m.none}</p>` : list}
${createForm(page, model)}`,
  });
};

type NewKey = { readonly name: string; readonly value: string; readonly section?: 'keys' | 'library' };

/** A new key with its value, which no later page shows. */
export const newKeyView = (page: Page, { name, value, section = 'keys' }: NewKey): Html => {
  const { keys: m } = page.m;
  return layout(page, {
    title: m.created,
    section: section === 'keys' ? 'devices' : section,
    script: SCRIPT_PATH,
    body: html`<h1>${m.created}</h1>
${noticeBox({ kind: 'done', text: m.createdText })}
<section class="card"><h2>${name}</h2>
<div class="secret"><code id="value" class="value" tabindex="0" aria-label="${m.value}" role="textbox" aria-readonly="true">${value}</code>
<button type="button" class="copy" hidden data-copy="value" data-copied="${m.copied}" data-failed="${m.copyFailed}">${m.copy}</button></div>
<p class="hint" role="status" id="value-status"></p>
<p><a class="button" href="/${section}">${m.toList}</a></p></section>`,
  });
};
