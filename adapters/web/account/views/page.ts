import { html } from 'hono/html';
import type { Locale } from '../../../../domain/shared/locale.ts';
import { htmlDocument, languageFoot, sectionLinks } from '../../shared/document.ts';
import type { Html } from '../../shared/pieces.ts';
import { ICON_PATH, SCRIPT_PATH, STYLE_PATH } from '../assets/assets.ts';
import type { Messages } from '../messages/en.ts';

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

export const SECTIONS = ['library', 'devices', 'keys', 'apps', 'support', 'security'] as const;
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

const navigation = ({ m }: Page, current: Section | undefined): Html =>
  sectionLinks(
    m.navLabel,
    SECTIONS.map((section) => ({ href: `/${section}`, text: m.nav[section], current: section === current })),
  );

const signedIn = (page: Page, email: string): Html => html`<div class="who">
<span class="email"><span class="unseen">${page.m.signedInAs} </span>${email}</span>
<form method="post" action="/sign-out">${csrfField(page)}<button class="plain">${page.m.signOut}</button></form>
</div>`;

/** The hidden field with the page's token, which every form carries. */
export const csrfField = ({ csrf }: Pick<Page, 'csrf'>): Html =>
  html`<input type="hidden" name="csrf" value="${csrf}">`;

/** A whole document around the body of a page. */
export const layout = (page: Page, { title, body, section, narrow, scripted, goesTo }: Document): Html => {
  const { m, locale, here, email } = page;
  const refresh = goesTo === undefined ? '' : html`<meta http-equiv="refresh" content="0;url=${goesTo}">`;
  return htmlDocument({
    locale,
    title,
    brand: m.brand,
    icon: ICON_PATH,
    style: STYLE_PATH,
    head: html`${refresh}${scripted ? html`<script src="${SCRIPT_PATH}" defer></script>` : ''}`,
    skip: m.skip,
    header: html`<div class="bar">
<a class="brand" href="/">${m.brand}</a>
${email === null ? '' : signedIn(page, email)}
</div>${email === null || narrow ? '' : navigation(page, section)}`,
    narrow,
    body,
    foot: languageFoot({ label: m.languageLabel, locale, here, parameter: 'lang' }),
  });
};
