import { html } from 'hono/html';
import { sizeText } from '../../../../domain/shared/wording.ts';
import { MAX_ATTACHMENT } from '../../../../domain/support/ticket.ts';
import type { Html, Notice } from '../../shared/pieces.ts';
import { layout, type Page } from './page.ts';

/* Pages that only show a message. */

export type AppError = { readonly error: string; readonly error_description: string };

type Said = { readonly title: string; readonly text: string; readonly more?: Html };

/** A page with one message and a link to continue. */
export const messageView = (page: Page, { title, text, more }: Said): Html =>
  layout(page, {
    title,
    narrow: true,
    body: html`<h1>${title}</h1>
<p class="lead">${text}</p>
${more ?? html`<p><a class="button" href="/">${page.m.errors.home}</a></p>`}`,
  });

/** The notice of a form whose text was preserved when the session ended. */
export const backAgain = ({ m }: Pick<Page, 'm'>): Notice => ({ kind: 'done', text: m.draft.back, first: true });

export const notFoundView = (page: Page): Html =>
  messageView(page, { title: page.m.errors.notFoundTitle, text: page.m.errors.notFoundText });

/**
 * The answer to a form from another site, or with a token from another browser. `home` is the host's public URL, where
 * forms are accepted: a person may have used another name of the machine.
 */
export const forbiddenView = (page: Page, home: string): Html =>
  messageView(page, {
    title: page.m.errors.forbiddenTitle,
    text: page.m.errors.forbiddenText,
    more: html`<p><a class="button" href="${home}">${page.m.errors.home}</a></p>`,
  });

export const tooLargeView = (page: Page): Html =>
  messageView(page, { title: page.m.errors.tooLargeTitle, text: page.m.errors.tooLargeText });

export const fileTooLargeView = (page: Page): Html =>
  messageView(page, {
    title: page.m.errors.fileTooLargeTitle,
    text: page.m.errors.fileTooLargeText(sizeText(page.language, MAX_ATTACHMENT)),
  });

/** `seconds` until the next attempt can succeed. */
export const tooManyView = (page: Page, seconds: number): Html =>
  messageView(page, { title: page.m.errors.tooManyTitle, text: page.m.errors.tooManyText(seconds) });

export const tooManyChangesView = (page: Page, hours: number): Html =>
  messageView(page, { title: page.m.errors.tooManyChangesTitle, text: page.m.errors.tooManyChangesText(hours) });

export const unavailableView = (page: Page): Html =>
  messageView(page, { title: page.m.errors.unavailableTitle, text: page.m.errors.unavailableText });

/** A request of an application whose error the authorization server can only show to the person. */
export const appErrorView = (page: Page, { error, error_description }: AppError): Html =>
  messageView(page, {
    title: page.m.errors.appTitle,
    text: page.m.errors.appText,
    more: html`<p class="hint" lang="en"><code>${error}</code>: ${error_description}</p>`,
  });

/** A fault of the service. The log contains it under the request id. */
export const faultView = (page: Page, requestId: string): Html =>
  messageView(page, {
    title: page.m.errors.faultTitle,
    text: page.m.errors.faultText,
    more: html`<p><code class="value">${requestId}</code></p><p><a class="button" href="/">${page.m.errors.home}</a></p>`,
  });
