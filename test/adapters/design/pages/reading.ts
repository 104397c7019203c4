import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { readPage } from '../../../../adapters/design/pages/html/read-page.ts';
import type { CapturedPage, ReadPage } from '../../../../ports/outbound/design/collect.ts';

type Element = DefaultTreeAdapterTypes.Element;

export const URL_OF_PAGE = 'https://shop.example/orders/list';

const encoder = new TextEncoder();
export const textOf = (bytes: Uint8Array): string => new TextDecoder('utf-8', { fatal: true }).decode(bytes);

/** Reads a page in this thread, with its style sheets by URL. */
export const read = (
  html: string | Uint8Array,
  sheets: Readonly<Record<string, string>> = {},
  mode: CapturedPage['mode'] = null,
): ReadPage =>
  readPage({
    html: typeof html === 'string' ? encoder.encode(html) : html,
    url: URL_OF_PAGE,
    styles: Object.entries(sheets).map(([url, css]) => ({ url, css: encoder.encode(css) })),
    mode,
  });

export const cleaned = (html: string): string => textOf(read(html).html);

const elementsIn = (html: string, scriptingEnabled: boolean): Element[] => {
  const found: Element[] = [];
  const waiting: DefaultTreeAdapterTypes.ChildNode[] = [...parse(html, { scriptingEnabled }).childNodes];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (!('tagName' in node)) continue;
    found.push(node);
    waiting.push(...node.childNodes);
  }
  return found;
};

const FORBIDDEN = new Set([
  ...['script', 'iframe', 'frame', 'frameset', 'object', 'embed', 'base', 'template', 'noscript', 'portal', 'math'],
  ...['foreignObject', 'animate', 'set', 'source', 'track', 'area', 'noembed', 'noframes', 'plaintext', 'xmp'],
]);

const ADDRESSES = new Set([
  ...['href', 'src', 'srcset', 'action', 'formaction', 'poster', 'data', 'background', 'ping', 'cite', 'longdesc'],
  ...['usemap', 'manifest', 'srcdoc', 'profile', 'codebase', 'classid', 'archive', 'imagesrcset', 'dynsrc', 'lowsrc'],
]);

const IMAGE = /^data:image\/(?:png|jpeg|gif|webp);base64,/;

const isAllowed = ({ tagName }: Element, name: string, value: string): boolean => {
  if (name === 'href' && tagName === 'link') return /^\/media\/[0-9a-f]{64}\.css$/.test(value);
  if (name === 'href' && tagName === 'image') return IMAGE.test(value);
  if (name === 'href') return (tagName === 'a' || tagName === 'use') && value.startsWith('#');
  return (name === 'src' && tagName === 'img' && IMAGE.test(value)) || (name === 'poster' && IMAGE.test(value));
};

const HARMLESS_URL = /url\((?:data:(?:image\/(?:png|jpeg|gif|webp)|font\/woff2);base64,[\w+/=]*|#[\w-]+)\)/gi;
const LOADS =
  /(?<![\w\u0080-\uffff-])url\s*\(|@import|(?<![\w\u0080-\uffff-])(?:-webkit-)?image-set\s*\(|(?<![\w\u0080-\uffff-])src\(|(?<![\w\u0080-\uffff-])expression\s*\(|(?:^|[{;])(?:behavior|-moz-binding)\s*:/gi;

/** Strings and escaped characters, from left to right. A string may contain anything; an escape belongs to a name. */
const withoutStrings = (css: string): string =>
  css.replace(/"(?:[^"\\\n]|\\[\s\S])*"|\\[0-9a-f]{1,6} ?|\\[\s\S]/gi, (part) => (part.startsWith('"') ? '""' : 'x'));

/** The faults of a style: an outside URL, an import, code that old browsers run, and the end of a style element. */
const styleFaults = (css: string): string[] =>
  [...withoutStrings(css).replace(HARMLESS_URL, 'x').matchAll(LOADS), ...css.matchAll(/<\/style|<!--/gi)].map(
    ([fault]) => `style: ${fault}`,
  );

const faultsOf = (element: Element): string[] => {
  const { tagName, attrs, childNodes } = element;
  const faults = FORBIDDEN.has(tagName) ? [`element: ${tagName}`] : [];
  for (const { name, value } of attrs) {
    if (name.startsWith('on')) faults.push(`handler: ${name}`);
    if (name === 'http-equiv' || name === 'autofocus' || name === 'target') faults.push(`attribute: ${name}`);
    if (ADDRESSES.has(name) && !isAllowed(element, name, value)) faults.push(`address: ${name}=${value}`);
    if (name === 'style') faults.push(...styleFaults(value));
  }
  const css = tagName === 'style' ? childNodes.map((child) => ('value' in child ? child.value : '')).join('') : '';
  return [...faults, ...styleFaults(css)];
};

/** Everything in a page that a browser, with or without scripts, would run or request. */
export const faultsIn = (html: string): string[] =>
  [true, false].flatMap((scripting) => elementsIn(html, scripting).flatMap(faultsOf));
