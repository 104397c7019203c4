import type { Permit } from '../../domain/access/permit.ts';
import { normalVersion } from '../../domain/operations/release-faults.ts';
import { recordsOf, type StoreDocument, TAXONOMY_SECTIONS, withTerms } from '../../domain/operations/store-document.ts';
import { countOf } from '../../domain/shared/count-of.ts';
import type { Fault } from '../../domain/shared/fault.ts';
import { type Outcome, ok, type Refused, refuse } from '../../domain/shared/outcome.ts';
import { isSameJson } from '../../domain/shared/same-json.ts';
import type { StoreFiles } from '../../ports/outbound/files.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { CheckedStore, CheckStore, StoreToImport } from './check-store.ts';
import { type FoundFiles, signatureWarnings } from './document-files.ts';
import { counted, type Progress, unseen } from './progress.ts';
import type { FileIntake } from './publish-release.ts';
import type { RecordWriter, SaveEffect } from './record-writer.ts';

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
  'accounts',
  'payment_methods',
  'orders',
  'invoices',
  'entitlements',
  'subscriptions',
] as const;
type Section = (typeof SECTIONS)[number];

/** The number of created, updated and unchanged entries in each section of a document. */
export type ImportCounts = Readonly<Record<Section, Readonly<Record<SaveEffect, number>>>>;

/** Counts the entries of an import, and reports the number of finished entries after each one. */
class Tally {
  readonly #told: (done: number) => void;
  #done = 0;
  readonly counts = Object.fromEntries(
    SECTIONS.map((section) => [section, { created: 0, updated: 0, unchanged: 0 }]),
  ) as Record<Section, Record<SaveEffect, number>>;

  constructor(told: (done: number) => void) {
    this.#told = told;
  }

  add(section: Section, saved: SaveEffect): void {
    this.counts[section][saved]++;
    this.#told(++this.#done);
  }
}

/** The refusal of a document with faults. `data.faults` lists them. */
export const refuseDocument = (faults: readonly Fault[]): Refused<'invalid_document'> =>
  refuse('invalid_document', {
    message: `The document has ${countOf(faults.length, 'fault')}; nothing was imported.`,
    data: { faults },
  });

/**
 * Imports a store document. The document and every file that it names are checked first. A document with faults is
 * refused with all of them, and nothing is written. A second import of the same document changes nothing. Files are
 * stored before the records that lead to them, and releases before their products. After a kill half-way the store
 * therefore works, and a second import finishes.
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

  const writeCatalog = async (
    permit: Permit,
    { categories, tags, releases, products, bundles, lineages, policy, disclosure, storefront }: StoreDocument,
    files: StoreFiles,
    { known, found }: CheckedStore,
    tally: Tally,
  ): Promise<void> => {
    const { catalogEditor: editor, recordWriter: writer } = ports;
    for (const value of categories) tally.add('categories', await editor.save(permit, { kind: 'category', value }));
    for (const value of tags) tally.add('tags', await editor.save(permit, { kind: 'tag', value }));
    for (const entry of releases) {
      const versioned = { ...entry, version: normalVersion(entry, known) };
      tally.add('releases', await writer.release(permit, versioned, files, found));
    }
    for (const entry of products) tally.add('products', await writer.product(permit, entry, found));
    for (const value of bundles) tally.add('bundles', await editor.save(permit, { kind: 'bundle', value }));
    for (const value of lineages) tally.add('lineages', await editor.save(permit, { kind: 'lineage', value }));
    if (policy) tally.add('policy', (await writer.policy(permit, policy)).result);
    if (disclosure) tally.add('disclosure', await editor.save(permit, { kind: 'disclosure', value: disclosure }));
    if (storefront) tally.add('storefront', await editor.save(permit, { kind: 'storefront', value: storefront }));
  };

  /** Writes the words of the gallery over the stored ones of the same keys, and counts each word. */
  const writeTaxonomy = async (permit: Permit, { taxonomy }: StoreDocument, tally: Tally): Promise<void> => {
    if (!taxonomy) return;
    const stored = await galleryEditor.terms();
    const merged = withTerms(stored, taxonomy);
    if (!isSameJson(stored, merged)) await galleryEditor.setTerms(permit, merged);
    for (const section of TAXONOMY_SECTIONS) {
      for (const term of taxonomy[section]) {
        const before = stored[section].find(({ key }) => key === term.key);
        tally.add('taxonomy', before === undefined ? 'created' : isSameJson(before, term) ? 'unchanged' : 'updated');
      }
    }
  };

  const writeAccounts = async (permit: Permit, { accounts }: StoreDocument, tally: Tally): Promise<void> => {
    const { recordWriter: writer } = ports;
    for (const entry of accounts) {
      tally.add('accounts', await writer.account(permit, entry));
      for (const row of entry.payment_methods)
        tally.add('payment_methods', await writer.paymentMethod(permit, entry.id, row));
      for (const row of entry.orders) tally.add('orders', await writer.order(permit, entry.id, row));
      for (const row of entry.invoices) tally.add('invoices', await writer.invoice(permit, entry.id, row));
      for (const row of entry.entitlements) tally.add('entitlements', await writer.entitlement(permit, entry.id, row));
      for (const row of entry.subscriptions) tally.add('subscriptions', await writer.subscription(permit, entry, row));
    }
  };

  return async (permit: Permit, store: StoreToImport): Promise<Outcome<ImportCounts, 'invalid_document'>> => {
    const { document, files, progress = unseen, warned } = store;
    const checked = await checkStore(store);
    if (checked.faults.length > 0) return refuseDocument(checked.faults);
    const { known, found } = checked;
    const replaced = await signatureWarnings(document.releases, known.stored, found, files, fileIntake);
    warned?.([...checked.warnings, ...replaced]);
    await storeFiles(permit, files, found, progress);
    const total = recordsOf(document);
    const tally = new Tally((done) => progress('Writing records', done, total));
    await writeCatalog(permit, document, files, checked, tally);
    await writeTaxonomy(permit, document, tally);
    await writeAccounts(permit, document, tally);
    return ok(tally.counts);
  };
};

export type ImportStore = ReturnType<typeof importStore>;
