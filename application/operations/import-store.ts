import type { StoreDocument } from '../../domain/catalog/store-document.ts';
import type { KnownReleases } from '../../domain/delivery/release-faults.ts';
import { countOf } from '../../domain/shared/count-of.ts';
import type { Fault } from '../../domain/shared/fault.ts';
import { type Outcome, ok, type Refused, refuse } from '../../domain/shared/outcome.ts';
import type { CatalogEditor } from '../../ports/outbound/catalogs.ts';
import type { StoreFiles } from '../../ports/outbound/store-files.ts';
import type { CheckedStore, CheckStore, StoreToImport } from './check-store.ts';
import type { FileIntake } from './file-intake.ts';
import type { FoundFiles } from './found-files.ts';
import { type ImportCounts, Tally } from './import-counts.ts';
import { counted, type Progress, unseen } from './progress.ts';
import type { RecordWriter } from './record-writer.ts';

type Ports = {
  checkStore: CheckStore;
  catalogEditor: CatalogEditor;
  fileIntake: FileIntake;
  recordWriter: RecordWriter;
};

/** The refusal of a document with faults, which are listed in `data.faults`. */
export const refuseDocument = (faults: readonly Fault[]): Refused<'invalid_document'> =>
  refuse('invalid_document', {
    message: `The document has ${countOf(faults.length, 'fault')}; nothing was imported.`,
    data: { faults },
  });

/**
 * Loads a store document. The whole of it, with every file that it names, is checked first: with any fault it is
 * refused with all of them, and nothing is written. Loading it again changes nothing. Bytes are stored before the
 * records that lead to them, and releases before their products, so that after a kill half-way the store works and a
 * second run finishes.
 */
export class ImportStore {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute(store: StoreToImport): Promise<Outcome<ImportCounts, 'invalid_document'>> {
    const { document, files, progress = unseen } = store;
    const checked = await this.#ports.checkStore.execute(store);
    if (checked.faults.length > 0) return refuseDocument(checked.faults);
    await this.#storeFiles(files, checked.found, progress);
    const tally = new Tally((done) => progress('Writing records', done, recordsOf(document)));
    await this.#writeCatalog(document, files, checked, tally);
    await this.#writeAccounts(document, tally);
    return ok(tally.counts);
  }

  async #storeFiles(files: StoreFiles, { facts }: FoundFiles, progress: Progress): Promise<void> {
    const total = [...facts.values()].reduce((sum, { size }) => sum + size, 0);
    const stored = counted(progress, 'Storing files', total);
    for (const [path, known] of facts) await this.#ports.fileIntake.keep(files, path, known, stored);
  }

  async #writeCatalog(
    { categories, tags, releases, products, bundles, lineages, policy, disclosure }: StoreDocument,
    files: StoreFiles,
    { known, found }: CheckedStore,
    tally: Tally,
  ): Promise<void> {
    const { catalogEditor: editor, recordWriter: writer } = this.#ports;
    for (const value of categories) tally.add('categories', await editor.save({ kind: 'category', value }));
    for (const value of tags) tally.add('tags', await editor.save({ kind: 'tag', value }));
    for (const entry of releases) {
      tally.add('releases', await writer.release({ ...entry, version: normalVersion(entry, known) }, files, found));
    }
    for (const entry of products) tally.add('products', await writer.product(entry, found));
    for (const value of bundles) tally.add('bundles', await editor.save({ kind: 'bundle', value }));
    for (const value of lineages) tally.add('lineages', await editor.save({ kind: 'lineage', value }));
    if (policy) tally.add('policy', (await writer.policy(policy)).result);
    if (disclosure) tally.add('disclosure', await editor.save({ kind: 'disclosure', value: disclosure }));
  }

  async #writeAccounts({ accounts }: StoreDocument, tally: Tally): Promise<void> {
    const { recordWriter: writer } = this.#ports;
    for (const entry of accounts) {
      tally.add('accounts', await writer.account(entry));
      for (const row of entry.payment_methods) tally.add('payment_methods', await writer.paymentMethod(entry.id, row));
      for (const row of entry.orders) tally.add('orders', await writer.order(entry.id, row));
      for (const row of entry.invoices) tally.add('invoices', await writer.invoice(entry.id, row));
      for (const row of entry.entitlements) tally.add('entitlements', await writer.entitlement(entry.id, row));
      for (const row of entry.subscriptions) tally.add('subscriptions', await writer.subscription(entry, row));
    }
  }
}

/** The version of an entry that was checked, as its product's scheme writes it. */
const normalVersion = (
  { product_id, version }: StoreDocument['releases'][number],
  { products, order }: KnownReleases,
): string => {
  const scheme = products.get(product_id)?.version_scheme;
  return (scheme && order(scheme).normalize(version)) ?? version;
};

const recordsOf = ({ policy, disclosure, accounts, ...lists }: StoreDocument): number =>
  [policy, disclosure].filter((one) => one !== undefined).length +
  [lists.categories, lists.tags, lists.products, lists.releases, lists.bundles, lists.lineages, accounts].reduce(
    (sum, { length }) => sum + length,
    0,
  ) +
  accounts
    .flatMap((one) => [one.payment_methods, one.orders, one.invoices, one.entitlements, one.subscriptions])
    .reduce((sum, { length }) => sum + length, 0);
