import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CreateApiKey, ListApiKeys } from '../../../application/access/api-keys.ts';
import type { LimitRate } from '../../../application/access/limit-rate.ts';
import type { FindReplacedKey, RevokeOwnKey } from '../../../application/access/own-keys.ts';
import type { AskForEmailChange, ChangeEmail, PeekEmailLink } from '../../../application/accounts/email-change.ts';
import type { EraseOwnAccount, ProveOwner } from '../../../application/accounts/own-account.ts';
import type { CollectOwnData, SaveProfile } from '../../../application/accounts/own-data.ts';
import type { ListPurchases } from '../../../application/billing/list-purchases.ts';
import type { ListOrders, ShowOrder } from '../../../application/billing/orders.ts';
import type { ListInvoices, ListPaymentMethods } from '../../../application/billing/payments.ts';
import type { ListSubscriptions } from '../../../application/billing/subscriptions.ts';
import type { WithdrawFromOrder } from '../../../application/billing/withdrawal.ts';
import type { OpenContentAsset } from '../../../application/catalog/library.ts';
import type { ListOwnDevices, ReleaseDevice, RenameDevice } from '../../../application/devices/own-devices.ts';
import type { CheckLicense } from '../../../application/licensing/check-license.ts';
import type { MakeLicenseKey } from '../../../application/licensing/license-keys.ts';
import type { DisconnectApp, ListConnectedApps } from '../../../application/sign-in/connected-apps.ts';
import type { DecideDeviceSignIn, FindDeviceSignIn } from '../../../application/sign-in/device-sign-in.ts';
import type {
  AddPasskey,
  BeginPasskey,
  ListPasskeys,
  RemovePasskey,
  SignInWithPasskey,
} from '../../../application/sign-in/passkeys.ts';
import type { SetPassword, SignInWithPassword } from '../../../application/sign-in/passwords.ts';
import type {
  EndOtherSessions,
  EndOwnSession,
  EndSession,
  FindSession,
  ListSessions,
  RememberBrowser,
} from '../../../application/sign-in/sessions.ts';
import type { AskForLink, PeekSignInLink, UseSignInLink } from '../../../application/sign-in/sign-in-links.ts';
import type { BeginUpstreamSignIn, FinishUpstreamSignIn } from '../../../application/sign-in/upstream-sign-in.ts';
import type { PeekUndo, UndoEmailChange } from '../../../application/sign-in/ways-in.ts';
import type { ReceiveSupportReport } from '../../../application/support/receive-support-report.ts';
import type {
  FindFormerWithdrawal,
  LinkOwnFile,
  ListOwnTickets,
  ReplyToTicket,
  ShowOwnTicket,
} from '../../../application/support/tickets.ts';
import type { Permit } from '../../../domain/access/permit.ts';
import type { ConsentDecision, ConsentRequest } from '../../../domain/sign-in/oauth-grant.ts';
import type { SignInMethods } from '../../../domain/sign-in/session.ts';
import type { Accounts } from '../../../ports/outbound/accounts.ts';
import type { Catalogs } from '../../../ports/outbound/catalog.ts';
import type { Links } from '../../../ports/outbound/links.ts';
import type { DailyBounds } from '../../../ports/outbound/requests.ts';
import type { Clock } from '../../../ports/outbound/system.ts';
import type { AskInstallPlan, SaveSetup } from '../../host/ask-api.ts';
import type { SpoolFolder } from '../../host/spool.ts';

/** The use cases and ports that the pages call, by the names of the service's parts. */
export type AccountPagesParts = {
  readonly accounts: Pick<Accounts, 'get'>;
  /** Null where the service sends no mail. */
  readonly askForLink: AskForLink | null;
  /** Null where the service sends no mail. */
  readonly askForEmailChange: AskForEmailChange | null;
  readonly askInstallPlan: AskInstallPlan;
  readonly replyToTicket: ReplyToTicket;
  readonly showOwnTicket: ShowOwnTicket;
  readonly saveProfile: SaveProfile;
  readonly collectOwnData: CollectOwnData;
  readonly addPasskey: AddPasskey;
  readonly beginPasskey: BeginPasskey;
  readonly listPasskeys: ListPasskeys;
  readonly removePasskey: RemovePasskey;
  readonly signInWithPasskey: SignInWithPasskey;
  /** Null without an upstream provider. */
  readonly beginUpstreamSignIn: BeginUpstreamSignIn | null;
  readonly catalogs: Pick<Catalogs, 'current'>;
  readonly checkLicense: CheckLicense;
  readonly clock: Clock;
  readonly createApiKey: CreateApiKey;
  readonly dailyBounds: Pick<DailyBounds, 'count'>;
  readonly decideDeviceSignIn: DecideDeviceSignIn;
  readonly disconnectApp: DisconnectApp;
  readonly endOtherSessions: EndOtherSessions;
  readonly endOwnSession: EndOwnSession;
  readonly endSession: EndSession;
  readonly changeEmail: ChangeEmail;
  readonly peekEmailLink: PeekEmailLink;
  readonly eraseOwnAccount: EraseOwnAccount;
  readonly findDeviceSignIn: FindDeviceSignIn;
  readonly findFormerWithdrawal: FindFormerWithdrawal;
  readonly withdrawFromOrder: WithdrawFromOrder;
  readonly findReplacedKey: FindReplacedKey;
  readonly findSession: FindSession;
  readonly finishUpstreamSignIn: FinishUpstreamSignIn | null;
  /** The live keys that a scope may have. */
  readonly keyQuota: number;
  readonly limitRate: LimitRate;
  readonly linkOwnFile: LinkOwnFile;
  readonly links: Pick<Links, 'issuer'>;
  readonly listApiKeys: ListApiKeys;
  readonly listConnectedApps: ListConnectedApps;
  readonly listInvoices: ListInvoices;
  readonly listOrders: ListOrders;
  readonly listOwnDevices: ListOwnDevices;
  readonly listOwnTickets: ListOwnTickets;
  readonly listPaymentMethods: ListPaymentMethods;
  readonly listPurchases: ListPurchases;
  readonly listSessions: ListSessions;
  readonly listSubscriptions: ListSubscriptions;
  readonly makeLicenseKey: MakeLicenseKey;
  readonly openContentAsset: OpenContentAsset;
  readonly peekSignInLink: PeekSignInLink;
  readonly peekUndo: PeekUndo;
  readonly proveOwner: ProveOwner;
  readonly undoEmailChange: UndoEmailChange;
  readonly receiveSupportReport: ReceiveSupportReport;
  readonly releaseDevice: ReleaseDevice;
  readonly rememberBrowser: RememberBrowser;
  readonly renameDevice: RenameDevice;
  readonly revokeOwnKey: RevokeOwnKey;
  readonly saveSetup: SaveSetup;
  readonly setPassword: SetPassword;
  readonly showOrder: ShowOrder;
  readonly signInMethods: SignInMethods;
  readonly signInWithPassword: SignInWithPassword;
  readonly useSignInLink: UseSignInLink;
};

/** The requests for consent of the authorization server. Each is bound to the browser that began it. */
export type Consents = {
  /** The request; null for one that is unknown, has ended, or is another browser's. */
  readonly find: (req: IncomingMessage, res: ServerResponse) => Promise<ConsentRequest | null>;
  /** Lets the application in. The value is the URL to go on to; null where the request has ended meanwhile. */
  readonly approve: (
    req: IncomingMessage,
    res: ServerResponse,
    permit: Permit,
    decision: ConsentDecision,
  ) => Promise<string | null>;
  /** Turns the application away. The value is the URL to go on to; null where the request has ended meanwhile. */
  readonly deny: (req: IncomingMessage, res: ServerResponse, permit: Permit) => Promise<string | null>;
};

/** The settings of the pages. */
export type AccountPagesSettings = {
  /** The public address of the account host, without a slash at the end. It is the root of its origin. */
  readonly urls: { readonly account: string };
  readonly parts: AccountPagesParts;
  /** Null without an authorization server. */
  readonly consents: Consents | null;
  readonly options: {
    /** The network address of a request's sender, behind the proxies that are trusted. */
    readonly addressOf: (req: IncomingMessage) => string;
    /** The folder for the files of forms. All hosts of a process share it. */
    readonly spool: SpoolFolder;
  };
};
