import { LRUCache } from 'lru-cache';
import sanitizeHtml from 'sanitize-html';

const ALLOWED_TAGS = [
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'blockquote', 'pre', 'figure', 'figcaption', 'hr', 'br', 'div', 'span'],
  ...['ul', 'ol', 'li', 'dl', 'dt', 'dd'],
  ...['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
  ...['a', 'img', 'strong', 'em', 'b', 'i', 'u', 's', 'code', 'kbd', 'sub', 'sup'],
];

/** Elements dropped with their content, because browsers do not show them or do not parse them as HTML. */
const DROPPED_WHOLE = [
  ...['script', 'style', 'template', 'noscript', 'iframe', 'object', 'embed', 'applet', 'frameset', 'noframes'],
  ...['noembed', 'svg', 'math', 'xmp', 'plaintext', 'listing', 'title', 'textarea', 'select', 'option', 'button'],
];

/** The base for parsing relative URLs. It never appears in the result. */
const BASE = 'https://relative.invalid/';

const LINK_SCHEMES: ReadonlySet<string | undefined> = new Set(['http:', 'https:', 'mailto:']);
const IMAGE_SCHEMES: ReadonlySet<string | undefined> = new Set(['http:', 'https:']);

const without = (attributes: sanitizeHtml.Attributes, name: string): sanitizeHtml.Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([other]) => other !== name));

/**
 * A link opens in a new page, which has no access to this one. A link that is not http, https or mailto becomes text.
 */
const link: sanitizeHtml.Transformer = (tagName, attributes) =>
  LINK_SCHEMES.has(URL.parse(attributes.href ?? '')?.protocol)
    ? { tagName, attribs: { ...attributes, rel: 'noopener nofollow', target: '_blank' } }
    : { tagName: 'span', attribs: without(attributes, 'href') };

const image: sanitizeHtml.Transformer = (tagName, attributes) => ({
  tagName,
  attribs: IMAGE_SCHEMES.has(URL.parse(attributes.src ?? '', BASE)?.protocol) ? attributes : without(attributes, 'src'),
});

const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: ALLOWED_TAGS,
  allowedAttributes: {
    a: ['href', 'rel', 'target'],
    img: ['src', 'alt', 'width', 'height', { name: 'loading', values: ['lazy', 'eager'] }],
    th: ['colspan', 'rowspan', 'scope'],
    td: ['colspan', 'rowspan'],
  },
  allowedClasses: { span: [/^[a-z0-9-]+$/], div: [/^[a-z0-9-]+$/] },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowedSchemesByTag: { img: ['http', 'https'] },
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  nonTextTags: DROPPED_WHOLE,
  nestingLimit: 50,
  parseStyleAttributes: false,
  transformTags: { a: link, img: image },
  exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !attribs.src,
};

/**
 * The maximum number of passes. Removing one element can change where the parser ends another, so passes repeat until
 * nothing changes.
 */
const PASSES = 5;

const settle = (html: string): string => {
  let clean = html;
  for (let pass = 0; pass < PASSES; pass++) {
    const next = sanitizeHtml(clean, OPTIONS);
    if (next === clean) break;
    clean = next;
  }
  return clean;
};

/**
 * Caches the latest results, because every answer that lists products needs the same few texts. At most 8 million
 * characters.
 */
const cache = new LRUCache<string, string>({
  maxSize: 8_000_000,
  sizeCalculation: (result, html) => html.length + result.length + 1,
  memoMethod: settle,
});

/**
 * Sanitizes HTML: keeps the headings, text, lists, tables, links and images listed above. Sanitizing a result again
 * changes nothing.
 */
export const sanitize = (html: string): string => cache.memo(html);
