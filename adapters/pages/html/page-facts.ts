import type { CapturedPage } from '../../../ports/outbound/page-reader.ts';
import { CssFacts } from '../css/css-facts.ts';
import type { PageListener } from './clean-page.ts';
import { elementKeys } from './element-keys.ts';
import { attribute, HTML, type PageElement, textIn } from './parse-page.ts';

const MOST_TEXT = 4000;
const MOST_TITLE = 300;
const MOST_DESCRIPTION = 500;

/** Elements that do not separate the words before and after them. */
const INLINE = new Set([
  ...['a', 'abbr', 'b', 'bdi', 'bdo', 'cite', 'code', 'data', 'dfn', 'em', 'font', 'i', 'kbd', 'mark', 'q', 's'],
  ...['samp', 'small', 'span', 'strong', 'sub', 'sup', 'time', 'u', 'var', 'wbr', 'big', 'tt', 'ins', 'del', 'strike'],
]);

const UNSEEN = new Set(['title', 'datalist']);

/** The text on one line, cut at whole characters. */
export const folded = (text: string, most: number): string => {
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

/** Collects what a page says of itself, what is seen of it, and its style. */
export class PageFacts implements PageListener {
  readonly style: CssFacts;
  readonly #elements = new Map<string, number>();
  #title: string | null = null;
  #description: string | null = null;
  #lang: string | null = null;
  #text = '';

  constructor(mode: CapturedPage['mode'] = null) {
    this.style = new CssFacts(mode ?? 'light');
  }

  element(element: PageElement): boolean {
    const { tagName, namespaceURI } = element;
    if (namespaceURI === HTML) this.#head(element);
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

  #head(element: PageElement): void {
    const { tagName } = element;
    if (tagName === 'html') {
      const lang = attribute(element, 'lang')?.trim().toLowerCase() ?? '';
      if (/^[a-z0-9]{1,8}(?:-[a-z0-9]{1,8}){0,4}$/.test(lang)) this.#lang = lang;
    }
    if (tagName === 'title') this.#title ??= folded(textIn(element), MOST_TITLE) || null;
    if (tagName === 'meta' && attribute(element, 'name')?.toLowerCase() === 'description') {
      this.#description ??= folded(attribute(element, 'content') ?? '', MOST_DESCRIPTION) || null;
    }
  }

  read() {
    return {
      title: this.#title,
      description: this.#description,
      text: folded(this.#text, MOST_TEXT),
      lang: this.#lang,
      elements: Object.fromEntries([...this.#elements].sort(([a], [b]) => (a < b ? -1 : 1))),
      colors: this.style.colors(),
      fonts: this.style.fonts(),
    };
  }
}
