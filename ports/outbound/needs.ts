import type { AgentTokens, ApiKeys, KeyBatches, KeySecrets, Members } from './access.ts';
import type { AccountErasures, Accounts, Passwords, PasswordTurns } from './accounts.ts';
import type { AuditLog } from './audit-log.ts';
import type {
  BillingRecords,
  Invoices,
  OrderRecordStore,
  Orders,
  PaymentMethods,
  RecordOwners,
  ShopSales,
} from './billing.ts';
import type { CatalogEditor, Catalogs, HtmlSanitizer, Policies, SetupProgresses } from './catalog.ts';
import type { AppcastWriter, ReleaseEditor, Releases, Supplies, Versions } from './delivery.ts';
import type { CollectRuns, ImageReader } from './design/collect.ts';
import type { Documents, SkillPackage } from './design/documents.ts';
import type { Gallery, GalleryEditor } from './design/gallery.ts';
import type { Devices, Installs, ProductUses, Usage } from './devices.ts';
import type { JobBell, Jobs } from './jobs.ts';
import type { Leases } from './leases.ts';
import type { Grants, Licenses, Trials } from './licensing.ts';
import type { Links } from './links.ts';
import type { Mailer, Messages } from './mail.ts';
import type { Notices } from './notices.ts';
import type { ObjectStore } from './object-store.ts';
import type { PasskeyChallenges, Passkeys, PasskeyVerifier } from './passkeys.ts';
import type { DailyBounds, RateLimits, Replays } from './requests.ts';
import type { ConnectedProviders, PaymentEvents, PaymentProviders, Sales } from './sales.ts';
import type {
  ConnectedApps,
  DeviceSignIns,
  Drafts,
  KnownBrowsers,
  Sessions,
  SignInLinks,
  SignInTokens,
} from './sign-in.ts';
import type { ArtifactSigner, KeyRings, LicenseSigner, PolicySigner, SigningKeyMaker, SigningKeys } from './signing.ts';
import type { ErrorReports, Tickets } from './support.ts';
import type { Clock, Digest, Ids, Pauses, Secrets, ShopExamination } from './system.ts';
import type { Teams } from './teams.ts';
import type { Transfers } from './transfers.ts';
import type { UpstreamLinks, UpstreamProvider, UpstreamSignIns } from './upstream-provider.ts';
import type { SecretBox, WebhookQueue, WebhookSender, Webhooks } from './webhooks.ts';

/**
 * The ports under the names by which use cases receive them. Those that start with `stored` always belong to the
 * built-in store, even if a team replaces the others, because the operator's commands write there.
 */
type PortsByName = {
  accountErasures: AccountErasures;
  accounts: Accounts;
  agentTokenSecrets: KeySecrets;
  agentTokens: AgentTokens;
  apiKeys: ApiKeys;
  appcastWriter: AppcastWriter;
  artifactSigner: ArtifactSigner;
  auditLog: AuditLog;
  billingRecords: BillingRecords;
  catalogEditor: CatalogEditor;
  catalogs: Catalogs;
  clock: Clock;
  collectRuns: CollectRuns;
  connectedApps: ConnectedApps;
  connectedProviders: ConnectedProviders;
  dailyBounds: DailyBounds;
  deviceSignIns: DeviceSignIns;
  devices: Devices;
  digest: Digest;
  documents: Documents;
  drafts: Drafts;
  errorReports: ErrorReports;
  examination: ShopExamination;
  gallery: Gallery;
  galleryEditor: GalleryEditor;
  grants: Grants;
  htmlSanitizer: HtmlSanitizer;
  ids: Ids;
  imageReader: ImageReader;
  installs: Installs;
  invoices: Invoices;
  jobBell: JobBell;
  jobs: Jobs;
  keyBatches: KeyBatches;
  keySecrets: KeySecrets;
  knownBrowsers: KnownBrowsers;
  leases: Leases;
  licenseKeySecrets: KeySecrets;
  licenseKeys: SigningKeys;
  licenseSigner: LicenseSigner;
  licenses: Licenses;
  links: Links;
  mailer: Mailer;
  members: Members;
  messages: Messages;
  notices: Notices;
  objects: ObjectStore;
  orderRecords: OrderRecordStore;
  orders: Orders;
  passkeyChallenges: PasskeyChallenges;
  passkeyVerifier: PasskeyVerifier;
  passkeys: Passkeys;
  passwordTurns: PasswordTurns;
  passwords: Passwords;
  pauses: Pauses;
  paymentEvents: PaymentEvents;
  paymentMethods: PaymentMethods;
  paymentProviders: PaymentProviders;
  policies: Policies;
  policyKeys: SigningKeys;
  policySigner: PolicySigner;
  productUses: ProductUses;
  rateLimits: RateLimits;
  recordOwners: RecordOwners;
  releaseEditor: ReleaseEditor;
  releases: Releases;
  replays: Replays;
  sales: Sales;
  secretBox: SecretBox;
  secrets: Secrets;
  sessions: Sessions;
  setupProgresses: SetupProgresses;
  shopSales: ShopSales;
  signInLinks: SignInLinks;
  signInTokens: SignInTokens;
  signingKeyMaker: SigningKeyMaker;
  signingKeyRings: KeyRings;
  skillPackage: SkillPackage;
  storedLicenses: Licenses;
  storedOrders: Orders;
  storedPaymentMethods: PaymentMethods;
  supplies: Supplies;
  teams: Teams;
  tickets: Tickets;
  transfers: Transfers;
  trials: Trials;
  upstreamLinks: UpstreamLinks;
  upstreamProvider: UpstreamProvider;
  upstreamSignIns: UpstreamSignIns;
  usage: Usage;
  versions: Versions;
  webhookQueue: WebhookQueue;
  webhookSender: WebhookSender;
  webhooks: Webhooks;
};

export type Needs<Name extends keyof PortsByName> = Pick<PortsByName, Name>;
