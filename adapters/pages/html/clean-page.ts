import { cleanCss } from '../css/clean-css.ts';
import type { CssFacts } from '../css/css-facts.ts';
import { DROPPED, isCustom, KEPT, META, VOID } from './allowed.ts';
import { SVG_KEPT, SVG_UNWRAPPED } from './allowed-svg.ts';
import { type Kept, keptAttributes } from './attributes.ts';
import {
  attribute,
  HTML,
  isElement,
  isText,
  MOST_DEPTH,
  MOST_NODES,
  type PageDocument,
  type PageElement,
  type PageNode,
  SVG,
  textIn,
  tooDeep,
  tooLarge,
} from './parse-page.ts';
import { PageWriter } from './write.ts';

/** Hears of the page while it is cleaned. */
export type PageListener = {
  /** An element that stays, or is replaced by its content. False where neither it nor what is in it is seen. */
  element(element: PageElement): boolean;
  text(text: string): void;
  /** Hears of all style, seen or not. */
  readonly style: CssFacts;
};

export type PageCleaning = {
  /** The address that a page loads the harmless style sheet from, given the address in the page; undefined drops it. */
  readonly sheet: (href: string) => string | undefined;
  readonly listener?: PageListener | undefined;
};

type Step = { readonly close: string } | { readonly node: PageNode; readonly depth: number; readonly isSeen: boolean };

type Fate = 'keep' | 'unwrap' | 'drop';

const fateOf = (element: PageElement): Fate => {
  const { tagName, namespaceURI } = element;
  if (namespaceURI === SVG) return SVG_KEPT.has(tagName) ? 'keep' : SVG_UNWRAPPED.has(tagName) ? 'unwrap' : 'drop';
  if (namespaceURI !== HTML || DROPPED.has(tagName)) return 'drop';
  if (tagName === 'input' && attribute(element, 'type')?.trim().toLowerCase() === 'hidden') return 'drop';
  if (tagName === 'meta') return META.has(attribute(element, 'name')?.toLowerCase() ?? '') ? 'keep' : 'drop';
  return KEPT.has(tagName) || isCustom(tagName) ? 'keep' : 'unwrap';
};

const isStyleSheet = (element: PageElement): boolean => {
  const rel = attribute(element, 'rel')?.toLowerCase().split(/\s+/) ?? [];
  return rel.includes('stylesheet') && !rel.includes('alternate') && attribute(element, 'disabled') === undefined;
};

/** The address of each style sheet that an element loads. */
export const sheetOf = (element: PageElement): string | undefined =>
  element.tagName === 'link' && element.namespaceURI === HTML && isStyleSheet(element)
    ? attribute(element, 'href')
    : undefined;

class Walk {
  readonly #cleaning: PageCleaning;
  readonly #writer = new PageWriter();
  readonly #steps: Step[] = [];
  #nodes = 0;

  constructor(cleaning: PageCleaning) {
    this.#cleaning = cleaning;
  }

  run(document: PageDocument): string {
    this.#writer.raw('<!doctype html>');
    this.#push(document.childNodes, 1, true);
    for (let step = this.#steps.pop(); step; step = this.#steps.pop()) {
      if ('close' in step) this.#writer.raw(`</${step.close}>`);
      else this.#visit(step.node, step.depth, step.isSeen);
    }
    return this.#writer.toString();
  }

  #push(nodes: readonly PageNode[], depth: number, isSeen: boolean): void {
    for (let i = nodes.length - 1; i >= 0; i--) this.#steps.push({ node: nodes[i] as PageNode, depth, isSeen });
  }

  #visit(node: PageNode, depth: number, isSeen: boolean): void {
    this.#nodes++;
    // Each pass of the parser counted the elements; texts are at most one more than there are of those.
    if (this.#nodes > 2 * MOST_NODES) throw tooLarge();
    if (depth > MOST_DEPTH) throw tooDeep();
    if (isText(node)) {
      this.#writer.text(node.value);
      if (isSeen) this.#cleaning.listener?.text(node.value);
    } else if (isElement(node)) this.#element(node, depth, isSeen);
  }

  #element(element: PageElement, depth: number, isSeen: boolean): void {
    const fate = fateOf(element);
    if (fate === 'drop') return;
    const { tagName } = element;
    if (tagName === 'link') this.#link(element);
    else if (tagName === 'style') this.#style(element);
    else this.#written(element, fate, depth, isSeen);
  }

  #written(element: PageElement, fate: Fate, depth: number, isSeen: boolean): void {
    const { tagName, namespaceURI, childNodes } = element;
    const seen = isSeen && (this.#cleaning.listener?.element(element) ?? true);
    if (fate === 'keep') {
      this.#writer.open(tagName, keptAttributes(element, this.#cleaning.listener?.style));
      if (tagName === 'head') this.#writer.raw('<meta charset="utf-8">');
      if (namespaceURI === HTML && VOID.has(tagName)) return;
      if (startsWithNewline(element)) this.#writer.raw('\n');
      this.#steps.push({ close: tagName });
    }
    this.#push(childNodes, depth + 1, seen);
  }

  #link(element: PageElement): void {
    const href = sheetOf(element);
    const sheet = href === undefined ? undefined : this.#cleaning.sheet(href);
    if (sheet === undefined) return;
    const media = attribute(element, 'media');
    const kept: Kept[] = [
      ['rel', 'stylesheet'],
      ['href', sheet],
    ];
    this.#writer.open('link', media === undefined ? kept : [...kept, ['media', media]]);
  }

  #style(element: PageElement): void {
    const type = attribute(element, 'type')?.trim().toLowerCase() ?? '';
    if (type !== '' && type !== 'text/css') return;
    const css = cleanCss(textIn(element), 'sheet', this.#cleaning.listener?.style.take);
    if (css === '') return;
    this.#writer.open('style', keptAttributes(element, undefined));
    // In HTML the text of a style element is taken as it is; in SVG it is text like any other.
    if (element.namespaceURI === HTML) this.#writer.raw(css);
    else this.#writer.text(css);
    this.#writer.raw('</style>');
  }
}

/** A parser drops the first line break in these elements, so that one that belongs to the text needs another before it. */
const startsWithNewline = ({ tagName, namespaceURI, childNodes: [first] }: PageElement): boolean =>
  namespaceURI === HTML &&
  (tagName === 'pre' || tagName === 'textarea') &&
  first !== undefined &&
  isText(first) &&
  first.value.startsWith('\n');

/**
 * Writes a page with the elements and attributes of the lists in allowed.ts alone, without recursion. Throws Unreadable
 * where the page is too deep or too large.
 */
export const cleanPage = (document: PageDocument, cleaning: PageCleaning): string => new Walk(cleaning).run(document);
