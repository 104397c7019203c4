import { DEFAULT_ACCENT, SURFACES, TINT } from '../../../domain/catalog/accent.ts';

const { light, dark } = SURFACES;

/**
 * The base style sheet of all pages: colors, text, the page frame, and the components of `pieces.ts`. It loads nothing,
 * and follows the reader's color scheme and text size. `--wide` is the width of a page.
 */
export const BASE_STYLE = `:root {
  color-scheme: light dark;
  --page: light-dark(${light.page}, ${dark.page});
  --sheet: light-dark(${light.sheet}, ${dark.sheet});
  --text: light-dark(#17191e, #eceef2);
  --muted: light-dark(#5b626d, #a2a9b5);
  --line: light-dark(#e5e5e2, #2d3138);
  --edge: light-dark(#8b919b, #727a87);
  --accent: light-dark(${DEFAULT_ACCENT.light}, ${DEFAULT_ACCENT.dark});
  --on-accent: light-dark(${light.sheet}, ${dark.sheet});
  --tint: color-mix(in srgb, var(--accent) ${TINT * 100}%, var(--sheet));
  --good: light-dark(#1b6b42, #84d3a6);
  --danger: light-dark(#b3261e, #ff9c92);
  --on-danger: light-dark(#ffffff, #2a0c09);
  --warn: light-dark(#fdf3e0, #33291a);
  --warn-line: light-dark(#c98a1b, #d9a441);
  --low: 0 1px 2px light-dark(rgb(20 24 33 / 0.05), rgb(0 0 0 / 0.3));
  --mono: ui-monospace, Menlo, Consolas, monospace;
}
*, ::before, ::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-padding-top: 1rem; }
body {
  margin: 0; min-height: 100vh; min-height: 100dvh; display: flex; flex-direction: column;
  background: var(--page); color: var(--text); overflow-wrap: anywhere;
  font: 1rem/1.6 -apple-system, "Segoe UI", Roboto, "Noto Sans", Helvetica, Arial, "Apple SD Gothic Neo", Pretendard,
    "Noto Sans CJK KR", "Malgun Gothic", sans-serif;
}
:lang(ko) { word-break: keep-all; }
h1, h2, h3, p, ul, dl, dd, fieldset { margin: 0; padding: 0; }
ul { list-style: none; }
h1 { font-size: 1.75rem; font-weight: 680; line-height: 1.25; letter-spacing: -0.02em; text-wrap: balance; }
h2 { font-size: 1.125rem; font-weight: 650; line-height: 1.4; letter-spacing: -0.01em; }
h3 { font-size: 1rem; font-weight: 600; line-height: 1.45; }
p { text-wrap: pretty; }
small { display: block; font-size: 0.8125rem; font-weight: 400; color: var(--muted); }
a { color: var(--accent); text-underline-offset: 0.2em; text-decoration-thickness: 1px; }
a:hover { text-decoration-thickness: 2px; }
.inline { white-space: nowrap; }
code { font-family: var(--mono); font-size: 0.9em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
a:focus-visible { border-radius: 4px; }
main:focus, .notice:focus { outline: none; }
.unseen {
  position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap;
}
.skip { position: absolute; left: 1rem; top: -6rem; z-index: 3; padding: 0.75rem 1rem; background: var(--sheet); }
.skip:focus { top: 0.5rem; }

.bar, .sections ul, main, .foot { width: 100%; max-width: var(--wide, 52rem); margin-inline: auto; padding-inline: 1.25rem; }
.top { background: var(--sheet); border-bottom: 1px solid var(--line); }
.bar { display: flex; align-items: center; gap: 1rem; padding-block: 0.75rem; }
.brand { display: flex; align-items: center; gap: 0.625rem; min-width: 0; min-height: 2.75rem; color: inherit; text-decoration: none; font-weight: 650; line-height: 1.25; letter-spacing: -0.01em; }
.sections ul { display: flex; column-gap: 2.75vw; overflow-x: auto; }
.sections a {
  display: block; padding-block: 0.625rem 0.75rem; outline-offset: -3px;
  color: var(--muted); text-decoration: none; white-space: nowrap; font-size: clamp(0.75rem, 3.75vw, 0.875rem);
}
.sections a:hover { color: var(--text); }
.sections [aria-current] { color: var(--text); border-bottom: 2px solid var(--accent); padding-bottom: 0.625rem; font-weight: 600; }
main { flex: 1; padding-block: 2.5rem 4rem; display: flex; flex-direction: column; gap: 1.25rem; }
main.narrow { max-width: 30rem; }
.lead { color: var(--muted); max-width: 42rem; }
.foot { display: flex; flex-wrap: wrap; gap: 0 2rem; justify-content: space-between; padding-block: 1.25rem 2rem; font-size: 0.875rem; color: var(--muted); }
.foot ul { display: flex; flex-wrap: wrap; gap: 0 1.25rem; }
.foot a, .foot span { display: inline-block; padding-block: 0.5rem; }
.foot a { color: var(--muted); text-decoration: none; }
.foot a:hover { text-decoration: underline; }
.foot [aria-current] { color: var(--text); font-weight: 600; }

.card, .empty { background: var(--sheet); border: 1px solid var(--line); border-radius: 0.875rem; padding: 1.5rem; box-shadow: var(--low); }
.empty { text-align: center; padding-block: 3.5rem; }
.empty p { max-width: 26rem; margin: 0.25rem auto 0; }
.empty .button { margin-top: 1.25rem; }
.empty p, .none, .kind, .hint, .count { color: var(--muted); }
.kind, .hint, .count { font-size: 0.875rem; }
.head { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: 0.25rem 1rem; }
.head h2 a { color: inherit; }
.badge, .tag { border: 1px solid var(--line); font-size: 0.8125rem; font-weight: 550; padding: 0.0625rem 0.625rem; border-radius: 1rem; white-space: nowrap; }
.badge { color: var(--muted); }
.badge.good { border-color: currentColor; color: var(--good); }
.facts { display: grid; gap: 0.5rem; }
.facts > div { display: grid; grid-template-columns: 6.5rem minmax(0, 1fr); gap: 0.5rem; }
.facts dt { color: var(--muted); font-size: 0.9375rem; }
.facts dd { font-variant-numeric: tabular-nums; }
.note, .warning, .notice { padding: 0.75rem 1rem; border-radius: 0.625rem; border-inline-start: 3px solid var(--good); background: var(--sheet); }
.warning { border-color: var(--warn-line); background: var(--warn); }
.notice.fault { border-color: var(--danger); background: light-dark(#fcefee, #351c1a); }

.field, fieldset { width: 100%; }
label, legend { font-weight: 550; }
fieldset { border: 0; min-width: 0; }
legend { padding: 0; margin-bottom: 0.5rem; }
input, select, textarea, button, .button { font: inherit; color: inherit; min-height: 2.75rem; border-radius: 0.625rem; }
.field input, select, textarea {
  display: block; width: 100%; margin-top: 0.375rem; padding: 0.5rem 0.75rem;
  background: var(--sheet); border: 1px solid var(--edge);
}
textarea { resize: vertical; }
input:focus-visible, select:focus-visible, textarea:focus-visible { outline-width: 2px; outline-offset: -1px; }
input[type="file"] { padding: 0.4375rem; }
button, .button, summary { cursor: pointer; }
button, .button {
  display: inline-flex; align-items: center; justify-content: center; padding: 0.5rem 1.125rem; text-align: center;
  border: 1px solid light-dark(#d3d5d8, #434954); background: var(--sheet); color: var(--text); font-weight: 550; text-decoration: none;
  box-shadow: var(--low);
}
button:hover, .button:hover { background: var(--tint); }
button.main, .button.main { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
button.main:hover, .button.main:hover { filter: brightness(1.08); }
.wide { width: 100%; }
.actions { display: flex; flex-wrap: wrap; gap: 0.75rem; }
.value {
  flex: 1 1 16rem; min-width: 0; padding: 0.625rem 0.875rem; border-radius: 0.625rem; background: var(--tint); user-select: all; display: block;
}
[hidden] { display: none !important; }

@media print, (min-width: 44rem) {
  .facts > div { grid-template-columns: 8rem minmax(0, 1fr); }
  .facts time { white-space: nowrap; }
  h1 { font-size: 2rem; }
  .sections ul { column-gap: 1.5rem; }
  .sections a { font-size: 0.9375rem; }
}
@media (forced-colors: active) { .badge, .note, .warning, .notice, :is(.tabs, .menu) [aria-current] { border: 1px solid; } }
`;

/** The part of the style sheet for rendered Markdown. What is wider than the page scrolls within its own box. */
export const PROSE_STYLE = `
.prose { max-width: 44rem; line-height: 1.7; }
.prose > * + * { margin-top: 1em; }
.prose h2 { margin-top: 2em; font-size: 1.375rem; }
.prose h3 { margin-top: 1.75em; font-size: 1.125rem; }
.prose :is(h4, h5, h6) { margin: 1.5em 0 0; font-size: 1rem; }
.prose > :first-child { margin-top: 0; }
.prose :is(ul, ol) { list-style: revert; padding-inline-start: 1.5rem; margin-bottom: 0; }
.prose li + li { margin-top: 0.25em; }
.prose pre, .prose :not(pre) > code { background: color-mix(in srgb, var(--text) 7%, var(--sheet)); }
.prose pre { padding: 1rem; border-radius: 0.5rem; font-size: 0.875rem; margin-bottom: 0; overflow-x: auto; }
.prose .note + pre { white-space: pre-wrap; }
.prose :not(pre) > code { padding: 0.125em 0.375em; border-radius: 0.25rem; }
.prose blockquote { margin-inline: 0; padding-inline-start: 1rem; border-inline-start: 3px solid var(--line); color: var(--muted); }
.prose :is(ul, ol, blockquote) :is(ul, ol, blockquote) :is(ul, ol, blockquote) :is(ul, ol, blockquote) { padding-inline-start: 0; border: 0; list-style-position: inside; }
.prose .table { overflow-x: auto; overflow-wrap: break-word; }
.prose table { border-collapse: collapse; font-size: 0.9375rem; }
.prose .table :is(th, td) { border: 1px solid var(--line); padding: 0.375rem 0.75rem; color: inherit; font-size: inherit; text-align: start; white-space: normal; vertical-align: top; min-width: 6rem; max-width: 24rem; }
/* Not the layout of the pages' own tables on a narrow screen. */
.prose .table :is(table, thead, tbody, tr, th, td) { display: revert; }
.prose .table .right { text-align: end; }
.prose th { background: var(--tint); }
.prose .table code { white-space: nowrap; }
.prose hr { border: 0; border-top: 1px solid var(--line); margin-block: 2em; }
`;
