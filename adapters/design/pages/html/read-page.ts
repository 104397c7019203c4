import { hash } from 'node:crypto';
import { SHEET_START } from '../../../../domain/shared/stored-file.ts';
import type { CapturedPage, HarmlessStyle, ReadPage } from '../../../../ports/outbound/design/collect.ts';
import { cleanCss } from '../css/clean-css.ts';
import { CssFacts } from '../css/css-facts.ts';
import { Unreadable } from '../unreadable.ts';
import { cleanPage, type PageCleaning, type PageListener, sheetOf } from './clean-page.ts';
import { elementKeys } from './element-keys.ts';
import { attribute, HTML, isElement, type PageDocument, type PageElement, parsePage, textIn } from './parse-page.ts';

const MOST_TEXT = 4000;
const MOST_TITLE = 300;

/** Elements that do not separate the words before and after them. */
const INLINE = new Set([
  ...['a', 'abbr', 'b', 'bdi', 'bdo', 'cite', 'code', 'data', 'dfn', 'em', 'font', 'i', 'kbd', 'mark', 'q', 's'],
  ...['samp', 'small', 'span', 'strong', 'sub', 'sup', 'time', 'u', 'var', 'wbr', 'big', 'tt', 'ins', 'del', 'strike'],
]);

const UNSEEN = new Set(['title', 'datalist']);

/** The text on one line, cut at whole characters. */
const folded = (text: string, most: number): string => {
  const line = text
    .slice(0, most * 4)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return line.length <= most
    ? line
    : line
        .slice(0, most)
        .toWellFormed()
        .replace(/\ufffd$/, '')
        .trimEnd();
};

const isHidden = (element: PageElement): boolean =>
  attribute(element, 'hidden') !== undefined ||
  /(?:^|;)\s*display\s*:\s*none/i.test((attribute(element, 'style') ?? '').slice(0, 10_000)) ||
  (element.tagName === 'dialog' && attribute(element, 'open') === undefined);

/** Collects a page's title, visible text and CSS. */
class PageFacts implements PageListener {
  readonly style: CssFacts;
  readonly #elements = new Map<string, number>();
  #title: string | null = null;
  #text = '';

  constructor(mode: CapturedPage['mode'] = null) {
    this.style = new CssFacts(mode ?? 'light');
  }

  element(element: PageElement): boolean {
    const { tagName, namespaceURI } = element;
    if (namespaceURI === HTML && tagName === 'title') this.#title ??= folded(textIn(element), MOST_TITLE) || null;
    if (UNSEEN.has(tagName) || isHidden(element)) return false;
    for (const key of elementKeys(element)) this.#elements.set(key, (this.#elements.get(key) ?? 0) + 1);
    if (!INLINE.has(tagName)) this.text(' ');
    return true;
  }

  text(text: string): void {
    if (this.#text.length >= MOST_TEXT * 2) return;
    const added = text.slice(0, MOST_TEXT * 2);
    this.#text = (this.#text + added).replace(/[\s\p{Cc}]+/gu, ' ');
  }

  read() {
    return {
      title: this.#title,
      text: folded(this.#text, MOST_TEXT),
      elements: Object.fromEntries([...this.#elements].sort(([a], [b]) => (a < b ? -1 : 1))),
      colors: this.style.colors(),
      fonts: this.style.fonts(),
    };
  }
}

/** The maximum number of passes until the page no longer changes. Each parse can move elements, as a browser would. */
const PASSES = 8;
const MOST_SHEETS = 200;

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** The elements of a page in document order. */
function* elementsOf(document: PageDocument): Generator<PageElement> {
  const waiting = [...document.childNodes].reverse();
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (!isElement(node)) continue;
    yield node;
    for (let i = node.childNodes.length - 1; i >= 0; i--) waiting.push(node.childNodes[i] as PageElement);
  }
}

const isWeb = (url: URL | null): url is URL => url?.protocol === 'http:' || url?.protocol === 'https:';

/** The URL as browsers compare it: resolved, without its fragment; undefined if it is not a web URL. */
const addressOf = (href: string, base: string): string | undefined => {
  const url = URL.parse(href.trim(), base);
  if (!isWeb(url)) return undefined;
  url.hash = '';
  return url.href;
};

const baseOf = (document: PageDocument, page: string): string => {
  for (const element of elementsOf(document)) {
    const href = element.tagName === 'base' && element.namespaceURI === HTML && attribute(element, 'href');
    if (typeof href === 'string') return addressOf(href, page) ?? page;
  }
  return page;
};

/** The resolved URLs of the style sheets that a page loads, in order, without duplicates. */
export const sheetsOf = ({ html, url }: Pick<CapturedPage, 'html' | 'url'>): string[] => {
  const document = parsePage(decoder.decode(html));
  const base = baseOf(document, url);
  const found = new Set<string>();
  for (const element of elementsOf(document)) {
    const href = sheetOf(element);
    const address = href === undefined ? undefined : addressOf(href, base);
    if (address !== undefined) found.add(address);
    if (found.size > MOST_SHEETS) throw new Unreadable(`The page loads more than ${MOST_SHEETS} style sheets.`);
  }
  return [...found];
};

const mediaPath = (sha256: string): string => `/media/${sha256}.css`;

/** Cleans the HTML of a page until another pass changes nothing. */
const settled = (first: string, linked: ReadonlySet<string>): string => {
  const cleaning: PageCleaning = { sheet: (href) => (linked.has(href) ? href : undefined) };
  let clean = first;
  for (let pass = 1; pass < PASSES; pass++) {
    const next = cleanPage(parsePage(clean), cleaning);
    if (next === clean) return clean;
    clean = next;
  }
  throw new Unreadable('Browsers would read the page in different ways.');
};

/** The style sheets of a page by URL, each cleaned when the page first links to it. */
class Sheets {
  readonly styles = new Map<string, HarmlessStyle>();
  readonly missing = new Set<string>();
  readonly #sources: ReadonlyMap<string, Uint8Array>;
  readonly #paths = new Map<string, string>();
  readonly #facts: PageFacts;

  constructor({ styles, url }: CapturedPage, facts: PageFacts) {
    this.#sources = new Map(styles.map((style) => [addressOf(style.url, url) ?? style.url, style.css]));
    this.#facts = facts;
  }

  path(address: string): string | undefined {
    const known = this.#paths.get(address);
    if (known !== undefined) return known;
    const sheet = this.#sources.get(address);
    if (sheet === undefined) {
      this.missing.add(address);
      if (this.missing.size > MOST_SHEETS)
        throw new Unreadable(`The page loads more than ${MOST_SHEETS} style sheets.`);
      return undefined;
    }
    const css = encoder.encode(SHEET_START + cleanCss(decoder.decode(sheet), 'sheet', this.#facts.style.take));
    const sha256 = hash('sha256', css);
    this.styles.set(sha256, { sha256, css });
    this.#paths.set(address, mediaPath(sha256));
    return mediaPath(sha256);
  }
}

/** Reads a page in this thread. Throws Unreadable if it refuses the page. */
export const readPage = (page: CapturedPage): ReadPage => {
  const document = parsePage(decoder.decode(page.html));
  const base = baseOf(document, page.url);
  const facts = new PageFacts(page.mode);
  const sheets = new Sheets(page, facts);
  const sheet = (href: string) => {
    const address = addressOf(href, base);
    return address === undefined ? undefined : sheets.path(address);
  };
  const first = cleanPage(document, { sheet, listener: facts });
  const html = settled(first, new Set([...sheets.styles.keys()].map(mediaPath)));
  return {
    ...facts.read(),
    html: encoder.encode(html),
    styles: [...sheets.styles.values()],
    missing: [...sheets.missing],
  };
};
