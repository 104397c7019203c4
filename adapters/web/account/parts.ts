import type { IncomingMessage, ServerResponse } from 'node:http';
import { createApiKey, listApiKeys } from '../../../application/access/api-keys.ts';
import { findReplacedKey, revokeOwnKey } from '../../../application/access/own-keys.ts';
import { type AskForEmailChange, changeEmail, peekEmailLink } from '../../../application/accounts/email-change.ts';
import { eraseOwnAccount } from '../../../application/accounts/own-account.ts';
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
import { redeemKey } from '../../../application/licensing/claim-key.ts';
import { makeLicenseKey, showLicenseKeys } from '../../../application/licensing/license-keys.ts';
import {
  acceptTransfer,
  cancelTransfer,
  listTransfers,
  offerTransfer,
} from '../../../application/licensing/transfer.ts';
import type { Made } from '../../../application/shared/use-cases.ts';
import { disconnectApp, listConnectedApps } from '../../../application/sign-in/connected-apps.ts';
import { decideDeviceSignIn, findDeviceSignIn } from '../../../application/sign-in/device-sign-in.ts';
import { setPassword } from '../../../application/sign-in/passwords.ts';
import { endOtherSessions, endOwnSession, listSessions } from '../../../application/sign-in/sessions.ts';
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
import {
  acceptInvitation,
  findInvitation,
  inviteToTeam,
  listTeams,
  removeFromTeam,
  showTeam,
} from '../../../application/teams/teams.ts';
import type { Permit } from '../../../domain/access/permit.ts';
import type { ConsentDecision, ConsentRequest } from '../../../domain/sign-in/oauth-grant.ts';
import { askInstallPlan, saveSetup } from '../../host/ask-api.ts';
import { type GateParts, gateUseCases, type PagesSettings } from './gate-parts.ts';

export const accountPagesUseCases = {
  ...gateUseCases,
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
  checkLicense,
  createApiKey,
  listApiKeys,
  decideDeviceSignIn,
  findDeviceSignIn,
  disconnectApp,
  listConnectedApps,
  endOtherSessions,
  endOwnSession,
  listSessions,
  changeEmail,
  peekEmailLink,
  eraseOwnAccount,
  listTransfers,
  offerTransfer,
  acceptTransfer,
  cancelTransfer,
  withdrawFromOrder,
  findReplacedKey,
  revokeOwnKey,
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
  redeemKey,
  showLicenseKeys,
  listGuides,
  openContentAsset,
  peekUndo,
  undoEmailChange,
  receiveSupportReport,
  setPassword,
  acceptInvitation,
  findInvitation,
  inviteToTeam,
  listTeams,
  removeFromTeam,
  showTeam,
};

/** The use cases and ports that the pages call, under the names of the service's parts. */
export type AccountPagesParts = GateParts &
  Made<typeof accountPagesUseCases> & {
    /** Null if the service sends no mail. */
    readonly askForEmailChange: AskForEmailChange | null;
    /** Null without an upstream provider. */
    readonly beginUpstreamSignIn: BeginUpstreamSignIn | null;
    readonly finishUpstreamSignIn: FinishUpstreamSignIn | null;
    /** The maximum number of live keys for each scope. */
    readonly keyQuota: number;
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

export type AccountPagesSettings = PagesSettings & {
  readonly parts: AccountPagesParts;
  /** Null without an authorization server. */
  readonly consents: Consents | null;
};
