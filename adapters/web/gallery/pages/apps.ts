import { html } from 'hono/html';
import type { CountedApp, ShownApp } from '../../../../application/design/gallery/browse.ts';
import { APPS } from '../../../../domain/design/collect/run.ts';
import { appId, type ScreenCard } from '../../../../domain/design/gallery/screen.ts';
import { variantsOf } from '../../../../domain/design/gallery/variants.ts';
import { emptyBox, type Html, unseen } from '../../shared/pieces.ts';
import type { Paths } from '../paths.ts';
import { explorePath } from '../query.ts';
import { layout, type Page } from './page.ts';
import { screenCard } from './pieces.ts';

const appsView = (page: Page, apps: readonly CountedApp[]): Html => {
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

/** The pages of a flow in a scrollable row, each with its variants. `current` is the screen of this page. */
export const flowRow = (page: Page, pages: readonly (readonly ScreenCard[])[], current?: number): Html => {
  const { m } = page;
  const cards = pages.map((variants, index) => {
    const [card] = variants as [ScreenCard];
    const look = variants.length > 1 ? '' : ` · ${m.viewports[card.viewport]} · ${m.langs[card.lang]}`;
    return screenCard(page, card, {
      level: 3,
      note: `${card.step ?? index + 1}${look}`,
      current: card.id === current,
      variants,
    });
  });
  return html`<ol class="strip">${cards}</ol>`;
};

const appView = (page: Page, { slug, screens, flows }: ShownApp): Html => {
  const { m, to } = page;
  const rows = flows.map((flow) => {
    const all = explorePath({ app: slug, flow: flow.slug });
    const more = flow.total > flow.screens.length ? ` (${m.appList.more(flow.total - flow.screens.length)})` : '';
    return html`<section class="flow"><div class="head"><h2>${flow.name}</h2><p class="count">${m.count(flow.total)} · <a href="${to(all)}">${m.appList.seeAll}${more}${unseen(flow.name)}</a></p></div>
${flowRow(page, variantsOf(flow.screens, page.language))}</section>`;
  });
  return layout(page, {
    title: m.apps[slug],
    section: 'apps',
    body: html`<nav class="crumbs"><a href="${to('/apps')}">${m.appList.all}</a></nav>
<div class="head"><h1>${m.apps[slug]}</h1><p class="count">${m.count(screens)} · ${m.appList.flows(flows.length)} · <a href="${to(explorePath({ app: slug }))}">${m.appList.seeAll}</a></p></div>
${rows}`,
  });
};

/** The list of apps, and the page of each with its flows. */
export const addAppPages = (paths: Paths): void => {
  const { listApps, showApp } = paths.parts;

  paths.page('/apps', async () => {
    const apps = await listApps();
    const found = apps.filter(({ screens }) => screens > 0);
    return (page) => appsView(page, found);
  });

  paths.page('/apps/:slug', async ({ params }) => {
    const slug = APPS.find((one) => one === params['slug']);
    const app = await showApp(slug === undefined ? null : appId(slug));
    if (!app.ok || app.value.screens === 0) return null;
    return (page) => appView(page, app.value);
  });
};
