import { html } from 'hono/html';
import {
  NO_FILTER,
  type Screen,
  type ScreenCard,
  type ScreenColor,
  type ScreenFilter,
} from '../../../../domain/design/gallery/screen.ts';
import type { Taxonomy } from '../../../../domain/design/gallery/taxonomy.ts';
import { addressInAnyLanguage, variantsOf } from '../../../../domain/design/gallery/variants.ts';
import { plainAddress } from '../../../../domain/design/gallery/words.ts';
import { day, moment } from '../../shared/dates.ts';
import { facts, type Html } from '../../shared/pieces.ts';
import type { Paths } from '../paths.ts';
import { explorePath } from '../query.ts';
import { flowRow } from './apps.ts';
import { layout, type Page } from './page.ts';
import { imagePath, kindNames, namesOf, picture, screenPath, swatch, variantLinks, wordLink } from './pieces.ts';

type ScreenModel = {
  readonly screen: Screen;
  readonly taxonomy: Taxonomy;
  /** The screens of the flow with the same viewport, language and mode, in order. */
  readonly inFlow: readonly ScreenCard[];
  /** Screens that include the other variants of the page. */
  readonly alike: readonly ScreenCard[];
};

/** A captured URL, which is a link only if it is http or https. */
const address = (url: string): Html => {
  const { protocol } = URL.parse(url) ?? {};
  return protocol === 'https:' || protocol === 'http:'
    ? html`<a href="${url}" rel="noopener noreferrer nofollow">${url}</a>`
    : html`${url}`;
};

const percent = ({ language }: Page, share: number): string =>
  new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: share < 0.1 ? 1 : 0 }).format(share);

/** The colors as one bar, each as wide as its share, above their names. */
const colors = (page: Page, list: readonly ScreenColor[]): Html => {
  const { m } = page;
  const whole = list.reduce((sum, { share }) => sum + share, 0) || 1;
  let x = 0;
  const bars = list.map(({ hex, share }) => {
    const width = (share / whole) * 100;
    x += width;
    return html`<rect x="${(x - width).toFixed(2)}" width="${width.toFixed(2)}" height="10" fill="${hex}"/>`;
  });
  const items = list.map(
    ({ hex, share }) =>
      html`<li>${swatch(hex)}<a href="${page.to(explorePath({ color: hex }))}"><code>${hex}</code></a><span class="times"><span class="unseen">${m.screen.share(percent(page, share))}</span><span aria-hidden="true">${percent(page, share)}</span></span></li>`,
  );
  return html`<svg class="palette" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">${bars}</svg><ul class="colors">${items}</ul>`;
};

const section = (title: string, body: Html, id: string): Html =>
  html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${body}</section>`;

const orNone = ({ m }: Page, items: readonly unknown[], body: Html): Html =>
  items.length === 0 ? html`<p class="none">${m.screen.none}</p>` : body;

/** The fonts by name. A saved page that names none uses the system's fonts. */
const fontList = (page: Page, { fonts, page: saved }: Screen, body: Html): Html =>
  fonts.length === 0 && saved !== null
    ? html`<p class="none">${page.m.screen.systemFonts}</p>`
    : orNone(page, fonts, body);

const factList = (page: Page, { screen, taxonomy }: ScreenModel): Html => {
  const { m, to } = page;
  const { app, flow, final_url, http_status, image } = screen;
  const link = (path: string, text: string): Html => html`<a href="${to(path)}">${text}</a>`;
  const led = final_url === null || final_url === screen.url ? null : address(final_url);
  return facts([
    [m.screen.address, address(screen.url)],
    [m.screen.led, led],
    [m.screen.status, http_status === null ? null : String(http_status)],
    [m.screen.app, link(`/apps/${app}`, m.apps[app])],
    [m.screen.flow, link(explorePath({ app, flow: flow.slug }), flow.name)],
    [m.screen.step, screen.step === null ? null : String(screen.step)],
    [m.filters.kind, link(explorePath({ kind: screen.kind }), kindNames(page, taxonomy)(screen.kind))],
    [m.filters.platform, link(explorePath({ platform: screen.platform }), m.platforms[screen.platform])],
    [m.filters.viewport, link(explorePath({ viewport: screen.viewport }), m.viewports[screen.viewport])],
    [m.filters.lang, link(explorePath({ lang: screen.lang }), m.langs[screen.lang])],
    [m.filters.mode, link(explorePath({ mode: screen.mode }), m.modes[screen.mode])],
    [m.screen.seen, screen.auth ? m.screen.signedIn : m.screen.signedOut],
    [m.screen.size, html`<a href="${page.at(imagePath(image))}">${image.width} × ${image.height}</a>`],
    [m.screen.collected, moment(page, screen.captured_at)],
    [m.screen.added, day(page, screen.added_at)],
  ]);
};

const savedPage = ({ m, to }: Page, { id, page: saved }: Screen): Html =>
  saved === null
    ? html`<p class="none">${m.screen.noPage}</p>`
    : html`<p class="hint">${m.screen.pageText}</p>
<p><a class="button" href="${to(`${screenPath(id)}/saved`)}">${m.screen.openPage}</a></p>`;

/** The maximum width of a browser in CSS pixels. */
const WIDEST = { mobile: 480, desktop: 1920 } as const;

/** The width of the browser that captured a screen in CSS pixels. The image is wider by the device's pixel ratio. */
const widthOf = ({ image, viewport }: Screen): number =>
  Math.round(image.width / Math.ceil(image.width / WIDEST[viewport]));

/** The saved page of a screen at its captured width, in a frame without any permission. */
const savedPageView = (page: Page, screen: Screen): Html => {
  const { m, to, at } = page;
  const path = screenPath(screen.id);
  const title = `${m.screen.page}: ${screen.title}`;
  return layout(page, {
    title,
    section: 'explore',
    body: html`<nav class="crumbs"><a href="${to(path)}" lang="${screen.lang}">${screen.title}</a></nav>
<h1>${m.screen.page}</h1>
<div class="saved" tabindex="0"><iframe sandbox="" src="${at(`${path}/page`)}" width="${widthOf(screen)}" title="${title}" referrerpolicy="no-referrer"></iframe></div>`,
  });
};

const neighbors = (page: Page, { screen, inFlow }: ScreenModel): Html | '' => {
  const { m, to } = page;
  const place = inFlow.findIndex(({ id }) => id === screen.id);
  const [before, after] = place < 0 ? [] : [inFlow[place - 1], inFlow[place + 1]];
  if (!before && !after) return '';
  return html`<nav class="turn" aria-label="${m.screen.inFlow(screen.flow.name)}">
${before ? html`<a class="button" rel="prev" href="${to(screenPath(before.id))}"><span aria-hidden="true">←</span> ${m.screen.previous}<span class="unseen">: ${before.title}</span></a>` : ''}
<span class="count">${place + 1} / ${inFlow.length}</span>
${after ? html`<a class="button" rel="next" href="${to(screenPath(after.id))}">${m.screen.next}<span class="unseen">: ${after.title}</span><span aria-hidden="true">→</span></a>` : ''}</nav>`;
};

/** The page of a screen with all its facts. */
const screenView = (page: Page, model: ScreenModel): Html => {
  const { m, to } = page;
  const { screen, taxonomy, inFlow, alike } = model;
  const variants = variantsOf(alike, page.language).find((group) => group.some(({ id }) => id === screen.id)) ?? [];
  const patternName = namesOf(page, taxonomy.patterns);
  const elementName = namesOf(page, taxonomy.elements);
  const elements = Object.entries(screen.elements).sort(([, a], [, b]) => b - a);
  const patterns = screen.patterns.map((key) => wordLink(page, explorePath({ patterns: [key] }), patternName(key)));
  const parts = elements.map(([key, count]) =>
    wordLink(page, explorePath({ components: [key] }), elementName(key), String(count)),
  );
  const fonts = screen.fonts.map((font) => html`<li class="word">${font}</li>`);
  return layout(page, {
    title: screen.title,
    section: 'explore',
    body: html`<nav class="crumbs"><a href="${to(`/apps/${screen.app}`)}">${m.apps[screen.app]}</a> <span aria-hidden="true">/</span> <a href="${to(explorePath({ app: screen.app, flow: screen.flow.slug }))}">${screen.flow.name}</a></nav>
<div class="head"><h1 lang="${screen.lang}">${screen.title}</h1>${neighbors(page, model)}</div>
${variantLinks(page, variants, screen.id)}
<div class="screen ${screen.viewport}">
<div class="look">
<a class="stage" href="${page.at(imagePath(screen.image))}"><span class="unseen">${m.screen.full}: </span>${picture(page, screen.image, m.screen.picture(screen.title), true)}</a>
${
  inFlow.length < 2
    ? ''
    : html`<section class="flow"><h2>${m.screen.inFlow(screen.flow.name)}</h2>${flowRow(
        page,
        inFlow.map((card) => [card]),
        screen.id,
      )}</section>`
}
${section(m.screen.page, savedPage(page, screen), 'page')}
${screen.text === '' ? '' : html`<details class="fold"><summary>${m.screen.text}</summary><p class="plaintext" lang="${screen.lang}">${screen.text}</p></details>`}
</div>
<div class="side">
${section(m.screen.facts, factList(page, model), 'facts')}
${section(m.screen.colors, orNone(page, screen.colors, colors(page, screen.colors)), 'colors')}
${section(m.screen.fonts, fontList(page, screen, html`<ul class="words">${fonts}</ul>`), 'fonts')}
${section(m.screen.patterns, orNone(page, patterns, html`<ul class="words">${patterns}</ul>`), 'patterns')}
${section(m.screen.elements, orNone(page, parts, html`<ul class="words">${parts}</ul>`), 'elements')}
</div>
</div>`,
  });
};

/** An id from a URL; null if it is invalid. */
const idIn = (text: string): number | null => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : null);

/** By step; screens without a step come last, in order of capture. */
const inFlowOrder = (a: ScreenCard, b: ScreenCard): number =>
  (a.step ?? Number.MAX_SAFE_INTEGER) - (b.step ?? Number.MAX_SAFE_INTEGER) || a.id - b.id;

export const addScreenPages = (paths: Paths): void => {
  const { searchScreens, showScreen, showTaxonomy } = paths.parts;

  paths.page('/screens/:id', async ({ params: { id = '' } }) => {
    const [found, taxonomy] = await Promise.all([showScreen(idIn(id)), showTaxonomy()]);
    if (!found.ok) return null;
    const screen = found.value;
    const { app, viewport, lang, mode, url } = screen;
    const filter = { ...NO_FILTER, app, flow: screen.flow.slug };
    const search = async (more: Partial<ScreenFilter>) =>
      (await searchScreens({ filter: { ...filter, ...more }, order: 'oldest', cols: 8, page: 1 })).screens;
    const [flow, alike] = await Promise.all([
      search({ viewport, lang, mode }),
      search({ q: plainAddress(addressInAnyLanguage(url)) }),
    ]);
    return (page) => screenView(page, { screen, taxonomy, inFlow: flow.toSorted(inFlowOrder), alike });
  });

  paths.page('/screens/:id/saved', async ({ params: { id = '' } }) => {
    const found = await showScreen(idIn(id));
    return found.ok && found.value.page !== null ? (page) => savedPageView(page, found.value) : null;
  });
};
