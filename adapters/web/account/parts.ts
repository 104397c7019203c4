import type { IncomingMessage, ServerResponse } from 'node:http';
import { createApiKey, listApiKeys } from '../../../application/access/api-keys.ts';
import { limitRate } from '../../../application/access/limit-rate.ts';
import { findReplacedKey, revokeOwnKey } from '../../../application/access/own-keys.ts';
import { type AskForEmailChange, changeEmail, peekEmailLink } from '../../../application/accounts/email-change.ts';
import { eraseOwnAccount, proveOwner } from '../../../application/accounts/own-account.ts';
import { collectOwnData, saveBilling, saveProfile } from '../../../application/accounts/own-data.ts';
import { listPurchases } from '../../../application/billing/list-purchases.ts';
import { listOrders, showOrder } from '../../../application/billing/orders.ts';
import { listInvoices, listPaymentMethods } from '../../../application/billing/payments.ts';
import { listSubscriptions } from '../../../application/billing/subscriptions.ts';
import { withdrawFromOrder } from '../../../application/billing/withdrawal.ts';
import { listGuides } from '../../../application/catalog/guides.ts';
import { openContentAsset } from '../../../application/catalog/library.ts';
import { listOwnDevices, releaseDevice, renameDevice } from '../../../application/devices/own-devices.ts';
import { checkLicense } from '../../../application/licensing/check-license.ts';
import { makeLicenseKey } from '../../../application/licensing/license-keys.ts';
import type { Made } from '../../../application/shared/use-cases.ts';
import { disconnectApp, listConnectedApps } from '../../../application/sign-in/connected-apps.ts';
import { decideDeviceSignIn, findDeviceSignIn } from '../../../application/sign-in/device-sign-in.ts';
import { findDraft, keepDraft } from '../../../application/sign-in/drafts.ts';
import {
  addPasskey,
  beginPasskey,
  listPasskeys,
  removePasskey,
  signInWithPasskey,
} from '../../../application/sign-in/passkeys.ts';
import { setPassword, signInWithPassword } from '../../../application/sign-in/passwords.ts';
import {
  endOtherSessions,
  endOwnSession,
  endSession,
  findSession,
  listSessions,
  rememberBrowser,
} from '../../../application/sign-in/sessions.ts';
import { type AskForLink, peekSignInLink, useSignInLink } from '../../../application/sign-in/sign-in-links.ts';
import type { BeginUpstreamSignIn, FinishUpstreamSignIn } from '../../../application/sign-in/upstream-sign-in.ts';
import { peekUndo, undoEmailChange } from '../../../application/sign-in/ways-in.ts';
import { receiveSupportReport } from '../../../application/support/receive-support-report.ts';
import {
  findFormerWithdrawal,
  linkOwnFile,
  listOwnTickets,
  replyToTicket,
  showOwnTicket,
} from '../../../application/support/tickets.ts';
import type { Permit } from '../../../domain/access/permit.ts';
import type { ConsentDecision, ConsentRequest } from '../../../domain/sign-in/oauth-grant.ts';
import type { SignInMethods } from '../../../domain/sign-in/session.ts';
import type { Accounts } from '../../../ports/outbound/accounts.ts';
import type { Catalogs } from '../../../ports/outbound/catalog.ts';
import type { Links } from '../../../ports/outbound/links.ts';
import type { DailyBounds } from '../../../ports/outbound/requests.ts';
import type { Clock } from '../../../ports/outbound/system.ts';
import { askInstallPlan, saveSetup } from '../../host/ask-api.ts';
import type { SpoolFolder } from '../../host/spool.ts';
import type { Site } from './site.ts';

export const accountPagesUseCases = {
  askInstallPlan,
  saveSetup,
  replyToTicket,
  showOwnTicket,
  findFormerWithdrawal,
  linkOwnFile,
  listOwnTickets,
  saveProfile,
  saveBilling,
  collectOwnData,
  addPasskey,
  beginPasskey,
  listPasskeys,
  removePasskey,
  signInWithPasskey,
  checkLicense,
  createApiKey,
  listApiKeys,
  decideDeviceSignIn,
  findDeviceSignIn,
  findDraft,
  keepDraft,
  disconnectApp,
  listConnectedApps,
  endOtherSessions,
  endOwnSession,
  endSession,
  findSession,
  listSessions,
  rememberBrowser,
  changeEmail,
  peekEmailLink,
  eraseOwnAccount,
  proveOwner,
  withdrawFromOrder,
  findReplacedKey,
  revokeOwnKey,
  limitRate,
  listInvoices,
  listPaymentMethods,
  listOrders,
  showOrder,
  listOwnDevices,
  releaseDevice,
  renameDevice,
  listPurchases,
  listSubscriptions,
  makeLicenseKey,
  listGuides,
  openContentAsset,
  peekSignInLink,
  useSignInLink,
  peekUndo,
  undoEmailChange,
  receiveSupportReport,
  setPassword,
  signInWithPassword,
};

/** The use cases and ports that the pages call, under the names of the service's parts. */
export type AccountPagesParts = Made<typeof accountPagesUseCases> & {
  readonly accounts: Pick<Accounts, 'get'>;
  /** Null if the service sends no mail. */
  readonly askForLink: AskForLink | null;
  /** Null if the service sends no mail. */
  readonly askForEmailChange: AskForEmailChange | null;
  /** Null without an upstream provider. */
  readonly beginUpstreamSignIn: BeginUpstreamSignIn | null;
  readonly catalogs: Pick<Catalogs, 'current'>;
  readonly clock: Clock;
  readonly dailyBounds: Pick<DailyBounds, 'count'>;
  readonly finishUpstreamSignIn: FinishUpstreamSignIn | null;
  /** The maximum number of live keys for each scope. */
  readonly keyQuota: number;
  readonly links: Pick<Links, 'issuer'>;
  readonly signInMethods: SignInMethods;
};

/** The authorization server's consent requests. Each is bound to the browser that started it. */
export type Consents = {
  /** The request; null if it is unknown, has ended, or belongs to another browser. */
  readonly find: (req: IncomingMessage, res: ServerResponse) => Promise<ConsentRequest | null>;
  /** Authorizes the application. Returns the URL to continue to; null if the request has ended. */
  readonly approve: (
    req: IncomingMessage,
    res: ServerResponse,
    permit: Permit,
    decision: ConsentDecision,
  ) => Promise<string | null>;
  /** Denies the application. Returns the URL to continue to; null if the request has ended. */
  readonly deny: (req: IncomingMessage, res: ServerResponse, permit: Permit) => Promise<string | null>;
};

/** The use cases and ports that the gate and the sign-in pages of each site call. */
export type GateParts = Pick<
  AccountPagesParts,
  | 'accounts'
  | 'askForLink'
  | 'addPasskey'
  | 'beginPasskey'
  | 'catalogs'
  | 'clock'
  | 'dailyBounds'
  | 'endSession'
  | 'findDraft'
  | 'findSession'
  | 'keepDraft'
  | 'limitRate'
  | 'links'
  | 'listPasskeys'
  | 'peekSignInLink'
  | 'proveOwner'
  | 'rememberBrowser'
  | 'removePasskey'
  | 'signInMethods'
  | 'signInWithPasskey'
  | 'signInWithPassword'
  | 'useSignInLink'
>;

/** The settings of a site. */
export type PagesSettings = {
  readonly site: Site;
  readonly parts: GateParts;
  readonly options: {
    /** The network address of a request's sender, behind the trusted proxies. */
    readonly addressOf: (req: IncomingMessage) => string;
    /** The folder for uploaded files. All hosts of a process share it. */
    readonly spool: SpoolFolder;
  };
};

export type AccountPagesSettings = PagesSettings & {
  readonly parts: AccountPagesParts;
  /** Null without an authorization server. */
  readonly consents: Consents | null;
};
