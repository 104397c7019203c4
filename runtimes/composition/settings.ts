import type { Addresses } from '../../adapters/host/addresses.ts';
import type { MailSettings } from '../../adapters/mail/mailer.ts';
import type { ApiKeys, WebhookSecrets } from '../../adapters/payments/providers.ts';
import type { TableScan } from '../../adapters/store/account-erasures.ts';
import type { AuditSettings } from '../../adapters/store/audit-trail.ts';
import type { CacheAge, TellFault } from '../../adapters/store/cached-copy.ts';
import type { Table } from '../../adapters/store/table.ts';
import type { CollectSettings } from '../../application/design/collect/runs.ts';
import { LIVE_KEY_QUOTA } from '../../domain/access/api-key.ts';
import type { RateLimitSettings } from '../../domain/access/rate-limit.ts';
import { AUDIT_DAYS } from '../../domain/audit/entry.ts';
import { LEASE_SECONDS } from '../../domain/design/collect/run-rules.ts';
import type { Host } from '../../ports/inbound/hosts.ts';
import type { JobBell } from '../../ports/outbound/jobs.ts';
import type { ObjectStore } from '../../ports/outbound/object-store.ts';
import type { KeyRings, LicenseSigner } from '../../ports/outbound/signing.ts';
import type { GallerySettings } from '../configuration/auto-settings.ts';
import type { Config } from '../configuration/config.ts';
import type { UpstreamConfig } from '../configuration/feature-config.ts';

/** The sign-in methods that the operator offers, in addition to one-time links. */
export type SignInSettings = {
  /** True if passwords sign in. */
  readonly password: boolean;
  /** The OpenID Connect provider of the shop's customers; null if there is none. */
  readonly upstream: UpstreamConfig | null;
  /** True if a client may identify itself by the URL of its metadata, which this server then fetches. */
  readonly clientDocuments: boolean;
};

/** The default sign-in settings. */
export const PASSWORDS_ONLY: SignInSettings = { password: true, upstream: null, clientDocuments: true };

export type { Addresses } from '../../adapters/host/addresses.ts';
export type { MailSettings } from '../../adapters/mail/mailer.ts';
export type { GallerySettings } from '../configuration/auto-settings.ts';

/** The opened engines. The code that opened them closes them. */
export type Engines = {
  readonly table: Table;
  readonly objects: ObjectStore;
  /** Reads the whole table, for the erasure of an account. */
  readonly tableScan?: TableScan;
  /** The storage of the signing keys. Without it, the keys live as long as the service. */
  readonly signingKeyRings?: KeyRings;
  /** By default, the license keys of `signingKeyRings` sign. */
  readonly licenseSigner?: LicenseSigner;
  /** Notifies the worker of jobs. Without it, the worker finds them itself, later. */
  readonly jobBell?: JobBell;
};

export type Settings = RateLimitSettings &
  Addresses & {
    readonly catalogAge: CacheAge;
    /**
     * Called with faults that fail no request, such as a catalog that can't be refreshed. Without it, they are ignored.
     */
    readonly tellFault?: TellFault;
    /** By default, passwords sign in, and there is no upstream provider. */
    readonly signIn?: SignInSettings;
    /** The number of live keys of one account and scope; three by default. */
    readonly keysPerScope?: number;
    /** By default, the audit log keeps entries for a year, with IP addresses. */
    readonly audit?: AuditSettings;
    /** By default, a lease lasts ten minutes. */
    readonly collect?: CollectSettings;
    /** Without it, no message is written or sent. */
    readonly mail?: MailSettings | null;
    /** Without it, no payment provider's events are accepted. */
    readonly webhookSecrets?: WebhookSecrets;
    /** Without a provider's key, its API is not called. */
    readonly apiKeys?: ApiKeys;
    /** By default, pages show design documents only to this machine. */
    readonly gallery?: GallerySettings;
  };

/** The default settings of a service. */
export const DEFAULTS = {
  signIn: PASSWORDS_ONLY,
  keysPerScope: LIVE_KEY_QUOTA,
  audit: { days: AUDIT_DAYS, addresses: true },
  collect: { leaseSeconds: LEASE_SECONDS },
  mail: null,
  webhookSecrets: {},
  apiKeys: {},
  gallery: { documents: 'auto' },
  tellFault: () => {},
} as const satisfies Partial<Settings>;

export type WholeSettings = Settings & Required<Pick<Settings, keyof typeof DEFAULTS>>;

/**
 * The settings of a service, from the configuration and the public addresses of its hosts. `tellFault` is called with
 * faults outside requests.
 */
export const settingsOf = (
  config: Config,
  urls: Readonly<Record<Host, string>>,
  tellFault: TellFault = () => {},
): Settings => ({
  tellFault,
  urls,
  legacyUrl: config.legacy.url,
  corsOrigins: config.corsOrigins,
  perAccount: config.ratePerAccount,
  perAgent: config.ratePerAgent,
  perAddress: config.ratePerAddress,
  filesPerAddress: config.filesPerAddress,
  keysPerScope: config.keysPerScope,
  audit: { days: config.auditDays, addresses: config.logAddresses },
  collect: { leaseSeconds: config.collectLeaseSeconds },
  gallery: { documents: config.galleryDocuments },
  mail: config.mail,
  webhookSecrets: config.webhookSecrets,
  apiKeys: config.apiKeys,
  catalogAge: config.store.engine.catalogAge,
  signIn: {
    password: config.passwordSignIn,
    upstream: config.upstream,
    clientDocuments: config.clientDocuments,
  },
});
