import { AddAccount } from '../../application/operations/add-account.ts';
import { CheckStore } from '../../application/operations/check-store.ts';
import { FileIntake } from '../../application/operations/file-intake.ts';
import { FindProduct } from '../../application/operations/find-product.ts';
import { ImportStore } from '../../application/operations/import-store.ts';
import { ListAccounts } from '../../application/operations/list-accounts.ts';
import { PublishRelease } from '../../application/operations/publish-release.ts';
import { RecordWriter } from '../../application/operations/record-writer.ts';
import { SetPolicy } from '../../application/operations/set-policy.ts';
import { areaModule, type Overrides } from './binder.ts';

/** What the operator does beside the endpoints. An import checks grants where it writes them: in the built-in store. */
export const operations = (overrides: Overrides) =>
  areaModule(overrides, (binder) =>
    binder
      .part('fileIntake', FileIntake, ({ objects, artifactSigner }) => ({ objects, artifactSigner }))
      .part('recordWriter', RecordWriter, (part) => ({
        catalogEditor: part.catalogEditor,
        releaseEditor: part.releaseEditor,
        accounts: part.accounts,
        passwords: part.passwords,
        grants: part.grants,
        orders: part.storedOrders,
        billingRecords: part.billingRecords,
        policies: part.policies,
        clock: part.clock,
        pauses: part.pauses,
        fileIntake: part.fileIntake,
      }))
      .part('checkStore', CheckStore, (part) => ({
        catalogs: part.catalogs,
        releases: part.releases,
        versions: part.versions,
        accounts: part.accounts,
        licenses: part.storedLicenses,
        orders: part.storedOrders,
        paymentMethods: part.storedPaymentMethods,
      }))
      .part('importStore', ImportStore, ({ checkStore, catalogEditor, fileIntake, recordWriter }) => ({
        checkStore,
        catalogEditor,
        fileIntake,
        recordWriter,
      }))
      .part('findProduct', FindProduct, ({ catalogs }) => ({ catalogs }))
      .part('publishRelease', PublishRelease, (part) => ({
        findProduct: part.findProduct,
        releases: part.releases,
        releaseEditor: part.releaseEditor,
        versions: part.versions,
        fileIntake: part.fileIntake,
        ids: part.ids,
        clock: part.clock,
        pauses: part.pauses,
      }))
      .part('setPolicy', SetPolicy, ({ catalogs, recordWriter }) => ({ catalogs, recordWriter }))
      .part('addAccount', AddAccount, ({ accounts, passwords, ids, clock }) => ({ accounts, passwords, ids, clock }))
      .part('listAccounts', ListAccounts, ({ accounts }) => ({ accounts })),
  );
