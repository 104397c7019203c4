import type { Router } from 'express';
import { type Color, isColor, SCHEMES, type Scheme } from '../../../../domain/catalog/accent.ts';
import type { Storefront } from '../../../../domain/catalog/catalog.ts';
import { isUploadedLogo, LOGO_FIELDS, logoPath, uploadedLogo } from '../../../../domain/catalog/logo.ts';
import { MOMENT } from '../../../../domain/shared/wording.ts';
import { revalidatedReply } from '../../../host/reply.ts';
import type { HostHeaders } from '../../../host/request.ts';
import { sendReply } from '../../../http/node-requests.ts';
import { type Asset, KEPT, script as scriptAsset, styleSheet } from '../../shared/assets.ts';
import type { Methods } from '../../shared/methods.ts';
import { BASE_STYLE, PROSE_STYLE } from '../../shared/style.ts';
import type { ShopFace } from '../shop.ts';
import { PASSKEY_SCRIPT } from './passkey-script.ts';
import { PORTAL_STYLE, RECEIPT_STYLE } from './portal-style.ts';

/** The style sheet of the account pages, except the shop's accent color. */
const STYLE = `${BASE_STYLE}
:root { --wide: 60rem; }
.brand picture { min-width: 0; }
.brand img { display: block; height: 2rem; max-width: min(100%, 18rem); object-fit: contain; object-position: left; }
.brand > span:last-child { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
.mark {
  display: grid; place-items: center; flex: none; width: 2rem; height: 2rem; border-radius: 0.5rem;
  background: var(--accent); color: var(--on-accent); font-weight: 700;
}
.who { margin-inline-start: auto; min-width: 2.75rem; max-width: 50%; }
.who > button { gap: 0.5rem; padding: 0.25rem 0.875rem; border-radius: 2rem; font-size: 0.875rem; font-weight: 400; max-width: 100%; box-shadow: none; }
.who > button::after { content: "▾" / ""; color: var(--muted); }
.email { min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.menu:popover-open { position: absolute; inset: 4rem max(1.25rem, 50% - var(--wide) / 2 + 1.25rem) auto auto; margin: 0; width: max-content; max-width: min(20rem, 100% - 2.5rem); padding: 0.375rem; background: var(--sheet); color: var(--text); border: 1px solid var(--line); border-radius: 0.75rem; box-shadow: 0 8px 24px rgb(0 0 0 / 0.14); }
.menu > p { padding: 0.25rem 0.75rem 0.5rem; }
.menu a, .menu button.plain { display: block; width: 100%; padding: 0.5rem 0.75rem; border-radius: 0.5rem; color: var(--text); text-decoration: none; font-size: 0.9375rem; line-height: 1.75rem; }
.menu a:hover, .menu [aria-current] { background: var(--tint); }
.menu [aria-current] { font-weight: 600; }
body:has(:focus-visible):not(:has(.who :focus)) .menu { display: none; }
main > h2 { margin-top: 1rem; }
.up { margin-bottom: -0.75rem; }
:is(.up, .more, .title, .kind, .hint, h2, td, th, .links) > a { display: inline-block; min-height: 1.5rem; }
.cards, .card, .stack, .confirm form { display: flex; flex-direction: column; gap: 1rem; }
.row > .facts, .row > .facts > div, .aside, .files, .ways, .secret, .tabs, .pages, .search, .inlineform, .do, .parties { display: flex; flex-wrap: wrap; gap: 0.5rem 0.75rem; align-items: center; }
.rows > .row { border-top: 1px solid var(--line); padding-block: 1rem; display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0.25rem 1rem; }
.row > * { grid-column: 1 / -1; }
.row > .title { grid-column: 1; }
.row > .confirm { display: contents; }
.row > form, .row > .confirm > summary { grid-area: 1 / 2; margin-block: -0.625rem; }
.row > .facts { gap: 0 1.25rem; }
.row > .facts > div { gap: 0 0.375rem; }
.row > .facts, .facts > div > * { font-size: 0.875rem; }
:is(.rows, .plainlist) > :first-child { border-top: 0; padding-top: 0; }
:is(.rows, .plainlist) > :last-child { padding-bottom: 0; }
.id { color: var(--muted); font: 0.8125rem/1.5 var(--mono); }
.points { padding-inline-start: 0.75rem; list-style: "– "; }
.points > * + * { margin-top: 0.25rem; }
.stack, .confirm form { width: 100%; align-items: flex-start; }
.field input[type="date"] { max-width: 14rem; }
.field input[type="date"]:focus-within { outline: 2px solid var(--accent); outline-offset: -1px; }
.field [aria-invalid] { border-color: var(--danger); }
.code { font-family: var(--mono); letter-spacing: 0.12em; text-transform: uppercase; }
.wrong { color: var(--danger); margin-top: 0.375rem; }
.choice { display: flex; gap: 0.75rem; align-items: flex-start; padding-block: 0.5rem; font-weight: 400; cursor: pointer; }
.choice:has([type="radio"]) { padding: 0.75rem; margin-bottom: 0.5rem; border: 1px solid var(--line); border-radius: 0.625rem; }
.choice:has([type="radio"]:checked) { border-color: var(--accent); background: var(--tint); }
.choice input { flex: none; width: 1.25rem; height: 1.25rem; min-height: 0; margin: 0.175rem 0 0; accent-color: var(--accent); }
button.danger { background: var(--danger); border-color: var(--danger); color: var(--on-danger); }
button.plain, summary {
  display: inline-block; width: fit-content; min-height: 2.75rem; padding: 0.5625rem 0; border: 0; background: none;
  color: var(--accent); font-weight: 400; text-align: start; text-decoration: underline; text-underline-offset: 0.2em;
  box-shadow: none;
}
.or { display: flex; align-items: center; gap: 1rem; color: var(--muted); font-size: 0.875rem; }
.or::before, .or::after { content: ""; flex: 1; border-top: 1px solid var(--line); }
.aside { color: var(--muted); }
form.aside { flex-wrap: nowrap; align-items: baseline; font-size: 0.875rem; }
form.aside > span { flex: none; }
.more > summary { display: list-item; text-decoration: none; }
.confirm > summary::-webkit-details-marker { display: none; }
.confirm summary { color: var(--danger); }
.card > details, .row > .more, .ways { margin-block: -0.5rem; }
.ways > [open] { flex-basis: 100%; }
.more[open], .confirm[open] { margin-bottom: 0; }
.confirm form { padding-top: 0.5rem; }
.answer { white-space: pre-wrap; }
.card > h2 + .answer { margin-top: -0.75rem; }
h2:has(+ .answer) { font-size: 1rem; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th { text-align: start; font-weight: 600; }
th > a { text-decoration: none; }
thead th { white-space: nowrap; color: var(--muted); font-size: 0.8125rem; font-weight: 550; padding-bottom: 0.5rem; }
tbody tr { border-top: 1px solid var(--line); }
td, tbody th { padding: 0.875rem 1rem 0.875rem 0; vertical-align: baseline; }
td { overflow-wrap: normal; }
td:last-child { padding-inline-end: 0; }
.tabs a { padding: 0.375rem 0.875rem; border-radius: 2rem; color: var(--muted); text-decoration: none; }
.tabs a:hover { color: var(--text); }
.tabs [aria-current] { background: var(--tint); color: var(--accent); font-weight: 600; }
.split { display: grid; gap: 0.75rem 3rem; padding-block: 0.75rem; }
.split > div:first-child p { color: var(--muted); margin-top: 0.25rem; }
.wrong, .up, .tabs a, .split > div:first-child p { font-size: 0.9375rem; }
body:has(main.narrow) { --wide: 30rem; }
body:has(main.narrow) .top { background: none; border: 0; }
body:has(main.narrow) :is(.bar, .foot) { padding-top: 2rem; }
body:has(main.narrow) .menu { top: 5.25rem; }
main.narrow { flex: 0 1 auto; margin-bottom: auto; max-width: 27.5rem; padding: 2rem; background: var(--sheet); border: 1px solid var(--line); border-radius: 1rem; box-shadow: var(--low); }
.narrow h1 { font-size: 1.5rem; }

@media screen and (max-width: 43.99rem) {
  main.narrow { width: auto; margin-inline: 1rem; padding: 1.5rem; }
  thead { display: none; }
  table, tbody, td, tbody th { display: block; }
  tbody tr { display: grid; grid-template-columns: auto minmax(0, 1fr) auto; gap: 0 0.5rem; padding-block: 0.875rem; }
  tr:first-child { border-top: 0; padding-top: 0; }
  td, tbody th { padding: 0; }
  tbody th { grid-column: 1 / 3; }
  td:nth-child(3) { grid-area: 1 / 3; text-align: end; }
  td:nth-child(2) { grid-column: 1 / 3; }
  td:nth-child(2) { color: var(--muted); font-size: 0.875rem; }
  td:nth-child(4) { grid-column: 3; text-align: end; }
  .card > .facts > div { grid-template-columns: auto minmax(0, 1fr); text-align: end; }
  .sections li:nth-child(n + 6), .email, .who > button::after { display: none; }
  .who > button { width: 2.75rem; padding: 0; font-weight: 600; text-transform: uppercase; }
  .who:has([aria-current]) > button { border-color: var(--accent); color: var(--accent); }
  .brand:has(span) img { max-width: 4.5rem; }
  .card { padding: 1.25rem; }
  .card.product { gap: 0.5rem 0.75rem; }
  .card .picture { width: 3rem; height: 2.25rem; font-size: 1.125rem; }
}
@media print, (min-width: 44rem) {
  .initial, .menu a { display: none; }
  main.narrow { padding: 2.5rem; }
  .split { grid-template-columns: 15rem minmax(0, 1fr); }
  .split + .split { border-top: 1px solid var(--line); padding-top: 2rem; }
  :is(td, thead th):nth-child(3) { text-align: end; }
  thead th:nth-child(3) { padding-inline-end: 1rem; }
  td:nth-child(2) { white-space: nowrap; }
  .choices { display: grid; grid-template-columns: 1fr 1fr; column-gap: 1.5rem; }
  .choices > .wrong { grid-column: 1 / -1; }
}
${PORTAL_STYLE}@media (prefers-color-scheme: dark) { .brand .plate { background: #fff; border-radius: 0.375rem; padding: 0.25rem; } }
`;

/** Shows moments in the visitor's time zone. Without it, they are in the shop's. */
const MOMENTS = `for (const one of document.querySelectorAll('[data-moment]')) {
  one.textContent = new Intl.DateTimeFormat(one.dataset.moment, ${JSON.stringify(MOMENT)}).format(new Date(one.dateTime));
}
`;

/** Sends a form once, however often its button is pressed while the answer is slow. */
const ONCE = `addEventListener('submit', (event) => {
  const { dataset, method } = event.target;
  if (event.defaultPrevented || method !== 'post') return;
  if (dataset.sent) event.preventDefault();
  dataset.sent = 'sent';
  setTimeout(() => delete dataset.sent, 8000);
});
`;

/** The script that shows the copy and print buttons. Without it, people select the text and print with the browser. */
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
for (const button of document.querySelectorAll('[data-print]')) {
  button.hidden = false;
  for (const hint of document.querySelectorAll('[data-print-hint]')) hint.hidden = true;
  button.addEventListener('click', () => print());
}
`;

const style = styleSheet('account', STYLE);
const textStyle = styleSheet('texts', PROSE_STYLE + RECEIPT_STYLE);
const script = scriptAsset('account', MOMENTS + ONCE + SCRIPT);
const passkeyScript = scriptAsset('passkey', MOMENTS + ONCE + PASSKEY_SCRIPT);

/** The further style sheet of pages that are read or printed: guides and receipts. */
export const TEXT_STYLE_PATH = textStyle.path;
export const SCRIPT_PATH = script.path;
export const PASSKEY_SCRIPT_PATH = passkeyScript.path;

/** The files that do not depend on the shop. */
export const ASSETS: readonly Asset[] = [script, passkeyScript, textStyle];

type Accent = Readonly<Record<Scheme, Color>>;

/** The folder of the style sheet and the icon in the shop's accent color: its name changes with their content. */
const FOLDER = style.path.replace(/\.css$/, '');

const pathOf = (name: string, { light, dark }: Accent, ending: string): string =>
  `${FOLDER}/${name}-${light.slice(1)}-${dark.slice(1)}.${ending}`;

/** The paths of the style sheet and the icon, which contain the accent color. */
export const stylePath = (accent: Accent): string => pathOf('style', accent, 'css');
export const iconPath = (accent: Accent): string => pathOf('icon', accent, 'svg');

const styleIn = ({ light, dark }: Accent): string =>
  `${style.body}:root { --accent: light-dark(${light}, ${dark}); }\n`;

const iconIn = ({ light }: Accent): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="${light}"/><circle cx="16" cy="12" r="5" fill="#fff"/><path d="M6 26a10 8 0 0 1 20 0z" fill="#fff"/></svg>\n`;

/** Serves the style sheet and the icon in any accent color. The colors come from the path, so no store is needed. */
export const addAccentAssets = (router: Router, methods: Methods): void => {
  const files = [
    { name: 'style', ending: 'css', make: styleIn, type: style.type },
    { name: 'icon', ending: 'svg', make: iconIn, type: 'image/svg+xml' },
  ];
  for (const { name, ending, make, type } of files) {
    const path = `${FOLDER}/${name}-:light-:dark.${ending}`;
    methods.add(path, 'GET');
    router.get(path, (req, res, next) => {
      const [light, dark] = [`#${req.params['light']}`, `#${req.params['dark']}`];
      if (!isColor(light) || !isColor(dark)) return next('router');
      const headers = req.headers as HostHeaders;
      return sendReply(res, revalidatedReply({ headers }, make({ light, dark }), type, KEPT));
    });
  }
};

/** The address of the logo on a page: an uploaded one is on the same host. */
export const logoAddress = (storefront: Storefront | null, scheme: Scheme): string | undefined => {
  const url = storefront?.[LOGO_FIELDS[scheme]];
  return url && isUploadedLogo(url) ? `/${logoPath(scheme)}` : url;
};

/** The time for which a browser or a mail program may show a former logo. */
const LOGO_KEPT = 'public, max-age=300';

/** Serves the uploaded logo to everybody, because mail programs load it. */
export const addLogo = (router: Router, methods: Methods, shop: Pick<ShopFace, 'current'>): void => {
  for (const scheme of SCHEMES) {
    methods.add(`/${logoPath(scheme)}`, 'GET');
    router.get(`/${logoPath(scheme)}`, async ({ headers }, res, next) => {
      const logo = uploadedLogo((await shop.current()).storefront?.[LOGO_FIELDS[scheme]] ?? '');
      if (!logo) return next('router');
      const body = Buffer.from(logo.base64, 'base64');
      return sendReply(res, revalidatedReply({ headers: headers as HostHeaders }, body, logo.type, LOGO_KEPT));
    });
  }
};
