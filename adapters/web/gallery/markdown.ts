import { raw } from 'hono/html';
import markdownIt from 'markdown-it';

/** Addresses that a document may link to: of the web, of mail, and of a place in the document itself. */
const SAFE = /^(?:https?:\/\/|mailto:|#)/i;

type Options = {
  /** The title of the page around the text, which is left out where the text begins with it. */
  readonly title: string;
  /** The words for an image, which is a link: pages load nothing from elsewhere. */
  readonly image: (alt: string) => string;
};

/** The levels by which headings go down, since the page has a title of its own. */
const LOWERED: Readonly<Record<string, string>> = { h1: 'h2', h2: 'h3', h3: 'h4', h4: 'h5', h5: 'h6', h6: 'h6' };

/**
 * Markdown (CommonMark, with tables and strikethrough) as HTML. HTML in the text is shown as text, a link leads to the
 * web or stays plain, and nothing is loaded.
 */
export const markdownHtml = (text: string, { title, image }: Options): ReturnType<typeof raw> => {
  const md = markdownIt({ html: false, linkify: false, typographer: false });
  md.validateLink = (url) => SAFE.test(url);
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
