import { html, raw } from 'hono/html';
import type { FoundScreens } from '../../../../application/design/gallery/browse.ts';
import { MODES, PLATFORMS_SHOWN } from '../../../../domain/design/collect/capture.ts';
import { APPS, LANGS, VIEWPORTS } from '../../../../domain/design/collect/run.ts';
import { appId, GALLERY_SORTS, type ScreenCard, type ScreenFilter } from '../../../../domain/design/gallery/screen.ts';
import type { Taxonomy, TaxonomyTerm } from '../../../../domain/design/gallery/taxonomy.ts';
import { variantsOf } from '../../../../domain/design/gallery/variants.ts';
import type { FlowScreens } from '../../../../ports/outbound/design/gallery.ts';
import { commandText, emptyBox, flag, type Html } from '../../shared/pieces.ts';
import type { Paths } from '../paths.ts';
import { type Condition, conditionsOf, type ExploreQuery, explorePath, readExplored, without } from '../query.ts';
import { layout, type Page } from './page.ts';
import { kindNames, namesOf, noteOf, pageLinks, screenCard } from './pieces.ts';

type ExploreModel = {
  readonly explored: ExploreQuery;
  /** The names of the filters whose invalid values were dropped. */
  readonly wrong: readonly string[];
  readonly found: FoundScreens;
  readonly taxonomy: Taxonomy;
  /** The flows of the app in the filter. */
  readonly flows: readonly FlowScreens[];
};

type Option = { readonly value: string; readonly text: string };

const FORM = 'filters';

const select = (name: string, label: string, options: readonly Option[], chosen: string | null): Html => {
  const items = options.map(
    ({ value, text }) => html`<option value="${value}"${flag('selected', value === (chosen ?? ''))}>${text}</option>`,
  );
  return html`<div class="field"><label for="f-${name}">${label}</label><select id="f-${name}" name="${name}">${items}</select></div>`;
};

/** A selection from a few options, all of them visible. */
const radios = (name: string, label: string, options: readonly Option[], chosen: string | null): Html => {
  const items = options.map(
    ({ value, text }) =>
      html`<label><input type="radio" name="${name}" value="${value}"${flag('checked', value === (chosen ?? ''))}><span>${text}</span></label>`,
  );
  return html`<fieldset class="radios"><legend>${label}</legend><div>${items}</div></fieldset>`;
};

type Term = TaxonomyTerm & { readonly screens: number };

/** Checkboxes for terms, folded unless one of them is ticked. */
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

/** The search field. It belongs to the filter form, which is elsewhere on the page. */
const searchBar = ({ m }: Page, { filter }: ExploreQuery): Html => html`<div class="search" role="search">
<label class="unseen" for="q">${m.explore.search}</label>
<input id="q" type="search" name="q" form="${FORM}" maxlength="200" value="${filter.q ?? ''}" placeholder="${m.explore.searchHint}" autocomplete="off">
<button class="main" form="${FORM}">${m.explore.go}</button></div>`;

/** The API's filters as a form. On a phone they are folded. */
const filterForm = (page: Page, { explored, taxonomy, flows }: ExploreModel): Html => {
  const { m, chosen } = page;
  const { filter, order } = explored;
  const any = { value: '', text: m.explore.any };
  const kindName = namesOf(page, taxonomy.page_types);
  const kinds = taxonomy.page_types.filter(({ key, screens }) => screens > 0 || key === filter.kind);
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
${filter.color === null ? '' : html`<input type="hidden" name="color" value="${filter.color}">`}
${select('sort', m.filters.sort, named(GALLERY_SORTS, m.sorts), order)}
<button class="main wide">${m.explore.apply}</button>
</form></details>`;
};

const conditionName = (page: Page, { taxonomy, flows }: ExploreModel): ((condition: Condition) => string) => {
  const { m } = page;
  const named: { readonly [N in keyof ScreenFilter]?: (value: string) => string } = {
    q: (value) => `“${value}”`,
    platform: (value) => m.platforms[value as keyof typeof m.platforms],
    viewport: (value) => m.viewports[value as keyof typeof m.viewports],
    lang: (value) => m.langs[value as keyof typeof m.langs],
    mode: (value) => m.modes[value as keyof typeof m.modes],
    kind: kindNames(page, taxonomy),
    patterns: namesOf(page, taxonomy.patterns),
    components: namesOf(page, taxonomy.elements),
    color: (value) => value,
    app: (value) => m.apps[value as keyof typeof m.apps],
    flow: (value) => flows.find(({ slug }) => slug === value)?.name ?? value,
  };
  return ({ name, value }) => `${m.filters[name]}: ${named[name]?.(value) ?? value}`;
};

/** The active filters; a click removes one. */
const chips = (page: Page, model: ExploreModel): Html | '' => {
  const { explored } = model;
  const { m, to } = page;
  const conditions = conditionsOf(explored.filter);
  if (conditions.length === 0) return '';
  const nameOf = conditionName(page, model);
  const rest = { order: explored.order, cols: explored.cols };
  const links = conditions.map((condition) => {
    const href = to(explorePath({ ...without(explored.filter, condition), ...rest }));
    const name = nameOf(condition);
    return html`<li><a class="chip" href="${href}"><span class="unseen">${m.explore.remove(name)}</span><span aria-hidden="true">${name}<span class="x">×</span></span></a></li>`;
  });
  return html`<nav aria-label="${m.explore.set}"><ul class="chips">${links}<li><a class="clear" href="${to(explorePath(rest))}">${m.explore.clear}</a></li></ul></nav>`;
};

/** The commands of the first two steps. */
const commandsOf = ({ host }: Page): readonly string[] => [
  'npm run -s cli -- agent-token create --role collect --name collector',
  `DESIGN_TOKEN=agt_… npx --no -- node examples/collector/main.ts --design ${host} --pages explore,documents`,
];

/** The advice on adding screens, for an empty gallery. */
const howTo = (page: Page): Html => {
  const { empty, emptyText, steps } = page.m.explore;
  const commands = commandsOf(page);
  const items = steps.map((step, n) => {
    const command = commands[n];
    return html`<li>${step}${command === undefined ? '' : html` <code class="value" lang="en">${commandText(command)}</code>`}</li>`;
  });
  return html`<div class="empty how"><h2>${empty}</h2><p>${emptyText}</p>
<ol>${items}</ol></div>`;
};

const nothing = (page: Page, { explored }: ExploreModel): Html => {
  const { m, to } = page;
  if (explored.page > 1) {
    const { filter, page: _, ...rest } = explored;
    const first = to(explorePath({ ...filter, ...rest }));
    return html`<div class="empty"><h2>${m.explore.beyond}</h2><p>${m.explore.beyondText}</p><p><a class="button" href="${first}">${m.explore.toFirst}</a></p></div>`;
  }
  if (conditionsOf(explored.filter).length === 0) return howTo(page);
  return emptyBox(m.explore.nothing, m.explore.nothingText);
};

const grid = (page: Page, { found, taxonomy, explored }: ExploreModel): Html => {
  const nameOf = kindNames(page, taxonomy);
  const tall = explored.filter.viewport === 'mobile' ? ' tall' : '';
  const cards = variantsOf(found.screens, page.language).map((variants) => {
    const [card] = variants as [ScreenCard];
    return screenCard(page, card, { level: 3, note: noteOf(page, card, nameOf), variants });
  });
  return html`<ul class="grid cols-${found.cols}${tall}">${cards}</ul>`;
};

/** The screens of the gallery, with their filters. */
const exploreView = (page: Page, model: ExploreModel): Html => {
  const { m } = page;
  const { explored, found, wrong } = model;
  const pathOf = (number: number): string => {
    const { filter, ...rest } = explored;
    return explorePath({ ...filter, ...rest, page: number });
  };
  const isEmpty = found.total === 0 && conditionsOf(explored.filter).length === 0;
  const names = wrong.map((name) => m.filters[name as keyof typeof m.filters] ?? name).join(', ');
  return layout(page, {
    title: m.explore.title,
    section: 'explore',
    body: html`<div class="hero"><h1>${m.explore.title}</h1>
<p class="lead">${m.explore.lead}</p>
${isEmpty ? '' : searchBar(page, explored)}</div>
<div class="${isEmpty ? 'unfilled' : 'explore'}">
${isEmpty ? '' : filterForm(page, model)}
<section class="results" aria-labelledby="found">
<div class="head${isEmpty ? ' unseen' : ''}"><h2 id="found">${conditionsOf(explored.filter).length === 0 ? m.count(found.total) : m.explore.found(found.total)}</h2></div>
${wrong.length === 0 ? '' : html`<p class="warning" role="status">${m.explore.wrong(names)}</p>`}
${chips(page, model)}
${found.screens.length === 0 ? nothing(page, model) : html`${grid(page, model)}${pageLinks(page, found, pathOf)}`}
</section>
</div>`,
  });
};

/** The page of all screens, which is the gallery's start page. */
export const addExplorePages = (paths: Paths): void => {
  const { searchScreens, showTaxonomy, showApp } = paths.parts;

  paths.page('/', async ({ query }) => {
    const { explored, wrong } = readExplored(query);
    const [found, terms, filtered] = await Promise.all([
      searchScreens(explored),
      showTaxonomy(),
      explored.filter.app === null ? null : showApp(appId(explored.filter.app)),
    ]);
    const model = { explored, wrong, found, taxonomy: terms, flows: filtered?.ok ? filtered.value.flows : [] };
    return (page) => exploreView(page, model);
  });
};
