import { html } from 'hono/html';
import { emptyBox, flag, type Html } from '../../shared/pieces.ts';
import { shellWords } from '../messages/shell.ts';
import type { ConsolePage } from '../page.ts';

type Cell = Html | string;
type Row = { readonly href?: string; readonly cells: readonly Cell[] };
type List = {
  readonly caption: string;
  /** The headings of the columns. Those in `numbers` are aligned to the end. */
  readonly columns: readonly string[];
  readonly numbers?: readonly number[];
  readonly rows: readonly Row[];
  /** Says which entries will appear here, and how. */
  readonly empty: {
    readonly title: string;
    readonly text: string;
    readonly next?: { readonly href: string; readonly text: string };
  };
  /** The endpoint's `next_after`. */
  readonly next?: string | null;
};

/** The address of the page with other parameters; null removes one. */
export const hereWith = (
  { here }: Pick<ConsolePage, 'here'>,
  wanted: Readonly<Record<string, string | null>>,
): string => {
  const [path = '/', query = ''] = here.split('?', 2);
  const params = new URLSearchParams(query);
  for (const [name, value] of Object.entries({ done: null, said: null, ...wanted })) {
    if (value === null) params.delete(name);
    else params.set(name, value);
  }
  return params.size === 0 ? path : `${path}?${params}`;
};

const isLaterPage = ({ here }: ConsolePage): boolean => new URLSearchParams(here.split('?', 2)[1]).has('after');

/** The links to the first page of a list and to the next one, by the endpoint's `next_after`. */
export const pageLinks = (page: ConsolePage, next: string | null): Html | '' => {
  const words = shellWords(page);
  const isLater = isLaterPage(page);
  if (next === null && !isLater) return '';
  return html`<p class="pages">${isLater ? html`<a href="${hereWith(page, { after: null })}">${words.newest}</a>` : ''}
${next === null ? '' : html`<a href="${hereWith(page, { after: next })}">${words.older}</a>`}</p>`;
};

/** A list of records. The first cell of a row links to its subject, and with it the whole row. */
export const list = (page: ConsolePage, { caption, columns, numbers = [], rows, empty, next = null }: List): Html => {
  const isLater = isLaterPage(page);
  if (rows.length === 0 && !isLater) return emptyBox(empty.title, empty.text, empty.next);
  const number = (n: number): Html | '' => flag('class="number"', numbers.includes(n));
  const cell = (href: string | undefined, text: Cell, n: number): Html =>
    n === 0
      ? html`<th scope="row">${href === undefined ? text : html`<a href="${href}">${text}</a>`}</th>`
      : html`<td${number(n)}>${text}</td>`;
  return html`<table class="list"><caption class="unseen">${caption}</caption>
<thead><tr>${columns.map((name, n) => html`<th scope="col"${number(n)}>${name}</th>`)}</tr></thead>
<tbody>${rows.map(({ href, cells }) => html`<tr>${cells.map((text, n) => cell(href, text, n))}</tr>`)}</tbody></table>
${pageLinks(page, next)}`;
};

type Figure = { readonly label: string; readonly value: Cell; readonly note?: Cell; readonly href?: string };

/** Key figures side by side: each with its label, and below it a comparison or a remark. */
export const figures = (all: readonly Figure[]): Html =>
  html`<dl class="figures">${all.map(
    ({ label, value, note, href }) =>
      html`<div><dt>${href === undefined ? label : html`<a href="${href}">${label}</a>`}</dt><dd>${value}</dd>${note === undefined ? '' : html`<dd class="hint">${note}</dd>`}</div>`,
  )}</dl>`;

/** The state of a record: `good` as it should be, `due` for one that waits for the shop, `bad` for a fault. */
export const badge = (text: string, kind: 'good' | 'due' | 'bad' | '' = ''): Html =>
  html`<span class="badge ${kind}">${text}</span>`;

type Tab = { readonly href: string; readonly text: string; readonly current: boolean };

/** The filters of a list. */
export const tabs = (label: string, all: readonly Tab[]): Html =>
  html`<nav class="tabs" aria-label="${label}">${all.map(
    ({ href, text, current }) => html`<a href="${href}"${flag('aria-current="true"', current)}>${text}</a>`,
  )}</nav>`;

type Choice = {
  readonly name: string;
  readonly label: string;
  readonly chosen: string;
  readonly options: readonly (readonly [value: string, text: string])[];
};

/** A form that shows the same list by other choices. `kept` are parameters that stay. */
export const filters = (
  action: string,
  submit: string,
  choices: readonly Choice[],
  kept: Readonly<Record<string, string>> = {},
): Html =>
  html`<form action="${action}" class="filters">${Object.entries(kept).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}${choices.map(
    ({ name, label, chosen, options }) =>
      html`<div class="field"><label for="${name}">${label}</label><select id="${name}" name="${name}">${options.map(
        ([value, text]) => html`<option value="${value}"${flag('selected', value === chosen)}>${text}</option>`,
      )}</select></div>`,
  )}<button>${submit}</button></form>`;

/** A part of a page with its heading. */
export const section = (title: string, body: Html, more: Html | '' = ''): Html =>
  html`<section class="card"><div class="head"><h2>${title}</h2>${more}</div>${body}</section>`;

/** A step that is rarely taken, folded until it is needed. `isOpen` after a refusal. */
export const folded = (label: string, body: Html, isOpen = false): Html =>
  html`<details class="more"${flag('open', isOpen)}><summary>${label}</summary>${body}</details>`;
