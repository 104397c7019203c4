import { licenseKeys } from '../../domain/access/api-key.ts';
import type { Permit } from '../../domain/access/permit.ts';
import type { Account } from '../../domain/accounts/account.ts';
import { auditEvent } from '../../domain/audit/event.ts';
import type { Catalog } from '../../domain/catalog/catalog.ts';
import type { ProductContent } from '../../domain/catalog/product.ts';
import { objectKeyOf } from '../../domain/delivery/object-key.ts';
import type { Release } from '../../domain/delivery/release.ts';
import { TAXONOMY_SECTIONS } from '../../domain/design/gallery/taxonomy.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import type { StoredFile } from '../../domain/shared/stored-file.ts';
import {
  accountEntry,
  exportedAssets,
  exportedFile,
  productEntry,
  releaseEntry,
} from '../../domain/store-document/export-entries.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { ObjectBytes } from '../../ports/outbound/object-store.ts';
import type { ExportFolder, OpenDocument } from '../../ports/outbound/store-document.ts';
import { everyDevice } from '../devices/own-devices.ts';
import { counted, type Progress, unseen } from '../shared/progress.ts';

export type ExportSummary = {
  /** The documents in the order of their import. */
  readonly documents: readonly string[];
  readonly products: number;
  readonly releases: number;
  readonly accounts: number;
  /** The number of files of releases and content. A file that several records name is counted once. */
  readonly files: number;
};

/**
 * The size after which the accounts continue in another document, in bytes, so that each document is far below the
 * maximum of an import.
 */
const DOCUMENT_BYTES = 24 * 1024 * 1024;

const FIRST = 'store.json';

/** The files of a release, with its patches. */
const filesOf = ({ artifacts }: Release): StoredFile[] =>
  artifacts.flatMap((artifact) => [artifact, ...(artifact.deltas ?? [])]);

/** Writes the leading fields of every document of an export. */
const begin = async (document: OpenDocument, exportedAt: Instant): Promise<void> => {
  await document.set('format', 1);
  await document.set('exported_at', exportedAt);
};

const EVERY = { limit: Number.POSITIVE_INFINITY, passes: () => true };

type ExportRun = {
  readonly folder: ExportFolder;
  readonly progress: Progress;
  /** Called with the bytes of each file. */
  readonly stored: (bytes: number) => void;
  files: number;
};

/**
 * Writes the store as store documents with their files. Importing them into the same store changes nothing, and into an
 * empty store creates the same catalog, releases, accounts and records, with license keys, also those that nobody has
 * used, and devices. Other keys, uses, setup progress, reports, the gallery and design documents are not part of a store
 * document. Nobody should change the store meanwhile. Memory holds the catalog and one account.
 *
 * `to` names the folder for the audit entry of the export.
 */
export const exportStore = (
  ports: Needs<
    | 'accounts'
    | 'apiKeys'
    | 'auditLog'
    | 'catalogs'
    | 'clock'
    | 'devices'
    | 'galleryEditor'
    | 'invoices'
    | 'keyBatches'
    | 'objects'
    | 'releases'
    | 'storedLicenses'
    | 'storedOrders'
    | 'storedPaymentMethods'
    | 'teams'
  >,
) => {
  const {
    apiKeys,
    auditLog,
    catalogs,
    clock,
    devices,
    releases,
    galleryEditor,
    keyBatches,
    storedLicenses,
    storedOrders,
    invoices,
    storedPaymentMethods,
    teams,
    objects,
  } = ports;

  /** The size of the files of releases and content, in bytes. */
  const bytesOf = async ({ products }: Catalog): Promise<number> => {
    let bytes = 0;
    for (const id of products.keys()) {
      const released = (await releases.of([id])).get(id) ?? [];
      const files = [...released.flatMap(filesOf), ...((await catalogs.content(id))?.assets ?? [])];
      bytes += files.reduce((sum, { size }) => sum + size, 0);
    }
    return bytes;
  };

  /** Writes the sections in the order of the import. Returns the number of releases. */
  const writeCatalog = async (document: OpenDocument, catalog: Catalog, work: ExportRun): Promise<number> => {
    const { categories, tags, products, bundles, lineages, policy, disclosure, storefront } = catalog;
    for (const category of categories.values()) await document.append('categories', category);
    for (const tag of tags.values()) await document.append('tags', tag);
    for (const product of products.values()) {
      const content = await catalogs.content(product.id);
      await keepAssets(content, work);
      await document.append('products', productEntry(product, content));
    }
    let releases = 0;
    for (const id of products.keys()) {
      for (const release of (await ports.releases.of([id])).get(id) ?? []) {
        await keepFiles(release, work);
        await document.append('releases', releaseEntry(release));
        work.progress('Reading records', ++releases, releases);
      }
    }
    for (const bundle of bundles) await document.append('bundles', bundle);
    for (const lineage of lineages) await document.append('lineages', lineage);
    if (policy.version > 0) await document.set('policy', policy);
    if (disclosure) await document.set('disclosure', disclosure);
    if (storefront) await document.set('storefront', storefront);
    const terms = await galleryEditor.terms();
    if (TAXONOMY_SECTIONS.some((section) => terms[section].length > 0)) await document.set('taxonomy', terms);
    for (const { count: _, revoked_at, ...batch } of await keyBatches.list(Number.POSITIVE_INFINITY, null)) {
      const unclaimed = revoked_at === null ? await keyBatches.unclaimed(batch.id) : [];
      const keys = unclaimed.map(({ id, hash, prefix }) => ({ id, hash, prefix }));
      if (keys.length > 0) await document.append('key_batches', { ...batch, keys });
    }
    return releases;
  };

  const writeAccounts = async (first: OpenDocument, exportedAt: Instant, { folder, progress }: ExportRun) => {
    const documents = [FIRST];
    let [document, accounts] = [first, 0];
    for await (const account of ports.accounts.list()) {
      if (document.size > DOCUMENT_BYTES) {
        await document.close();
        const name = `accounts-${String(documents.length).padStart(4, '0')}.json`;
        document = await folder.open(name);
        await begin(document, exportedAt);
        documents.push(name);
      }
      await document.append('accounts', await entryOf(account));
      progress('Reading records', ++accounts, accounts);
    }
    await document.close();
    return { documents, accounts };
  };

  const entryOf = async (account: Account) => {
    const [held, orders, billed, payment_methods, scopes, used, led] = await Promise.all([
      storedLicenses.held(account.id, undefined, []),
      storedOrders.ofAccount(account.id),
      invoices.newest(account.id, EVERY),
      storedPaymentMethods.ofAccount(account.id),
      apiKeys.scopes(account.id),
      devices.used(account.id),
      teams.ofAccount(account.id),
    ]);
    const license_keys = scopes.flatMap((scope) => licenseKeys(scope, clock.now()));
    const seated = [];
    for (const product_id of used.keys()) {
      for await (const device of everyDevice(ports, account.id, product_id)) seated.push({ product_id, ...device });
    }
    return accountEntry(account, {
      ...{ ...held, orders, invoices: billed, payment_methods, license_keys },
      devices: seated,
      teams: led,
    });
  };

  const keepAssets = async (content: ProductContent | undefined, work: ExportRun): Promise<void> => {
    for (const asset of content?.assets ?? []) {
      await keep(`${exportedAssets(content?.product_id ?? 0)}/${asset.path}`, asset, work);
    }
  };

  const keepFiles = async (release: Release, work: ExportRun): Promise<void> => {
    for (const file of filesOf(release)) await keep(exportedFile(file.sha256), file, work);
  };

  const keep = async (path: string, { sha256, size }: StoredFile, work: ExportRun): Promise<void> => {
    await work.folder.keep(path, { sha256, size }, () => writeBytes(sha256, path));
    work.files++;
    work.stored(size);
  };

  const writeBytes = async (sha256: string, path: string): Promise<ObjectBytes> => {
    const opened = await objects.open(objectKeyOf(sha256));
    if (!opened) throw new Error(`The store lacks the bytes of ${path}; doctor says how to repair it.`);
    return opened.stream;
  };

  return async function exportStore(
    permit: Permit,
    { folder, to, progress = unseen }: { folder: ExportFolder; to: string; progress?: Progress },
  ): Promise<ExportSummary> {
    await auditLog.add(permit, auditEvent({ kind: 'store', id: to }, 'export_begun'));
    const catalog = await catalogs.current();
    const stored = counted(progress, 'Storing files', await bytesOf(catalog));
    const work: ExportRun = { folder, progress, stored, files: 0 };
    const first = await folder.open(FIRST);
    const exportedAt = clock.now();
    await begin(first, exportedAt);
    const releases = await writeCatalog(first, catalog, work);
    const written = await writeAccounts(first, exportedAt, work);
    return { ...written, products: catalog.products.size, releases, files: work.files };
  };
};
