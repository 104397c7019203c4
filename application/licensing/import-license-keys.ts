import { licenseKeys, newLicenseKey } from '../../domain/access/license-key.ts';
import type { Permit } from '../../domain/access/permit.ts';
import {
  type EarlierLicense,
  type EarlierRow,
  earlierLicense,
  shownOf,
} from '../../domain/licensing/earlier-license.ts';
import type { Entitlement } from '../../domain/licensing/entitlement.ts';
import { laterEnd } from '../../domain/shared/instant.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { findBuyer } from '../sales/find-buyer.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';

export type Ports = Needs<
  'accounts' | 'apiKeys' | 'catalogs' | 'clock' | 'grants' | 'ids' | 'licenseKeySecrets' | 'pauses'
>;

/** The most license keys of an account and a product: they are one item, and end in one transaction. */
const MOST_KEYS = 10;

export type ImportedKeys = {
  readonly created: number;
  readonly unchanged: number;
  /** Rows without a key, and those whose license was taken back. */
  readonly left_out: number;
  readonly refused: readonly RefusedRow[];
};

/** The line of a row, and the reason, which goes on from "Line 7". */
type RefusedRow = { readonly line: number; readonly message: string };

type Tell = {
  readonly done: (result: 'created' | 'unchanged' | 'left_out') => void;
  readonly refused: (line: number, message: string) => void;
};

type Hashed = EarlierLicense & { readonly hash: string };

/**
 * Makes the keys of an earlier system work as license keys of a product. Each buyer's account is found by address, or
 * opened, and gets the product with the devices of all its rows together. Only hashes of the keys are kept. A row that
 * was imported before changes nothing, also where its key was revoked since. A refused row keeps no other from being
 * imported.
 */
export const importLicenseKeys = (ports: Ports) => {
  const { apiKeys, catalogs, clock, grants, ids, licenseKeySecrets, pauses } = ports;
  const accountOf = findBuyer(ports);

  /** One grant for all rows of a buyer: of several grants, only the widest would count. */
  const grantOf = (account_id: number, product_id: number, rows: readonly Hashed[]): Entitlement => ({
    id: ids.next(),
    account_id,
    product_id,
    source_product_id: null,
    order_id: null,
    order_item_id: null,
    grant_type: 'grant',
    source_quantity: rows.reduce((all, { quantity }) => all + quantity, 0),
    device_limit: rows.some(({ device_limit }) => device_limit === null)
      ? null
      : Math.max(...rows.map(({ device_limit }) => device_limit ?? 0)),
    granted_at: rows.flatMap(({ begun_at }) => begun_at ?? []).sort()[0] ?? clock.now(),
    revoked_at: null,
    access_expires_at: rows.map(({ ends_at }) => ends_at).reduce(laterEnd),
    updates_supported_until: null,
  });

  const addKey = async (permit: Permit, account_id: number, product_id: number, { key, hash }: Hashed) =>
    untilWritten(pauses, async (): Promise<Outcome<'created' | 'unchanged', 'too_many_keys'> | typeof CONFLICT> => {
      const now = clock.now();
      const scope = await apiKeys.scope(account_id, product_id);
      if (scope.keys.some((one) => one.hash === hash)) return ok('unchanged');
      if (licenseKeys(scope, now).length >= MOST_KEYS) {
        return refuse('too_many_keys', {
          message: `is the buyer’s ${MOST_KEYS + 1}th key of the product; ${MOST_KEYS} are the most.`,
        });
      }
      const add = newLicenseKey(scope, { id: ids.next(), hash, prefix: shownOf(key), name: 'License key' }, now);
      return (await apiKeys.change(permit, scope, { add }, now)) ? ok('created') : CONFLICT;
    });

  /** Imports the rows of one buyer. The grant comes first: a call that broke off is repeated by the keys that lack. */
  const importBuyer = async (
    permit: Permit,
    product_id: number,
    rows: readonly Hashed[],
    tell: Tell,
  ): Promise<void> => {
    const [{ email, name }] = rows as [Hashed];
    const account = await accountOf(permit, { email, name, locale: null });
    if (!account.ok) {
      for (const { line } of rows) tell.refused(line, 'names no e-mail address of its buyer.');
      return;
    }
    const scope = await apiKeys.scope(account.value, product_id);
    const own: Hashed[] = [];
    for (const row of rows) {
      const key = await apiKeys.find(row.hash);
      if (key && (key.account_id !== account.value || key.product_id !== product_id)) {
        tell.refused(row.line, 'has a key that another buyer or product has already.');
      } else own.push(row);
    }
    if (own.some(({ hash }) => scope.keys.every((key) => key.hash !== hash))) {
      await grants.saveEntitlement(permit, grantOf(account.value, product_id, own));
    }
    for (const row of own) {
      const added = await addKey(permit, account.value, product_id, row);
      if (added.ok) tell.done(added.value);
      else tell.refused(row.line, added.message ?? '');
    }
  };

  return async (
    permit: Permit,
    { product_id, rows }: { readonly product_id: number; readonly rows: readonly EarlierRow[] },
  ): Promise<Outcome<ImportedKeys, 'product_without_keys'>> => {
    if (!(await catalogs.current()).products.get(product_id)?.license_keys) {
      return refuse('product_without_keys', {
        message: 'The product hands out no license keys; import it with "license_keys": true first.',
      });
    }
    const counts = { created: 0, unchanged: 0, left_out: 0 };
    const refused: RefusedRow[] = [];
    const tell: Tell = {
      done: (result) => void counts[result]++,
      refused: (line, message) => void refused.push({ line, message }),
    };
    const buyers = new Map<string, Map<string, Hashed>>();
    for (const row of rows) {
      const read = earlierLicense(row);
      const hash = read.ok && read.value ? licenseKeySecrets.hash(read.value.key) : undefined;
      if (!read.ok) tell.refused(row.line, read.message ?? '');
      else if (!read.value) tell.done('left_out');
      else if (!hash) tell.refused(row.line, 'has a key with characters that no key may have.');
      else {
        const email = read.value.email.toLowerCase();
        const own = buyers.get(email) ?? new Map<string, Hashed>();
        // Gumroad has a row for each payment of a subscription, all with its key.
        buyers.set(email, own.set(hash, own.get(hash) ?? { ...read.value, hash }));
      }
    }
    for (const own of buyers.values()) await importBuyer(permit, product_id, [...own.values()], tell);
    return ok({ ...counts, refused: refused.sort((a, b) => a.line - b.line) });
  };
};

export type ImportLicenseKeys = ReturnType<typeof importLicenseKeys>;
