import { type Account, normalizedEmail } from '../accounts/account.ts';
import type { Erasure } from '../accounts/erasure.ts';
import type { Holdings } from '../licensing/entitlement.ts';
import { countOf, plural } from '../shared/count-of.ts';
import { dangling, danglingAmong, type Fault, repeatedIds, repeats } from '../shared/fault.ts';
import { billingFaults } from './billing-faults.ts';
import type { AccountEntry } from './store-document.ts';

type Known = { has(productId: number): boolean };

/** The rows of one member of all accounts, each with its path. */
const placed = <T>(
  accounts: readonly AccountEntry[],
  member: string,
  rowsOf: (account: AccountEntry) => readonly T[],
) => accounts.flatMap((account, i) => rowsOf(account).map((row, n) => ({ path: `accounts.${i}.${member}.${n}`, row })));

/**
 * Members whose ids are unique in a document, so that a row that was copied and not changed is found. An export is
 * written by no hand: there they are unique within an account, as in the store, and orders and invoices have owners.
 */
const OWN_IDS = ['entitlements', 'subscriptions', 'orders', 'invoices', 'payment_methods'] as const;
/** Members with a number for the buyer. Their ids and numbers are unique in the whole store (`record-owner.ts`). */
const NUMBERED = ['orders', 'invoices'] as const;

const repeatedNumbers = (rows: readonly { path: string; row: { readonly number: string } }[]): Fault[] =>
  repeats(
    rows,
    ({ row }) => row.number,
    (n, first, number) => ({
      path: `${rows[n]?.path}.number`,
      message: `${number} is the number of ${rows[first]?.path} already`,
    }),
  );

type PlacedRow = { readonly path: string; readonly row: { readonly id: number } };

/** The account's part of a path. */
const accountOf = (path: string): string => path.split('.', 2).join('.');

const repeatedAcrossAccounts = (rows: readonly PlacedRow[], isExported: boolean): Fault[] =>
  repeats(
    rows,
    ({ path, row }) => (isExported ? `${accountOf(path)} ${row.id}` : row.id),
    (n, first) => ({
      path: `${rows[n]?.path}.id`,
      message: `${rows[n]?.row.id} is the id of ${rows[first]?.path} already`,
    }),
  );

/** The faults of a document's accounts, in themselves, among each other and in their references to `products`. */
export const accountFaults = (accounts: readonly AccountEntry[], products: Known, isExported = false): Fault[] => {
  const entitlements = placed(accounts, 'entitlements', (account) => account.entitlements);
  const subscriptions = placed(accounts, 'subscriptions', (account) => account.subscriptions);
  return [
    ...repeatedIds('accounts', accounts),
    ...repeats(
      accounts,
      ({ email }) => normalizedEmail(email),
      (i, first) => ({
        path: `accounts.${i}.email`,
        message: `${accounts[i]?.email} is the address of accounts.${first} already`,
      }),
    ),
    ...OWN_IDS.flatMap((member) =>
      repeatedAcrossAccounts(
        placed(accounts, member, (account): readonly { readonly id: number }[] => account[member]),
        isExported,
      ),
    ),
    ...NUMBERED.flatMap((member) =>
      repeatedNumbers(placed(accounts, member, (account): readonly { readonly number: string }[] => account[member])),
    ),
    ...entitlements.flatMap(({ path, row }) => [
      ...dangling(`${path}.product_id`, 'product', row.product_id, products),
      ...dangling(`${path}.source_product_id`, 'product', row.source_product_id, products),
    ]),
    ...subscriptions.flatMap(({ path, row }) =>
      danglingAmong(`${path}.product_ids`, 'product', row.product_ids, products),
    ),
    ...accounts.flatMap((account, i) => billingFaults(account, `accounts.${i}`, products)),
  ];
};

/** The fault of an entry for an account that was erased, whatever the document says about it. */
export const erasedAccountFaults = (path: string, erasure: Erasure | undefined): Fault[] =>
  erasure === undefined
    ? []
    : [
        {
          path: `${path}.id`,
          message: `account ${erasure.account_id} was erased at ${erasure.erased_at} and stays so; leave the account out, or give it another id where the buyer has come back`,
        },
      ];

/**
 * The faults of one account's entry against the store. `owner` is the stored account with its e-mail address, and
 * `held` what the store has granted to the account.
 */
export const storedAccountFaults = (
  entry: AccountEntry,
  path: string,
  owner: Account | undefined,
  held: Holdings,
): Fault[] => {
  const productOf = new Map(held.entitlements.map((entitlement) => [entitlement.id, entitlement.product_id]));
  const taken = `${entry.email} is the address of account ${owner?.id} already`;
  return [
    ...(owner && owner.id !== entry.id ? [{ path: `${path}.email`, message: taken }] : []),
    ...entry.entitlements.flatMap(({ id, product_id }, n) => {
      const before = productOf.get(id);
      const message = `entitlement ${id} of this account is for product ${before} already`;
      return before === undefined || before === product_id
        ? []
        : [{ path: `${path}.entitlements.${n}.product_id`, message }];
    }),
  ];
};

/** One warning for all accounts that keep a password other than that of the document, which may be older. */
export const keptPasswordWarnings = (accounts: number): Fault[] =>
  accounts === 0
    ? []
    : [
        {
          path: 'accounts',
          message: `${countOf(accounts, 'account')} ${plural(accounts, 'has', 'have')} another password than the document and ${plural(accounts, 'keeps', 'keep')} it; "account password --account ID" sets a new one`,
        },
      ];
