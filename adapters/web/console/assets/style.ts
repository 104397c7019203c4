/** The part of the style sheet for the console, which follows that of the account pages. */
export const CONSOLE_STYLE = `:root { --wide: 90rem; }
.bar { flex-wrap: wrap; }
.find { order: 1; flex: 1 0 100%; }
.find input { width: 100%; padding: 0.375rem 0.875rem; border: 1px solid var(--line); background: var(--page); }
.toggle { padding: 0.25rem 0.875rem; font-size: 0.875rem; box-shadow: none; }
.side { margin: 0; padding: 0.75rem; border: 0; color: var(--text); background: var(--sheet); }
.side:popover-open { inset: 0 auto 0 0; width: min(18rem, 100%); height: 100%; box-shadow: 0 8px 24px rgb(0 0 0 / 0.2); overflow: auto; }
.side ul + ul { margin-top: 0.625rem; padding-top: 0.625rem; border-top: 1px solid var(--line); }
.side a { display: block; padding: 0.5rem 0.75rem; border-radius: 0.5rem; color: var(--text); text-decoration: none; font-size: 0.9375rem; line-height: 1.5; }
.side a:hover { background: var(--page); }
.side [aria-current] { background: var(--tint); color: var(--accent); font-weight: 600; }
a.danger { color: var(--danger); }
.menu a { display: block !important; }
main { gap: 1rem; padding-block: 1.5rem 3rem; }
main > h2 { margin: 0.5rem 0 -0.25rem; }
h1 { font-size: 1.5rem; }
.head { align-items: center; justify-content: flex-start; }
.head > a, .head > small { margin-inline-start: auto; }
.card { padding: 1.25rem; }
.empty { padding-block: 2.5rem; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 9.5rem), 1fr)); gap: 0.75rem; }
.figures > div { padding: 0.875rem 1rem; background: var(--sheet); border: 1px solid var(--line); border-radius: 0.75rem; }
.figures dt { font-size: 0.875rem; color: var(--muted); }
.figures dt a { color: inherit; }
.figures dd:nth-child(2) { font-size: 1.375rem; font-weight: 650; line-height: 1.4; font-variant-numeric: tabular-nums; letter-spacing: -0.01em; }
.badge.bad { border-color: currentColor; color: var(--danger); }
.list { background: var(--sheet); border: 1px solid var(--line); border-radius: 0.75rem; border-collapse: separate; border-spacing: 0; font-size: 0.9375rem; }
.card .list { border: 0; }
.list :is(th, td):nth-child(n) { padding: 0.625rem 1rem; text-align: start; white-space: normal; }
.card .list :is(th, td):first-child { padding-inline-start: 0; }
.list tbody tr { position: relative; }
.list tbody :is(th, td) { border-top: 1px solid var(--line); vertical-align: top; }
.list tbody a::after { content: ""; position: absolute; inset: 0; }
.list tbody :is(td a, td button) { position: relative; z-index: 1; }
.list tbody td a::after { content: none; }
.list tbody tr:hover { background: color-mix(in srgb, var(--tint) 50%, transparent); }
.list tbody th { font-weight: 550; }
.list tbody th a { color: inherit; min-height: 1.5rem; }
.list .number:nth-child(n) { text-align: end; white-space: nowrap; }
.log { gap: 0; }
.log > .row { gap: 0 1rem; align-items: baseline; padding-block: 0.5rem; }
.log .hint { grid-column: 1; }
.log .more { display: contents; }
.log summary { grid-column: 2; margin-block: -0.625rem; font-size: 0.875rem; }
.log .more::details-content { grid-column: 1 / -1; }
.log .more:not([open])::details-content { display: none; }
.chart { display: block; width: 100%; height: 9rem; margin-block: 1rem 0.5rem; }
.chart .up { fill: var(--accent); }
.chart .down { fill: var(--danger); opacity: 0.6; }
.chart .zero { fill: var(--line); }
.filters { display: flex; flex-wrap: wrap; align-items: end; gap: 0.75rem; }
.filters .field { flex: 0 1 14rem; }
.preview { width: 100%; height: 32rem; border: 1px solid var(--line); border-radius: 0.75rem; background: var(--page); }
.logo { margin-inline: 0; padding: 0.75rem; width: fit-content; max-width: 100%; border: 1px solid var(--line); border-radius: 0.75rem; background: #fff; }
.logo.dark { background: #1b1d21; }
.logo img { display: block; max-width: 100%; height: 3rem; object-fit: contain; }
.two { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); align-items: start; }
.two > div { display: grid; gap: 1rem; grid-template-columns: minmax(0, 1fr); }
.todo > li { display: flex; flex-wrap: wrap; gap: 0.25rem 0.75rem; align-items: baseline; padding-block: 0.625rem; border-top: 1px solid var(--line); }
.todo > :first-child { border-top: 0; }
.stack { max-width: 36rem; }
.stack > .more { width: 100%; }
.more > .field { margin-top: 1rem; }
.sample { padding: 0.375rem 0.75rem; border-radius: 0.5rem; background: var(--warn); font-size: 0.875rem; }
.list :is(time, .whole) { white-space: nowrap; }

@media screen and (max-width: 43.99rem) {
  .list tbody tr:nth-child(n) { display: flex; flex-wrap: wrap; gap: 0.125rem 0.75rem; padding: 0.75rem 1rem; border-top: 1px solid var(--line); }
  .card .list tbody tr { padding-inline: 0; }
  .list tbody tr:first-child { border-top: 0; }
  .list tbody :is(th, td):nth-child(n) { padding: 0; border: 0; }
  .list tbody th { flex: 1 0 100%; }
  .list td { color: var(--muted); font-size: 0.875rem; }
  .list td:empty { display: none; }
  .list .number { margin-inline-start: auto; }
  .toggle { order: -1; }
}
@media screen and (min-width: 44rem) {
  .head > .actions { margin-inline-start: auto; }
  .log > .row { grid-template-columns: minmax(0, 1fr) auto auto; }
  .log .row > p, .log summary { grid-column: auto; }
}
@media screen and (min-width: 64rem) {
  body:has(.side) { display: grid; grid-template: auto auto 1fr auto / 14.5rem minmax(0, 1fr); }
  body:has(.side) > .top { display: contents; }
  body:has(.side) .bar { grid-column: 1 / -1; max-width: none; flex-wrap: nowrap; background: var(--sheet); border-bottom: 1px solid var(--line); }
  .toggle { display: none; }
  .find { order: 0; flex: 0 1 26rem; margin-inline-start: auto; }
  .find + .who { margin-inline-start: 0; }
  .side { display: block; position: sticky; inset: 0 auto auto; grid-area: 2 / 1 / 5 / 2; align-self: start; width: auto; max-height: 100vh; overflow: auto; background: none; padding-top: 1.25rem; }
  .side a { padding-block: 0.375rem; }
  body:has(.side) > main { grid-area: 3 / 2; max-width: 72rem; margin: 0; }
  body:has(.side) > .foot { grid-area: 4 / 2; margin: 0; }
}
`;
