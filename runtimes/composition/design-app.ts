import type { IncomingMessage } from 'node:http';
import type { Express } from 'express';
import express from 'express';
import { galleryPages } from '../../adapters/web/gallery/gallery-pages.ts';
import type { DocumentParts, GalleryPagesParts } from '../../adapters/web/gallery/parts.ts';
import { webApp } from '../../adapters/web/web-app.ts';
import type { LimitAddress } from '../../application/access/limit-rate.ts';
import { type DocumentReaders, isFromThisMachine } from '../configuration/auto-settings.ts';
import type { Service } from './bootstrap.ts';
import { limitOf, type Serving } from './hosts.ts';

export type { DocumentReaders } from '../configuration/auto-settings.ts';

export type DesignServing = Pick<Serving, 'urls' | 'options'> & {
  readonly service: Service<
    GalleryPagesParts &
      DocumentParts & { readonly documentReaders: DocumentReaders; readonly limitAddress: LimitAddress }
  >;
  /** Returns the client's IP address. It must ignore headers that a stranger can forge. */
  readonly addressOf: (req: IncomingMessage) => string;
};

/** The design host's app: the gallery of screens, and the design documents for the permitted readers. */
export const designApp = ({ service, urls, options, addressOf }: DesignServing): Express => {
  const pages = (hasDocuments: boolean): Express => {
    const { parts } = service;
    const { router, methods, answers } = galleryPages({ urls, parts, documents: hasDocuments ? parts : null });
    return webApp([router], { ...options, addressOf, limit: limitOf(service), methods }, answers);
  };
  const readers = service.get('documentReaders');
  if (readers !== 'this machine') return pages(readers === 'everybody');
  const [whole, withoutDocuments] = [pages(true), pages(false)];
  return express()
    .disable('x-powered-by')
    .use((req, res) => (isFromThisMachine(req, addressOf(req)) ? whole : withoutDocuments)(req, res));
};
