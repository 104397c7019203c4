import type { IncomingMessage } from 'node:http';
import type { Express } from 'express';
import express from 'express';
import { galleryPages } from '../../adapters/web/gallery/gallery-pages.ts';
import type { DocumentParts, GalleryPagesParts } from '../../adapters/web/gallery/parts.ts';
import { webApp } from '../../adapters/web/web-app.ts';
import type { LimitAddress } from '../../application/access/limit-rate.ts';
import { type DocumentReaders, isFromThisMachine } from './auto-settings.ts';
import { limitOf, type Serving } from './hosts.ts';
import type { Service } from './service.ts';

/** The parts of a service from which those of the pages are made. */
export type GallerySources = Omit<GalleryPagesParts, 'documents'> & DocumentParts;

/** The parts of a service that the gallery's pages call, with or without the documents. */
export const galleryPagesParts = ({ get }: Service<GallerySources>, hasDocuments: boolean): GalleryPagesParts => ({
  listApps: get('listApps'),
  searchScreens: get('searchScreens'),
  showApp: get('showApp'),
  showScreen: get('showScreen'),
  showTaxonomy: get('showTaxonomy'),
  documents: hasDocuments
    ? {
        browseDocuments: get('browseDocuments'),
        browseVersions: get('browseVersions'),
        listPendingReviews: get('listPendingReviews'),
        showDocument: get('showDocument'),
      }
    : null,
});

export type { DocumentReaders } from './auto-settings.ts';

export type DesignServing = Pick<Serving, 'urls' | 'options'> & {
  readonly service: Service<
    GallerySources & { readonly documentReaders: DocumentReaders; readonly limitAddress: LimitAddress }
  >;
  /** The client's network address; no header that a stranger can forge may count. */
  readonly addressOf: (req: IncomingMessage) => string;
};

/** The design host's app: the gallery of screens, and the design documents for those to whom pages show them. */
export const designApp = ({ service, urls, options, addressOf }: DesignServing): Express => {
  const pages = (hasDocuments: boolean): Express => {
    const parts = galleryPagesParts(service, hasDocuments);
    const { router, methods, answers } = galleryPages({ urls, parts });
    return webApp([router], { ...options, addressOf, limit: limitOf(service), methods }, answers);
  };
  const readers = service.get('documentReaders');
  if (readers !== 'this machine') return pages(readers === 'everybody');
  const [whole, withoutDocuments] = [pages(true), pages(false)];
  return express()
    .disable('x-powered-by')
    .use((req, res) => (isFromThisMachine(req, addressOf(req)) ? whole : withoutDocuments)(req, res));
};
