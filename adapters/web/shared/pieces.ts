import { html, raw } from 'hono/html';

/* Components that pages of every host share. */

export type Html = ReturnType<typeof html>;

/** A message about the last step: a success, or a fault that the person can correct. */
export type Notice = {
  readonly kind: 'done' | 'fault';
  readonly text: string;
  /** Gives it the focus, so that the keyboard continues from there. */
  readonly first?: boolean;
  /** The link to the subject of the message. */
  readonly link?: { readonly href: string; readonly text: string };
};

/** A notice that a screen reader announces. A fault interrupts it. */
export const noticeBox = (notice: Notice | null | undefined): Html | '' =>
  notice
    ? html`<p class="notice ${notice.kind}" role="${notice.kind === 'fault' ? 'alert' : 'status'}"${flag('tabindex="-1" autofocus', notice.first)}>${notice.text}${notice.link === undefined ? '' : html` <a href="${notice.link.href}">${notice.link.text}</a>`}</p>`
    : '';

/** Rows of a description list; rows without a value are omitted. */
export const facts = (rows: readonly (readonly [string, Html | string | null])[]): Html =>
  html`<dl class="facts">${rows.map(([name, value]) =>
    value === null ? '' : html`<div><dt>${name}</dt><dd>${value}</dd></div>`,
  )}</dl>`;

type Field = {
  readonly name: string;
  /** The id of the input; by default its name. */
  readonly id?: string;
  readonly label: string;
  readonly type?: 'text' | 'email' | 'url' | 'password' | 'date';
  readonly value?: string;
  readonly hint?: string;
  /** The fault of this field, shown with its label and hint. */
  readonly error?: string | undefined;
  readonly autocomplete?: string;
  readonly maxlength?: number;
  readonly min?: string;
  readonly required?: boolean;
  /** Gives the field the focus. */
  readonly first?: boolean;
  /** The field is for a code of capital letters and digits, copied from elsewhere. */
  readonly code?: boolean;
};

/** An attribute; nothing without a value. */
export const attribute = (name: string, value: string | number | undefined): Html | '' =>
  value === undefined ? '' : html` ${raw(name)}="${String(value)}"`;

/** A boolean attribute. */
export const flag = (name: string, on: boolean | undefined): Html | '' => (on ? html` ${raw(name)}` : '');

export const field = (spec: Field): Html => {
  const { name, id = name, label, type = 'text', value = '', hint, error } = spec;
  const about = [hint === undefined ? '' : `${id}-hint`, error === undefined ? '' : `${id}-error`];
  const described = about.filter((id) => id !== '').join(' ');
  return html`<div class="field">
<label for="${id}">${label}</label>
${hint === undefined ? '' : html`<p class="hint" id="${id}-hint">${hint}</p>`}
<input id="${id}" name="${name}" type="${type}" value="${value}"${attribute('autocomplete', spec.autocomplete ?? 'off')}${attribute('maxlength', spec.maxlength)}${attribute('min', spec.min)}${attribute('aria-describedby', described || undefined)}${attribute('aria-invalid', error === undefined ? undefined : 'true')}${flag('required', spec.required)}${flag('autofocus', spec.first)}${spec.code ? raw(' class="code" autocapitalize="characters" spellcheck="false"') : ''}>
${error === undefined ? '' : html`<p class="wrong" id="${id}-error">${error}</p>`}
</div>`;
};

type Choice = {
  readonly name: string;
  readonly value: string;
  readonly label: string;
  readonly checked: boolean;
  /** Small text below the label. */
  readonly note?: Html | string;
  /** The id of the text that describes the fault of the choice. */
  readonly fault?: string | undefined;
  /** Gives the choice the focus. */
  readonly first?: boolean;
  /** The person can't change it. Browsers do not submit a fixed choice. */
  readonly fixed?: boolean;
};

/** A checkbox with its label, large enough for a finger. */
export const checkbox = ({ name, value, label, checked, note, fault, first, fixed }: Choice): Html =>
  html`<label class="choice"><input type="checkbox" name="${name}" value="${value}"${flag('checked', checked)}${flag('disabled', fixed)}${attribute('aria-describedby', fault)}${attribute('aria-invalid', fault && 'true')}${flag('autofocus', first)}>
<span>${label}${note === undefined ? '' : html` <small>${note}</small>`}</span></label>`;

/** Text for people who can't see the page. */
export const unseen = (text: string): Html | '' => text && html`<span class="unseen"> ${text}</span>`;

type Way = { readonly href: string; readonly text: string };

/** A command whose options stay whole where a line of it ends. */
export const commandText = (command: string): Html =>
  html`${command.split(/(?<= )/).map((word) => (word.startsWith('-') ? html`<span class="inline">${word}</span>` : word))}`;

/** A message in place of an empty list, and a link to the next step. */
export const emptyBox = (title: string, text: string, next?: Way): Html =>
  html`<div class="empty"><h2>${title}</h2><p>${text}</p>${next === undefined ? '' : html`<a class="button" href="${next.href}">${next.text}</a>`}</div>`;

/** A table whose rows may take two lines on a narrow screen. The first cell of a row is its heading. */
export const table = (
  caption: string,
  columns: readonly string[],
  rows: readonly (readonly (Html | string)[])[],
): Html =>
  html`<table><caption class="unseen">${caption}</caption>
<thead><tr>${columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows.map(
    (cells) =>
      html`<tr>${cells.map((cell, n) => (n === 0 ? html`<th scope="row">${cell}</th>` : html`<td>${cell}</td>`))}</tr>`,
  )}</tbody></table>`;
