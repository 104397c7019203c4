import { html } from 'hono/html';
import { accentOf, SHOP_LINKS } from '../../../../domain/catalog/catalog.ts';
import type { Language } from '../../../../domain/shared/language.ts';
import { inLocale, type Locale } from '../../../../domain/shared/locale.ts';
import { htmlDocument, languageFoot, sectionLinks } from '../../shared/document.ts';
import type { Html } from '../../shared/pieces.ts';
import { iconPath, logoAddress, stylePath, TEXT_STYLE_PATH } from '../assets/assets.ts';
import type { Messages } from '../messages/en.ts';
import type { Shop } from '../shop.ts';
import type { Site } from '../site.ts';

/** The facts of a request that every page needs. */
export type Page = {
  readonly language: Language;
  /** The language of texts that exist only in those of the API, such as the names of products. */
  readonly locale: Locale;
  readonly m: Messages;
  readonly csrf: string;
  /** The path and query that show this page again; the language links use it. */
  readonly here: string;
  readonly site: Site;
  readonly shop: Shop;
  /** The email address of the signed-in account; null for a visitor. */
  readonly email: string | null;
};

export type View = (page: Page) => Html;

export const SECTIONS = ['library', 'orders', 'devices', 'apps', 'support', 'security', 'profile'] as const;
export type Section = (typeof SECTIONS)[number];

type Document = {
  readonly title: string;
  readonly body: Html;
  /** The section that the navigation marks as current. */
  readonly section?: Section;
  /** A narrow page contains one form or one message, and no navigation to distract from it. */
  readonly narrow?: boolean;
  readonly script?: string;
  /** The page is a guide or a receipt. */
  readonly isText?: boolean;
  /** The URL that the browser continues to automatically. */
  readonly goesTo?: string;
};

const navigation = ({ m }: Page, current: Section | undefined): Html =>
  sectionLinks(
    m.navLabel,
    SECTIONS.map((section) => ({ href: `/${section}`, text: m.nav[section], current: section === current })),
  );

/** The tabs of the pages that share a section. */
export const deviceTabs = ({ m }: Page, current: 'devices' | 'keys' | 'teams'): Html =>
  html`<nav class="tabs" aria-label="${m.nav.devices}">${(['devices', 'keys', 'teams'] as const).map((one) =>
    one === current
      ? html`<a href="/${one}" aria-current="true">${m[one].title}</a>`
      : html`<a href="/${one}">${m[one].title}</a>`,
  )}</nav>`;

const current = (is: boolean): Html | '' => (is ? html` aria-current="page"` : '');

/** The account's menu. As a popover it closes with Escape or with a click outside it, without a script. */
export const signedIn = (page: Page, email: string, section?: Section): Html => html`<div class="who">
<button type="button" popovertarget="account" aria-label="${page.m.signedInAs} ${email}"><span class="email">${email}</span><span class="initial">${[...email][0]}</span></button>
<div class="menu" id="account" popover><p class="kind">${page.m.signedInAs}<br>${email}</p>
${page.site.menu.map((one) => html`<a href="/${one}"${current(one === section)}>${page.m.nav[one]}</a>`)}
<form method="post" action="/sign-out">${csrfField(page)}<button class="plain">${page.m.signOut}</button></form>
</div></div>`;

/** The hidden field with the CSRF token, for every form. */
export const csrfField = ({ csrf }: Pick<Page, 'csrf'>): Html =>
  html`<input type="hidden" name="csrf" value="${csrf}">`;

/** The shop's logo, else the first letter of its name, and its name, unless the logo contains it. */
export const brandOf = ({ storefront }: Shop, brand: string): Html => {
  const { logo_has_name, name } = storefront ?? {};
  const logo_url = logoAddress(storefront, 'light');
  const logo_dark_url = logoAddress(storefront, 'dark');
  const written = html`<span>${brand}</span>`;
  if (logo_url === undefined)
    return name === undefined ? written : html`<span class="mark" aria-hidden="true">${[...name][0]}</span>${written}`;
  const dark =
    logo_dark_url === undefined ? '' : html`<source srcset="${logo_dark_url}" media="(prefers-color-scheme: dark)">`;
  return html`<picture>${dark}<img src="${logo_url}" alt="${logo_has_name ? brand : ''}"${dark === '' ? html` class="plate"` : ''}></picture>${logo_has_name ? '' : written}`;
};

/** The links to the shop's own pages. A shop without an imprint gets a page made from its disclosure. */
const shopLinks = ({ m, locale, shop }: Page): Html | '' => {
  const { storefront, disclosure } = shop;
  const own = disclosure === null ? undefined : '/imprint';
  const links = SHOP_LINKS.flatMap((link) => {
    const href = inLocale(storefront?.links?.[link] ?? {}, locale) ?? (link === 'imprint' ? own : undefined);
    return href === undefined ? [] : [html`<li><a href="${href}">${m.shop[link]}</a></li>`];
  });
  return links.length === 0 ? '' : html`<nav aria-label="${m.shop.label}"><ul>${links}</ul></nav>`;
};

/** The name of the shop as pages show it; null for a store without one. */
export const shopName = ({ shop }: Pick<Page, 'shop'>): string | null => shop.storefront?.name ?? null;

/** The name of the shop, or a name for a site of a shop without one. */
export const brandName = (page: Pick<Page, 'shop' | 'site' | 'm' | 'locale'>): string =>
  shopName(page) ?? page.site.words?.[page.locale].brand ?? page.m.brand;

/** The path of the sign-in page, which then continues to `next`. */
export const signInAt = (next: string): string =>
  next === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(next)}`;

/** A complete document around the body of a page. */
export const layout = (page: Page, { title, body, section, narrow, script, isText, goesTo }: Document): Html => {
  const { m, language, here, email, shop, site } = page;
  const languages = site.languages(shop);
  const refresh = goesTo === undefined ? '' : html`<meta http-equiv="refresh" content="0;url=${goesTo}">`;
  const accent = accentOf(shop.storefront);
  const brand = brandName(page);
  return htmlDocument({
    language,
    title,
    brand,
    icon: iconPath(accent),
    style: stylePath(accent),
    head: html`${isText ? html`<link rel="stylesheet" href="${TEXT_STYLE_PATH}">` : ''}${refresh}${script === undefined ? '' : html`<script src="${script}" defer></script>`}`,
    skip: m.skip,
    header: html`<div class="bar">
<a class="brand" href="/">${brandOf(shop, brand)}</a>
${email === null ? '' : signedIn(page, email, section)}
</div>${email === null || narrow ? '' : navigation(page, section)}`,
    narrow,
    body,
    foot: languageFoot(
      { label: m.languageLabel, language, languages, here, parameter: 'lang' },
      site.isPublic ? shopLinks(page) : '',
    ),
  });
};
