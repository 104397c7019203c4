import type { IncomingMessage } from 'node:http';
import type { Express } from 'express';
import { loggedPath } from '../../adapters/oauth/paths.ts';
import { accountPages } from '../../adapters/web/account/account-pages.ts';
import { webApp } from '../../adapters/web/web-app.ts';
import type { AddressCounter, LimitAddress } from '../../application/access/limit-rate.ts';
import { accountPagesParts, type PagesSources } from './account-pages.ts';
import { type AuthorizationParts, openAuthorizationServer } from './authorization-server.ts';
import { limitOf, type Serving } from './hosts.ts';
import type { Service } from './service.ts';

export type { PagesSources } from './account-pages.ts';
export type { AuthorizationParts } from './authorization-server.ts';

export type AccountServing = Pick<Serving, 'urls' | 'options'> & {
  readonly service: Service<PagesSources & AuthorizationParts & { readonly limitAddress: LimitAddress }>;
  /** The client's network address; no header that a stranger can forge may count. */
  readonly addressOf: (req: IncomingMessage) => string;
};

/** The pages and the authorization server count their requests themselves: against the account, where they know it. */
const counterOf = (path: string): AddressCounter | null => (path.startsWith('/assets/') ? 'files' : null);

/**
 * The account host's app: the authorization server, and the pages by which people sign in and manage what is theirs.
 */
export const accountApp = ({ service, urls, options, addressOf }: AccountServing): Express => {
  const fault = (error: unknown): void => options.fault(error, 'authorization server');
  const { listener, consents } = openAuthorizationServer({ service, urls, addressOf, fault });
  const pages = accountPages({ urls, parts: accountPagesParts(service), consents, options: { addressOf } });
  const limit = limitOf(service);
  const { router, methods, answers } = pages;
  return webApp([listener, router], { ...options, addressOf, limit, loggedPath, counterOf, methods }, answers);
};
