import type { IncomingMessage } from 'node:http';
import type { Express } from 'express';
import {
  type AuthorizationServer,
  type AuthorizationServerOptions,
  authorizationServer,
} from '../../adapters/oauth/authorization-server.ts';
import { loggedPath } from '../../adapters/oauth/paths.ts';
import { guardedFetch } from '../../adapters/outbound-http/guarded-fetch.ts';
import { bodyAtHand, type RawInput } from '../../adapters/pipeline/input.ts';
import type { Invoker } from '../../adapters/pipeline/invoke.ts';
import { accountPages, appErrorPages } from '../../adapters/web/account/account-pages.ts';
import type { AccountPagesParts, Asking } from '../../adapters/web/account/parts.ts';
import { visitor } from '../../adapters/web/account/visitor.ts';
import { webApp } from '../../adapters/web/web-app.ts';
import type { EndApiKey } from '../../application/access/api-keys.ts';
import type { Authenticate } from '../../application/access/authenticate.ts';
import type { AddressCounter, LimitAddress, LimitRate } from '../../application/access/limit-rate.ts';
import type { EndUnusedApps } from '../../application/sign-in/connected-apps.ts';
import type { RedeemDeviceSignIn, StartDeviceSignIn } from '../../application/sign-in/device-sign-in.ts';
import type { FindSession } from '../../application/sign-in/sessions.ts';
import { ownerOf } from '../../domain/access/principal.ts';
import { type Outcome, ok } from '../../domain/shared/outcome.ts';
import { saveSetupProgress } from '../../ports/inbound/api/catalog.ts';
import { planInstall } from '../../ports/inbound/api/delivery.ts';
import type { AnswerOf } from '../../ports/inbound/documentation/documentation.ts';
import type { EndpointSpec } from '../../ports/inbound/endpoint.ts';
import type { RefusalCode } from '../../ports/inbound/refusals.ts';
import type { Catalogs } from '../../ports/outbound/catalog.ts';
import type { OAuthRecords } from '../../ports/outbound/oauth-records.ts';
import type { DailyBounds } from '../../ports/outbound/requests.ts';
import type { Clock, Pauses } from '../../ports/outbound/system.ts';
import { limitOf, type Serving } from './hosts.ts';
import type { Service } from './service.ts';
import type { SignInSettings } from './settings.ts';

/** The parts of a service that the authorization server calls. */
export type AuthorizationParts = {
  readonly oauthRecords: OAuthRecords;
  readonly catalogs: Catalogs;
  readonly dailyBounds: DailyBounds;
  readonly clock: Clock;
  readonly pauses: Pauses;
  readonly limitRate: LimitRate;
  readonly limitAddress: LimitAddress;
  readonly startDeviceSignIn: StartDeviceSignIn;
  readonly redeemDeviceSignIn: RedeemDeviceSignIn;
  readonly authenticate: Authenticate;
  readonly endApiKey: EndApiKey;
  readonly endUnusedApps: EndUnusedApps;
  readonly findSession: FindSession;
  readonly signInSettings: SignInSettings;
};

type ServingAuthorization = Pick<AuthorizationServerOptions, 'urls' | 'fault'> & {
  readonly service: Service<AuthorizationParts>;
  readonly addressOf: (req: IncomingMessage) => string;
  /** Replaces the fetch of clients' metadata documents, which keeps to public addresses. */
  readonly fetch?: AuthorizationServerOptions['fetch'];
  /** Replaces the look-up of the pages' session. */
  readonly accountOf?: AuthorizationServerOptions['accountOf'];
};

/** The authorization server of the account host over the service's parts. */
export const openAuthorizationServer = ({
  service,
  fetch = guardedFetch(),
  ...options
}: ServingAuthorization): AuthorizationServer =>
  authorizationServer({
    ...visitor(options.urls.account, { findSession: service.get('findSession') }),
    ...options,
    fetch,
    clientDocuments: service.get('signInSettings').clientDocuments,
    renderError: appErrorPages(service.get('catalogs')),
    records: service.get('oauthRecords'),
    catalogs: service.get('catalogs'),
    dailyBounds: service.get('dailyBounds'),
    clock: service.get('clock'),
    pauses: service.get('pauses'),
    limitRate: service.get('limitRate'),
    limitAddress: service.get('limitAddress'),
    startDeviceSignIn: service.get('startDeviceSignIn'),
    redeemDeviceSignIn: service.get('redeemDeviceSignIn'),
    authenticate: service.get('authenticate'),
    endApiKey: service.get('endApiKey'),
    endUnusedApps: service.get('endUnusedApps'),
  });

/** The parts of a service from which those of the pages are made. */
export type PagesSources = Omit<AccountPagesParts, 'askInstallPlan' | 'saveSetup'> & { readonly invoker: Invoker };

type AskedInput = Pick<RawInput, 'params'> & { readonly query?: RawInput['query']; readonly body?: unknown };

/** Asks an endpoint, so that the pages pass the gates that every client passes. The page's request was counted. */
const asking =
  (invoker: Invoker) =>
  async <A>(endpoint: EndpointSpec, { principal, address, rate }: Asking, { body, ...input }: AskedInput) => {
    const caller = { principal, address, owner: ownerOf(principal, address), counted: Promise.resolve(rate) };
    const raw = { query: {}, ...input, body: bodyAtHand(body ?? null), locale: 'en' as const };
    const { outcome } = await invoker.invoke(endpoint, raw, caller);
    return outcome as Outcome<A, RefusalCode>;
  };

const askedParts = (invoker: Invoker): Pick<AccountPagesParts, 'askInstallPlan' | 'saveSetup'> => {
  const ask = asking(invoker);
  return {
    askInstallPlan: async (from, { product, ...query }) => {
      const plan = await ask<AnswerOf<'planInstall'>>(planInstall, from, { params: { product }, query });
      return plan.ok ? ok(plan.value.data) : plan;
    },
    saveSetup: (from, product, completed_step_indexes) =>
      ask(saveSetupProgress, from, { params: { product }, body: { completed_step_indexes } }),
  };
};

/** The parts of a service that the account host's pages call. */
export const accountPagesParts = ({ get }: Service<PagesSources>): AccountPagesParts => ({
  accounts: get('accounts'),
  askForEmailChange: get('askForEmailChange'),
  askForLink: get('askForLink'),
  changeEmail: get('changeEmail'),
  peekEmailLink: get('peekEmailLink'),
  replyToTicket: get('replyToTicket'),
  saveProfile: get('saveProfile'),
  collectOwnData: get('collectOwnData'),
  addPasskey: get('addPasskey'),
  beginPasskey: get('beginPasskey'),
  listPasskeys: get('listPasskeys'),
  removePasskey: get('removePasskey'),
  signInWithPasskey: get('signInWithPasskey'),
  ...askedParts(get('invoker')),
  beginUpstreamSignIn: get('beginUpstreamSignIn'),
  catalogs: get('catalogs'),
  checkLicense: get('checkLicense'),
  clock: get('clock'),
  createApiKey: get('createApiKey'),
  dailyBounds: get('dailyBounds'),
  decideDeviceSignIn: get('decideDeviceSignIn'),
  disconnectApp: get('disconnectApp'),
  endOtherSessions: get('endOtherSessions'),
  endOwnSession: get('endOwnSession'),
  endSession: get('endSession'),
  eraseOwnAccount: get('eraseOwnAccount'),
  findDeviceSignIn: get('findDeviceSignIn'),
  findReplacedKey: get('findReplacedKey'),
  findSession: get('findSession'),
  finishUpstreamSignIn: get('finishUpstreamSignIn'),
  limitRate: get('limitRate'),
  linkOwnFile: get('linkOwnFile'),
  links: get('links'),
  listApiKeys: get('listApiKeys'),
  keyQuota: get('keyQuota'),
  listInvoices: get('listInvoices'),
  listOrders: get('listOrders'),
  listConnectedApps: get('listConnectedApps'),
  listOwnDevices: get('listOwnDevices'),
  listOwnTickets: get('listOwnTickets'),
  listPaymentMethods: get('listPaymentMethods'),
  listPurchases: get('listPurchases'),
  listSessions: get('listSessions'),
  listSubscriptions: get('listSubscriptions'),
  makeLicenseKey: get('makeLicenseKey'),
  openContentAsset: get('openContentAsset'),
  peekSignInLink: get('peekSignInLink'),
  receiveSupportReport: get('receiveSupportReport'),
  releaseDevice: get('releaseDevice'),
  rememberBrowser: get('rememberBrowser'),
  renameDevice: get('renameDevice'),
  revokeOwnKey: get('revokeOwnKey'),
  setPassword: get('setPassword'),
  showOrder: get('showOrder'),
  signInMethods: get('signInMethods'),
  signInWithPassword: get('signInWithPassword'),
  useSignInLink: get('useSignInLink'),
});

export type AccountServing = Pick<Serving, 'urls' | 'options' | 'spool'> & {
  readonly service: Service<PagesSources & AuthorizationParts & { readonly limitAddress: LimitAddress }>;
  /** The client's network address; no header that a stranger can forge may count. */
  readonly addressOf: (req: IncomingMessage) => string;
};

/** The pages and the authorization server count their requests themselves: against the account, where they know it. */
const counterOf = (path: string): AddressCounter | null => (path.startsWith('/assets/') ? 'files' : null);

/**
 * The account host's app: the authorization server, and the pages by which people sign in and manage what is theirs.
 */
export const accountApp = ({ service, urls, options, spool, addressOf }: AccountServing): Express => {
  const fault = (error: unknown): void => options.fault(error, 'authorization server');
  const { listener, consents } = openAuthorizationServer({ service, urls, addressOf, fault });
  const pages = accountPages({ urls, parts: accountPagesParts(service), consents, options: { addressOf, spool } });
  const limit = limitOf(service);
  const { router, methods, answers } = pages;
  return webApp([listener, router], { ...options, addressOf, limit, loggedPath, counterOf, methods }, answers);
};
