import type { CacheAge } from '../../adapters/store/cache-age.ts';
import type { Table } from '../../adapters/store/table.ts';
import type { RateLimitSettings } from '../../application/access/limit-rate.ts';
import type { Host } from '../../ports/inbound/hosts.ts';
import type { ArtifactSigner } from '../../ports/outbound/artifact-signer.ts';
import type { LicenseSigner } from '../../ports/outbound/license-signer.ts';
import type { ObjectStore } from '../../ports/outbound/object-store.ts';
import type { KeyRings } from '../../ports/outbound/policy-keys.ts';

/** What was opened before, and is closed by whoever opened it. */
export type Engines = {
  readonly table: Table;
  readonly objects: ObjectStore;
  readonly licenseSigner: LicenseSigner;
  readonly artifactSigner: ArtifactSigner;
  /** Where the keys of the client policy are kept; without it the policy is not signed. */
  readonly keyRings?: KeyRings;
};

export type Settings = RateLimitSettings & {
  /** Public addresses of the hosts, without a slash at the end. */
  readonly urls: Readonly<Record<Host, string>>;
  readonly catalogAge: CacheAge;
};
