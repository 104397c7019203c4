import { html } from 'hono/html';
import type { ScreenFilter } from '../../../../domain/gallery/filter.ts';
import { emptyBox, type Html } from '../../shared/pieces.ts';
import { type Condition, conditionsOf, explorePath, without } from '../query.ts';
import type { ExploreModel } from './explore-model.ts';
import { filterForm, searchBar } from './filters.ts';
import { layout, type Page } from './page.ts';
import { pageLinks } from './page-links.ts';
import { kindNames, namesOf, noteOf, screenCard } from './pieces.ts';

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
    app: (value) => m.apps[value as keyof typeof m.apps],
    flow: (value) => flows.find(({ slug }) => slug === value)?.name ?? value,
  };
  return ({ name, value }) => `${m.filters[name]}: ${named[name]?.(value) ?? value}`;
};

/** The filters that are set; each goes with one click. */
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

/** How screens come here, for a gallery that has none. */
const howTo = (page: Page): Html => {
  const { empty, emptyText, steps } = page.m.explore;
  const commands = commandsOf(page);
  const items = steps.map((step, n) => {
    const command = commands[n];
    return html`<li>${step}${command === undefined ? '' : html` <code class="value" lang="en">${command}</code>`}</li>`;
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
  const cards = found.screens.map((card) => screenCard(page, card, { level: 3, note: noteOf(page, card, nameOf) }));
  return html`<ul class="grid cols-${found.cols}${tall}">${cards}</ul>`;
};

/** The screens of the gallery, with the filters that choose among them. */
export const exploreView = (page: Page, model: ExploreModel): Html => {
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
