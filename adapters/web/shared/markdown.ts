import { html, raw } from 'hono/html';
import { LRUCache } from 'lru-cache';
import markdownIt from 'markdown-it';
import type { Html } from './pieces.ts';
import type { Turns } from './turns.ts';

/** URLs that a document may link to: http, https, mailto, and fragments of the document. */
const SAFE = /^(?:https?:\/\/|mailto:|#)/i;

type Options = {
  /** The title of the page around the text. A heading that repeats it at the start is dropped. */
  readonly title: string;
  /** The link text for an image: pages load nothing external, so an image becomes a link. */
  readonly image: (alt: string) => string;
  /** The name of a table, which a screen reader says where the table is scrolled. */
  readonly table: string;
  /** The note above a text that is shown unrendered. */
  readonly asWritten: string;
};

/**
 * The maximum nesting of quotes and lists in a document, and the maximum number of steps to parse it. 256 KiB of prose
 * take 13,000 steps. A limit of steps gives a text the same page on every machine, however busy.
 */
const MOST = { levels: 40, steps: 100_000 };

/** The maximum size of the cache of rendered documents, in characters. */
const SIZE = 16 * 1024 * 1024;

class TooMuch extends Error {}

/** Headings begin at the second level, because the page has its own title, and skip none, whatever the text does. */
const outline = (headings: readonly { tag: string }[]): void => {
  const open: string[] = [];
  for (const heading of headings) {
    const { tag } = heading;
    while ((open.at(-1) ?? '') >= tag) open.pop();
    heading.tag = `h${Math.min(open.push(tag) + 1, 6)}`;
  }
};

/**
 * Renders Markdown (CommonMark, with tables and strikethrough) as HTML. HTML in the text is shown as text, a link leads
 * to the web or becomes text, and nothing is loaded. A text that takes too many steps or nests too deep is shown unrendered.
 */
export const markdownHtml = (text: string, options: Options): Html => {
  try {
    return rendered(text, options);
  } catch (error) {
    if (!(error instanceof TooMuch)) throw error;
    return html`<p class="note">${options.asWritten}</p><pre>${text}</pre>`;
  }
};

const rendered = (text: string, { title, image, table }: Options): Html => {
  const md = markdownIt({ html: false, linkify: false, typographer: false });
  md.validateLink = (url) => SAFE.test(url);
  // The rules run for each block, each line and level that a block may continue, and each inline token.
  let steps = 0;
  const watch = (level: number): false => {
    steps += 1;
    if (level > MOST.levels || steps > MOST.steps) throw new TooMuch();
    return false;
  };
  md.block.ruler.before('table', 'bounds', ({ level }) => watch(level), {
    alt: ['paragraph', 'reference', 'blockquote', 'list'],
  });
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
  // The keyboard can scroll what is wider than the page.
  rules.fence = (tokens, index) =>
    `<pre tabindex="0"><code>${md.utils.escapeHtml(tokens[index]?.content ?? '')}</code></pre>\n`;
  rules.code_block = rules.fence;
  rules.table_open = () =>
    `<div class="table" role="region" aria-label="${md.utils.escapeHtml(table)}" tabindex="0"><table>\n`;
  // The pages' policy bars the style attribute with which the library aligns a cell.
  rules.td_open = (tokens, index) =>
    String(tokens[index]?.attrGet('style')).endsWith('right') ? '<td class="right">' : '<td>';
  rules.th_open = (tokens, index) =>
    String(rules.td_open?.(tokens, index, md.options, {}, md.renderer)).replace('td', 'th');
  rules.table_close = () => '</table></div>\n';
  const tokens = md.parse(text, {});
  const [first, inline] = tokens;
  const repeats = first?.type === 'heading_open' && first.tag === 'h1' && inline?.content.trim() === title.trim();
  const shown = repeats ? tokens.slice(3) : tokens;
  const [opened, closed] = ['heading_open', 'heading_close'].map((type) => shown.filter((one) => one.type === type));
  outline(opened ?? []);
  outline(closed ?? []);
  return raw(md.renderer.render(shown, md.options, {}));
};

/**
 * Renders the documents of a process one after another, and caches the latest: the text of a SHA-256 never changes.
 */
export class RenderedDocuments {
  readonly #turns: Turns;
  readonly #html = new LRUCache<string, string>({ maxSize: SIZE, sizeCalculation: ({ length }) => length + 1 });

  constructor(turns: Turns) {
    this.#turns = turns;
  }

  async html({ body, sha256 }: { readonly body: string; readonly sha256: string }, options: Options): Promise<Html> {
    const key = `${sha256} ${options.asWritten} ${options.title}`;
    const cached = this.#html.get(key);
    if (cached !== undefined) return raw(cached);
    return this.#turns.take(() => {
      const fresh = this.#html.get(key) ?? String(markdownHtml(body, options));
      this.#html.set(key, fresh);
      return raw(fresh);
    });
  }
}
