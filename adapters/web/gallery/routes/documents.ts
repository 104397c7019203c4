import type { DocumentText } from '../../../../domain/documents/document.ts';
import { differenceOf } from '../differences.ts';
import { RenderedDocuments } from '../markdown.ts';
import type { DocumentParts } from '../parts.ts';
import type { Paths } from '../paths.ts';
import { Turns } from '../turns.ts';
import { compareView } from '../views/compare.ts';
import { documentsView, documentView } from '../views/documents.ts';

/** Documents and versions on a page. */
const DOCUMENTS = 60;
const VERSIONS = 50;
const PENDING = { page: 1, per_page: 100 };

const NUMBER = /^[1-9]\d{0,5}$/;

/** A number in an address; null where it names nothing. */
const numberIn = (text: string | null | undefined): number | null => (NUMBER.test(text ?? '') ? Number(text) : null);

/** The design documents. Where pages show none, there are no such pages. */
export const addDocumentPages = (paths: Paths): void => {
  const { documents } = paths.parts;
  if (documents !== null) addPages(paths, documents);
};

const addPages = (paths: Paths, documents: DocumentParts): void => {
  const turns = new Turns();
  const rendered = new RenderedDocuments(turns);
  const textOf = async (slug: string, number: number): Promise<DocumentText | null> => {
    const shown = await documents.showDocument(slug, number);
    return shown.ok ? shown.value.version : null;
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
    const shown = await documents.browseVersions(slug, {
      page: numberIn(query.get('page')) ?? 1,
      per_page: VERSIONS,
    });
    if (!shown) return null;
    const { current_version: current } = shown.document;
    const text = current === 0 ? null : await textOf(slug, current);
    return (page) => documentView(page, { ...shown, text }, rendered);
  });

  paths.page('/documents/:slug/versions/:number', async ({ params: { slug = '', number } }) => {
    const wanted = numberIn(number);
    if (wanted === null) return null;
    const [shown, text] = await Promise.all([
      documents.browseVersions(slug, { page: 1, per_page: VERSIONS }),
      textOf(slug, wanted),
    ]);
    return shown && text && ((page) => documentView(page, { ...shown, text }, rendered));
  });

  paths.page('/documents/:slug/compare', async ({ params: { slug = '' }, query }) => {
    const shown = await documents.browseVersions(slug, { page: 1, per_page: VERSIONS });
    if (!shown) return null;
    const numbers = shown.versions.entries.map(({ number }) => number);
    const newest = numberIn(query.get('to')) ?? numbers[0] ?? 0;
    const base = numberIn(query.get('from')) ?? numbers.find((number) => number < newest) ?? newest;
    const [from, to] = await Promise.all([textOf(slug, base), textOf(slug, newest)]);
    if (!from || !to) return null;
    const difference = await turns.take(() => differenceOf(from.body, to.body));
    return (page) => compareView(page, { document: shown.document, from, to, numbers, difference });
  });
};
