import { html } from 'hono/html';
import { isSecret } from '../../../../application/sign-in/sessions.ts';
import { ABILITIES, type Ability } from '../../../../domain/access/abilities.ts';
import { type ApiKey, isLive, keyEnd } from '../../../../domain/access/api-key.ts';
import {
  KEY_PRESET_NAMES,
  KEY_PRESETS,
  type KeyPreset,
  keyPresetNamed,
  LONGEST_KEY_NAME,
  type NewKeyForm,
  wrongKeyFields,
} from '../../../../domain/access/key-presets.ts';
import { dayOf, type Instant, momentIn } from '../../../../domain/shared/instant.ts';
import { inLocale } from '../../../../domain/shared/locale.ts';
import { plainName } from '../../../../domain/shared/plain-text.ts';
import { day } from '../../shared/dates.ts';
import {
  attribute,
  checkbox,
  emptyBox,
  facts,
  field,
  flag,
  type Html,
  type Notice,
  noticeBox,
} from '../../shared/pieces.ts';
import { type Answer, goTo, show } from '../answer.ts';
import { SCRIPT_PATH } from '../assets/assets.ts';
import { newSecret } from '../csrf.ts';
import type { Form } from '../form.ts';
import type { OwnFormVisit, OwnVisit } from '../guard.ts';
import type { Messages } from '../messages/en.ts';
import { MESSAGES } from '../messages/messages.ts';
import type { Paths } from '../paths.ts';
import { noticeIn } from '../routes/notices.ts';
import { serverName } from '../views/agent.ts';
import { clientName } from '../views/client-name.ts';
import { confirmation } from '../views/confirmation.ts';
import { copied } from '../views/copied.ts';
import { csrfField, deviceTabs, layout, type Page } from '../views/page.ts';

export type OwnProduct = { readonly id: number; readonly name: string };

export type ShownKey = Pick<
  ApiKey,
  'id' | 'name' | 'prefix' | 'kind' | 'abilities' | 'product_id' | 'device' | 'created_at' | 'last_used_at'
> & {
  /** The name of the program that signed in on a device. */
  readonly client_name: string | null;
  /** The name of the product that the key is bound to, even if the account no longer owns it. */
  readonly product_name: string | undefined;
  /** The moment at which the key expires if it is not used again; null for never. */
  readonly ends_at: Instant | null;
};

/** The submitted form for a new key. `use` is its intended use; null for individually selected abilities. */
export type KeyForm = NewKeyForm & { readonly use: KeyPreset | null };

export type KeyFormFaults = { readonly [Field in keyof NewKeyForm]?: string | undefined };

export type KeysModel = {
  readonly keys: readonly ShownKey[];
  readonly products: readonly OwnProduct[];
  readonly form: KeyForm;
  readonly faults: KeyFormFaults;
  /** The maximum number of live keys for the whole account, and for each product. */
  readonly limit: number;
  /** A text in the form that lets it create a key only once. */
  readonly once: string;
  /** The first day on which a key can expire, `YYYY-MM-DD`. */
  readonly today: string;
  readonly notice: Notice | null;
};

/** The permissions of a key in words; their codes can be unfolded. */
const abilityList = ({ m }: Page, abilities: readonly Ability[]): Html =>
  html`<ul class="points">${abilities.map((ability) => html`<li>${m.abilities[ability]}</li>`)}</ul>
<details class="more"><summary>${m.keys.codes}</summary><p>${abilities.map((ability) => html`<code>${ability}</code> `)}</p></details>`;

const keyRow = (page: Page, key: ShownKey): Html => {
  const { keys: m, never, notYet } = page.m;
  const scope = key.product_id === null ? m.wholeAccount : (key.product_name ?? m.product(key.product_id));
  const [origin, title] = {
    personal: [m.personal, key.name],
    device: [m.device(key.client_name ?? key.device?.name ?? ''), key.device?.name || key.name],
    license: [m.license, page.m.library.licenseKey],
  }[key.kind] as [string, string];
  return html`<li class="row" id="key-${String(key.id)}">
<div class="title"><h3>${title}</h3><p class="kind">${origin} · <code><span class="unseen">${m.prefix} </span>${key.prefix}…</code></p></div>
${facts([
  [m.scope, scope],
  [m.createdOn, day(page, key.created_at)],
  [m.lastUsed, key.last_used_at === null ? notYet : day(page, key.last_used_at)],
  [m.expires, key.ends_at === null ? never : day(page, key.ends_at, 'UTC')],
])}
<details class="more"><summary>${m.abilities}</summary>${abilityList(page, key.abilities)}</details>
${revokeForm(page, key, title)}</li>`;
};

/** The form that revokes a key, after a question. */
export const revokeForm = (page: Page, { id, device }: Pick<ShownKey, 'id' | 'device'>, title: string): Html => {
  const { keys: m } = page.m;
  return confirmation(page, {
    label: m.revoke,
    about: title,
    question: device === null ? m.confirm(title) : m.confirmDevice(title),
    button: m.confirmButton(title),
    action: '/keys/revoke',
    fields: { key: String(id) },
  });
};

/** The field to focus: the first one with a fault. */
const firstFault = (faults: KeyFormFaults): keyof KeyFormFaults | undefined =>
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

const useChoice = ({ m }: Page, use: KeyPreset | 'own', chosen: KeyPreset | null): Html => {
  const [label, note] = m.keys.uses[use];
  return html`<label class="choice"><input type="radio" name="use" value="${use}"${flag('checked', use === (chosen ?? 'own'))}><span>${label} <small>${note}</small></span></label>`;
};

const createForm = (page: Page, model: KeysModel): Html => {
  const { keys: m, abilities } = page.m;
  const { form, faults, limit, once, today } = model;
  const first = firstFault(faults);
  return html`<section class="card" aria-labelledby="create"><h2 id="create">${m.create}</h2>
<p class="hint">${m.limit(limit)}</p>
<form method="post" action="/keys" class="stack">${csrfField(page)}<input type="hidden" name="once" value="${once}">
<fieldset class="choices"><legend>${m.use}</legend>${[...KEY_PRESET_NAMES, 'own' as const].map((use) => useChoice(page, use, form.use))}</fieldset>
<fieldset class="choices own"><legend>${m.may}</legend>${faults.abilities === undefined ? '' : html`<p class="wrong" id="ability-error">${faults.abilities}</p>`}
${ABILITIES.map((ability, n) =>
  checkbox({
    name: 'ability',
    value: ability,
    label: abilities[ability],
    checked: form.abilities.includes(ability),
    fault: faults.abilities && 'ability-error',
    first: n === 0 && first === 'abilities',
  }),
)}<details class="more"><summary>${m.codes}</summary>${facts(ABILITIES.map((ability) => [abilities[ability], html`<code>${ability}</code>`] as const))}</details></fieldset>
${field({ name: 'name', label: m.name, hint: m.nameHint, value: form.name, error: faults.name, first: first === 'name', maxlength: LONGEST_KEY_NAME, required: true })}
<details class="more"${flag('open', form.product !== '' || form.expires !== '' || !!(faults.product ?? faults.expires))}><summary>${m.narrow}</summary>
<div class="stack">${scopeSelect(page, model)}
${field({ name: 'expires', label: m.expiryLabel, hint: m.expiryHint, type: 'date', value: form.expires, error: faults.expires, first: first === 'expires', min: today })}</div></details>
<button class="main">${m.submit}</button>
</form></section>`;
};

/** The keys of an account, and the form for a new one. */
export const keysView = (page: Page, model: KeysModel): Html => {
  const { keys: m } = page.m;
  const list = html`<h2>${m.list}</h2><div class="card"><ul class="rows">${model.keys.map((key) => keyRow(page, key))}</ul></div>`;
  return layout(page, {
    title: m.title,
    section: 'devices',
    body: html`<h1>${m.title}</h1>${deviceTabs(page, 'keys')}
<p class="lead">${m.lead}</p>
${noticeBox(model.notice)}
${model.keys.length === 0 ? emptyBox(m.none, m.noneText) : list}
${createForm(page, model)}`,
  });
};

type NewKey = {
  readonly name: string;
  readonly value: string;
  /** The page to continue to after the person has saved the key. */
  readonly back?: string;
  /** The URL of the MCP server, for a key of an agent. */
  readonly mcp?: string | undefined;
};

/** A new key with its value, which is shown only once. */
export const newKeyView = (page: Page, { name, value, back = '/keys', mcp }: NewKey): Html => {
  const { keys: m, library } = page.m;
  const added = library.agentCommand('Claude Code');
  const command = `claude mcp add --transport http ${serverName(page)} ${mcp} --header "Authorization: Bearer ${value}"`;
  return layout(page, {
    title: m.created,
    section: back === '/keys' ? 'devices' : 'library',
    script: SCRIPT_PATH,
    body: html`<h1>${m.created}</h1>
${noticeBox({ kind: 'done', text: m.createdText, first: true })}
<section class="card"><h2>${name}</h2>
${copied(page, 'value', m.value, value)}
${mcp === undefined ? '' : html`<p>${added}</p>${copied(page, 'command', added, command)}`}
<p><a class="button main" href="${back}">${m.toList}</a></p></section>`,
  });
};

/** The empty form for a use. */
const emptyForm = (use: KeyPreset): KeyForm => ({
  name: '',
  use,
  abilities: KEY_PRESETS[use],
  product: '',
  expires: '',
});

/** The form as submitted, without unknown abilities. */
const keyFormIn = (form: Form): KeyForm => {
  const use = keyPresetNamed(form.text('use')) ?? null;
  const chosen = new Set<string>(use === null ? form.all('ability') : KEY_PRESETS[use]);
  return {
    name: plainName(form.text('name')) ?? '',
    use,
    abilities: ABILITIES.filter((ability) => chosen.has(ability)),
    product: form.text('product'),
    expires: form.text('expires'),
  };
};

type KeyPageOptions = {
  readonly form: KeyForm;
  readonly faults?: KeyFormFaults;
  readonly notice: (m: Messages) => Notice | null;
  readonly status?: number;
};

/** The live keys of an account, for display, newest first. */
export const shownKeys = async (
  { settings: { parts } }: Paths,
  { session, locale }: Pick<OwnVisit, 'session' | 'locale'>,
): Promise<ShownKey[]> => {
  const [listed, { products, productsByBundleId }] = await Promise.all([
    parts.listApiKeys(session),
    parts.catalogs.current(),
  ]);
  const now = parts.clock.now();
  return (listed.ok ? listed.value : [])
    .filter((key) => isLive(key, now))
    .toSorted((a, b) => b.id - a.id)
    .map((key) => {
      const client_name = key.client && clientName(key.client, productsByBundleId, locale);
      const name = key.product_id === null ? undefined : products.get(key.product_id)?.name;
      return { ...key, client_name, product_name: name && inLocale(name, locale), ends_at: keyEnd(key) };
    });
};

export const addKeyPages = (paths: Paths): void => {
  const { settings, cookies } = paths;
  const { listPurchases, createApiKey, revokeOwnKey, keyQuota, links, clock } = settings.parts;

  const productsOf = async ({ session, locale }: OwnVisit): Promise<OwnProduct[]> => {
    const purchases = await listPurchases({ account_id: session.account_id, locale });
    return purchases.filter(({ license }) => license.state === 'active');
  };

  const list = async (visit: OwnVisit, { form, faults = {}, notice, status }: KeyPageOptions): Promise<Answer> => {
    const [keys, products] = await Promise.all([shownKeys(paths, visit), productsOf(visit)]);
    const once = isSecret(visit.sent.once) ? visit.sent.once : newSecret();
    const model = { keys, products, form, faults, limit: keyQuota, once, today: dayOf(clock.now()) };
    const answer = show((page) => keysView(page, { ...model, notice: notice(page.m) }), status, '/keys');
    return once === visit.sent.once ? answer : { ...answer, cookies: [cookies.set('once', once)] };
  };

  paths.own('/keys', (visit) =>
    list(visit, {
      form: emptyForm(keyPresetNamed(visit.query.get('use') ?? '') ?? 'agent'),
      notice: noticeIn(visit.query, {
        done: ({ keys: { revoked, gone } }) => ({ revoked, gone }),
        faults: ({ keys: { sentTwice } }) => ({ twice: sentTwice }),
      }),
    }),
  );

  /** Each form creates a key only once: the cookie's value is cleared with the first, so reloading creates no other. */
  const create = async (visit: OwnFormVisit): Promise<Answer> => {
    const { session, permit, sent, form: fields, language } = visit;
    if (sent.once === undefined || fields.text('once') !== sent.once) return goTo('/keys?done=twice');
    const form = keyFormIn(fields);
    const wrong = wrongKeyFields(form, await productsOf(visit), clock.now());
    if (wrong.length > 0) {
      const { errors } = MESSAGES[language].keys;
      const faults = Object.fromEntries(wrong.map((field) => [field, errors[field]]));
      const notice = ({ keys }: Messages): Notice => ({ kind: 'fault', text: keys.check });
      return list(visit, { form, faults, notice, status: 422 });
    }
    const created = await createApiKey(permit, {
      account_id: session.account_id,
      name: form.name,
      abilities: form.abilities,
      product_id: form.product === '' ? null : Number(form.product),
      expires_at: momentIn(form.expires, 'end'),
    });
    if (created.ok) {
      const { key, value } = created.value;
      const mcp = form.use === 'agent' ? `${links.issuer}/api/mcp` : undefined;
      const answer = show((page) => newKeyView(page, { name: key.name, value, mcp }), 201, '/keys');
      return { ...answer, cookies: [cookies.set('once', newSecret())] };
    }
    if (created.code !== 'key_limit_reached') return goTo('/keys');
    const notice = ({ keys }: Messages): Notice => ({
      kind: 'fault',
      text: keys.quota(Number(created.data?.['limit'])),
      first: true,
    });
    return list(visit, { form, notice, status: 409 });
  };

  paths.boundedForm('/keys', '/keys', create, { fresh: true });

  paths.ownForm('/keys/revoke', '/keys', async ({ session, form, permit }) => {
    const id = form.id('key');
    const revoked = id !== null && (await revokeOwnKey(permit, session.account_id, id)).ok;
    return goTo(`/keys?done=${revoked ? 'revoked' : 'gone'}`);
  });
};
