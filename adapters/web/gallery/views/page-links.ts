import { html } from 'hono/html';
import type { PageOf } from '../../../../domain/shared/paging.ts';
import type { Html } from '../../shared/pieces.ts';
import type { Page } from './page.ts';

/** The numbers of pages to link to: the first, the last, and those around the current one. Null is a gap. */
export const shownPages = (current: number, last: number): (number | null)[] => {
  const near = [...new Set([1, current - 1, current, current + 1, last])]
    .filter((n) => n >= 1 && n <= last)
    .sort((a, b) => a - b);
  return near.flatMap((n, index) => (index > 0 && n - (near[index - 1] as number) > 1 ? [null, n] : [n]));
};

/** The links to the pages of a list; nothing where there is one page. */
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
