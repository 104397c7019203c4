import { Ed25519ArtifactSigner } from '../../../adapters/crypto/artifact-signer.ts';
import { CachedSigningKeys } from '../../../adapters/crypto/cached-signing-keys.ts';
import { signingKeyMaker } from '../../../adapters/crypto/ed25519-keys.ts';
import { LicenseKeyRing } from '../../../adapters/crypto/license-signer.ts';
import { scryptPasswords } from '../../../adapters/crypto/passwords.ts';
import { Ed25519PolicySigner } from '../../../adapters/crypto/policy-signer.ts';
import { secretBox } from '../../../adapters/crypto/secret-box.ts';
import { digest, keySecrets, licenseKeySecrets, secrets } from '../../../adapters/crypto/secrets.ts';
import { linksOn } from '../../../adapters/host/addresses.ts';
import type { MailSettings } from '../../../adapters/mail/mailer.ts';
import type { ApiKeys, WebhookSecrets } from '../../../adapters/payments/providers.ts';
import type { TableScan } from '../../../adapters/store/account-erasures.ts';
import type { AuditSettings } from '../../../adapters/store/audit-trail.ts';
import type { TellFault } from '../../../adapters/store/cached-copy.ts';
import type { Table } from '../../../adapters/store/table.ts';
import { silentBell } from '../../../adapters/system/bells.ts';
import { systemClock, systemIds, systemPauses } from '../../../adapters/system/system.ts';
import { versions } from '../../../adapters/versions/versions.ts';
import type { CollectSettings } from '../../../application/design/collect/runs.ts';
import type { RateLimitSettings } from '../../../domain/access/rate-limit.ts';
import type { KeySecrets } from '../../../ports/outbound/access.ts';
import type { Passwords } from '../../../ports/outbound/accounts.ts';
import type { HtmlSanitizer } from '../../../ports/outbound/catalog.ts';
import type { Versions } from '../../../ports/outbound/delivery.ts';
import type { JobBell } from '../../../ports/outbound/jobs.ts';
import type { Links } from '../../../ports/outbound/links.ts';
import type {
  ArtifactSigner,
  KeyRings,
  LicenseSigner,
  PolicySigner,
  SigningKeyMaker,
  SigningKeys,
} from '../../../ports/outbound/signing.ts';
import type { Clock, Digest, Ids, Pauses, Secrets } from '../../../ports/outbound/system.ts';
import type { SecretBox } from '../../../ports/outbound/webhooks.ts';
import { type DocumentReaders, documentReaders } from '../../configuration/auto-settings.ts';
import { memoryKeyRings } from '../../engines/signing-keys.ts';
import type { Addresses, Engines, SignInSettings, WholeSettings } from '../settings.ts';

export type Rings = { readonly signingKeyRings: KeyRings };

/** Replaces the scan of engines that have none, such as those of a function. */
const NO_SCAN: TableScan = {
  dump: async () => {
    throw new Error('These engines were opened without a scan of the whole table; pass one as tableScan.');
  },
};

/** The opened engines, and the adapters that need no engine. */
export const environment = (engines: Engines, settings: WholeSettings) => ({
  parts: {
    table: (): Table => engines.table,
    mailSettings: (): MailSettings | null => settings.mail,
    objects: () => engines.objects,
    tableScan: (): TableScan => engines.tableScan ?? NO_SCAN,
    signingKeyRings: (): KeyRings => engines.signingKeyRings ?? memoryKeyRings(),
    signingKeyMaker: (): SigningKeyMaker => signingKeyMaker,
    licenseKeys: ({ signingKeyRings: { license } }: Rings): SigningKeys => new CachedSigningKeys(license),
    secretBox: (): SecretBox => secretBox,
    policyKeys: ({ signingKeyRings: { policy } }: Rings): SigningKeys => new CachedSigningKeys(policy),
    licenseSigner: ({ signingKeyRings: { license } }: Rings): LicenseSigner =>
      engines.licenseSigner ?? new LicenseKeyRing(license),
    artifactSigner: ({ signingKeyRings: { artifact } }: Rings): ArtifactSigner => new Ed25519ArtifactSigner(artifact),
    policySigner: (): PolicySigner => new Ed25519PolicySigner(),
    settings: (): RateLimitSettings => settings,
    keyQuota: (): number => settings.keysPerScope,
    tellFault: (): TellFault => settings.tellFault,
    addresses: (): Addresses => settings,
    signInSettings: (): SignInSettings => settings.signIn,
    documentReaders: (): DocumentReaders => documentReaders(settings.gallery, settings.urls),
    webhookSecrets: (): WebhookSecrets => settings.webhookSecrets,
    providerKeys: (): ApiKeys => settings.apiKeys,
    auditSettings: (): AuditSettings => settings.audit,
    collectSettings: (): CollectSettings => settings.collect,
    jobBell: (): JobBell => engines.jobBell ?? silentBell,
    links: (): Links => linksOn(settings.urls),
    clock: (): Clock => systemClock,
    ids: (): Ids => systemIds(),
    auditIds: (): Ids => systemIds(),
    messageIds: (): Ids => systemIds(),
    pauses: (): Pauses => systemPauses,
    keySecrets: (): KeySecrets => keySecrets,
    licenseKeySecrets: (): KeySecrets => licenseKeySecrets,
    secrets: (): Secrets => secrets,
    digest: (): Digest => digest,
    passwords: (): Passwords => scryptPasswords,
    versions: (): Versions => versions,
    // The sanitizer is loaded with the first HTML, because most calls need none and it is a sixth of a Lambda
    // function's code.
    htmlSanitizer: (): HtmlSanitizer => ({
      sanitize: async (html) => (await import('../../../adapters/html/sanitizer.ts')).sanitize(html),
    }),
  },
});
