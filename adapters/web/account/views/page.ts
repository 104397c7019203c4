import { html, raw } from 'hono/html';
import type { Instant } from '../../../../domain/shared/instant.ts';
import { LOCALES, type Locale } from '../../../../domain/shared/locale.ts';
import { ICON_PATH, SCRIPT_PATH, STYLE_PATH } from '../assets/assets.ts';
import type { Messages } from '../messages/en.ts';

/** Escaped HTML. */
export type Html = ReturnType<typeof html>;

/** The facts of a request that every page shows. */
export type Page = {
  readonly locale: Locale;
  readonly m: Messages;
  /** The token that each form of the page carries. */
  readonly csrf: string;
  /** The own path, with its query, that shows this page again; the links to other languages lead there. */
  readonly here: string;
  /** The address of the account that is signed in; null for a visitor. */
  readonly email: string | null;
};

/** Makes a document for a page. */
export type View = (page: Page) => Html;

export const SECTIONS = ['library', 'devices', 'keys', 'apps', 'security'] as const;
export type Section = (typeof SECTIONS)[number];

type Document = {
  readonly title: string;
  readonly body: Html;
  /** The section that the navigation marks as the current one. */
  readonly section?: Section;
  /** A narrow page holds one form or one message, and no navigation that leads away from it. */
  readonly narrow?: boolean;
  /** True for a page that the script makes easier to use. */
  readonly scripted?: boolean;
  /** The address that the browser goes to by itself. */
  readonly goesTo?: string;
};

const NAMES: Readonly<Record<Locale, string>> = { en: 'English', ko: '한국어' };

/** The same page in another language. */
const inLanguage = (here: string, locale: Locale): string => {
  const [path = '/', query = ''] = here.split('?', 2);
  const params = new URLSearchParams(query);
  params.set('lang', locale);
  return `${path}?${params}`;
};

const languages = ({ m, locale, here }: Page): Html => html`<footer class="foot">
<nav aria-label="${m.languageLabel}"><ul>${LOCALES.map((one) =>
  one === locale
    ? html`<li><span lang="${one}" aria-current="true">${NAMES[one]}</span></li>`
    : html`<li><a href="${inLanguage(here, one)}" lang="${one}" hreflang="${one}">${NAMES[one]}</a></li>`,
)}</ul></nav>
</footer>`;

const navigation = ({ m }: Page, current: Section | undefined): Html =>
  html`<nav class="sections" aria-label="${m.navLabel}"><ul>${SECTIONS.map(
    (section) =>
      html`<li><a href="/${section}"${section === current ? raw(' aria-current="page"') : ''}>${m.nav[section]}</a></li>`,
  )}</ul></nav>`;

const signedIn = (page: Page, email: string): Html => html`<div class="who">
<span class="email"><span class="unseen">${page.m.signedInAs} </span>${email}</span>
<form method="post" action="/sign-out">${csrfField(page)}<button class="plain">${page.m.signOut}</button></form>
</div>`;

/** The hidden field with the page's token, which every form carries. */
export const csrfField = ({ csrf }: Pick<Page, 'csrf'>): Html =>
  html`<input type="hidden" name="csrf" value="${csrf}">`;

/** A whole document around the body of a page. */
export const layout = (page: Page, { title, body, section, narrow, scripted, goesTo }: Document): Html => {
  const { m, locale, email } = page;
  const refresh = goesTo === undefined ? '' : html`\n<meta http-equiv="refresh" content="0;url=${goesTo}">`;
  return html`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">${refresh}
<title>${title} · ${m.brand}</title>
<link rel="icon" type="image/svg+xml" href="${ICON_PATH}">
<link rel="stylesheet" href="${STYLE_PATH}">
${scripted ? html`<script src="${SCRIPT_PATH}" defer></script>` : ''}
</head>
<body>
<a class="skip" href="#content">${m.skip}</a>
<header class="top"><div class="bar">
<a class="brand" href="/">${m.brand}</a>
${email === null ? '' : signedIn(page, email)}
</div>${email === null || narrow ? '' : navigation(page, section)}</header>
<main id="content" tabindex="-1"${narrow ? raw(' class="narrow"') : ''}>
${body}
</main>
${languages(page)}
</body>
</html>
`;
};

const LANGUAGE_TAG: Readonly<Record<Locale, string>> = { en: 'en-GB', ko: 'ko-KR' };

/** A day in words, as UTC counts it, with the exact moment for machines. */
export const day = ({ locale }: Pick<Page, 'locale'>, instant: Instant): Html =>
  html`<time datetime="${instant}">${dayText(locale, instant)}</time>`;

/** A day in words, as UTC counts it. */
export const dayText = (locale: Locale, instant: Instant): string =>
  new Intl.DateTimeFormat(LANGUAGE_TAG[locale], { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(instant));

/** A moment in UTC, short enough for one line of a telephone. */
export const moment = ({ locale }: Pick<Page, 'locale'>, instant: Instant): Html => {
  const format = new Intl.DateTimeFormat(LANGUAGE_TAG[locale], {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  return html`<time datetime="${instant}">${format.format(new Date(instant))} UTC</time>`;
};
