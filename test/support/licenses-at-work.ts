import { StoredLicenses } from '../../adapters/store/licenses.ts';
import type { Table } from '../../adapters/store/table.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { Entitlement } from '../../domain/licensing/entitlement.ts';
import type { Grants } from '../../ports/outbound/licensing.ts';
import type { LicensesAtWork } from '../contracts/licenses.ts';
import { audited } from './audited.ts';
import { anEntitlement, aSubscription } from './builders.ts';

const BEGUN = '2020-01-01T00:00:00.000Z';
const ENDED = '2020-02-01T00:00:00.000Z';

/** A right of an account to a product, in force or ended. */
type Right = { readonly id: number; readonly account_id: number; readonly product_id: number; readonly ended: boolean };

/** Saves a right as a kind of record. */
type Save = (grants: Grants, right: Right) => Promise<unknown>;

const asEntitlement =
  (end: Partial<Entitlement>): Save =>
  (grants, { ended, ...right }) =>
    grants.saveEntitlement(grantPermit(), anEntitlement({ ...right, granted_at: BEGUN, ...(ended && end) }));

const asSubscription: Save = (grants, { id, account_id, product_id, ended }) => {
  const subscription = aSubscription({ id, account_id, product_ids: [product_id], starts_at: BEGUN });
  return grants.saveSubscription(grantPermit(), { ...subscription, ends_at: ended ? ENDED : null });
};

/** The kinds of records that give a right and can end. */
export const GRANTS: readonly [readonly [string, Save], ...(readonly [string, Save])[]] = [
  ['entitlements that expire', asEntitlement({ access_expires_at: ENDED })],
  ['entitlements that are revoked', asEntitlement({ revoked_at: ENDED })],
  ['subscriptions', asSubscription],
];

/** The built-in licenses on an empty table, whose rights are records of one kind. */
export const licensesOn = (table: Table, save: Save): LicensesAtWork => {
  const licenses = new StoredLicenses(audited(table));
  const rights: Right[] = [];
  const put = (right: Right): Promise<unknown> => save(licenses, right);
  return {
    licenses,
    accounts: [7, 70],
    unknown: 700,
    products: [1, 12, 2],
    grant: (account_id, product_id) => {
      const right = { id: rights.length + 1, account_id, product_id, ended: false };
      rights.push(right);
      return put(right);
    },
    end: (account_id, product_id) => {
      const ending = rights.filter((one) => one.account_id === account_id && one.product_id === product_id);
      return Promise.all(ending.map((right) => put({ ...right, ended: true })));
    },
  };
};
