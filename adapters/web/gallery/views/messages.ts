import { html } from 'hono/html';
import type { Html } from '../../shared/pieces.ts';
import { layout, type Page } from './page.ts';

/* Pages that only say something. */

type Said = { readonly title: string; readonly text: string; readonly more?: Html };

const messageView = (page: Page, { title, text, more }: Said): Html =>
  layout(page, {
    title,
    narrow: true,
    body: html`<h1>${title}</h1>
<p class="lead">${text}</p>
${more ?? ''}
<p><a class="button" href="${page.to('/')}">${page.m.errors.home}</a></p>`,
  });

export const notFoundView = (page: Page): Html =>
  messageView(page, { title: page.m.errors.notFoundTitle, text: page.m.errors.notFoundText });

/** `seconds` until the next request is answered. */
export const tooManyView = (page: Page, seconds: number): Html =>
  messageView(page, { title: page.m.errors.tooManyTitle, text: page.m.errors.tooManyText(seconds) });

export const unavailableView = (page: Page): Html =>
  messageView(page, { title: page.m.errors.unavailableTitle, text: page.m.errors.unavailableText });

/** A fault of ours. The log has it under the request id. */
export const faultView = (page: Page, requestId: string): Html =>
  messageView(page, {
    title: page.m.errors.faultTitle,
    text: page.m.errors.faultText,
    more: html`<p><code class="value">${requestId}</code></p>`,
  });
