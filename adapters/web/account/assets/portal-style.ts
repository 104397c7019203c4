/** The part of the style sheet for products, devices, keys and orders. */
export const PORTAL_STYLE = `.product { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0.75rem 1.25rem; align-items: center; }
.product .head { justify-content: flex-start; align-items: center; }
.product .head a { text-decoration: none; }
.card.product { padding: 1rem 1.25rem; }
.card.product .do { grid-column: 1 / -1; }
.picture {
  display: grid; place-items: center; width: 4rem; height: 3rem; object-fit: cover; border-radius: 0.625rem;
  border: 1px solid var(--line); background: var(--tint); color: var(--accent); font-size: 1.5rem; font-weight: 650;
}
.badge.due { border-color: transparent; background: var(--warn); color: light-dark(#7a4f00, #f0c674); }
.machine > .rows { padding-top: 0.5rem; }
.search form { flex: 1 1 20rem; }
.inlineform input { flex: 1 1 8rem; min-width: 0; padding: 0.5rem 0.75rem; background: var(--sheet); border: 1px solid var(--edge); }
.pair { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 24rem), 1fr)); align-items: start; }
.plainlist > * { padding-block: 0.625rem; border-top: 1px solid var(--line); }
.plainlist .aside, .facts .aside { display: inline; }
.links a { margin-inline-end: 0.5rem; }
.head > small { display: inline; }
.plainlist > .head { padding-block: 0; }
.plainlist > .head > a { padding-block: 0.625rem; }
.card .secret { margin-top: 0.5rem; }
.card [role="status"]:empty { display: none; }
progress { width: 100%; height: 0.5rem; accent-color: var(--accent); }
form:not(:has([name="use"][value="own"]:checked)) .own { display: none; }
@media print, (min-width: 44rem) {
  .rows > .machine { grid-template-columns: minmax(0, 1fr) repeat(3, auto); }
  .machine > .ways, .machine > .ways > details { display: contents; }
  .machine > .ways > details > summary { grid-area: 1 / 4; margin-block: -0.625rem; }
  .machine > .ways > :nth-last-child(2) > summary { grid-column: 3; }
  .machine > .ways > :nth-last-child(3) > summary { grid-column: 2; }
  .machine > .ways > details::details-content { grid-column: 1 / -1; }
  .machine > .ways > details:not([open])::details-content { display: none; }
  .card.product { grid-template-columns: auto minmax(0, 1fr) auto; }
  .card.product .do { grid-column: auto; flex-direction: column; align-items: flex-end; }
  .sums { margin-inline-start: auto; }
}
@media print {
  @page { margin: 16mm; }
  :root { color-scheme: light; --page: #fff; --sheet: #fff; --text: #000; --muted: #444; --low: none; }
  .who, .sections, .foot, .skip, .noprint, .up, .notice, body:has(.receipt) :is(h1, .card:not(.receipt)) { display: none; }
  .top { border: 0; }
  .bar, main { padding-inline: 0; }
}
`;

/** The style sheet of receipts. */
export const RECEIPT_STYLE = `.parties { justify-content: space-between; align-items: start; gap: 1.25rem 4rem; }
.sums { display: grid; gap: 0.375rem; min-width: min(100%, 18rem); border-top: 1px solid var(--line); padding-top: 0.875rem; }
.sums > div { display: flex; justify-content: space-between; gap: 2rem; font-variant-numeric: tabular-nums; }
.sums > div:last-child { font-size: 1.125rem; }
.sums dt { color: var(--muted); }
@media screen and (max-width: 43.99rem) {
  .receipt td:last-child { grid-area: 1 / 3; text-align: end; }
  .receipt td:nth-child(3) { color: var(--muted); font-size: 0.875rem; }
  .receipt td:nth-child(2) { grid-column: 1; }
  .receipt td:nth-child(2)::after { content: " ×"; }
  .receipt td:nth-child(3) { grid-area: auto / 2; text-align: start; }
}
@media print, (min-width: 44rem) {
  .receipt :is(td, thead th):not(:first-child) { text-align: end; }
  .receipt :is(td, thead th) { padding-inline: 1rem 0; }
  .receipt th:first-child { padding-inline: 0; }
}
@media print {
  .receipt { border: 0; padding: 0; }
  tr, .sums, .parties { break-inside: avoid; }
}
`;
