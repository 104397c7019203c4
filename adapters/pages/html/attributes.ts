import { tokenize } from 'css-tree/tokenizer';
import { cleanCss } from '../css/clean-css.ts';
import type { CssFacts } from '../css/css-facts.ts';
import { plainCss } from '../css/escapes.ts';
import { type CssToken, harmlessText } from '../css/harmless-values.ts';
import { isKeptAttribute } from './allowed.ts';
import { isKeptSvgAttribute, SVG_STYLED } from './allowed-svg.ts';
import { type PageElement, SVG } from './parse-page.ts';

export type Kept = readonly [name: string, value: string];

const IMAGE = /^data:image\/(?:png|jpeg|gif|webp);base64,[a-z0-9+/]+={0,2}$/i;
const FRAGMENT = /^#[\p{L}\p{N}_:.-]*$/u;

/** The addresses that a saved page may have: places in itself, and images that it holds itself. */
const isKeptAddress = (tag: string, name: string, value: string): boolean => {
  if (name === 'href') return (tag === 'a' || tag === 'use') && FRAGMENT.test(value);
  if (name === 'src') return tag === 'img' && IMAGE.test(value);
  return name === 'poster' && tag === 'video' && IMAGE.test(value);
};

const harmlessValue = (value: string): string => {
  const source = plainCss(value);
  const tokens: CssToken[] = [];
  tokenize(source, (type, start, end) => tokens.push({ type, text: source.slice(start, end) }));
  return harmlessText(tokens);
};

const keptInSvg = (tag: string, name: string, value: string): string | undefined => {
  if (name === 'href') {
    const isKept = tag === 'image' ? IMAGE.test(value) : isKeptAddress(tag, name, value);
    return isKept ? value : undefined;
  }
  if (!isKeptSvgAttribute(name)) return undefined;
  return SVG_STYLED.has(name) ? harmlessValue(value) : value;
};

const keptInHtml = (tag: string, name: string, value: string): string | undefined =>
  isKeptAddress(tag, name, value) || isKeptAttribute(tag, name) ? value : undefined;

/** The attributes of an element that stay: none runs anything, none leads outside, and each name comes once. */
export const keptAttributes = ({ tagName, namespaceURI, attrs }: PageElement, facts: CssFacts | undefined): Kept[] => {
  const kept = new Map<string, string>();
  const isSvg = namespaceURI === SVG;
  for (const { name, prefix, value } of attrs) {
    const isLink = prefix === 'xlink' && name === 'href' && isSvg;
    if ((prefix && !isLink) || kept.has(name)) continue;
    let clean: string | undefined;
    if (name === 'style') clean = cleanCss(value, 'attribute', facts?.take) || undefined;
    else clean = isSvg ? keptInSvg(tagName, name, value) : keptInHtml(tagName, name, value);
    if (clean !== undefined) kept.set(name, clean);
  }
  if (tagName === 'input' && kept.get('type')?.toLowerCase() === 'password') kept.delete('value');
  return [...kept];
};
