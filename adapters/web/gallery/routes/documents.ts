import type { DocumentPages } from '../parts.ts';
import type { Paths } from '../paths.ts';
import { compareView } from '../views/compare.ts';
import { documentsView, documentView } from '../views/documents.ts';

/** Documents and versions on a page. */
const DOCUMENTS = 60;
const VERSIONS = 50;

const NUMBER = /^[1-9]\d{0,5}$/;

/** A number in an address; null where it names nothing. */
const numberIn = (text: string | null | undefined): number | null => (NUMBER.test(text ?? '') ? Number(text) : null);

/** The design documents. Where pages show none, there are no such pages. */
export const addDocumentPages = (paths: Paths): void => {
  const { documents } = paths.parts;
  if (documents !== null) addPages(paths, documents);
};

const addPages = (paths: Paths, documents: DocumentPages): void => {
  paths.page('/documents', async ({ query }) => {
    const request = { page: numberIn(query.get('page')) ?? 1, per_page: DOCUMENTS };
    const [found, pending] = await Promise.all([documents.list(request), documents.pending()]);
    return (page) => documentsView(page, { found, pending });
  });

  paths.page('/documents/:slug', async ({ params: { slug = '' }, query }) => {
    const shown = await documents.show(slug, { page: numberIn(query.get('page')) ?? 1, per_page: VERSIONS });
    if (!shown) return null;
    const { current_version: current } = shown.document;
    const text = current === 0 ? null : await documents.text(slug, current);
    return (page) => documentView(page, { ...shown, text });
  });

  paths.page('/documents/:slug/versions/:number', async ({ params: { slug = '', number } }) => {
    const wanted = numberIn(number);
    if (wanted === null) return null;
    const [shown, text] = await Promise.all([
      documents.show(slug, { page: 1, per_page: VERSIONS }),
      documents.text(slug, wanted),
    ]);
    return shown && text && ((page) => documentView(page, { ...shown, text }));
  });

  paths.page('/documents/:slug/compare', async ({ params: { slug = '' }, query }) => {
    const shown = await documents.show(slug, { page: 1, per_page: VERSIONS });
    if (!shown) return null;
    const numbers = shown.versions.entries.map(({ number }) => number);
    const newest = numberIn(query.get('to')) ?? numbers[0] ?? 0;
    const base = numberIn(query.get('from')) ?? numbers.find((number) => number < newest) ?? newest;
    const [from, to] = await Promise.all([documents.text(slug, base), documents.text(slug, newest)]);
    return from && to && ((page) => compareView(page, { document: shown.document, from, to, numbers }));
  });
};
