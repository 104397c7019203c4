import { html } from 'hono/html';
import type { DesignDocument, DocumentText, DocumentVersion } from '../../../../domain/design/documents/document.ts';
import type { PageOf } from '../../../../domain/shared/paging.ts';
import { dayText } from '../../../../domain/shared/wording.ts';
import { day } from '../../shared/dates.ts';
import { RenderedDocuments } from '../../shared/markdown.ts';
import { emptyBox, type Html } from '../../shared/pieces.ts';
import { Turns } from '../../shared/turns.ts';
import { type Difference, type DiffLine, differenceOf } from '../differences.ts';
import type { DocumentParts } from '../parts.ts';
import type { Paths } from '../paths.ts';
import { layout, type Page } from './page.ts';
import { pageLinks } from './pieces.ts';

const documentPath = (slug: string): string => `/documents/${encodeURIComponent(slug)}`;

export const versionPath = (slug: string, number: number): string => `${documentPath(slug)}/versions/${number}`;

export const comparePath = (slug: string, from: number, to: number): string =>
  `${documentPath(slug)}/compare?from=${from}&to=${to}`;

const SIGNS = { draft: '○', in_review: '◐', approved: '✓', changes_requested: '↺', rejected: '✕' } as const;

/** The state of a version as a symbol and a word. */
const stateBadge = ({ m }: Page, { state }: DocumentVersion): Html =>
  html`<span class="badge state ${state}"><span aria-hidden="true">${SIGNS[state]} </span>${m.documents.states[state]}</span>`;

const pendingItem = (page: Page, version: DocumentVersion): Html =>
  html`<li><a href="${page.to(versionPath(version.slug, version.number))}">${version.slug}</a> <span class="count">${page.m.documents.version(version.number)} · ${page.m.documents.by(version.author.name)}</span></li>`;

type ListModel = { readonly found: PageOf<DesignDocument>; readonly pending: readonly DocumentVersion[] };

/** The documents, and the versions that await review. */
const documentsView = (page: Page, { found, pending }: ListModel): Html => {
  const { m, language, to } = page;
  const items = found.entries.map(
    ({ slug, title, current_version, updated_at }) =>
      html`<li class="card tilelink"><h2><a href="${to(documentPath(slug))}">${title}</a></h2><p class="kind">${m.documents.version(current_version)} · ${m.documents.updated(dayText(language, updated_at))}</p></li>`,
  );
  return layout(page, {
    title: m.documents.title,
    section: 'documents',
    body: html`<h1>${m.documents.title}</h1>
<p class="lead">${m.documents.lead}</p>
${items.length === 0 ? emptyBox(m.documents.empty, m.documents.emptyText) : html`<ul class="applist">${items}</ul>`}
${pageLinks(page, found, (n) => `/documents?page=${n}`)}
${pending.length === 0 ? '' : html`<section class="words-of"><h2>${m.documents.pending}</h2><ul class="plain">${pending.map((one) => pendingItem(page, one))}</ul></section>`}`,
  });
};

const historyItem = (page: Page, document: DesignDocument, version: DocumentVersion, selected: number | null): Html => {
  const { m, to } = page;
  const { slug, number, base_version: base, review, author, created_at } = version;
  const name = m.documents.version(number);
  const title =
    number === selected
      ? html`<span aria-current="page">${name}</span>`
      : html`<a href="${to(versionPath(slug, number))}">${name}</a>`;
  const current =
    number === document.current_version ? html` <span class="badge good">${m.documents.current}</span>` : '';
  const compare =
    base === 0
      ? ''
      : html`<p class="hint"><a href="${to(comparePath(slug, base, number))}">${m.documents.compareTo(base)}</a></p>`;
  const verdict =
    review === null
      ? ''
      : html`<figure class="verdict"><figcaption>${m.documents.reviewedBy(review.reviewer.name)}, ${day(page, review.reviewed_at)}</figcaption><blockquote>${review.reason}</blockquote></figure>`;
  return html`<li><div class="head"><h3>${title}</h3>${stateBadge(page, version)}${current}</div>
<p class="hint">${m.documents.by(author.name)}, ${day(page, created_at)}</p>
${verdict}${compare}</li>`;
};

export type DocumentModel = {
  readonly document: DesignDocument;
  readonly versions: PageOf<DocumentVersion>;
  /** The version to show; null if none is approved. */
  readonly text: DocumentText | null;
};

const documentView = async (
  page: Page,
  { document, versions, text }: DocumentModel,
  rendered: RenderedDocuments,
): Promise<Html> => {
  const { m, to } = page;
  const { slug, title, current_version: current } = document;
  const isCurrent = text !== null && text.number === current;
  const note =
    text === null || current === 0
      ? html`<p class="note">${m.documents.notApproved}</p>`
      : isCurrent
        ? ''
        : html`<p class="note">${m.documents.notCurrent} <a href="${to(documentPath(slug))}">${m.documents.toCurrent}</a> · <a href="${to(comparePath(slug, Math.min(current, text.number), Math.max(current, text.number)))}">${m.documents.compare}</a></p>`;
  const { image, asWritten, table } = m.documents;
  const body = text === null ? '' : await rendered.html(text, { title, image, asWritten, table });
  return layout(page, {
    title: text === null || isCurrent ? title : `${title}, ${m.documents.version(text.number)}`,
    section: 'documents',
    body: html`<nav class="crumbs"><a href="${to('/documents')}">${m.documents.all}</a></nav>
<div class="reading"><article><div class="head"><h1>${title}</h1>${text === null ? '' : html`<p class="count">${m.documents.version(text.number)} ${stateBadge(page, text)}</p>`}</div>
${note}
<div class="prose">${body}</div></article>
<aside aria-labelledby="history"><h2 id="history">${m.documents.history}</h2><ol class="history" reversed>${versions.entries.map((one) => historyItem(page, document, one, text?.number ?? null))}</ol>
${pageLinks(page, versions, (n) => `${documentPath(slug)}?page=${n}`)}</aside></div>`,
  });
};

/** The number of lines that stay visible around a change, and the maximum number of lines on a page. */
const AROUND = 3;
const MOST_LINES = 6000;

const MARKS = { same: '', removed: '−', added: '+' } as const;

/** A line. A change is marked by a symbol, by `ins` or `del`, and by words for people who can't see the page. */
const line = ({ m }: Page, { kind, from, to, pieces }: DiffLine): Html => {
  const text = pieces.map(({ text: words, changed }) => (changed ? html`<mark>${words}</mark>` : html`${words}`));
  const marked =
    kind === 'same' ? html`${text}` : kind === 'added' ? html`<ins>${text}</ins>` : html`<del>${text}</del>`;
  const label =
    kind === 'same'
      ? ''
      : html`<span class="unseen">${kind === 'added' ? m.documents.addedLine : m.documents.removedLine} </span>`;
  return html`<div class="line ${kind}"><span class="no" aria-hidden="true">${from ?? ''}</span><span class="no" aria-hidden="true">${to ?? ''}</span><span class="sign" aria-hidden="true">${MARKS[kind]}</span><span class="text">${label}${marked}</span></div>
`;
};

/** The changed lines with their context; the rest is folded. */
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
    // A single line takes no more room than the label that would fold it.
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
  readonly numbers: readonly number[];
};

const choice = (name: string, label: string, numbers: readonly number[], chosen: number): Html =>
  html`<div class="field"><label for="${name}">${label}</label><select id="${name}" name="${name}">${numbers.map(
    (n) => html`<option value="${n}"${n === chosen ? html` selected` : ''}>${n}</option>`,
  )}</select></div>`;

/** Two versions of a document, line by line. */
const compareView = (page: Page, { document, from, to, numbers, difference }: Model): Html => {
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

/** Documents and versions on a page. */
const DOCUMENTS = 60;
const VERSIONS = 50;
const PENDING = { page: 1, per_page: 100 };

const NUMBER = /^[1-9]\d{0,5}$/;

/** A number from a URL; null if it is invalid. */
const numberIn = (text: string | null | undefined): number | null => (NUMBER.test(text ?? '') ? Number(text) : null);

/** The pages of the design documents. They exist only if the gallery shows documents. */
export const addDocumentPages = (paths: Paths): void => {
  const { documents } = paths;
  if (documents !== null) addPages(paths, documents);
};

const addPages = (paths: Paths, documents: DocumentParts): void => {
  const turns = new Turns();
  const rendered = new RenderedDocuments(turns);
  const textOf = async (slug: string, number: number): Promise<DocumentText | null> => {
    const found = await documents.showDocument(slug, number);
    return found.ok ? found.value.version : null;
  };

  paths.page('/documents', async ({ query }) => {
    const request = { page: numberIn(query.get('page')) ?? 1, per_page: DOCUMENTS };
    const [found, pending] = await Promise.all([
      documents.browseDocuments(request),
      documents.listPendingReviews(PENDING),
    ]);
    return (page) => documentsView(page, { found, pending: pending.data });
  });

  paths.page('/documents/:slug', async ({ params: { slug = '' }, query }) => {
    const history = await documents.browseVersions(slug, {
      page: numberIn(query.get('page')) ?? 1,
      per_page: VERSIONS,
    });
    if (!history) return null;
    const { current_version: current } = history.document;
    const text = current === 0 ? null : await textOf(slug, current);
    return (page) => documentView(page, { ...history, text }, rendered);
  });

  paths.page('/documents/:slug/versions/:number', async ({ params: { slug = '', number } }) => {
    const version = numberIn(number);
    if (version === null) return null;
    const [history, text] = await Promise.all([
      documents.browseVersions(slug, { page: 1, per_page: VERSIONS }),
      textOf(slug, version),
    ]);
    return history && text && ((page) => documentView(page, { ...history, text }, rendered));
  });

  paths.page('/documents/:slug/compare', async ({ params: { slug = '' }, query }) => {
    const history = await documents.browseVersions(slug, { page: 1, per_page: VERSIONS });
    if (!history) return null;
    const numbers = history.versions.entries.map(({ number }) => number);
    const newest = numberIn(query.get('to')) ?? numbers[0] ?? 0;
    const base = numberIn(query.get('from')) ?? numbers.find((number) => number < newest) ?? newest;
    const [from, to] = await Promise.all([textOf(slug, base), textOf(slug, newest)]);
    if (!from || !to) return null;
    const difference = await turns.take(() => differenceOf(from.body, to.body));
    return (page) => compareView(page, { document: history.document, from, to, numbers, difference });
  });
};
