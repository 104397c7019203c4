import { BASE_STYLE, PROSE_STYLE } from '../../shared/style.ts';

export const STYLE = `${BASE_STYLE}${PROSE_STYLE}
:root {
  --wide: 96rem;
  --tile: light-dark(#ebecee, #24282d);
  --shadow: light-dark(rgb(20 30 45 / 0.14), rgb(0 0 0 / 0.5));
  --plus: light-dark(#116329, #8bd5a0);
  --plus-page: light-dark(#e6f6ea, #14301d);
  --minus: light-dark(#a8201a, #ff9c92);
  --minus-page: light-dark(#fdeceb, #3a1c1a);
}
.bar { flex-wrap: wrap; gap: 0 1.75rem; padding-block: 0.25rem; }
.bar .sections ul { padding: 0; max-width: none; }
.bar .sections a { padding-block: 0.875rem; }
main { padding-block: 2rem 4rem; }
.times { color: var(--muted); font-size: 0.8125rem; font-variant-numeric: tabular-nums; }
.head { align-items: center; }
.crumbs { font-size: 0.9375rem; color: var(--muted); margin-bottom: -0.75rem; }
.crumbs a { display: inline-block; padding-block: 0.25rem; }
summary { width: fit-content; padding-block: 0.625rem; font-weight: 550; }
.plain li { padding-block: 0.375rem; }

.hero { display: grid; gap: 0.5rem; grid-template-columns: minmax(0, 1fr); }
.search { display: flex; gap: 0.5rem; max-width: 44rem; margin-top: 0.75rem; }
.search input { flex: 1; min-width: 0; padding: 0.5rem 0.875rem; background: var(--sheet); border: 1px solid var(--edge); }
.search input::placeholder { color: var(--muted); opacity: 1; }
.explore { display: grid; gap: 1.25rem; grid-template-columns: minmax(0, 1fr); }
.panel { background: var(--sheet); border: 1px solid var(--line); border-radius: 0.75rem; padding-inline: 1.25rem; align-self: start; min-width: 0; }
.filters { display: grid; gap: 1rem; padding-block: 0.25rem 1.25rem; grid-template-columns: minmax(0, 1fr); }
.filters label, .filters legend { font-size: 0.875rem; }
.radios div { display: flex; border: 1px solid var(--edge); border-radius: 0.5rem; overflow: hidden; }
.radios label { flex: 1 1 auto; position: relative; cursor: pointer; }
.radios input { position: absolute; inset: 0; width: 100%; height: 100%; margin: 0; opacity: 0; cursor: pointer; }
.radios span { display: block; text-align: center; padding: 0.5625rem 0.375rem; font-weight: 500; white-space: nowrap; }
.radios label + label { border-inline-start: 1px solid var(--edge); }
.radios :checked + span { background: var(--accent); color: var(--on-accent); }
.radios :focus-visible + span { outline: 3px solid var(--accent); outline-offset: -3px; box-shadow: inset 0 0 0 5px var(--sheet); }
.fold { border-top: 1px solid var(--line); }
.fold fieldset { max-height: 18rem; overflow-y: auto; padding-bottom: 0.5rem; }
.check { display: flex; align-items: center; gap: 0.625rem; min-height: 2.25rem; font-weight: 400; cursor: pointer; }
.check input { flex: none; width: 1.125rem; height: 1.125rem; min-height: 0; margin: 0; accent-color: var(--accent); }
.check span:nth-of-type(1) { flex: 1; min-width: 0; }
.results { display: grid; gap: 1.25rem; align-content: start; min-width: 0; }
.chips { display: flex; flex-wrap: wrap; gap: 0.5rem; }
.chip { display: inline-flex; min-height: 2.25rem; align-items: center; padding: 0.25rem 0.875rem; border-radius: 2rem; background: var(--tint); color: var(--accent); text-decoration: none; font-size: 0.9375rem; }
.chip:hover { outline: 1px solid var(--accent); }
.chip .x { padding-inline-start: 0.5rem; font-size: 1.125em; }
.clear { display: inline-flex; align-items: center; min-height: 2.25rem; padding-inline: 0.5rem; font-size: 0.9375rem; }

.grid { display: grid; gap: 1.75rem 1.25rem; grid-template-columns: repeat(2, minmax(0, 1fr)); }
.grid.cols-1 { grid-template-columns: minmax(0, 1fr); }
.shot { position: relative; min-width: 0; display: flex; flex-direction: column; }
.tile { aspect-ratio: 1.64; overflow: hidden; border-radius: 0.75rem; background: var(--tile); padding: 6% 6% 0; }
.grid.tall .tile { aspect-ratio: 3 / 4; padding-inline: 14%; }
.frame { max-height: 100%; overflow: hidden; border-radius: 0.375rem 0.375rem 0 0; box-shadow: 0 2px 14px var(--shadow); transition: translate 0.2s; }
.mobile .frame { width: min(40%, 13rem); margin-inline: auto; border-radius: 0.75rem 0.75rem 0 0; }
.tall .mobile .frame { width: 100%; }
.frame img { display: block; width: 100%; height: auto; }
.shot .name { font-size: 0.9375rem; font-weight: 600; margin-top: 0.75rem; }
.shot .name a { color: inherit; text-decoration: none; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
.shot .name a::after { content: ""; position: absolute; inset: 0; border-radius: 0.75rem; }
.shot .name a:hover { text-decoration: underline; }
.shot .name a:focus-visible { outline: none; }
.shot .name a:focus-visible::after { outline: 3px solid var(--accent); outline-offset: 3px; }
.shot:hover .frame { translate: 0 -0.25rem; }
.shot .kind { font-size: 0.8125rem; }
.variants { display: flex; flex-wrap: wrap; gap: 0.25rem; font-size: 0.8125rem; }
.variants a { display: block; position: relative; padding: 0.1875rem 0.625rem; border: 1px solid var(--line); border-radius: 0.5rem; background: var(--sheet); color: inherit; text-decoration: none; }
.variants a:hover { border-color: var(--accent); color: var(--accent); }
.variants [aria-current] { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
.shot .variants { margin-top: 0.375rem; }
.shot:has([aria-current]) .tile { outline: 3px solid var(--accent); outline-offset: 2px; }
@media (prefers-reduced-motion: reduce) { .frame { transition: none; } .shot:hover .frame { translate: none; } }
.how { text-align: start; padding-inline: clamp(1.25rem, 6vw, 4rem); }
.how > p { margin-inline: 0; }
.how ol { display: grid; gap: 1rem; padding-inline-start: 1.25rem; margin: 1.25rem 0 0; }
.how .value { margin-top: 0.375rem; }
.pages { display: flex; flex-wrap: wrap; align-items: center; justify-content: center; gap: 0.75rem; padding-top: 1rem; }
.pages ol { display: flex; flex-wrap: wrap; gap: 0.125rem; list-style: none; margin: 0; padding: 0; }
.pages li > * { display: grid; place-items: center; min-width: 2.5rem; min-height: 2.5rem; border-radius: 0.5rem; text-decoration: none; font-variant-numeric: tabular-nums; }
.pages li { display: grid; place-items: center; }
.pages li a:hover { background: var(--tint); }
.pages [aria-current] { background: var(--accent); color: var(--on-accent); font-weight: 600; }

.applist { display: grid; gap: 1.25rem; grid-template-columns: repeat(auto-fill, minmax(min(16rem, 100%), 1fr)); }
.tilelink { position: relative; display: grid; gap: 0.25rem; align-content: start; }
.tilelink a { color: inherit; text-decoration: none; }
.tilelink a::after { content: ""; position: absolute; inset: 0; border-radius: 0.75rem; }
.tilelink:hover { border-color: var(--accent); }
.flow { display: grid; gap: 1rem; margin-top: 0.75rem; min-width: 0; grid-template-columns: minmax(0, 1fr); }
.strip { display: flex; gap: 1.25rem; overflow-x: auto; list-style: none; margin: 0 -0.25rem; padding: 0.375rem 0.25rem 1rem; scroll-snap-type: x proximity; scroll-padding: 0.25rem; }
.strip .shot { flex: 0 0 auto; width: 16.4rem; scroll-snap-align: start; }
.strip .mobile { width: 8.5rem; }
.strip .tile { aspect-ratio: auto; height: 10rem; padding: 1rem 1rem 0; }
.strip .mobile .frame { width: 100%; height: 100%; }

.screen { display: grid; gap: 2rem; grid-template-columns: minmax(0, 1fr); align-items: start; }
.stage { display: block; background: var(--tile); border-radius: 0.75rem; padding: clamp(1rem, 4vw, 3rem); text-align: center; }
.stage img { display: block; max-width: 100%; height: auto; margin-inline: auto; border-radius: 0.5rem; box-shadow: 0 4px 28px var(--shadow); }
.screen.mobile .stage img { width: min(100%, 25rem); border-radius: 1rem; }
.stage { cursor: zoom-in; }
.stage.zoomed { cursor: zoom-out; overflow: auto; max-height: 90vh; text-align: start; }
.stage.zoomed img { width: auto; max-width: none; margin: 0; }
.screen.mobile .stage.zoomed img { width: auto; max-width: none; }
.look, .side { display: grid; gap: 1.75rem; grid-template-columns: minmax(0, 1fr); min-width: 0; }
.look > section, .side section { display: grid; gap: 0.75rem; min-width: 0; grid-template-columns: minmax(0, 1fr); justify-items: start; }
.side h2 { font-size: 1rem; }
.look > section { justify-items: stretch; }
.look .button { justify-self: start; }
.facts { width: 100%; font-size: 0.9375rem; }
.facts dt { font-size: 0.875rem; }
.turn .button { gap: 0.375rem; }
.turn { display: flex; flex-wrap: wrap; gap: 0.5rem 0.75rem; align-items: center; }
.palette { width: 100%; height: 2.5rem; border-radius: 0.5rem; border: 1px solid var(--line); }
.colors { display: grid; gap: 0.5rem 1.25rem; grid-template-columns: repeat(auto-fill, minmax(9.5rem, 1fr)); width: 100%; }
.colors li { display: flex; align-items: center; gap: 0.625rem; }
.swatch { width: 1.75rem; height: 1.75rem; border-radius: 0.375rem; border: 1px solid var(--edge); flex: none; }
.words { display: flex; flex-wrap: wrap; gap: 0.5rem; }
.word { display: inline-flex; gap: 0.5rem; align-items: center; min-height: 2rem; padding: 0.125rem 0.75rem; border: 1px solid var(--line); border-radius: 2rem; background: var(--sheet); color: inherit; text-decoration: none; font-size: 0.9375rem; }
a.word:hover { border-color: var(--accent); color: var(--accent); }
.side > .fold { width: 100%; }
.saved { margin-inline: -1.25rem; overflow-x: auto; }
.saved iframe { display: block; height: max(30rem, 100vh - 14rem); margin-inline: auto; border: 0; background: #fff; color-scheme: light; }
.plaintext { white-space: pre-line; font-size: 0.9375rem; color: var(--muted); max-height: 24rem; overflow-y: auto; }

.words-of { display: grid; gap: 0.75rem; margin-top: 1rem; }
.terms { display: grid; gap: 0 2rem; grid-template-columns: repeat(auto-fill, minmax(min(17rem, 100%), 1fr)); }
.term { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 1rem; align-items: baseline; border-top: 1px solid var(--line); padding-block: 0.5rem; }
.term .hint { grid-column: 1 / -1; }
.colors.wide { grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); }

.reading { display: grid; gap: 2.5rem; grid-template-columns: minmax(0, 1fr); align-items: start; }
.reading article { display: grid; gap: 1.25rem; grid-template-columns: minmax(0, 1fr); }
.history { list-style: none; margin: 0.5rem 0 0; padding: 0; }
.history > li { border-top: 1px solid var(--line); padding-block: 0.875rem; }
.history .head { justify-content: start; }
.verdict { margin: 0.5rem 0 0; }
.verdict figcaption { font-size: 0.875rem; color: var(--muted); }
.verdict blockquote { margin: 0.25rem 0 0; padding-inline-start: 0.75rem; border-inline-start: 3px solid var(--line); white-space: pre-line; font-size: 0.9375rem; }
.state.approved { color: var(--plus); border-color: currentColor; }
.state.rejected, .state.changes_requested { color: var(--minus); border-color: currentColor; }
.between { display: flex; flex-wrap: wrap; gap: 0.75rem; align-items: end; }
.between .field { width: 9rem; }
.plus { color: var(--plus); }
.minus { color: var(--minus); }
.diff { border: 1px solid var(--line); border-radius: 0.75rem; overflow: hidden; background: var(--sheet); font: 0.875rem/1.6 var(--mono); }
.line { display: grid; grid-template-columns: 1.25rem minmax(0, 1fr); padding-inline: 0.75rem; }
.line .no { display: none; color: var(--muted); text-align: end; padding-inline-end: 0.75rem; user-select: none; }
.line .text { white-space: pre-wrap; min-height: 1.6em; }
.line ins, .line del { text-decoration: none; }
.line.added { background: var(--plus-page); box-shadow: inset 3px 0 var(--plus); }
.line.removed { background: var(--minus-page); box-shadow: inset 3px 0 var(--minus); }
.line.added .sign { color: var(--plus); font-weight: 700; }
.line.removed .sign { color: var(--minus); font-weight: 700; }
.line mark { background: none; color: inherit; font-weight: 700; text-decoration: underline 2px; text-underline-offset: 0.2em; }
.line.removed mark { text-decoration: line-through 2px; }
.kept summary { padding-inline: 0.75rem; width: auto; color: var(--muted); background: var(--tile); font-family: system-ui, sans-serif; font-weight: 400; }

@media (min-width: 44rem) {
  .strip .shot { width: 19.5rem; }
  .strip .mobile { width: 9.5rem; }
  .strip .tile { height: 12rem; }
  .grid.cols-3, .grid.cols-4, .grid.cols-5, .grid.cols-6, .grid.cols-7, .grid.cols-8 { grid-template-columns: repeat(3, minmax(0, 1fr)); }
  .line { grid-template-columns: 3rem 3rem 1.25rem minmax(0, 1fr); }
  .line .no { display: block; }
}
@media (min-width: 64rem) {
  .bar { padding-block: 0.375rem; }
  .explore { grid-template-columns: 16rem minmax(0, 1fr); gap: 2rem; }
  .grid.cols-4 { grid-template-columns: repeat(4, minmax(0, 1fr)); }
  .grid.cols-5 { grid-template-columns: repeat(5, minmax(0, 1fr)); }
  .grid.cols-6 { grid-template-columns: repeat(6, minmax(0, 1fr)); }
  .grid.cols-7 { grid-template-columns: repeat(7, minmax(0, 1fr)); }
  .grid.cols-8 { grid-template-columns: repeat(8, minmax(0, 1fr)); }
  .screen { grid-template-columns: minmax(0, 1fr) 24rem; gap: 3rem; }
  .reading { grid-template-columns: minmax(0, 1fr) 20rem; gap: 4rem; }
  /* On a wide page the filters are always visible, folded or not. */
  @supports selector(::details-content) {
    .panel > summary { display: none; }
    .panel::details-content { display: block; content-visibility: visible; block-size: auto; }
    .filters { padding-top: 1.25rem; }
  }
}
@media (forced-colors: active) {
  .radios :checked + span { background: Highlight; color: HighlightText; forced-color-adjust: none; }
  .tile, .stage { border: 1px solid; }
}
`;
