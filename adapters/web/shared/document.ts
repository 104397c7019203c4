import { html, raw } from 'hono/html';
import { LANGUAGE_NAMES, type Language } from '../../../domain/shared/language.ts';
import type { Html } from './pieces.ts';

type LanguageLinks = {
  readonly label: string;
  readonly language: Language;
  readonly languages: readonly Language[];
  /** The path and query that show the page again. */
  readonly here: string;
  readonly parameter: 'lang' | 'hl';
};

const inLanguage = ({ here, parameter }: LanguageLinks, language: Language): string => {
  const [path = '/', query = ''] = here.split('?', 2);
  const params = new URLSearchParams(query);
  params.set(parameter, language);
  return `${path}?${params}`;
};

/** The footer of a page: further links, if any, and the same page in each language. */
export const languageFoot = (
  links: LanguageLinks,
  further: Html | '' = '',
): Html => html`<footer class="foot">${further}${
  links.languages.length < 2
    ? ''
    : html`
<nav aria-label="${links.label}"><ul>${links.languages.map((one) =>
        one === links.language
          ? html`<li><span lang="${one}" aria-current="true">${LANGUAGE_NAMES[one]}</span></li>`
          : html`<li><a href="${inLanguage(links, one)}" lang="${one}" hreflang="${one}">${LANGUAGE_NAMES[one]}</a></li>`,
      )}</ul></nav>`
}
</footer>`;

type Section = { readonly href: string; readonly text: string; readonly current: boolean };

export const sectionLinks = (label: string, sections: readonly Section[]): Html =>
  html`<nav class="sections" aria-label="${label}"><ul>${sections.map(
    ({ href, text, current }) =>
      html`<li><a href="${href}"${current ? raw(' aria-current="page"') : ''}>${text}</a></li>`,
  )}</ul></nav>`;

type Parts = {
  readonly language: Language;
  /** The title of the page, and the name of the site. */
  readonly title: string;
  readonly brand: string;
  readonly icon: string;
  readonly style: string;
  readonly head?: Html | '';
  /** The text of the link that skips the header. */
  readonly skip: string;
  readonly header: Html;
  /** A narrow page contains one form or one message. */
  readonly narrow?: boolean | undefined;
  readonly body: Html;
  readonly foot: Html;
};

/** A complete document. Search engines do not index it. */
export const htmlDocument = (parts: Parts): Html => html`<!doctype html>
<html lang="${parts.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${parts.title} · ${parts.brand}</title>
<link rel="icon" type="image/svg+xml" href="${parts.icon}">
<link rel="stylesheet" href="${parts.style}">
${parts.head ?? ''}
</head>
<body>
<a class="skip" href="#content">${parts.skip}</a>
<header class="top">${parts.header}</header>
<main id="content" tabindex="-1"${parts.narrow ? raw(' class="narrow"') : ''}>
${parts.body}
</main>
${parts.foot}
</body>
</html>
`;
