import { html } from 'hono/html';
import type { CountedApp } from '../../../../application/gallery/list-apps.ts';
import type { ShownApp } from '../../../../application/gallery/show-app.ts';
import type { ScreenCard } from '../../../../domain/gallery/screen.ts';
import { emptyBox, type Html, unseen } from '../../shared/pieces.ts';
import { explorePath } from '../query.ts';
import { layout, type Page } from './page.ts';
import { screenCard } from './pieces.ts';

/** The apps with the numbers of their screens and flows. */
export const appsView = (page: Page, apps: readonly CountedApp[]): Html => {
  const { m, to } = page;
  const items = apps.map(
    ({ slug, screens, flows }) =>
      html`<li class="card tilelink"><h2><a href="${to(`/apps/${slug}`)}">${m.apps[slug]}</a></h2><p class="kind">${m.count(screens)} · ${m.appList.flows(flows)}</p></li>`,
  );
  return layout(page, {
    title: m.appList.title,
    section: 'apps',
    body: html`<h1>${m.appList.title}</h1>
<p class="lead">${m.appList.lead}</p>
${apps.length === 0 ? emptyBox(m.appList.empty, m.appList.emptyText) : html`<ul class="applist">${items}</ul>`}`,
  });
};

/** The screens of a flow in a row that scrolls by itself. `current` is the screen whose page this is. */
export const flowRow = (page: Page, screens: readonly ScreenCard[], current?: number): Html => {
  const { m } = page;
  const cards = screens.map((card, index) =>
    screenCard(page, card, {
      level: 3,
      note: `${card.step ?? index + 1} · ${m.viewports[card.viewport]} · ${m.langs[card.lang]}`,
      current: card.id === current,
    }),
  );
  return html`<ol class="strip">${cards}</ol>`;
};

/**
 * The screens of a flow look by look, so that its steps follow one another: first the looks in the reader's language and
 * in light colours.
 */
const byLook = ({ locale }: Page, screens: readonly ScreenCard[]): ScreenCard[] => {
  const lookOf = ({ lang, mode, viewport }: ScreenCard): string =>
    [Number(lang !== locale), lang, Number(mode !== 'light'), viewport].join();
  const looks = Map.groupBy(screens, lookOf);
  return [...looks.keys()].sort().flatMap((look) => looks.get(look) ?? []);
};

/** An app: its flows as rows of screens. */
export const appView = (page: Page, { slug, screens, flows }: ShownApp): Html => {
  const { m, to } = page;
  const rows = flows.map((flow) => {
    const all = explorePath({ app: slug, flow: flow.slug });
    const more = flow.total > flow.screens.length ? ` (${m.appList.more(flow.total - flow.screens.length)})` : '';
    return html`<section class="flow"><div class="head"><h2>${flow.name}</h2><p class="count">${m.count(flow.total)} · <a href="${to(all)}">${m.appList.seeAll}${more}${unseen(flow.name)}</a></p></div>
${flowRow(page, byLook(page, flow.screens))}</section>`;
  });
  return layout(page, {
    title: m.apps[slug],
    section: 'apps',
    body: html`<nav class="crumbs"><a href="${to('/apps')}">${m.appList.all}</a></nav>
<div class="head"><h1>${m.apps[slug]}</h1><p class="count">${m.count(screens)} · ${m.appList.flows(flows.length)} · <a href="${to(explorePath({ app: slug }))}">${m.appList.seeAll}</a></p></div>
${rows}`,
  });
};
