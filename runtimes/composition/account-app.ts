import type { IncomingMessage } from 'node:http';
import type { Express } from 'express';
import {
  type AuthorizationParts,
  type AuthorizationServer,
  type AuthorizationServerOptions,
  authorizationServer,
} from '../../adapters/oauth/authorization-server.ts';
import { loggedPath } from '../../adapters/oauth/paths.ts';
import { guardedFetch } from '../../adapters/outbound-http/guarded-fetch.ts';
import { accountPages, appErrorPages } from '../../adapters/web/account/account-pages.ts';
import type { AccountPagesParts } from '../../adapters/web/account/parts.ts';
import { visitor } from '../../adapters/web/account/visitor.ts';
import { webApp } from '../../adapters/web/web-app.ts';
import type { FindSession } from '../../application/sign-in/sessions.ts';
import type { Catalogs } from '../../ports/outbound/catalog.ts';
import { pick } from './area.ts';
import type { Service } from './bootstrap.ts';
import { limitOf, type Serving } from './hosts.ts';
import type { SignInSettings } from './settings.ts';

/** The parts of a service that the authorization server calls. */
const CALLED = [
  'oauthRecords',
  'catalogs',
  'dailyBounds',
  'clock',
  'pauses',
  'limitRate',
  'limitAddress',
  'startDeviceSignIn',
  'redeemDeviceSignIn',
  'authenticate',
  'endApiKey',
  'endUnusedApps',
] as const satisfies readonly (keyof AuthorizationParts)[];

/** The parts of a service from which its authorization server is built. */
export type AuthorizationSources = AuthorizationParts & {
  readonly findSession: FindSession;
  readonly signInSettings: SignInSettings;
  readonly catalogs: Catalogs;
};

type ServingAuthorization = Pick<AuthorizationServerOptions, 'urls' | 'fault'> & {
  readonly service: Service<AuthorizationSources>;
  readonly addressOf: (req: IncomingMessage) => string;
  /** Replaces the fetch of clients' metadata documents, which is limited to public addresses. */
  readonly fetch?: AuthorizationServerOptions['fetch'];
  /** Replaces the look-up of the pages' session. */
  readonly accountOf?: AuthorizationServerOptions['accountOf'];
};

/** Creates the authorization server of the account host from the service's parts. */
export const openAuthorizationServer = ({
  service,
  fetch = guardedFetch(),
  ...options
}: ServingAuthorization): AuthorizationServer =>
  authorizationServer({
    ...visitor(options.urls.account, pick(service.parts, ['findSession', 'catalogs'])),
    ...options,
    fetch,
    clientDocuments: service.get('signInSettings').clientDocuments,
    renderError: appErrorPages(service.get('catalogs')),
    ...pick(service.parts, CALLED),
  });

export type AccountServing = Pick<Serving, 'urls' | 'options' | 'spool'> & {
  readonly service: Service<AccountPagesParts & AuthorizationSources>;
  /** Returns the client's IP address. It must ignore headers that a stranger can forge. */
  readonly addressOf: (req: IncomingMessage) => string;
};

/** The account host's app: the authorization server, and the pages for signing in and managing an account. */
export const accountApp = ({ service, urls, options, spool, addressOf }: AccountServing): Express => {
  const fault = (error: unknown): void => options.fault(error, 'authorization server');
  const { listener, consents } = openAuthorizationServer({ service, urls, addressOf, fault });
  const pages = accountPages({ urls, parts: service.parts, consents, options: { addressOf, spool } });
  const limit = limitOf(service);
  const { router, methods, answers } = pages;
  return webApp([listener, router], { ...options, addressOf, limit, loggedPath, countsItself: true, methods }, answers);
};
