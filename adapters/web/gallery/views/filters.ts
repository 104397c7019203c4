import { html, raw } from 'hono/html';
import { MODES, PLATFORMS_SHOWN } from '../../../../domain/collect/capture.ts';
import { APPS, LANGS, VIEWPORTS } from '../../../../domain/collect/run.ts';
import { SORTS } from '../../../../domain/gallery/filter.ts';
import type { TaxonomyTerm } from '../../../../domain/gallery/taxonomy.ts';
import { flag, type Html } from '../../shared/pieces.ts';
import { conditionsOf, type Explored } from '../query.ts';
import type { ExploreModel } from './explore-model.ts';
import type { Page } from './page.ts';
import { namesOf } from './pieces.ts';

type Option = { readonly value: string; readonly text: string };

const FORM = 'filters';

/** The numbers of columns to choose from; the API takes any from 1 to 8. */
const COLUMNS = [2, 3, 4, 5, 6, 8];

const select = (name: string, label: string, options: readonly Option[], chosen: string | null): Html => {
  const items = options.map(
    ({ value, text }) => html`<option value="${value}"${flag('selected', value === (chosen ?? ''))}>${text}</option>`,
  );
  return html`<div class="field"><label for="f-${name}">${label}</label><select id="f-${name}" name="${name}">${items}</select></div>`;
};

/** A choice among few, with all of them in sight. */
const radios = (name: string, label: string, options: readonly Option[], chosen: string | null): Html => {
  const items = options.map(
    ({ value, text }) =>
      html`<label><input type="radio" name="${name}" value="${value}"${flag('checked', value === (chosen ?? ''))}><span>${text}</span></label>`,
  );
  return html`<fieldset class="radios"><legend>${label}</legend><div>${items}</div></fieldset>`;
};

type Term = TaxonomyTerm & { readonly screens: number };

/** Terms to tick, folded away unless one of them is ticked. */
const checks = (
  page: Page,
  name: 'patterns' | 'components',
  terms: readonly Term[],
  ticked: readonly string[],
): Html | '' => {
  const nameOf = namesOf(page, terms);
  const known = terms.filter(({ key, screens }) => screens > 0 || ticked.includes(key));
  const unknown = ticked.filter((key) => !terms.some((term) => term.key === key));
  if (known.length + unknown.length === 0) return '';
  const items = [...known, ...unknown.map((key) => ({ key, screens: 0 }))].map(
    ({ key, screens }) =>
      html`<label class="check"><input type="checkbox" name="${name}" value="${key}"${flag('checked', ticked.includes(key))}><span>${nameOf(key)}</span><span class="times">${screens}</span></label>`,
  );
  return html`<details class="fold"${ticked.length > 0 ? raw(' open') : ''}><summary>${page.m.filters[name]}${ticked.length > 0 ? html` <span class="times">${ticked.length}</span>` : ''}</summary>
<fieldset><legend class="unseen">${page.m.filters[name]}</legend>${items}</fieldset></details>`;
};

const named = <V extends string>(values: readonly V[], names: Readonly<Record<V, string>>): Option[] =>
  values.map((value) => ({ value, text: names[value] }));

/** The field for words. It belongs to the form of the filters, wherever that stands. */
export const searchBar = ({ m }: Page, { filter }: Explored): Html => html`<div class="search" role="search">
<label class="unseen" for="q">${m.explore.search}</label>
<input id="q" type="search" name="q" form="${FORM}" maxlength="200" value="${filter.q ?? ''}" placeholder="${m.explore.searchHint}" autocomplete="off">
<button class="main" form="${FORM}">${m.explore.go}</button></div>`;

/** The filters of the API as a form. On a telephone they are folded away. */
export const filterForm = (page: Page, { explored, taxonomy, flows }: ExploreModel): Html => {
  const { m, chosen } = page;
  const { filter, order, cols } = explored;
  const any = { value: '', text: m.explore.any };
  const kindName = namesOf(page, taxonomy.page_types);
  const kinds = taxonomy.page_types.filter(({ key, screens }) => screens > 0 || key === filter.kind);
  const columns = COLUMNS.concat(cols === null || COLUMNS.includes(cols) ? [] : [cols]).sort();
  const set = conditionsOf(filter).filter(({ name }) => name !== 'q').length;
  const flowOptions = flows.map(({ slug, name }) => ({ value: slug, text: name }));
  return html`<details class="panel"><summary>${m.explore.filters}${set === 0 ? '' : html` <span class="times">${set}</span>`}</summary>
<form id="${FORM}" action="${page.at('/')}" method="get" class="filters">
${chosen === undefined ? '' : html`<input type="hidden" name="hl" value="${chosen}">`}
${radios('viewport', m.filters.viewport, [any, ...named(VIEWPORTS, m.viewports)], filter.viewport)}
${radios('lang', m.filters.lang, [any, ...named(LANGS, m.langs)], filter.lang)}
${radios('mode', m.filters.mode, [any, ...named(MODES, m.modes)], filter.mode)}
${select('app', m.filters.app, [any, ...named(APPS, m.apps)], filter.app)}
${flowOptions.length === 0 ? '' : select('flow', m.filters.flow, [any, ...flowOptions], filter.flow)}
${select('kind', m.filters.kind, [any, ...kinds.map(({ key, screens }) => ({ value: key, text: `${kindName(key)} (${screens})` }))], filter.kind)}
${select('platform', m.filters.platform, [any, ...named(PLATFORMS_SHOWN, m.platforms)], filter.platform)}
${checks(page, 'patterns', taxonomy.patterns, filter.patterns)}
${checks(page, 'components', taxonomy.elements, filter.components)}
${select('sort', m.filters.sort, named(SORTS, m.sorts), order)}
${select('cols', m.filters.cols, [{ value: '', text: m.explore.automatic }, ...columns.map((n) => ({ value: String(n), text: String(n) }))], cols === null ? null : String(cols))}
<button class="main wide">${m.explore.apply}</button>
</form></details>`;
};
