import type { ServiceIdentifier } from 'inversify';
import type { EndpointHandlers, UseCases } from '../../adapters/pipeline/handlers.ts';
import type { Invoker } from '../../adapters/pipeline/invoke.ts';
import type { StoredOrders, StoredPaymentMethods } from '../../adapters/store/billing.ts';
import type { StoredCatalogs } from '../../adapters/store/catalogs.ts';
import type { StoredLicenses } from '../../adapters/store/licenses.ts';
import type { StoredReleases } from '../../adapters/store/releases.ts';
import type { Table } from '../../adapters/store/table.ts';
import type { AnswerOnce } from '../../application/access/answer-once.ts';
import type { Authenticate } from '../../application/access/authenticate.ts';
import type { CreateApiKey } from '../../application/access/create-api-key.ts';
import type { LimitRate, RateLimitSettings } from '../../application/access/limit-rate.ts';
import type { ListApiKeys } from '../../application/access/list-api-keys.ts';
import type { ReadAccess } from '../../application/access/read-access.ts';
import type { RecordKeyUse } from '../../application/access/record-key-use.ts';
import type { RevokeApiKey } from '../../application/access/revoke-api-key.ts';
import type { ReadOrders } from '../../application/billing/read-orders.ts';
import type { ProductViews } from '../../application/catalog/product-views.ts';
import type { ReleaseTickets } from '../../application/delivery/release-tickets.ts';
import type { GrantEntitlement } from '../../application/licensing/grant-entitlement.ts';
import type { LicenseTokens } from '../../application/licensing/license-tokens.ts';
import type { AddAccount } from '../../application/operations/add-account.ts';
import type { CheckStore } from '../../application/operations/check-store.ts';
import type { FileIntake } from '../../application/operations/file-intake.ts';
import type { ImportStore } from '../../application/operations/import-store.ts';
import type { ListAccounts } from '../../application/operations/list-accounts.ts';
import type { PublishRelease } from '../../application/operations/publish-release.ts';
import type { RecordWriter } from '../../application/operations/record-writer.ts';
import type { SetPolicy } from '../../application/operations/set-policy.ts';
import type { ActivateSigningKey } from '../../application/policy/activate-signing-key.ts';
import type { CreateSigningKey } from '../../application/policy/create-signing-key.ts';
import type { ListVerificationKeys } from '../../application/policy/list-verification-keys.ts';
import type { Accounts, Passwords } from '../../ports/outbound/accounts.ts';
import type { ApiKeys, KeySecrets } from '../../ports/outbound/api-keys.ts';
import type { AppcastWriter } from '../../ports/outbound/appcast-writer.ts';
import type { ArtifactSigner } from '../../ports/outbound/artifact-signer.ts';
import type { BillingRecords, Invoices, Orders, PaymentMethods } from '../../ports/outbound/billing.ts';
import type { CatalogEditor, Catalogs } from '../../ports/outbound/catalogs.ts';
import type { Clock } from '../../ports/outbound/clock.ts';
import type { Devices } from '../../ports/outbound/devices.ts';
import type { HtmlSanitizer } from '../../ports/outbound/html-sanitizer.ts';
import type { Ids } from '../../ports/outbound/ids.ts';
import type { LicenseSigner } from '../../ports/outbound/license-signer.ts';
import type { Grants, Licenses } from '../../ports/outbound/licenses.ts';
import type { Links } from '../../ports/outbound/links.ts';
import type { ObjectStore } from '../../ports/outbound/object-store.ts';
import type { Pauses } from '../../ports/outbound/pauses.ts';
import type { Policies } from '../../ports/outbound/policies.ts';
import type { KeyRings, PolicyKeys, PolicySigner } from '../../ports/outbound/policy-keys.ts';
import type { RateLimits } from '../../ports/outbound/rate-limits.ts';
import type { ReleaseEditor, Releases, Versions } from '../../ports/outbound/releases.ts';
import type { Replays } from '../../ports/outbound/replays.ts';
import type { SetupProgresses } from '../../ports/outbound/setup-progresses.ts';
import type { Installs, Usage } from '../../ports/outbound/usage.ts';

/** Everything that is wired, by the name under which constructors ask for it. */
export type Parts = {
  // engines
  table: Table;
  objects: ObjectStore;
  // repositories
  accounts: Accounts;
  apiKeys: ApiKeys;
  storedLicenses: StoredLicenses;
  licenses: Licenses;
  grants: Grants;
  storedOrders: StoredOrders;
  orders: Orders;
  invoices: Invoices;
  storedPaymentMethods: StoredPaymentMethods;
  paymentMethods: PaymentMethods;
  billingRecords: BillingRecords;
  devices: Devices;
  usage: Usage;
  installs: Installs;
  storedCatalogs: StoredCatalogs;
  catalogs: Catalogs;
  catalogEditor: CatalogEditor;
  storedReleases: StoredReleases;
  releases: Releases;
  releaseEditor: ReleaseEditor;
  policies: Policies;
  setupProgresses: SetupProgresses;
  rateLimits: RateLimits;
  replays: Replays;
  // the rest of the outside
  clock: Clock;
  ids: Ids;
  pauses: Pauses;
  keySecrets: KeySecrets;
  passwords: Passwords;
  versions: Versions;
  licenseSigner: LicenseSigner;
  artifactSigner: ArtifactSigner;
  keyRings: KeyRings;
  policyKeys: PolicyKeys;
  policySigner: PolicySigner;
  htmlSanitizer: HtmlSanitizer;
  appcastWriter: AppcastWriter;
  links: Links;
  settings: RateLimitSettings;
  // use cases beside those of the endpoints
  answerOnce: AnswerOnce;
  authenticate: Authenticate;
  limitRate: LimitRate;
  recordKeyUse: RecordKeyUse;
  readAccess: ReadAccess;
  createApiKey: CreateApiKey;
  listApiKeys: ListApiKeys;
  revokeApiKey: RevokeApiKey;
  grantEntitlement: GrantEntitlement;
  productViews: ProductViews;
  licenseTokens: LicenseTokens;
  readOrders: ReadOrders;
  listVerificationKeys: ListVerificationKeys;
  releaseTickets: ReleaseTickets;
  // the operator's use cases
  fileIntake: FileIntake;
  recordWriter: RecordWriter;
  checkStore: CheckStore;
  importStore: ImportStore;
  setPolicy: SetPolicy;
  createSigningKey: CreateSigningKey;
  activateSigningKey: ActivateSigningKey;
  publishRelease: PublishRelease;
  addAccount: AddAccount;
  listAccounts: ListAccounts;
  // the way in
  endpointHandlers: EndpointHandlers;
  invoker: Invoker;
} & UseCases;

export type Tokens = { readonly [Name in keyof Parts]: ServiceIdentifier<Parts[Name]> };

/** The token of each part. Made on demand, so that a part is named in one place: its type above. */
export const TOKENS = new Proxy({} as Tokens, {
  get: (_target, name) => Symbol.for(`account-service/${String(name)}`),
});
