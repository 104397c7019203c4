import { tokenize } from 'css-tree/tokenizer';
import { defaultTreeAdapter, serialize } from 'parse5';
import { type CssToken, cleanCss, harmlessText, plainCss } from '../css/clean-css.ts';
import type { CssFacts } from '../css/css-facts.ts';
import { Unreadable } from '../unreadable.ts';
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

const { appendChild, createDocument, createElement, insertText } = defaultTreeAdapter;

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** The HTML elements that stay. Every other element is replaced by its content, or dropped with it (DROPPED). */
export const KEPT = words(`
  html head body title meta link style
  address article aside footer header h1 h2 h3 h4 h5 h6 hgroup main nav section search
  blockquote dd div dl dt figcaption figure hr li menu ol p pre ul center
  a abbr b bdi bdo br cite code data dfn em i kbd mark q rp rt ruby s samp small span strong sub sup time u var wbr
  big font nobr strike tt del ins picture img video audio canvas
  caption col colgroup table tbody td tfoot th thead tr
  button datalist fieldset form input label legend meter optgroup option output progress select textarea
  details dialog summary slot
`);

export const DROPPED = words(`
  script noscript template iframe frame frameset noframes noembed object embed applet portal fencedframe math base
  param source track area map bgsound
`);

/** True for a custom element. Without its script it is an inert box that style sheets can position. */
export const isCustom = (name: string): boolean => /^[a-z][a-z0-9]*(?:-[a-z0-9]+)+$/.test(name) && name.length <= 60;

const EVERYWHERE = words(`
  class id title lang dir role hidden inert popover tabindex part slot
`);

/** Attributes by element. None of them contains a URL; attributes with URLs are checked individually below. */
const BY_ELEMENT: Readonly<Record<string, ReadonlySet<string>>> = {
  td: words('colspan rowspan headers align valign width height bgcolor nowrap'),
  th: words('colspan rowspan headers scope abbr align valign width height bgcolor nowrap'),
  tr: words('align valign bgcolor height'),
  table: words('align border cellpadding cellspacing width height bgcolor rules frame summary'),
  thead: words('align valign'),
  tbody: words('align valign'),
  tfoot: words('align valign'),
  caption: words('align'),
  col: words('span width align valign'),
  colgroup: words('span width align valign'),
  img: words('alt width height align border hspace vspace'),
  video: words('width height controls'),
  audio: words('controls'),
  canvas: words('width height'),
  input: words(
    'type value placeholder checked disabled readonly required multiple min max minlength maxlength step size list name pattern width height alt',
  ),
  button: words('type disabled name value'),
  select: words('disabled multiple required size name'),
  option: words('disabled selected value label'),
  optgroup: words('disabled label'),
  textarea: words('rows cols placeholder disabled readonly required maxlength wrap name'),
  fieldset: words('disabled name'),
  label: words('for'),
  output: words('for'),
  meter: words('value min max low high optimum'),
  progress: words('value max'),
  ol: words('start reversed type'),
  ul: words('type'),
  li: words('value type'),
  details: words('open name'),
  dialog: words('open'),
  time: words('datetime'),
  data: words('value'),
  bdo: words('dir'),
  font: words('color face size'),
  hr: words('align color noshade size width'),
  div: words('align'),
  p: words('align'),
  h1: words('align'),
  h2: words('align'),
  h3: words('align'),
  pre: words('width'),
  body: words('bgcolor text link alink vlink'),
  meta: words('name content'),
  link: words('media'),
  style: words('media'),
};

const NONE: ReadonlySet<string> = new Set();

export const isKeptAttribute = (element: string, name: string): boolean =>
  EVERYWHERE.has(name) ||
  (Object.hasOwn(BY_ELEMENT, element) ? (BY_ELEMENT[element] ?? NONE) : NONE).has(name) ||
  /^(?:aria|data)-[a-z0-9-]{1,60}$/.test(name);

export const META = words('viewport description color-scheme theme-color');

/** The SVG elements that stay: shapes and their paint. Every other element is dropped with its content. */
const SVG_KEPT = words(`
  svg g defs symbol use path circle ellipse line polyline polygon rect text tspan style image
  linearGradient radialGradient stop clipPath mask pattern marker
  filter feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap
  feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology
  feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence
`);

/** SVG elements that are replaced by their content. */
const SVG_UNWRAPPED = words('a switch');

const SVG_ATTRIBUTES = words(`
  class id lang dir role tabindex viewBox preserveAspectRatio width height x y x1 x2 y1 y2 cx cy r rx ry fx fy fr d
  points pathLength transform transform-origin dx dy rotate textLength lengthAdjust
  fill fill-opacity fill-rule stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin
  stroke-miterlimit stroke-opacity stroke-width vector-effect opacity color display visibility overflow
  clip-path clip-rule clipPathUnits mask maskUnits maskContentUnits mask-type filter filterUnits primitiveUnits
  marker-start marker-mid marker-end markerHeight markerWidth markerUnits orient refX refY
  patternUnits patternContentUnits patternTransform gradientUnits gradientTransform spreadMethod offset
  stop-color stop-opacity flood-color flood-opacity lighting-color color-interpolation color-interpolation-filters
  font-family font-size font-style font-weight text-anchor dominant-baseline alignment-baseline baseline-shift
  letter-spacing word-spacing text-decoration writing-mode paint-order shape-rendering text-rendering image-rendering
  in in2 result mode type values operator k1 k2 k3 k4 order kernelMatrix divisor bias targetX targetY edgeMode
  preserveAlpha scale xChannelSelector yChannelSelector stdDeviation radius baseFrequency numOctaves seed stitchTiles
  surfaceScale diffuseConstant specularConstant specularExponent azimuth elevation z pointsAtX pointsAtY pointsAtZ
  limitingConeAngle tableValues slope intercept amplitude exponent media
`);

/** SVG attributes whose values are CSS, which may contain URLs. */
const SVG_STYLED = words(`
  fill stroke clip-path mask filter marker-start marker-mid marker-end color stop-color flood-color lighting-color
  font-family transform-origin
`);

const isKeptSvgAttribute = (name: string): boolean =>
  SVG_ATTRIBUTES.has(name) || /^(?:aria|data)-[a-z0-9-]{1,60}$/.test(name);

type Attribute = PageElement['attrs'][number];

const IMAGE = /^data:image\/(?:png|jpeg|gif|webp);base64,[a-z0-9+/]+={0,2}$/i;
const FRAGMENT = /^#[\p{L}\p{N}_:.-]*$/u;

/** True for the URLs that a saved page may contain: fragments of the page, and embedded images. */
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

/** The attributes of an element that stay: none runs code or loads anything external, and each name occurs once. */
const keptAttributes = ({ tagName, namespaceURI, attrs }: PageElement, facts: CssFacts | undefined): Attribute[] => {
  const attributes = new Map<string, string>();
  const isSvg = namespaceURI === SVG;
  for (const { name, prefix, value } of attrs) {
    const isLink = prefix === 'xlink' && name === 'href' && isSvg;
    if ((prefix && !isLink) || attributes.has(name)) continue;
    let clean: string | undefined;
    if (name === 'style') clean = cleanCss(value, 'attribute', facts?.take) || undefined;
    else clean = isSvg ? keptInSvg(tagName, name, value) : keptInHtml(tagName, name, value);
    if (clean !== undefined) attributes.set(name, clean);
  }
  if (tagName === 'input' && attributes.get('type')?.toLowerCase() === 'password') attributes.delete('value');
  return Array.from(attributes, ([name, value]) => ({ name, value }));
};

/** The maximum length of a saved page in characters, twice the maximum upload. */
const MOST_CHARACTERS = 20_971_520;

/** Observes the page while it is cleaned. */
export type PageListener = {
  /**
   * Called for an element that stays or is replaced by its content. Returns false if the element and its content are
   * invisible.
   */
  element(element: PageElement): boolean;
  text(text: string): void;
  /** Receives all style sheets, visible or not. */
  readonly style: CssFacts;
};

export type PageCleaning = {
  /** Maps the URL of a style sheet in the page to that of its harmless copy; undefined drops it. */
  readonly sheet: (href: string) => string | undefined;
  readonly listener?: PageListener | undefined;
};

type Parent = PageDocument | PageElement;

type Step = { readonly node: PageNode; readonly into: Parent; readonly depth: number; readonly isSeen: boolean };

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

/** The URL of the style sheet that an element loads, if any. */
export const sheetOf = (element: PageElement): string | undefined =>
  element.tagName === 'link' && element.namespaceURI === HTML && isStyleSheet(element)
    ? attribute(element, 'href')
    : undefined;

/** Builds the tree of the harmless page from the tree of the captured page. */
class Walk {
  readonly #cleaning: PageCleaning;
  readonly #steps: Step[] = [];
  #nodes = 0;

  constructor(cleaning: PageCleaning) {
    this.#cleaning = cleaning;
  }

  run(document: PageDocument): PageDocument {
    const clean = createDocument();
    this.#push(document.childNodes, clean, 1, true);
    for (let step = this.#steps.pop(); step; step = this.#steps.pop()) this.#visit(step);
    return clean;
  }

  #push(nodes: readonly PageNode[], into: Parent, depth: number, isSeen: boolean): void {
    for (let i = nodes.length - 1; i >= 0; i--) this.#steps.push({ node: nodes[i] as PageNode, into, depth, isSeen });
  }

  #visit(step: Step): void {
    const { node, into, depth, isSeen } = step;
    this.#nodes++;
    // The parser has limited the elements; there is at most one text more than elements.
    if (this.#nodes > 2 * MOST_NODES) throw tooLarge();
    if (depth > MOST_DEPTH) throw tooDeep();
    if (isText(node)) {
      insertText(into, losesNewline(into, node.value) ? `\n${node.value}` : node.value);
      if (isSeen) this.#cleaning.listener?.text(node.value);
    } else if (isElement(node)) this.#element(node, step);
  }

  #element(element: PageElement, step: Step): void {
    const fate = fateOf(element);
    if (fate === 'drop') return;
    if (element.tagName === 'link') this.#link(element, step.into);
    else if (element.tagName === 'style') this.#style(element, step.into);
    else this.#copied(element, fate, step);
  }

  #copied(element: PageElement, fate: Fate, { into, depth, isSeen }: Step): void {
    const seen = isSeen && (this.#cleaning.listener?.element(element) ?? true);
    const style = this.#cleaning.listener?.style;
    const place = fate === 'keep' ? added(into, element, keptAttributes(element, style)) : into;
    if (element.tagName === 'head') {
      appendChild(place, createElement('meta', HTML, [{ name: 'charset', value: 'utf-8' }]));
    }
    this.#push(element.childNodes, place, depth + 1, seen);
  }

  #link(element: PageElement, into: Parent): void {
    const href = sheetOf(element);
    const sheet = href === undefined ? undefined : this.#cleaning.sheet(href);
    if (sheet === undefined) return;
    const media = attribute(element, 'media');
    added(into, element, [
      { name: 'rel', value: 'stylesheet' },
      { name: 'href', value: sheet },
      ...(media === undefined ? [] : [{ name: 'media', value: media }]),
    ]);
  }

  #style(element: PageElement, into: Parent): void {
    const type = attribute(element, 'type')?.trim().toLowerCase() ?? '';
    if (type !== '' && type !== 'text/css') return;
    const css = cleanCss(textIn(element), 'sheet', this.#cleaning.listener?.style.take);
    if (css !== '') insertText(added(into, element, keptAttributes(element, undefined)), css);
  }
}

/** Adds an element of the same name, with these attributes and no content. */
const added = (into: Parent, { tagName, namespaceURI }: PageElement, attributes: Attribute[]): PageElement => {
  const element = createElement(tagName, namespaceURI, attributes);
  appendChild(into, element);
  return element;
};

/**
 * True if the parser would drop the text's first line break. A line break that belongs to the text then needs another
 * one before it.
 */
const losesNewline = (into: Parent, text: string): boolean =>
  text.startsWith('\n') && into.childNodes.length === 0 && ['pre', 'textarea'].includes(into.nodeName);

/**
 * Serializes a page with only the elements and attributes listed above, without recursion. Throws Unreadable if the
 * page is too deep or too large.
 */
export const cleanPage = (document: PageDocument, cleaning: PageCleaning): string => {
  const html = `<!doctype html>${serialize(new Walk(cleaning).run(document))}`;
  if (html.length > MOST_CHARACTERS) throw new Unreadable('The saved page would be too large.');
  return html;
};
