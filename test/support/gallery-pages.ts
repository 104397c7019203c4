import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isDesignPage } from '../../adapters/host/addresses.ts';
import { createHost, type HostRoute, type Limit } from '../../adapters/host/host.ts';
import { addressBehind, nodeListener } from '../../adapters/http/node-requests.ts';
import { galleryPages } from '../../adapters/web/gallery/gallery-pages.ts';
import type { DocumentParts, GalleryPagesParts } from '../../adapters/web/gallery/parts.ts';
import { webApp } from '../../adapters/web/web-app.ts';
import { listApps, searchScreens, showApp, showScreen, showTaxonomy } from '../../application/design/gallery/browse.ts';
import type { DocumentText } from '../../domain/design/documents/document.ts';
import type { Screen } from '../../domain/design/gallery/screen.ts';
import { matches } from '../../domain/design/gallery/terms.ts';
import { ok, refuse } from '../../domain/shared/outcome.ts';
import { offsetOf, pagedList } from '../../domain/shared/paging.ts';
import type { Gallery } from '../../ports/outbound/design/gallery.ts';
import { aDocument, aTaxonomy } from './gallery-builders.ts';

/* Helpers for tests of the gallery's pages: the pages on lists in memory, behind a real server on a free port. */

/** The documents with these versions. */
export const documentPartsOf = (texts: readonly DocumentText[]): DocumentParts => {
  const shown = texts.filter(({ state }) => state !== 'draft');
  const versionsOf = (slug: string) => shown.filter((one) => one.slug === slug).toReversed();
  const documentOf = (slug: string) => {
    const versions = versionsOf(slug);
    const current = versions.find(({ state }) => state === 'approved');
    const title = /^# (.*)/m.exec((current ?? versions[0])?.body ?? '')?.[1] ?? slug;
    return aDocument({ slug, title, current_version: current?.number ?? 0, latest_version: versions[0]?.number ?? 0 });
  };
  const all = [...new Set(shown.map(({ slug }) => slug))].map(documentOf).filter((one) => one.current_version > 0);
  return {
    browseDocuments: async (request) => ({ ...request, entries: all, total: all.length }),
    browseVersions: async (slug, request) => {
      const entries = versionsOf(slug);
      if (entries.length === 0) return null;
      return { document: documentOf(slug), versions: { ...request, entries, total: entries.length } };
    },
    listPendingReviews: async (request) => {
      const entries = shown.filter(({ state }) => state === 'in_review');
      return pagedList({ ...request, entries, total: entries.length }, { path: '' });
    },
    showDocument: async (slug, number) => {
      const version = versionsOf(slug).find((one) => one.number === number);
      return version ? ok({ document: documentOf(slug), version }) : refuse('not_found');
    },
  };
};

export type GallerySample = GalleryPagesParts & { readonly documents: DocumentParts | null };

type Sample = Partial<GallerySample> & {
  readonly screens?: readonly Screen[];
  /** Null if pages show no documents. */
  readonly texts?: readonly DocumentText[] | null;
};

const NO_TAXONOMY = { page_types: [], patterns: [], elements: [], colors: [], fonts: [] };

/** The parts of the pages for these screens and these versions of documents. */
export const galleryParts = ({ screens = [], texts = [], ...parts }: Sample = {}): GallerySample => {
  const flowsOf = (app: string) =>
    [
      ...Map.groupBy(
        screens.filter((one) => one.app === app),
        ({ flow }) => flow.slug,
      ),
    ].map(([slug, list]) => ({ slug, name: list[0]?.flow.name ?? slug, total: list.length, screens: list }));
  const gallery: Gallery = {
    search: async (filter, order, page) => {
      const found = screens.filter((screen) => matches(screen, filter));
      const sorted = order === 'newest' ? found.toReversed() : found;
      const start = offsetOf(page);
      return { ...page, entries: sorted.slice(start, start + page.per_page), total: found.length };
    },
    screen: async (id) => screens.find((screen) => screen.id === id),
    apps: async () =>
      new Map(
        [...Map.groupBy(screens, ({ app }) => app)].map(([app, list]) => [
          app,
          { screens: list.length, flows: flowsOf(app).length },
        ]),
      ),
    flows: async (app) => flowsOf(app),
    taxonomy: async () => (screens.length > 0 ? aTaxonomy() : NO_TAXONOMY),
  };
  return {
    listApps: listApps({ gallery }),
    searchScreens: searchScreens({ gallery }),
    showApp: showApp({ gallery }),
    showScreen: showScreen({ gallery }),
    showTaxonomy: showTaxonomy({ gallery }),
    documents: texts === null ? null : documentPartsOf(texts),
    ...parts,
  };
};

export type GalleryServer = {
  readonly url: string;
  readonly lines: { readonly path: string; readonly status: number }[];
  readonly faults: unknown[];
  readonly close: () => Promise<void>;
};

/** Serves the pages at 127.0.0.1, and these other routes of the host. */
export const serveGallery = async (
  parts: GallerySample,
  routesAt: (url: string) => readonly HostRoute[] = () => [],
  { path = '', limit }: { path?: string; limit?: Limit | undefined } = {},
): Promise<GalleryServer> => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const lines: GalleryServer['lines'] = [];
  const faults: unknown[] = [];
  const options = {
    log: (line: GalleryServer['lines'][number]) => lines.push(line),
    fault: (error: unknown) => faults.push(error),
    health: async () => {},
    limit,
  };
  const addressOf = addressBehind([]);
  const { router, methods, answers } = galleryPages({
    urls: { design: url + path, api: 'http://api.test', account: 'http://account.test' },
    parts,
    documents: parts.documents,
  });
  const pages = webApp([router], { ...options, methods }, answers);
  const host = nodeListener(createHost(routesAt(url), options), addressOf);
  server.on('request', (req, res) =>
    isDesignPage((req.url ?? '').split('?', 1)[0] as string) ? pages(req, res) : host(req, res),
  );
  return {
    url,
    lines,
    faults,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
