import { html } from 'hono/html';
import { LOCALES, type Locale } from '../../../../domain/shared/locale.ts';
import { htmlDocument, languageFoot, sectionLinks } from '../../shared/document.ts';
import type { Html } from '../../shared/pieces.ts';
import { ICON_PATH, SCRIPT_PATH, STYLE_PATH } from '../assets/assets.ts';
import type { Messages } from '../messages/en.ts';

/** The facts of a request that every page needs. */
export type Page = {
  readonly language: Locale;
  /** The language that the URL selects. */
  readonly chosen: Locale | undefined;
  readonly m: Messages;
  /** The path and query that show this page again. */
  readonly here: string;
  /** The URL of a path on this host, such as a file's. */
  readonly at: (path: string) => string;
  /** A link to a path on this host, which keeps the selected language. */
  readonly to: (path: string) => string;
  readonly hasDocuments: boolean;
  readonly host: string;
};

export type View = (page: Page) => Html | Promise<Html>;

const SECTIONS = ['explore', 'apps', 'taxonomy', 'documents'] as const;
export type Section = (typeof SECTIONS)[number];

type Document = {
  readonly title: string;
  readonly body: Html;
  readonly section?: Section;
  readonly narrow?: boolean;
};

export const layout = (page: Page, { title, body, section, narrow }: Document): Html => {
  const { m, language, here, at, to, hasDocuments } = page;
  const sections = SECTIONS.filter((one) => one !== 'documents' || hasDocuments);
  return htmlDocument({
    language,
    title,
    brand: m.brand,
    icon: at(ICON_PATH),
    style: at(STYLE_PATH),
    head: html`<script type="module" src="${at(SCRIPT_PATH)}"></script>`,
    skip: m.skip,
    header: html`<div class="bar">
<a class="brand" href="${to('/')}">${m.brand}</a>
${sectionLinks(
  m.navLabel,
  sections.map((one) => ({
    href: to(one === 'explore' ? '/' : `/${one}`),
    text: m.nav[one],
    current: one === section,
  })),
)}</div>`,
    narrow,
    body,
    foot: languageFoot({ label: m.languageLabel, language, languages: LOCALES, here: at(here), parameter: 'hl' }),
  });
};

/* Pages that only show a message. */

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

/** A fault of the service. The log contains it under the request id. */
export const faultView = (page: Page, requestId: string): Html =>
  messageView(page, {
    title: page.m.errors.faultTitle,
    text: page.m.errors.faultText,
    more: html`<p><code class="value">${requestId}</code></p>`,
  });
