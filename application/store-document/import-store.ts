import type { Permit } from '../../domain/access/permit.ts';
import type { Account } from '../../domain/accounts/account.ts';
import { claimsOf, ownerFault } from '../../domain/billing/record-owner.ts';
import type { TaxonomyTerms } from '../../domain/design/gallery/taxonomy.ts';
import { TAXONOMY_SECTIONS, taxonomyFaults, withTerms } from '../../domain/design/gallery/taxonomy.ts';
import { liftedWarnings } from '../../domain/policy/client-policy.ts';
import { countOf } from '../../domain/shared/count-of.ts';
import { type Fault, faultsAt, type Rule } from '../../domain/shared/fault.ts';
import { type Outcome, ok, type Refused, refuse } from '../../domain/shared/outcome.ts';
import { isSameJson } from '../../domain/shared/same-json.ts';
import { documentContradictions } from '../../domain/store-document/billing-contradictions.ts';
import {
  accountFaults,
  documentFaults,
  keptPasswordWarnings,
  knownAfter,
} from '../../domain/store-document/document-faults.ts';
import {
  type KnownReleases,
  newAppcastFaults,
  normalVersion,
  releaseFaults,
  schemeFaults,
  withdrawalWarnings,
} from '../../domain/store-document/release-faults.ts';
import type { AccountEntry, StoreDocument } from '../../domain/store-document/store-document.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { StoreFiles } from '../../ports/outbound/store-document.ts';
import type { FileIntake } from '../delivery/releases.ts';
import { counted, type Progress, unseen } from '../shared/progress.ts';
import { type FoundFiles, fileFaults, findFiles, recordFaults, signatureWarnings } from './document-files.ts';
import type { RecordWriter, SaveEffect } from './record-writer.ts';

export type StoreToImport = {
  document: StoreDocument;
  files: StoreFiles;
  progress?: Progress;
  /** Called once with all warnings, before anything is written. */
  warned?: (warnings: readonly Fault[]) => void;
};

export type CheckedStore = {
  /** All faults, each with its path in the document. */
  readonly faults: readonly Fault[];
  /** Likely mistakes. They do not prevent the import. */
  readonly warnings: readonly Fault[];
  readonly known: KnownReleases;
  readonly found: FoundFiles;
};

/** Checks a store document and its files, against each other and against the store. Writes nothing. */
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
  apiKeys,
}: Needs<
  | 'accounts'
  | 'apiKeys'
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

  /** Compares each account's entry with the stored account. */
  const againstStored = async ({ accounts: entries, exported_at }: StoreDocument) => {
    const now = clock.now();
    const faults: Fault[] = [];
    const warnings: Fault[] = [];
    let keptPasswords = 0;
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
      faults.push(...accountFaults(entry, path, stored, exported_at !== undefined), ...contradictory.faults);
      faults.push(...(await keyFaults(entry, path)));
      if (await keepsPassword(entry, account)) keptPasswords += 1;
      warnings.push(...contradictory.warnings);
    }
    return { faults, warnings: [...keptPasswordWarnings(keptPasswords), ...warnings] };
  };

  /** The faults of license keys that another account, another product or nobody yet has. */
  const keyFaults = async ({ id, license_keys = [] }: AccountEntry, path: string): Promise<Fault[]> => {
    const known = await Promise.all(license_keys.map(({ hash }) => apiKeys.findEither(hash)));
    const rules = license_keys.map(({ product_id }, n): Rule => {
      const one = known[n];
      const isOwn = one && 'account_id' in one && one.account_id === id && one.product_id === product_id;
      return [one && !isOwn, `license_keys.${n}.hash`, 'is the hash of a key that the store has for another purpose'];
    });
    return faultsAt(path, rules);
  };

  /** True if the account's stored password stays although its entry has another one. */
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

  return async function checkStore({ document, files, progress = unseen }: StoreToImport): Promise<CheckedStore> {
    const catalog = await catalogs.current();
    const { products } = knownAfter(document, catalog);
    const released = await releases.of([...products.keys()]);
    const known: KnownReleases = { products, stored: released, order: (scheme) => versions.order(scheme) };
    const found = await findFiles(document, files, progress);
    const stored = await againstStored(document);
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

/** The sections of a document, in the order of its table. */
const SECTIONS = [
  'categories',
  'tags',
  'products',
  'releases',
  'bundles',
  'lineages',
  'policy',
  'disclosure',
  'storefront',
  'taxonomy',
  'key_batches',
  'accounts',
  'payment_methods',
  'orders',
  'invoices',
  'entitlements',
  'subscriptions',
  'license_keys',
  'devices',
] as const;
type Section = (typeof SECTIONS)[number];

/** The number of created, updated and unchanged entries in each section of a document. */
export type ImportCounts = Readonly<Record<Section, Readonly<Record<SaveEffect, number>>>>;

/** The write of one record, with its section. */
type RecordWrite = readonly [section: Section, write: () => Promise<SaveEffect>];

const each = <T>(section: Section, rows: readonly T[], write: (row: T) => Promise<SaveEffect>): RecordWrite[] =>
  rows.map((row) => [section, () => write(row)]);

/** The refusal of a document with faults. `data.faults` lists them. */
export const refuseDocument = (faults: readonly Fault[]): Refused<'invalid_document'> =>
  refuse('invalid_document', {
    message: `The document has ${countOf(faults.length, 'fault')}; nothing was imported.`,
    data: { faults },
  });

/**
 * Imports a store document. The document and all of its files are checked first. A document with faults is refused with
 * all of them, and nothing is written. Importing the same document again changes nothing. Files are stored before the
 * records that refer to them, and releases before their products, so that an interrupted import leaves a working store,
 * and a second import completes it.
 */
export const importStore = (
  ports: Needs<'catalogEditor' | 'galleryEditor'> & {
    checkStore: CheckStore;
    fileIntake: FileIntake;
    recordWriter: RecordWriter;
  },
) => {
  const { checkStore, fileIntake, galleryEditor } = ports;

  const storeFiles = async (
    permit: Permit,
    files: StoreFiles,
    { facts }: FoundFiles,
    progress: Progress,
  ): Promise<void> => {
    const total = [...facts.values()].reduce((sum, { size }) => sum + size, 0);
    const stored = counted(progress, 'Storing files', total);
    for (const [path, known] of facts) await fileIntake.keep(permit, files, path, known, stored);
  };

  /** The writes of a checked document, in order. */
  const writesOf = (permit: Permit, document: StoreDocument, files: StoreFiles, { known, found }: CheckedStore) => {
    const { catalogEditor: editor, recordWriter: writer } = ports;
    const { policy, disclosure, storefront } = document;
    return [
      ...each('categories', document.categories, (value) => editor.save(permit, { kind: 'category', value })),
      ...each('tags', document.tags, (value) => editor.save(permit, { kind: 'tag', value })),
      ...each('releases', document.releases, (entry) =>
        writer.release(permit, { ...entry, version: normalVersion(entry, known) }, files, found),
      ),
      // An export says of each product whether a document manages it; any other document manages its products.
      ...each('products', document.products, (entry) =>
        writer.product(permit, document.exported_at ? entry : { ...entry, managed_by: 'document' }, found),
      ),
      ...each('bundles', document.bundles, (value) => editor.save(permit, { kind: 'bundle', value })),
      ...each('lineages', document.lineages, (value) => editor.save(permit, { kind: 'lineage', value })),
      ...each('policy', policy ? [policy] : [], async (input) => (await writer.policy(permit, input)).result),
      ...each('disclosure', disclosure ? [disclosure] : [], (value) =>
        editor.save(permit, { kind: 'disclosure', value }),
      ),
      ...each('storefront', storefront ? [storefront] : [], (value) =>
        editor.save(permit, { kind: 'storefront', value }),
      ),
      ...taxonomyWrites(permit, document),
      ...each('key_batches', document.key_batches, (entry) => writer.keyBatch(permit, entry)),
      ...document.accounts.flatMap((entry) => [
        ...each('accounts', [entry], (one) => writer.account(permit, one)),
        ...each('payment_methods', entry.payment_methods, (row) => writer.paymentMethod(permit, entry.id, row)),
        ...each('orders', entry.orders, (row) => writer.order(permit, entry.id, row)),
        ...each('invoices', entry.invoices, (row) => writer.invoice(permit, entry.id, row)),
        ...each('entitlements', entry.entitlements, (row) => writer.entitlement(permit, entry.id, row)),
        ...each('subscriptions', entry.subscriptions, (row) => writer.subscription(permit, entry, row)),
        ...each('license_keys', entry.license_keys ?? [], (row) => writer.licenseKey(permit, entry.id, row)),
        ...each('devices', [...Map.groupBy(entry.devices ?? [], (row) => row.product_id)], ([product, rows]) =>
          writer.productDevices(permit, entry.id, product, rows),
        ),
      ]),
    ];
  };

  /**
   * Writes the words of the gallery over the stored ones with the same keys. Each word is counted, and the first write
   * stores all.
   */
  const taxonomyWrites = (permit: Permit, { taxonomy }: StoreDocument): RecordWrite[] => {
    if (!taxonomy) return [];
    let stored: Promise<TaxonomyTerms> | undefined;
    const write = async (): Promise<TaxonomyTerms> => {
      const before = await galleryEditor.terms();
      const merged = withTerms(before, taxonomy);
      if (!isSameJson(before, merged)) await galleryEditor.setTerms(permit, merged);
      return before;
    };
    return TAXONOMY_SECTIONS.flatMap((section) =>
      each('taxonomy', taxonomy[section], async (term) => {
        const before = (await (stored ??= write()))[section].find(({ key }) => key === term.key);
        return before === undefined ? 'created' : isSameJson(before, term) ? 'unchanged' : 'updated';
      }),
    );
  };

  return async function importStore(
    permit: Permit,
    store: StoreToImport,
  ): Promise<Outcome<ImportCounts, 'invalid_document'>> {
    const { document, files, progress = unseen, warned } = store;
    const checked = await checkStore(store);
    if (checked.faults.length > 0) return refuseDocument(checked.faults);
    const { known, found } = checked;
    const replaced = await signatureWarnings(document.releases, known.stored, found, files, fileIntake);
    warned?.([...checked.warnings, ...replaced]);
    await storeFiles(permit, files, found, progress);
    const writes = writesOf(permit, document, files, checked);
    const counts = Object.fromEntries(
      SECTIONS.map((section) => [section, { created: 0, updated: 0, unchanged: 0 }]),
    ) as Record<Section, Record<SaveEffect, number>>;
    for (const [n, [section, write]] of writes.entries()) {
      counts[section][await write()]++;
      progress('Writing records', n + 1, writes.length);
    }
    return ok(counts);
  };
};
