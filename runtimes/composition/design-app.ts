import type { IncomingMessage } from 'node:http';
import type { Express } from 'express';
import { galleryPages } from '../../adapters/web/gallery/gallery-pages.ts';
import { webApp } from '../../adapters/web/web-app.ts';
import { galleryPagesParts } from './gallery-pages.ts';
import type { Serving } from './hosts.ts';
import type { Service } from './service.ts';

type Parts = Parameters<typeof galleryPagesParts>[0] extends Service<infer P> ? P : never;

type DesignServing = Pick<Serving, 'urls' | 'options'> & {
  readonly service: Service<Parts>;
  /** The client's network address; no header that a stranger can forge may count. */
  readonly addressOf: (req: IncomingMessage) => string;
};

/** The design host's app: the gallery of screens, and the design documents where pages show them. */
export const designApp = ({ service, urls, options, addressOf }: DesignServing): Express => {
  const { router, answers } = galleryPages({ urls, parts: galleryPagesParts(service), options: { addressOf } });
  return webApp([router], options, answers);
};
