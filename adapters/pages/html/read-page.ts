import { hash } from 'node:crypto';
import { SHEET_START } from '../../../domain/shared/stored-file.ts';
import type { CapturedPage, HarmlessStyle, ReadPage } from '../../../ports/outbound/page-reader.ts';
import { cleanCss } from '../css/clean-css.ts';
import { Unreadable } from '../unreadable.ts';
import { cleanPage, type PageCleaning, sheetOf } from './clean-page.ts';
import { PageFacts } from './page-facts.ts';
import { attribute, HTML, isElement, type PageDocument, type PageElement, parsePage } from './parse-page.ts';

/** How often a page is read again until it stays the same. Reading moves what a browser would move. */
const PASSES = 8;
const MOST_SHEETS = 200;

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** The elements of a page in their order. */
function* elementsOf(document: PageDocument): Generator<PageElement> {
  const waiting = [...document.childNodes].reverse();
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (!isElement(node)) continue;
    yield node;
    for (let i = node.childNodes.length - 1; i >= 0; i--) waiting.push(node.childNodes[i] as PageElement);
  }
}

const isWeb = (url: URL | null): url is URL => url?.protocol === 'http:' || url?.protocol === 'https:';

/** The address as browsers compare it: resolved, without its fragment; undefined where it is no address of the web. */
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

/** The addresses of the style sheets that a page loads, resolved, each once, in their order. */
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

/** Cleans the text of a page until cleaning it again changes nothing. */
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

/** The style sheets of a page by address, each cleaned when the page first links it. */
class Sheets {
  readonly styles = new Map<string, HarmlessStyle>();
  readonly missing = new Set<string>();
  readonly #given: ReadonlyMap<string, Uint8Array>;
  readonly #paths = new Map<string, string>();
  readonly #facts: PageFacts;

  constructor({ styles, url }: CapturedPage, facts: PageFacts) {
    this.#given = new Map(styles.map((style) => [addressOf(style.url, url) ?? style.url, style.css]));
    this.#facts = facts;
  }

  path(address: string): string | undefined {
    const known = this.#paths.get(address);
    if (known !== undefined) return known;
    const given = this.#given.get(address);
    if (given === undefined) {
      this.missing.add(address);
      if (this.missing.size > MOST_SHEETS)
        throw new Unreadable(`The page loads more than ${MOST_SHEETS} style sheets.`);
      return undefined;
    }
    const css = encoder.encode(SHEET_START + cleanCss(decoder.decode(given), 'sheet', this.#facts.style.take));
    const sha256 = hash('sha256', css);
    this.styles.set(sha256, { sha256, css });
    this.#paths.set(address, mediaPath(sha256));
    return mediaPath(sha256);
  }
}

/** Reads a page in this thread. Throws Unreadable where it refuses the page. */
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

/** Cleans HTML that was cleaned before, whose style sheets are at these paths. */
export const cleanAgain = (html: string, paths: ReadonlySet<string>): string =>
  cleanPage(parsePage(html), { sheet: (href) => (paths.has(href) ? href : undefined) });
