import type { Express } from 'express';
import type { HostOptions } from '../../adapters/host/host.ts';
import type { AddressOf } from '../../adapters/http/carry.ts';
import { openApiDocument } from '../../adapters/openapi/document.ts';
import { documentRouter, referenceCounter, referenceRouter } from '../../adapters/web/reference.ts';
import { webApp } from '../../adapters/web/web-app.ts';
import type { Host } from '../../ports/inbound/hosts.ts';

export type ReferenceServing = Pick<HostOptions, 'log' | 'fault' | 'limit'> & {
  /** The client's network address; without it, the socket's own. No header that a stranger can forge may count. */
  readonly addressOf?: AddressOf;
  readonly urls: Readonly<Record<Host, string>>;
};

/**
 * The app of the OpenAPI document of a host. That of the API host has the document of all hosts, too, and the page to
 * read it with.
 */
export const referenceApp = (host: Host, { urls, ...options }: ReferenceServing): Express => {
  const page = host === 'api' ? [referenceRouter(openApiDocument(urls), Object.values(urls))] : [];
  return webApp([documentRouter(openApiDocument(urls, host)), ...page], { ...options, counterOf: referenceCounter });
};
