import { type Asset, icon as iconAsset, script as scriptAsset, styleSheet } from '../../shared/assets.ts';
import { BASE_STYLE } from '../../shared/style.ts';

/** The style sheet of the account pages. */
const STYLE = `${BASE_STYLE}
.who { display: flex; align-items: center; gap: 0.75rem; margin-inline-start: auto; min-width: 0; }
.email { color: var(--muted); font-size: 0.875rem; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
main > h2 { margin-top: 1rem; }
.up { font-size: 0.9375rem; margin-bottom: -0.75rem; }
.cards { display: flex; flex-direction: column; gap: 1.25rem; }
.card { display: flex; flex-direction: column; gap: 1rem; }
.inline { white-space: nowrap; }
.head + .kind { margin-top: -0.875rem; }
.rows > .row { border-top: 1px solid var(--line); padding-block: 1.25rem; display: grid; gap: 0.75rem 1.5rem; }
.note + .rows { margin-top: 0.5rem; }
.rows > .row:first-child { border-top: 0; padding-top: 0; }
.rows > .row:last-child { padding-bottom: 0; }
.id { color: var(--muted); font: 0.8125rem/1.5 var(--mono); overflow-wrap: anywhere; }
.abilities li { padding-inline-start: 1.125rem; position: relative; }
.abilities li::before { content: "–"; position: absolute; left: 0; color: var(--muted); }
.prefix { color: var(--muted); }
form.stack { display: flex; flex-direction: column; gap: 1.25rem; align-items: flex-start; }
.field input[type="date"] { max-width: 14rem; }
.field input[aria-invalid] { border-color: var(--danger); }
.code { font-family: var(--mono); letter-spacing: 0.12em; text-transform: uppercase; }
.wrong { color: var(--danger); font-size: 0.9375rem; margin-top: 0.375rem; }
.choice { display: flex; gap: 0.75rem; align-items: flex-start; padding-block: 0.5rem; font-weight: 400; cursor: pointer; }
.choice input { flex: none; width: 1.25rem; height: 1.25rem; min-height: 0; margin: 0.175rem 0 0; accent-color: var(--accent); }
button.danger { background: var(--danger); border-color: var(--danger); color: var(--on-danger); }
button.plain, summary {
  display: inline-block; width: fit-content; min-height: 2.75rem; padding: 0.5625rem 0; border: 0; background: none;
  color: var(--accent); font-weight: 400; text-decoration: underline; text-underline-offset: 0.2em;
  text-decoration-thickness: 1px; white-space: nowrap;
}
.top button.plain { font-size: 0.875rem; }
.or { display: flex; align-items: center; gap: 1rem; color: var(--muted); font-size: 0.875rem; }
.or::before, .or::after { content: ""; flex: 1; border-top: 1px solid var(--line); }
.aside { display: flex; flex-wrap: wrap; align-items: center; gap: 0 0.5rem; color: var(--muted); }
summary { list-style: none; }
.confirm summary { color: var(--danger); }
summary::-webkit-details-marker { display: none; }
.card > .more, .card > .confirm, .row > .confirm { margin-block: -0.5rem; }
.confirm[open] { margin-bottom: 0; }
.confirm form { display: flex; flex-direction: column; gap: 1rem; align-items: flex-start; padding-top: 0.5rem; }
.files { flex-direction: column; }
.files li { display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 0.75rem; }
.more .facts code { overflow-wrap: anywhere; }
.answer { white-space: pre-line; overflow-wrap: anywhere; }
.secret { display: flex; flex-wrap: wrap; gap: 0.75rem; align-items: stretch; }

@media (min-width: 44rem) {
  .facts > div { grid-template-columns: 8rem minmax(0, 1fr); }
  .rows > .row { grid-template-columns: minmax(0, 1fr) auto; }
  .row > .facts { grid-area: 1 / 2 / 3 / 3; grid-auto-flow: column; grid-auto-columns: 10rem; gap: 1rem; align-content: start; }
  .row > .facts time { white-space: normal; }
  .row > .facts > div { display: block; }
  .row > .facts dt { font-size: 0.8125rem; }
  .choices { display: grid; grid-template-columns: 1fr 1fr; column-gap: 1.5rem; }
  .choices > .wrong { grid-column: 1 / -1; }
}
`;

/** The one script of the pages: it shows the button that copies a key. Without it the key can be selected. */
const SCRIPT = `for (const button of document.querySelectorAll('[data-copy]')) {
  const source = document.getElementById(button.dataset.copy);
  const status = document.getElementById(button.dataset.copy + '-status');
  button.hidden = false;
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(source.textContent);
      status.textContent = button.dataset.copied;
    } catch {
      getSelection().selectAllChildren(source);
      status.textContent = button.dataset.failed;
    }
  });
}
`;

const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0b5cad"/><circle cx="16" cy="12" r="5" fill="#fff"/><path d="M6 26a10 8 0 0 1 20 0z" fill="#fff"/></svg>\n';

const style = styleSheet('account', STYLE);
const script = scriptAsset('account', SCRIPT);
const icon = iconAsset(ICON);

export const STYLE_PATH = style.path;
export const SCRIPT_PATH = script.path;
export const ICON_PATH = icon.path;

/** The files that the pages load; they load nothing else. */
export const ASSETS: readonly Asset[] = [style, script, icon];
