import { html } from 'hono/html';
import type { DesignDocument, DocumentText, DocumentVersion } from '../../../../domain/documents/document.ts';
import type { PageOf } from '../../../../domain/shared/paging.ts';
import { day, dayText } from '../../shared/dates.ts';
import { emptyBox, type Html } from '../../shared/pieces.ts';
import type { RenderedDocuments } from '../markdown.ts';
import { layout, type Page } from './page.ts';
import { pageLinks } from './page-links.ts';

const documentPath = (slug: string): string => `/documents/${encodeURIComponent(slug)}`;

export const versionPath = (slug: string, number: number): string => `${documentPath(slug)}/versions/${number}`;

export const comparePath = (slug: string, from: number, to: number): string =>
  `${documentPath(slug)}/compare?from=${from}&to=${to}`;

const SIGNS = { draft: '○', in_review: '◐', approved: '✓', changes_requested: '↺', rejected: '✕' } as const;

/** The state of a version as a sign and a word. */
const stateBadge = ({ m }: Page, { state }: DocumentVersion): Html =>
  html`<span class="badge state ${state}"><span aria-hidden="true">${SIGNS[state]} </span>${m.documents.states[state]}</span>`;

const pendingItem = (page: Page, version: DocumentVersion): Html =>
  html`<li><a href="${page.to(versionPath(version.slug, version.number))}">${version.slug}</a> <span class="count">${page.m.documents.version(version.number)} · ${page.m.documents.by(version.author.name)}</span></li>`;

type ListModel = { readonly found: PageOf<DesignDocument>; readonly pending: readonly DocumentVersion[] };

/** The documents, and the versions that wait for a verdict. */
export const documentsView = (page: Page, { found, pending }: ListModel): Html => {
  const { m, locale, to } = page;
  const items = found.entries.map(
    ({ slug, title, current_version, updated_at }) =>
      html`<li class="card tilelink"><h2><a href="${to(documentPath(slug))}">${title}</a></h2><p class="kind">${m.documents.version(current_version)} · ${m.documents.updated(dayText(locale, updated_at))}</p></li>`,
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

const historyItem = (page: Page, document: DesignDocument, version: DocumentVersion, shown: number | null): Html => {
  const { m, to } = page;
  const { slug, number, base_version: base, review, author, created_at } = version;
  const name = m.documents.version(number);
  const title =
    number === shown
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
  /** The version to read; null where none is approved. */
  readonly text: DocumentText | null;
};

/** A document, or one version of it, with the list of its versions. */
export const documentView = async (
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
  const { image, asWritten } = m.documents;
  const body = text === null ? '' : await rendered.html(text, { title, image, asWritten });
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
