import type { Account } from '../../domain/accounts/account.ts';
import { documentContradictions } from '../../domain/operations/billing-contradictions.ts';
import {
  accountFaults,
  documentFaults,
  keptPasswordWarnings,
  knownAfter,
} from '../../domain/operations/document-faults.ts';
import { claimsOf, ownerFault } from '../../domain/operations/record-owner.ts';
import {
  type KnownReleases,
  newAppcastFaults,
  releaseFaults,
  schemeFaults,
  withdrawalWarnings,
} from '../../domain/operations/release-faults.ts';
import { type AccountEntry, type StoreDocument, taxonomyFaults } from '../../domain/operations/store-document.ts';
import { liftedWarnings } from '../../domain/policy/client-policy.ts';
import type { Fault } from '../../domain/shared/fault.ts';
import type { StoreFiles } from '../../ports/outbound/files.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { type FoundFiles, fileFaults, findFiles, recordFaults } from './document-files.ts';
import { type Progress, unseen } from './progress.ts';

export type StoreToImport = {
  document: StoreDocument;
  files: StoreFiles;
  progress?: Progress;
  /** Told once of everything that is imported and may be a mistake, before anything is written. */
  warned?: (warnings: readonly Fault[]) => void;
};

export type CheckedStore = {
  /** All faults, each with its path in the document. */
  readonly faults: readonly Fault[];
  /** Likely mistakes, which are imported all the same. */
  readonly warnings: readonly Fault[];
  readonly known: KnownReleases;
  readonly found: FoundFiles;
};

/** Checks a store document and every file that it names, against each other and against the store. Writes nothing. */
export const checkStore = ({
  catalogs,
  releases,
  versions,
  clock,
  galleryEditor,
  accounts,
  storedLicenses,
  storedOrders,
  storedPaymentMethods,
  passwords,
  recordOwners,
}: Needs<
  | 'accounts'
  | 'catalogs'
  | 'clock'
  | 'galleryEditor'
  | 'passwords'
  | 'recordOwners'
  | 'releases'
  | 'storedLicenses'
  | 'storedOrders'
  | 'storedPaymentMethods'
  | 'versions'
>) => {
  const faultsOfTaxonomy = async ({ taxonomy }: StoreDocument): Promise<Fault[]> =>
    taxonomy ? taxonomyFaults(taxonomy, await galleryEditor.terms()) : [];

  /** Reads what the store has of each account, and compares its entry with that. */
  const againstStored = async (entries: readonly AccountEntry[]): Promise<{ faults: Fault[]; warnings: Fault[] }> => {
    const now = clock.now();
    const faults: Fault[] = [];
    const warnings: Fault[] = [];
    let kept = 0;
    for (const [i, entry] of entries.entries()) {
      const path = `accounts.${i}`;
      const [owner, account, erasure, held, orders, payment_methods] = await Promise.all([
        accounts.findByEmail(entry.email),
        entry.password === null && typeof entry.password_hash !== 'string' ? undefined : accounts.get(entry.id),
        accounts.erasure(entry.id),
        storedLicenses.held(entry.id),
        storedOrders.ofAccount(entry.id),
        storedPaymentMethods.ofAccount(entry.id),
      ]);
      const contradictory = documentContradictions(entry, path, { orders, held }, now);
      const stored = { owner, erasure, held, orders, payment_methods };
      faults.push(...accountFaults(entry, path, stored), ...contradictory.faults);
      if (await keepsPassword(entry, account)) kept += 1;
      warnings.push(...contradictory.warnings);
    }
    return { faults, warnings: [...keptPasswordWarnings(kept), ...warnings] };
  };

  /** True where the account has another password than its entry. */
  const keepsPassword = async (
    { password, password_hash }: AccountEntry,
    stored: Account | undefined,
  ): Promise<boolean> => {
    const before = stored?.password_hash ?? null;
    if (before === null) return false;
    return password === null ? password_hash !== before : !(await passwords.verify(password, before));
  };

  const ownerFaults = async (entries: readonly AccountEntry[]): Promise<Fault[]> => {
    const claims = entries.flatMap((entry, i) => claimsOf(entry, `accounts.${i}`));
    const owners = await recordOwners.of(claims.map(({ claim }) => claim));
    return claims.flatMap((claim, n) => ownerFault(claim, owners[n]) ?? []);
  };

  return async ({ document, files, progress = unseen }: StoreToImport): Promise<CheckedStore> => {
    const catalog = await catalogs.current();
    const { products } = knownAfter(document, catalog);
    const released = await releases.of([...products.keys()]);
    const known: KnownReleases = { products, stored: released, order: (scheme) => versions.order(scheme) };
    const found = await findFiles(document, files, progress);
    const stored = await againstStored(document.accounts);
    const faults = [
      ...documentFaults(document, catalog),
      ...schemeFaults(document.products, catalog.products, released),
      ...newAppcastFaults(document, catalog.products, known),
      ...releaseFaults(document.releases, known),
      ...fileFaults(document, released, found),
      ...recordFaults(document, found),
      ...(await faultsOfTaxonomy(document)),
      ...stored.faults,
      ...(await ownerFaults(document.accounts)),
    ];
    const withdrawals = withdrawalWarnings(document.releases, clock.now());
    const lifted = document.policy
      ? liftedWarnings(catalog.policy, document.policy, (id) => products.get(id)?.slug)
      : [];
    return { faults, warnings: [...lifted, ...withdrawals, ...stored.warnings], known, found };
  };
};

export type CheckStore = ReturnType<typeof checkStore>;
