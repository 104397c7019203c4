/** Styles for the HTML of product content, scoped to `.product-content`. They follow the reader's color scheme. */
export const PRODUCT_CONTENT_CSS = `.product-content {
  color-scheme: light dark;
  --content-text: light-dark(#1d2127, #e6e9ee);
  --content-muted: light-dark(#5b6470, #a3acb8);
  --content-line: light-dark(#dde1e6, #3a424d);
  --content-fill: light-dark(#f4f6f8, #20262e);
  --content-link: light-dark(#0b5cad, #7cb7ff);
  color: var(--content-text);
  font: 1rem/1.65 system-ui, -apple-system, "Apple SD Gothic Neo", "Noto Sans KR", sans-serif;
  overflow-wrap: anywhere;
}
.product-content > * + * { margin-block-start: 1em; }
.product-content :is(h1, h2, h3, h4) { line-height: 1.25; margin-block: 1.6em 0.5em; text-wrap: balance; }
.product-content > :first-child { margin-block-start: 0; }
.product-content h2 { font-size: 1.5rem; }
.product-content h3 { font-size: 1.2rem; }
.product-content a { color: var(--content-link); text-underline-offset: 0.15em; }
.product-content img { max-width: 100%; height: auto; border-radius: 0.5rem; }
.product-content figcaption { color: var(--content-muted); font-size: 0.875rem; }
.product-content :is(ul, ol) { padding-inline-start: 1.4em; }
.product-content li + li { margin-block-start: 0.3em; }
.product-content table { border-collapse: collapse; display: block; overflow-x: auto; }
.product-content :is(th, td) { border: 1px solid var(--content-line); padding: 0.5em 0.75em; text-align: start; vertical-align: top; }
.product-content th { background: var(--content-fill); }
.product-content :is(pre, code) { background: var(--content-fill); border-radius: 0.3rem; font-family: ui-monospace, monospace; font-size: 0.9em; }
.product-content code { padding: 0.1em 0.3em; }
.product-content pre { overflow-x: auto; padding: 1em; }
.product-content pre code { background: none; padding: 0; }
.product-content blockquote { border-inline-start: 3px solid var(--content-line); color: var(--content-muted); margin-inline: 0; padding-inline-start: 1em; }
.product-content hr { border: 0; border-block-start: 1px solid var(--content-line); }
`;
