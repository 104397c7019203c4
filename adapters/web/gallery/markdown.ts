import { html, raw } from 'hono/html';
import { LRUCache } from 'lru-cache';
import markdownIt from 'markdown-it';
import type { DocumentText } from '../../../domain/design/documents/document.ts';
import type { Html } from '../shared/pieces.ts';
import type { Turns } from './turns.ts';

/** URLs that a document may link to: http, https, mailto, and fragments of the document. */
const SAFE = /^(?:https?:\/\/|mailto:|#)/i;

type Options = {
  /** The title of the page around the text. A heading that repeats it at the start is dropped. */
  readonly title: string;
  /** The link text for an image: pages load nothing external, so an image becomes a link. */
  readonly image: (alt: string) => string;
  /** The note above a text that is shown unrendered. */
  readonly asWritten: string;
};

/** The maximum nesting of quotes and lists in a document, and the milliseconds to render it. */
const MOST = { levels: 40, ms: 300 };

/** The maximum size of the cache of rendered documents, in characters. */
const KEPT = 16 * 1024 * 1024;

class TooMuch extends Error {}

/** Headings move down one level, because the page has its own title. */
const LOWERED: Readonly<Record<string, string>> = { h1: 'h2', h2: 'h3', h3: 'h4', h4: 'h5', h5: 'h6', h6: 'h6' };

/**
 * Renders Markdown (CommonMark, with tables and strikethrough) as HTML. HTML in the text is shown as text, a link leads
 * to the web or becomes text, and nothing is loaded. A text that takes too long or nests too deep is shown unrendered.
 */
export const markdownHtml = (text: string, options: Options): Html => {
  try {
    return rendered(text, options);
  } catch (error) {
    if (!(error instanceof TooMuch)) throw error;
    return html`<p class="note">${options.asWritten}</p><pre>${text}</pre>`;
  }
};

const rendered = (text: string, { title, image }: Options): Html => {
  const md = markdownIt({ html: false, linkify: false, typographer: false });
  md.validateLink = (url) => SAFE.test(url);
  // The rules run for each line and level, and for each inline token, so this rule can check the limits.
  const until = performance.now() + MOST.ms;
  const watch = (level: number): false => {
    if (level > MOST.levels || performance.now() > until) throw new TooMuch();
    return false;
  };
  md.block.ruler.before('table', 'bounds', ({ level }) => watch(level));
  md.inline.ruler.before('text', 'bounds', () => watch(0));
  const { rules } = md.renderer;
  rules.link_open = (tokens, index, options, _env, self) => {
    tokens[index]?.attrSet('rel', 'noopener noreferrer nofollow');
    return self.renderToken(tokens, index, options);
  };
  rules.image = (tokens, index) => {
    const token = tokens[index];
    const words = md.utils.escapeHtml(image(token?.content ?? ''));
    return `<a href="${md.utils.escapeHtml(String(token?.attrGet('src') ?? ''))}" rel="noopener noreferrer nofollow">${words}</a>`;
  };
  rules.table_open = () => '<div class="table" role="region" tabindex="0"><table>\n';
  rules.table_close = () => '</table></div>\n';
  const tokens = md.parse(text, {});
  const [first, inline] = tokens;
  const repeats = first?.type === 'heading_open' && first.tag === 'h1' && inline?.content.trim() === title.trim();
  const shown = repeats ? tokens.slice(3) : tokens;
  for (const token of shown) {
    if (token.type === 'heading_open' || token.type === 'heading_close') token.tag = LOWERED[token.tag] ?? token.tag;
  }
  return raw(md.renderer.render(shown, md.options, {}));
};

/**
 * Renders the documents of a process one after another, and caches the latest, because the text of a version never
 * changes.
 */
export class RenderedDocuments {
  readonly #turns: Turns;
  readonly #kept = new LRUCache<string, string>({ maxSize: KEPT, sizeCalculation: ({ length }) => length + 1 });

  constructor(turns: Turns) {
    this.#turns = turns;
  }

  async html({ body, sha256 }: Pick<DocumentText, 'body' | 'sha256'>, options: Options): Promise<Html> {
    const key = `${sha256} ${options.asWritten} ${options.title}`;
    const kept = this.#kept.get(key);
    if (kept !== undefined) return raw(kept);
    return this.#turns.take(() => {
      const fresh = this.#kept.get(key) ?? String(markdownHtml(body, options));
      this.#kept.set(key, fresh);
      return raw(fresh);
    });
  }
}
