import { html } from 'hono/html';
import { minorDigits } from '../../../../domain/billing/money.ts';
import { csrfField } from '../../account/views/page.ts';
import { attribute, checkbox, field, flag, type Html } from '../../shared/pieces.ts';
import { shellWords } from '../messages/shell.ts';
import type { ConsolePage } from '../page.ts';
import { refusalText } from './blocked.ts';

type Common = {
  /** The name of the endpoint's field; `name.en` is the field `en` of its field `name`. */
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly required?: boolean;
  /** The sentence beside a refused value: the values that the field takes, which its hint names too. */
  readonly unfit?: string;
};
type Text = Common & {
  readonly value?: string | undefined;
  readonly maxlength?: number;
  readonly type?: 'text' | 'email' | 'url' | 'password' | 'date';
};
type Option = readonly [value: string, text: string];

/** The fields of a form, filled in with what was typed if the form was not taken. */
export type Kit = {
  /** The value of a field as typed, otherwise the given one. */
  readonly value: (name: string, otherwise?: string) => string;
  readonly hidden: (name: string, value: string | number) => Html;
  readonly text: (spec: Text) => Html;
  readonly number: (
    spec: Common & { readonly value?: number | null; readonly min?: number; readonly max?: number },
  ) => Html;
  /** An amount in the currency's whole units, which `fieldsOf` reads in minor units. */
  readonly money: (spec: Common & { readonly cents?: number | null; readonly currency: string }) => Html;
  readonly area: (spec: Text & { readonly rows?: number }) => Html;
  readonly select: (
    spec: Common & { readonly value?: string | undefined; readonly options: readonly Option[] },
  ) => Html;
  readonly check: (spec: Common & { readonly checked: boolean }) => Html;
  /** One of several boxes with one name, whose values become a list. */
  readonly one: (spec: Common & { readonly value: string; readonly checked: boolean }) => Html;
  /** The file of the form. Its name is `file`. */
  readonly file: (spec: Omit<Common, 'name'> & { readonly accept?: string }) => Html;
};

type FormSpec = {
  /** The path of the form: that of its page and one more word. */
  readonly action: string;
  readonly submit: string;
  readonly kind?: 'main' | 'danger' | '';
  readonly takesFile?: boolean;
  /** A script uploads the file to the object store, with a request that this path signs. */
  readonly signedBy?: string | undefined;
  /** The form shows what it makes, so a page that is reloaded must not make it again. */
  readonly once?: boolean;
};

const idOf = (action: string, name: string): string => `${action}.${name}`.replaceAll(/[^a-z0-9]+/gi, '-').slice(1);

const kitOf = (page: ConsolePage, action: string): Kit => {
  const words = shellWords(page);
  const again = page.filled?.action === action ? page.filled : null;
  const errors = (again?.refusal?.data?.['errors'] ?? {}) as Readonly<Record<string, unknown>>;
  const value = (name: string, otherwise = ''): string => (again?.form.has(name) ? again.form.text(name) : otherwise);
  const errorOf = ({ name, hint, unfit }: Common): string | undefined =>
    Object.keys(errors).some((one) => one === name || one.startsWith(`${name}.`))
      ? value(name) === ''
        ? words.missing
        : (unfit ?? (hint === undefined ? words.unfit : words.unfitHint))
      : undefined;
  const around = (spec: Common, control: (attributes: Html) => Html): Html => {
    const { name, label, hint } = spec;
    const [id, error] = [idOf(action, name), errorOf(spec)];
    const about = [hint === undefined ? '' : `${id}-hint`, error === undefined ? '' : `${id}-error`].filter(Boolean);
    const attributes = html` id="${id}" name="${name}"${attribute('aria-describedby', about.join(' ') || undefined)}${attribute('aria-invalid', error && 'true')}`;
    return html`<div class="field"><label for="${id}">${label}</label>${hint === undefined ? '' : html`<p class="hint" id="${id}-hint">${hint}</p>`}
${control(attributes)}${error === undefined ? '' : html`<p class="wrong" id="${id}-error">${error}</p>`}</div>`;
  };
  const text = ({ value: set, ...spec }: Text): Html =>
    field({ ...spec, id: idOf(action, spec.name), value: value(spec.name, set), error: errorOf(spec) });
  return {
    value,
    hidden: (name, set) => html`<input type="hidden" name="${name}" value="${String(set)}">`,
    text,
    number: ({ value: set, min, max, ...spec }) =>
      around(
        spec,
        (attributes) =>
          html`<input${attributes} type="number" inputmode="numeric" value="${value(spec.name, String(set ?? ''))}"${attribute('min', min)}${attribute('max', max)}${flag('required', spec.required)}>`,
      ),
    money: ({ cents, currency, ...spec }) => {
      const digits = minorDigits(currency);
      const set = cents == null ? '' : (cents / 10 ** digits).toFixed(digits);
      return around(
        { unfit: words.unfitMoney, ...spec, label: `${spec.label} (${currency})` },
        (attributes) =>
          html`<input${attributes} inputmode="decimal" autocomplete="off" value="${value(spec.name, set)}"${flag('required', spec.required)}><input type="hidden" name="${spec.name}:currency" value="${currency}">`,
      );
    },
    area: ({ value: set, rows = 5, ...spec }) =>
      around(
        spec,
        (attributes) =>
          html`<textarea${attributes} rows="${String(rows)}"${attribute('maxlength', spec.maxlength)}${flag('required', spec.required)}>
${value(spec.name, set)}</textarea>`,
      ),
    select: ({ value: set, options, ...spec }) =>
      around(
        spec,
        (attributes) =>
          html`<select${attributes}${flag('required', spec.required)}>${options.map(
            ([one, shown]) =>
              html`<option value="${one}"${flag('selected', one === value(spec.name, set))}>${shown}</option>`,
          )}</select>`,
      ),
    check: ({ name, label, hint, checked }) => {
      const isOn = again ? again.form.all(name).includes('true') : checked;
      return html`<input type="hidden" name="${name}" value="false">${checkbox({ name, value: 'true', label, checked: isOn, ...(hint !== undefined && { note: hint }) })}`;
    },
    one: ({ name, label, hint, value: set, checked }) => {
      const isOn = again ? again.form.all(name).includes(set) : checked;
      return checkbox({ name, value: set, label, checked: isOn, ...(hint !== undefined && { note: hint }) });
    },
    file: ({ accept, ...spec }) =>
      around(
        { ...spec, name: 'file' },
        (attributes) =>
          html`<input type="file"${attributes}${attribute('accept', accept)}${flag('required', spec.required)}>`,
      ),
  };
};

/** Why the call of a form was refused, above its fields. */
const refusalBox = (page: ConsolePage, action: string): Html | '' => {
  const { refusal = null } = page.filled?.action === action ? page.filled : {};
  if (!refusal) return '';
  const words = shellWords(page);
  const ours = { validation_failed: words.check, rate_limited: words.tooMany } as const;
  const text = ours[refusal.code as keyof typeof ours] ?? refusalText(page, refusal) ?? words.failed;
  return html`<p class="notice fault" role="alert" tabindex="-1" autofocus>${text}</p>`;
};

/** The way to sign in before anything is typed, where the form needs a recent proof of identity. */
const proofBox = (page: ConsolePage, action: string): Html | '' => {
  if (!page.asksProof(action)) return '';
  const { proof, proofGo } = shellWords(page);
  const again = `/sign-in?${new URLSearchParams({ next: page.here, again: '1' })}`;
  return html`<div class="note"><p>${proof} <a href="${again}">${proofGo}</a></p></div>`;
};

/** A form of the console, with its fields by `fields`, and the refusal of its call. */
export const form = (page: ConsolePage, spec: FormSpec, fields: (kit: Kit) => Html | '' = () => ''): Html => {
  const { action, submit, kind = '', takesFile, signedBy, once } = spec;
  return html`<form method="post" action="${action}" class="stack"${takesFile ? html` enctype="multipart/form-data" data-failed="${shellWords(page).notUploaded}"` : ''}${attribute('data-signed-by', signedBy)}>${csrfField(page)}${once ? html`<input type="hidden" name="once" value="${page.once}">` : ''}${refusalBox(page, action)}${proofBox(page, action)}
${fields(kitOf(page, action))}<button${attribute('class', kind || undefined)}>${submit}</button></form>`;
};

/** A step that can't be undone: folded, with its consequence in words, and a form that takes it. */
export const dangerForm = (
  page: ConsolePage,
  { label, question, ...spec }: Omit<FormSpec, 'kind'> & { readonly label: string; readonly question: string },
  fields: (kit: Kit) => Html | '' = () => '',
): Html =>
  html`<details class="confirm"${flag('open', page.filled?.action === spec.action)}><summary>${label}</summary>
${form(page, { ...spec, kind: 'danger' }, (kit) => html`<p>${question}</p>${fields(kit)}`)}</details>`;
