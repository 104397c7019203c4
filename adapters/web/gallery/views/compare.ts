import { html } from 'hono/html';
import type { DesignDocument, DocumentText } from '../../../../domain/documents/document.ts';
import type { Html } from '../../shared/pieces.ts';
import type { Difference, DiffLine } from '../differences.ts';
import { versionPath } from './documents.ts';
import { layout, type Page } from './page.ts';

/** The lines that stay in sight around a change, and the most lines that a page shows. */
const AROUND = 3;
const MOST_LINES = 6000;

const SIGNS = { same: '', removed: '−', added: '+' } as const;

/** A line. A change is told by a sign, by `ins` or `del`, and by words for people who can't see the page. */
const line = ({ m }: Page, { kind, from, to, pieces }: DiffLine): Html => {
  const text = pieces.map(({ text: words, changed }) => (changed ? html`<mark>${words}</mark>` : html`${words}`));
  const marked =
    kind === 'same' ? html`${text}` : kind === 'added' ? html`<ins>${text}</ins>` : html`<del>${text}</del>`;
  const label =
    kind === 'same'
      ? ''
      : html`<span class="unseen">${kind === 'added' ? m.documents.addedLine : m.documents.removedLine} </span>`;
  return html`<div class="line ${kind}"><span class="no" aria-hidden="true">${from ?? ''}</span><span class="no" aria-hidden="true">${to ?? ''}</span><span class="sign" aria-hidden="true">${SIGNS[kind]}</span><span class="text">${label}${marked}</span></div>
`;
};

/** The lines as changes with what stands around them; the rest is folded away. */
const folded = (page: Page, lines: readonly DiffLine[]): Html[] => {
  const near = new Uint8Array(lines.length);
  for (const [index, { kind }] of lines.entries()) {
    if (kind !== 'same') near.fill(1, Math.max(0, index - AROUND), index + AROUND + 1);
  }
  const out: Html[] = [];
  for (let start = 0; start < lines.length; ) {
    let end = start + 1;
    while (end < lines.length && near[end] === near[start]) end += 1;
    const run = lines.slice(start, end).map((one) => line(page, one));
    // One line takes no more room than the words that it would be folded under.
    if (near[start] === 1 || run.length === 1) out.push(...run);
    else
      out.push(
        html`<details class="kept"><summary>${page.m.documents.unchanged(run.length)}</summary>${run}</details>`,
      );
    start = end;
  }
  return out;
};

type Model = {
  readonly document: DesignDocument;
  readonly from: DocumentText;
  readonly to: DocumentText;
  readonly difference: Difference;
  /** The numbers to choose from. */
  readonly numbers: readonly number[];
};

const choice = (name: string, label: string, numbers: readonly number[], chosen: number): Html =>
  html`<div class="field"><label for="${name}">${label}</label><select id="${name}" name="${name}">${numbers.map(
    (n) => html`<option value="${n}"${n === chosen ? html` selected` : ''}>${n}</option>`,
  )}</select></div>`;

/** Two versions of a document, line by line. */
export const compareView = (page: Page, { document, from, to, numbers, difference }: Model): Html => {
  const { m, chosen } = page;
  const { slug, title } = document;
  const { added, removed, whole } = difference;
  const lines = difference.lines.slice(0, MOST_LINES);
  const isSame = added + removed === 0;
  const choices = [...new Set([...numbers, from.number, to.number])].sort((a, b) => b - a);
  return layout(page, {
    title: m.documents.compareTitle(title),
    section: 'documents',
    body: html`<nav class="crumbs"><a href="${page.to(versionPath(slug, to.number))}">${title}</a></nav>
<h1>${m.documents.compareTitle(title)}</h1>
<form class="between" action="${page.at(`/documents/${encodeURIComponent(slug)}/compare`)}" method="get">
${chosen === undefined ? '' : html`<input type="hidden" name="hl" value="${chosen}">`}
${choice('from', m.documents.from, choices, from.number)}
${choice('to', m.documents.to, choices, to.number)}
<button>${m.documents.compare}</button>
</form>
${isSame ? html`<p class="note">${m.documents.same}</p>` : html`<p class="count"><span class="plus">+ ${m.documents.added(added)}</span> · <span class="minus">− ${m.documents.removed(removed)}</span></p>`}
${whole ? html`<p class="note">${m.documents.whole}</p>` : ''}
${isSame ? '' : html`<div class="diff">${folded(page, lines)}</div>`}
${difference.lines.length > lines.length ? html`<p class="warning">${m.documents.cut}</p>` : ''}`,
  });
};
