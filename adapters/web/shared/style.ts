/**
 * The style sheet that the pages of every host begin with: colours, text, the frame of a page, and the pieces in
 * `pieces.ts`. It loads nothing, and follows the reader's colour scheme and text size. `--wide` is the width of a page.
 */
export const BASE_STYLE = `:root {
  color-scheme: light dark;
  --page: light-dark(#f7f7f5, #15171a);
  --sheet: light-dark(#ffffff, #1d2024);
  --text: light-dark(#1d2127, #e6e9ee);
  --muted: light-dark(#59616c, #a3acb8);
  --line: light-dark(#e0e1de, #343a42);
  --edge: light-dark(#8a919b, #717a86);
  --accent: light-dark(#0b5cad, #7cb7ff);
  --on-accent: light-dark(#ffffff, #0d1a2a);
  --tint: light-dark(#eef4fb, #1c2a3a);
  --danger: light-dark(#a8201a, #ff9c92);
  --on-danger: light-dark(#ffffff, #2a0c09);
  --warn: light-dark(#fdf3e0, #33291a);
  --warn-line: light-dark(#c98a1b, #d9a441);
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "D2Coding", monospace;
}
*, ::before, ::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-padding-top: 1rem; }
body {
  margin: 0; min-height: 100vh; min-height: 100dvh; display: flex; flex-direction: column;
  background: var(--page); color: var(--text); overflow-wrap: break-word;
  font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Apple SD Gothic Neo", "Pretendard", "Noto Sans KR",
    "Noto Sans CJK KR", "Malgun Gothic", "NanumGothic", sans-serif;
}
:lang(ko) { word-break: keep-all; overflow-wrap: anywhere; }
h1, h2, h3, p, ul, dl, dd, fieldset { margin: 0; padding: 0; }
ul { list-style: none; }
h1 { font-size: 1.75rem; line-height: 1.25; letter-spacing: -0.015em; text-wrap: balance; }
h2 { font-size: 1.1875rem; line-height: 1.35; }
h3 { font-size: 1rem; line-height: 1.45; }
p { text-wrap: pretty; }
small { display: block; font-size: 0.8125rem; color: var(--muted); }
a { color: var(--accent); text-underline-offset: 0.2em; text-decoration-thickness: 1px; }
a:hover { text-decoration-thickness: 2px; }
code { font-family: var(--mono); font-size: 0.9em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
main:focus { outline: none; }
.unseen {
  position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap;
}
.skip { position: absolute; left: 1rem; top: -6rem; z-index: 1; padding: 0.75rem 1rem; background: var(--sheet); }
.skip:focus { top: 0.5rem; }

.bar, .sections ul, main, .foot { width: 100%; max-width: var(--wide, 52rem); margin-inline: auto; padding-inline: 1.25rem; }
.top { background: var(--sheet); border-bottom: 1px solid var(--line); }
.bar { display: flex; align-items: center; gap: 1rem; padding-block: 0.75rem; }
.brand { color: inherit; text-decoration: none; font-weight: 650; white-space: nowrap; letter-spacing: -0.01em; padding-block: 0.5rem; }
.sections ul { display: flex; flex-wrap: wrap; column-gap: 1.125rem; }
.sections a {
  display: block; padding-block: 0.625rem; border-bottom: 2px solid transparent;
  color: var(--muted); text-decoration: none; white-space: nowrap; font-size: 0.9375rem;
}
.sections a:hover { color: var(--text); }
.sections a[aria-current] { color: var(--text); border-color: var(--accent); font-weight: 600; }
main { flex: 1; padding-block: 2.5rem 4rem; display: flex; flex-direction: column; gap: 1.25rem; }
main.narrow { max-width: 30rem; }
.lead { color: var(--muted); max-width: 42rem; }
.foot { padding-block: 1.5rem 2rem; font-size: 0.875rem; color: var(--muted); }
.foot ul { display: flex; gap: 1.25rem; }
.foot a, .foot span { display: inline-block; padding-block: 0.5rem; }
.foot a { color: var(--muted); }
.foot [aria-current] { color: var(--text); font-weight: 600; }

.card, .empty { background: var(--sheet); border: 1px solid var(--line); border-radius: 0.75rem; padding: 1.5rem; }
.empty { text-align: center; padding-block: 3rem; }
.empty p, .none, .kind, .hint, .count { color: var(--muted); }
.kind, .hint, .count { font-size: 0.875rem; }
.head { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: 0.25rem 1rem; }
.head a { color: inherit; }
.badge, .tag { font-size: 0.8125rem; font-weight: 550; padding: 0.0625rem 0.625rem; border-radius: 1rem; white-space: nowrap; }
.badge { border: 1px solid var(--line); color: var(--muted); }
.badge.good { border-color: transparent; background: var(--tint); color: var(--accent); }
.tag { border: 1px solid var(--line); }
.facts { display: grid; gap: 0.5rem; }
.facts > div { display: grid; grid-template-columns: 6.5rem minmax(0, 1fr); gap: 0.5rem; }
.facts dt { color: var(--muted); font-size: 0.9375rem; }
.facts dd { overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
.note, .warning, .notice { padding: 0.75rem 1rem; border-radius: 0.5rem; border-inline-start: 3px solid var(--accent); background: var(--tint); }
.warning { border-color: var(--warn-line); background: var(--warn); }
.notice.fault { border-color: var(--danger); background: light-dark(#fcefee, #351c1a); }

.field, fieldset { width: 100%; }
label, legend { font-weight: 550; }
fieldset { border: 0; min-width: 0; }
legend { padding: 0; margin-bottom: 0.5rem; }
input, select, button, .button { font: inherit; color: inherit; min-height: 2.75rem; border-radius: 0.5rem; }
.field input, select {
  display: block; width: 100%; margin-top: 0.375rem; padding: 0.5rem 0.75rem;
  background: var(--sheet); border: 1px solid var(--edge);
}
button, .button, summary { cursor: pointer; }
button, .button {
  display: inline-flex; align-items: center; justify-content: center; padding: 0.5rem 1.125rem; text-align: center;
  border: 1px solid var(--edge); background: var(--sheet); color: var(--text); font-weight: 550; text-decoration: none;
}
button:hover, .button:hover { background: var(--tint); }
button.main { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
button.main:hover { filter: brightness(1.08); }
.wide { width: 100%; }
.actions { display: flex; flex-wrap: wrap; gap: 0.75rem; }
.value {
  flex: 1 1 16rem; min-width: 0; padding: 0.625rem 0.875rem; border-radius: 0.5rem; overflow-wrap: anywhere;
  background: var(--tint); user-select: all; display: block;
}
[hidden] { display: none; }

@media (min-width: 44rem) {
  .facts time { white-space: nowrap; }
  h1 { font-size: 2rem; }
  .sections ul { column-gap: 1.5rem; }
}
@media (forced-colors: active) { .badge, .note, .warning, .notice { border: 1px solid; } }
`;
