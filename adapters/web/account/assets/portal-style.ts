/** The part of the style sheet that products, devices, keys and orders have, and a receipt on paper. */
export const PORTAL_STYLE = `.product { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0.75rem 1.25rem; align-items: center; }
.product .head { justify-content: flex-start; align-items: center; }
.product .head + .kind { margin-top: 0.125rem; }
.product .head a { text-decoration: none; }
.product .button { white-space: nowrap; }
.search label { position: absolute; }
td > .badge { justify-self: start; }
.card.product .do { grid-column: 1 / -1; display: flex; flex-wrap: wrap; gap: 0.25rem 0.75rem; align-items: center; }
.picture {
  display: grid; place-items: center; width: 5.5rem; height: 4.125rem; object-fit: cover; border-radius: 0.625rem;
  border: 1px solid var(--line); background: var(--tint); color: var(--accent); font-size: 1.5rem; font-weight: 650;
}
.badge.due { border-color: transparent; background: var(--warn); color: light-dark(#7a4f00, #f0c674); }
.search, .inlineform { display: flex; flex-wrap: wrap; gap: 0.75rem; }
.search input, .inlineform input { flex: 1 1 14rem; min-width: 0; padding: 0.5rem 0.75rem; background: var(--sheet); border: 1px solid var(--edge); }
.pair { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 24rem), 1fr)); align-items: start; }
.plainlist > li { padding-block: 0.625rem; border-top: 1px solid var(--line); }
.plainlist > li:first-child { border-top: 0; }
.plainlist .aside, .facts .aside { display: inline; }
.plainlist .links { display: block; }
.links a { margin-inline-end: 0.5rem; white-space: nowrap; }
.files { gap: 1rem; }
.files .more { flex-basis: 100%; margin-block: -0.5rem; }
.files .more[open] { margin-bottom: 0; }
.card .secret { margin-top: 0.5rem; }
.card [role="status"]:empty { display: none; }
.title .id { margin-top: 0.125rem; }
progress { width: 100%; height: 0.5rem; accent-color: var(--accent); }
form:not(:has([name="use"][value="own"]:checked)) .own { display: none; }
.parties { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 1.25rem 4rem; }
.receipt .facts { padding-block: 0.5rem; }
.receipt td:last-child small { text-align: inherit; }
.sums { display: grid; gap: 0.375rem; min-width: min(100%, 18rem); margin-inline-start: auto; border-top: 1px solid var(--line); padding-top: 0.875rem; }
.sums > div { display: flex; justify-content: space-between; gap: 2rem; font-variant-numeric: tabular-nums; }
.sums > div:last-child { font-size: 1.125rem; }
.sums dt { color: var(--muted); }
@media (min-width: 44rem) {
  .card.product { grid-template-columns: auto minmax(0, 1fr) auto; }
  .card.product .do { grid-column: auto; flex-direction: column; align-items: flex-end; }
  .receipt :is(td, thead th):not(:first-child) { text-align: end; }
  .receipt :is(td, thead th) { padding-inline-end: 0; }
}
@media print {
  :root { color-scheme: light; --page: #fff; --sheet: #fff; --text: #000; --muted: #444; --low: none; }
  .top, .foot, .skip, .noprint, .up, .notice, body:has(.receipt) :is(h1, .card:not(.receipt)) { display: none; }
  main { padding: 0; }
  .receipt { border: 0; padding: 0; }
  tr, .sums, .parties { break-inside: avoid; }
}
`;
