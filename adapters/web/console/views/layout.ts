import { html } from 'hono/html';
import { accentOf } from '../../../../domain/catalog/catalog.ts';
import { iconPath, SCRIPT_PATH, stylePath } from '../../account/assets/assets.ts';
import { brandName, brandOf, signedIn } from '../../account/views/page.ts';
import { htmlDocument, languageFoot } from '../../shared/document.ts';
import { flag, type Html, noticeBox } from '../../shared/pieces.ts';
import { CONSOLE_STYLE_PATH } from '../assets/assets.ts';
import { shellWords } from '../messages/shell.ts';
import type { ConsolePage } from '../page.ts';
import { GROUPS, type SectionId, sectionPath } from '../sections.ts';

type ConsoleDocument = {
  readonly title: string;
  /** The section that the navigation marks as current. */
  readonly section?: SectionId;
  /** The list that the page belongs to. */
  readonly up?: { readonly href: string; readonly text: string };
  /** The state of the page's subject, beside the title. */
  readonly badge?: Html | '';
  readonly lead?: Html | string;
  /** The main action of the page, such as the link to a form, beside the title. */
  readonly actions?: Html | '';
  readonly body: Html;
  /** The address of a script that the page can do without. */
  readonly script?: string;
};

const navigation = (page: ConsolePage, current: SectionId | undefined): Html => {
  const words = shellWords(page);
  const groups = GROUPS.map((group) => group.filter((id) => page.sections.has(id))).filter((ids) => ids.length > 0);
  return html`<nav class="side" id="sections" popover aria-label="${words.navigation}">${groups.map(
    (ids) =>
      html`<ul>${ids.map(
        (id) =>
          html`<li><a href="${sectionPath(id)}"${flag('aria-current="page"', id === current)}>${words.sections[id]}</a></li>`,
      )}</ul>`,
  )}</nav>`;
};

const searchForm = (page: ConsolePage): Html => {
  const words = shellWords(page);
  const [path, query] = page.here.split('?', 2);
  const asked = path === '/search' ? (new URLSearchParams(query).get('q') ?? '') : '';
  return html`<form class="find" role="search" action="/search"><label class="unseen" for="q">${words.search}</label>
<input type="search" id="q" name="q" value="${asked}" placeholder="${words.searchHint}" maxlength="200" autocomplete="off"></form>`;
};

/** A complete page of the console around its body. */
export const layout = (
  page: ConsolePage,
  { title, section, up, badge, lead, actions, body, script }: ConsoleDocument,
): Html => {
  const { m, language, here, shop, site } = page;
  const words = shellWords(page);
  const accent = accentOf(shop.storefront);
  const brand = brandName(page);
  return htmlDocument({
    language,
    title,
    brand,
    icon: iconPath(accent),
    style: stylePath(accent),
    head: html`<link rel="stylesheet" href="${CONSOLE_STYLE_PATH}"><script src="${script ?? SCRIPT_PATH}" defer></script>`,
    skip: m.skip,
    header: html`<div class="bar"><button type="button" class="toggle" popovertarget="sections">${words.menu}</button>
<a class="brand" href="/">${brandOf(shop, brand)}</a>${page.hasSearch ? searchForm(page) : ''}
${signedIn(page, page.email ?? '')}</div>${navigation(page, section)}`,
    body: html`${shop.isSample ? html`<p class="sample">${words.sample}</p>` : ''}${up === undefined ? '' : html`<p class="up"><a href="${up.href}">${up.text}</a></p>`}
<div class="head"><h1>${title}</h1>${badge ?? ''}${actions === undefined ? '' : html`<div class="actions">${actions}</div>`}</div>
${lead === undefined ? '' : html`<p class="lead">${lead}</p>`}
${noticeBox(page.notice)}
${body}`,
    foot: languageFoot({ label: m.languageLabel, language, languages: site.languages(shop), here, parameter: 'lang' }),
  });
};
