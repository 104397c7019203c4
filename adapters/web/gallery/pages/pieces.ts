import { html, raw } from 'hono/html';
import type { ScreenCard } from '../../../../domain/design/gallery/screen.ts';
import type { Taxonomy, TaxonomyTerm } from '../../../../domain/design/gallery/taxonomy.ts';
import { inLocale } from '../../../../domain/shared/locale.ts';
import type { PageOf } from '../../../../domain/shared/paging.ts';
import type { StoredImage } from '../../../../domain/shared/stored-file.ts';
import { type Html, unseen } from '../../shared/pieces.ts';
import type { Page } from './page.ts';

/* Components that several gallery pages share. */

const ENDINGS = { 'image/png': 'png', 'image/jpeg': 'jpg' } as const;

export const imagePath = ({ sha256, type }: StoredImage): string => `/media/${sha256}.${ENDINGS[type]}`;

/** An image that reserves its space before it loads. An empty `alt` means that the text next to it suffices. */
export const picture = ({ at }: Pick<Page, 'at'>, image: StoredImage, alt: string, eager = false): Html =>
  html`<img src="${at(imagePath(image))}" width="${image.width}" height="${image.height}" alt="${alt}"${eager ? '' : raw(' loading="lazy"')} decoding="async">`;

/** The names of terms by key, in the language of the page. A term without a name is shown by its key. */
export const namesOf = (page: Pick<Page, 'language'>, terms: readonly TaxonomyTerm[]): ((key: string) => string) => {
  const names = new Map(terms.map((term) => [term.key, inLocale(term.name, page.language) ?? term.key]));
  return (key) => names.get(key) ?? key;
};

export const screenPath = (id: number): string => `/screens/${id}`;

type CardOptions = {
  readonly level: 2 | 3;
  readonly note: Html | string;
  readonly current?: boolean;
  /** All variants of the page, including the one shown. */
  readonly variants?: readonly ScreenCard[];
};

/** Links to the variants of a page, labeled by the properties in which they differ; nothing if there is only one. */
export const variantLinks = (page: Page, variants: readonly ScreenCard[], current?: number): Html | '' => {
  const { m, to } = page;
  if (variants.length < 2) return '';
  const differ = (['viewport', 'lang', 'mode'] as const).filter(
    (name) => new Set(variants.map((card) => card[name])).size > 1,
  );
  const names = { ...m.viewports, ...m.langs, ...m.modes };
  const items = variants.map(
    (card) =>
      html`<li><a href="${to(screenPath(card.id))}"${card.id === current ? raw(' aria-current="page"') : ''}>${differ.map((name) => names[card[name]]).join(' · ')}${unseen(card.title)}</a></li>`,
  );
  return html`<ul class="variants" aria-label="${m.screen.variants}">${items}</ul>`;
};

/** A screen in a list. The whole card is the link. */
export const screenCard = (
  page: Page,
  card: ScreenCard,
  { level, note, current = false, variants = [] }: CardOptions,
): Html => {
  const tag = raw(`h${level}`);
  return html`<li class="shot ${card.viewport}">
<div class="tile"><div class="frame">${picture(page, card.thumbnail, '')}</div></div>
<${tag} class="name" lang="${card.lang}"><a href="${page.to(screenPath(card.id))}"${current ? raw(' aria-current="page"') : ''}>${card.title}</a></${tag}>
<p class="kind">${note}</p>
${variantLinks(page, variants)}</li>`;
};

/** The text below a screen's title in a mixed list: its app and its page type. */
export const noteOf = (page: Page, card: ScreenCard, kindName: (key: string) => string): Html =>
  html`${page.m.apps[card.app]} · ${kindName(card.kind)}${unseen(page.m.viewports[card.viewport])}`;

export const kindNames = (page: Page, taxonomy: Taxonomy): ((key: string) => string) =>
  namesOf(page, taxonomy.page_types);

/** A link in the form of a taxonomy term, with the number of its screens. */
export const wordLink = (page: Page, path: string, name: string, count?: string): Html =>
  html`<li><a class="word" href="${page.to(path)}">${name}${count === undefined ? '' : html` <span class="times">${count}</span>`}</a></li>`;

/** A color as a small square. It is SVG, because the pages' policy forbids inline styles. */
export const swatch = (hex: string): Html =>
  html`<svg class="swatch" width="32" height="32" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" fill="${hex}"/></svg>`;

/** The page numbers to link to: the first, the last, and those around the current one. Null is a gap. */
export const shownPages = (current: number, last: number): (number | null)[] => {
  const near = [...new Set([1, current - 1, current, current + 1, last])]
    .filter((n) => n >= 1 && n <= last)
    .sort((a, b) => a - b);
  return near.flatMap((n, index) => (index > 0 && n - (near[index - 1] as number) > 1 ? [null, n] : [n]));
};

/** The links to the pages of a list; nothing if there is only one page. */
export const pageLinks = (
  { m, to }: Page,
  { total, page: current, per_page }: Omit<PageOf<unknown>, 'entries'>,
  pathOf: (page: number) => string,
): Html | '' => {
  const last = Math.ceil(total / per_page);
  if (last <= 1) return '';
  const step = (page: number, text: string, rel: string): Html | '' =>
    page < 1 || page > last ? '' : html`<a class="button" rel="${rel}" href="${to(pathOf(page))}">${text}</a>`;
  const numbers = shownPages(current, last).map((n) => {
    if (n === null) return html`<li aria-hidden="true">…</li>`;
    const label = m.explore.page(n);
    return n === current
      ? html`<li><span aria-current="page" aria-label="${label}">${n}</span></li>`
      : html`<li><a href="${to(pathOf(n))}" aria-label="${label}">${n}</a></li>`;
  });
  return html`<nav class="pages" aria-label="${m.explore.pages}">${step(current - 1, m.explore.previous, 'prev')}<ol>${numbers}</ol>${step(current + 1, m.explore.next, 'next')}</nav>`;
};
