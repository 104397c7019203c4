import { Ed25519ArtifactSigner } from '../../../adapters/crypto/artifact-signer.ts';
import { signingKeyMaker } from '../../../adapters/crypto/ed25519-keys.ts';
import { KeptSigningKeys } from '../../../adapters/crypto/cached-signing-keys.ts';
import { LicenseKeyRing } from '../../../adapters/crypto/license-signer.ts';
import { scryptPasswords } from '../../../adapters/crypto/passwords.ts';
import { Ed25519PolicySigner } from '../../../adapters/crypto/policy-signer.ts';
import { digest, keySecrets, licenseKeySecrets } from '../../../adapters/crypto/secrets.ts';
import type { TableScan } from '../../../adapters/store/account-erasures.ts';
import type { AuditSettings } from '../../../adapters/store/audit-trail.ts';
import type { TellFault } from '../../../adapters/store/cached-copy.ts';
import type { Table } from '../../../adapters/store/table.ts';
import { silentBell } from '../../../adapters/system/bells.ts';
import { systemClock, systemIds, systemPauses } from '../../../adapters/system/system.ts';
import { versions } from '../../../adapters/versions/versions.ts';
import type { RateLimitSettings } from '../../../application/access/limit-rate.ts';
import type { CollectSettings } from '../../../application/design/collect/runs.ts';
import { LIVE_KEY_QUOTA } from '../../../domain/access/api-key.ts';
import { AUDIT_DAYS } from '../../../domain/audit/entry.ts';
import { LEASE_SECONDS } from '../../../domain/design/collect/run-rules.ts';
import type { Host } from '../../../ports/inbound/hosts.ts';
import type { KeySecrets } from '../../../ports/outbound/access.ts';
import type { Passwords } from '../../../ports/outbound/accounts.ts';
import type { HtmlSanitizer } from '../../../ports/outbound/catalog.ts';
import type { Versions } from '../../../ports/outbound/delivery.ts';
import type { JobBell } from '../../../ports/outbound/jobs.ts';
import type { DownloadLink, InstallLink, Links } from '../../../ports/outbound/links.ts';
import type {
  ArtifactSigner,
  KeyRings,
  LicenseSigner,
  PolicySigner,
  SigningKeyMaker,
  SigningKeys,
} from '../../../ports/outbound/signing.ts';
import type { Clock, Digest, Ids, Pauses } from '../../../ports/outbound/system.ts';
import { type DocumentReaders, documentReaders } from '../../configuration/auto-settings.ts';
import type { ApiKeys, WebhookSecrets } from '../../configuration/feature-config.ts';
import {
  type Addresses,
  type Engines,
  type MailSettings,
  PASSWORDS_ONLY,
  type Settings,
  type SignInSettings,
} from '../settings.ts';
import { memoryKeyRings } from '../../engines/signing-keys.ts';

const assetPath = (product_id: number, path: string): string =>
  `/api/products/${product_id}/content-assets/${path.split('/').map(encodeURIComponent).join('/')}`;

const withQuery = (address: string, query: DownloadLink | InstallLink): string => {
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === null ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? address : `${address}?${new URLSearchParams(given)}`;
};

/** Links below the public addresses, which have no slash at the end. */
export const linksOn = (urls: Readonly<Record<Host, string>>): Links => ({
  product: (product_id) => `${urls.api}/api/products/${product_id}`,
  productDetail: (product_id) => `${urls.api}/api/products/${product_id}/detail`,
  bundle: (product_id) => `${urls.api}/api/products/${product_id}/bundle`,
  installPlan: (product_id, link) => withQuery(`${urls.api}/api/products/${product_id}/install`, link),
  contentAsset: (product_id, path) => urls.api + assetPath(product_id, path),
  contentAssetPath: assetPath,
  manageDevices: (product_id) => `${urls.account}/devices?product=${product_id}`,
  ownPage: (page) => `${urls.account}/${page}`,
  signInLink: (code, next) =>
    `${urls.account}/sign-in/link?${new URLSearchParams({ code, ...(next !== undefined && { next }) })}`,
  emailLink: (code) => `${urls.account}/profile/email?${new URLSearchParams({ code })}`,
  undoLink: (code) => `${urls.account}/undo-email?${new URLSearchParams({ code })}`,
  signInCallback: () => `${urls.account}/sign-in/callback`,
  appcast: (product_id) => `${urls.app}/distribution/v1/products/${product_id}/appcast.xml`,
  releaseDownload: (release_id, link) => withQuery(`${urls.app}/distribution/v1/releases/${release_id}/download`, link),
  design: (path) => urls.design + path,
  issuer: urls.api,
});

export type Rings = { readonly signingKeyRings: KeyRings };

/** Stands for the scan of engines that were opened without one, such as those of a function. */
const NO_SCAN: TableScan = {
  dump: async () => {
    throw new Error('These engines were opened without a scan of the whole table; pass one as tableScan.');
  },
};

/** The opened engines, and the adapters that need no engine. */
export const outside = (engines: Engines, settings: Settings) => ({
  parts: {
    table: (): Table => engines.table,
    mailSettings: (): MailSettings | null => settings.mail ?? null,
    objects: () => engines.objects,
    tableScan: (): TableScan => engines.tableScan ?? NO_SCAN,
    signingKeyRings: (): KeyRings => engines.signingKeyRings ?? memoryKeyRings(),
    signingKeyMaker: (): SigningKeyMaker => signingKeyMaker,
    policyKeys: ({ signingKeyRings: { policy } }: Rings): SigningKeys => new KeptSigningKeys(policy),
    licenseSigner: ({ signingKeyRings: { license } }: Rings): LicenseSigner =>
      engines.licenseSigner ?? new LicenseKeyRing(license),
    artifactSigner: ({ signingKeyRings: { artifact } }: Rings): ArtifactSigner => new Ed25519ArtifactSigner(artifact),
    policySigner: (): PolicySigner => new Ed25519PolicySigner(),
    settings: (): RateLimitSettings => settings,
    keyQuota: (): number => settings.keysPerScope ?? LIVE_KEY_QUOTA,
    tellFault: (): TellFault => settings.tellFault ?? (() => {}),
    addresses: (): Addresses => settings,
    signInSettings: (): SignInSettings => settings.signIn ?? PASSWORDS_ONLY,
    documentReaders: (): DocumentReaders => documentReaders(settings.gallery ?? { documents: 'auto' }, settings.urls),
    webhookSecrets: (): WebhookSecrets => settings.webhookSecrets ?? {},
    providerKeys: (): ApiKeys => settings.apiKeys ?? {},
    auditSettings: (): AuditSettings => settings.audit ?? { days: AUDIT_DAYS, addresses: true },
    collectSettings: (): CollectSettings => settings.collect ?? { leaseSeconds: LEASE_SECONDS },
    jobBell: (): JobBell => engines.jobBell ?? silentBell,
    links: (): Links => linksOn(settings.urls),
    clock: (): Clock => systemClock,
    ids: (): Ids => systemIds(),
    auditIds: (): Ids => systemIds(),
    messageIds: (): Ids => systemIds(),
    pauses: (): Pauses => systemPauses,
    keySecrets: (): KeySecrets => keySecrets,
    licenseKeySecrets: (): KeySecrets => licenseKeySecrets,
    digest: (): Digest => digest,
    passwords: (): Passwords => scryptPasswords,
    versions: (): Versions => versions,
    // Loaded with the first text, because most calls need none and it is a sixth of a Lambda function's code.
    htmlSanitizer: (): HtmlSanitizer => ({
      sanitize: async (html) => (await import('../../../adapters/html/sanitizer.ts')).sanitize(html),
    }),
  },
});
