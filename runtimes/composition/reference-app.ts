import type { Express } from 'express';
import { openApiDocument } from '../../adapters/openapi/document.ts';
import { referenceCounter, referenceRouter } from '../../adapters/web/reference.ts';
import { webApp } from '../../adapters/web/web-app.ts';
import type { Host } from '../../ports/inbound/hosts.ts';

type ReferenceServing = Pick<Parameters<typeof webApp>[1], 'log' | 'fault' | 'limit' | 'addressOf'> & {
  readonly urls: Readonly<Record<Host, string>>;
};

/** The app of the OpenAPI document and of the page to read it with. */
export const referenceApp = ({ urls, ...options }: ReferenceServing): Express =>
  webApp([referenceRouter(openApiDocument(urls), Object.values(urls))], { ...options, counterOf: referenceCounter });
