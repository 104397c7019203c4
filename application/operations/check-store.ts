import { accountFaults, storedAccountFaults } from '../../domain/accounts/account-faults.ts';
import { storedBillingFaults } from '../../domain/billing/billing-faults.ts';
import { catalogFaults, knownAfter } from '../../domain/catalog/catalog-faults.ts';
import type { AccountEntry, StoreDocument } from '../../domain/catalog/store-document.ts';
import { type KnownReleases, releaseFaults, schemeFaults } from '../../domain/delivery/release-faults.ts';
import type { Fault } from '../../domain/shared/fault.ts';
import type { Accounts } from '../../ports/outbound/accounts.ts';
import type { Orders, PaymentMethods } from '../../ports/outbound/billing.ts';
import type { Catalogs } from '../../ports/outbound/catalogs.ts';
import type { Licenses } from '../../ports/outbound/licenses.ts';
import type { Releases, Versions } from '../../ports/outbound/releases.ts';
import type { StoreFiles } from '../../ports/outbound/store-files.ts';
import { fileFaults } from './file-faults.ts';
import { type FoundFiles, findFiles } from './found-files.ts';
import { type Progress, unseen } from './progress.ts';
import { recordFaults } from './record-faults.ts';

type Ports = {
  catalogs: Catalogs;
  releases: Releases;
  versions: Versions;
  accounts: Accounts;
  licenses: Licenses;
  orders: Orders;
  paymentMethods: PaymentMethods;
};

export type StoreToImport = { document: StoreDocument; files: StoreFiles; progress?: Progress };

export type CheckedStore = {
  /** Every one there is, by its path in the document. */
  readonly faults: readonly Fault[];
  readonly known: KnownReleases;
  readonly found: FoundFiles;
};

/** Checks the whole of a store document, with every file that it names, against itself and the store. Writes nothing. */
export class CheckStore {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute({ document, files, progress = unseen }: StoreToImport): Promise<CheckedStore> {
    const { catalogs, releases, versions } = this.#ports;
    const catalog = await catalogs.current();
    const { products } = knownAfter(document, catalog);
    const stored = await releases.of([...products.keys()]);
    const known: KnownReleases = { products, stored, order: (scheme) => versions.order(scheme) };
    const found = await findFiles(document, files, progress);
    const faults = [
      ...catalogFaults(document, catalog),
      ...schemeFaults(document.products, catalog.products, stored),
      ...releaseFaults(document.releases, known),
      ...fileFaults(document, stored, found),
      ...recordFaults(document, found),
      ...accountFaults(document.accounts, products),
      ...(await this.#storedAccountFaults(document.accounts)),
    ];
    return { faults, known, found };
  }

  async #storedAccountFaults(entries: readonly AccountEntry[]): Promise<Fault[]> {
    const { accounts, licenses, orders, paymentMethods } = this.#ports;
    const faults: Fault[] = [];
    for (const [i, entry] of entries.entries()) {
      const [owner, held, ordered, methods] = await Promise.all([
        accounts.findByEmail(entry.email),
        licenses.held(entry.id),
        orders.ofAccount(entry.id),
        paymentMethods.ofAccount(entry.id),
      ]);
      const billing = { orders: ordered, payment_methods: methods };
      faults.push(...storedAccountFaults(entry, `accounts.${i}`, owner, held));
      faults.push(...storedBillingFaults(entry, `accounts.${i}`, billing));
    }
    return faults;
  }
}
