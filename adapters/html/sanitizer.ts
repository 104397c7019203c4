import sanitizeHtml from 'sanitize-html';
import { remembering } from './remembering.ts';

const ALLOWED_TAGS = [
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'blockquote', 'pre', 'figure', 'figcaption', 'hr', 'br', 'div', 'span'],
  ...['ul', 'ol', 'li', 'dl', 'dt', 'dd'],
  ...['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
  ...['a', 'img', 'strong', 'em', 'b', 'i', 'u', 's', 'code', 'kbd', 'sub', 'sup'],
];

/** Elements dropped with all they hold. Browsers parse what is in them otherwise than HTML, or never show it. */
const DROPPED_WHOLE = [
  ...['script', 'style', 'template', 'noscript', 'iframe', 'object', 'embed', 'applet', 'frameset', 'noframes'],
  ...['noembed', 'svg', 'math', 'xmp', 'plaintext', 'listing', 'title', 'textarea', 'select', 'option', 'button'],
];

/** The base that relative addresses are tried against; it never appears in what comes out. */
const BASE = 'https://relative.invalid/';

const LINK_SCHEMES: ReadonlySet<string | undefined> = new Set(['http:', 'https:', 'mailto:']);
const IMAGE_SCHEMES: ReadonlySet<string | undefined> = new Set(['http:', 'https:']);

const without = (attributes: sanitizeHtml.Attributes, name: string): sanitizeHtml.Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([other]) => other !== name));

/** A link leaves the page in a new one that can't reach back; one to anywhere else than the web or a mailbox is text. */
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

/** Taking one element away can change where the parser ends another, so it is done over until nothing changes. */
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
 * Keeps headings, text, lists, tables, links and images; see the lists above. What comes out is the same when it goes in
 * again. Every answer that lists products needs this of the same few texts, so the latest are remembered.
 */
export const sanitize = remembering(settle);
