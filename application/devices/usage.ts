import type { ApiKey } from '../../domain/access/api-key.ts';
import { type AccountPrincipal, checkProductScope, type ProductScope } from '../../domain/access/principal.ts';
import {
  INSTALLS_A_DAY,
  type InstallRecord,
  type InstallReport,
  installFaults,
  installRecord,
  lastOfEachDay,
  USAGE_A_DAY,
  type UsageDay,
  usageFaults,
  usageSize,
  usesIn,
} from '../../domain/devices/usage.ts';
import { judgeAccess, targetProduct, unknownAs } from '../../domain/licensing/access.ts';
import { couldUseOn } from '../../domain/licensing/account-products.ts';
import { dailyBoundReached } from '../../domain/shared/daily-bound.ts';
import { ok, refuse } from '../../domain/shared/outcome.ts';
import type { Installs } from '../../ports/outbound/devices.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { ReadAccess } from '../licensing/access.ts';
import type { Clearance } from '../shared/steps.ts';

type Ports = Needs<'catalogs' | 'clock' | 'dailyBounds' | 'ids' | 'installs' | 'productUses' | 'releases'> & {
  readAccess: ReadAccess;
};

export type InstallInput = {
  account_id: number;
  scope: ProductScope;
  /** The key of the reporting device; null for a caller who signed in without a key. */
  key: Pick<ApiKey, 'id'> | null;
  /** The caller's places in teams; if absent, they are read first. */
  caller?: Pick<AccountPrincipal, 'memberships'> | undefined;
  body: InstallReport;
};

const unknownProduct = () =>
  refuse('validation_failed', { data: { errors: { product_id: ['The selected product id is invalid.'] } } });

export const recordInstall = ({
  catalogs,
  releases,
  installs,
  productUses,
  dailyBounds,
  readAccess,
  ids,
  clock,
}: Ports) =>
  async function recordInstall(input: InstallInput) {
    const { account_id, scope, key, caller, body: report } = input;
    const owner = String(account_id);
    const now = clock.now();
    const catalog = await catalogs.current();
    const target = unknownAs(targetProduct(catalog.products, scope, report.product_id), unknownProduct());
    if (!target.ok) return target;
    const [access, known, isReached] = await Promise.all([
      readAccess(account_id, target.value, catalog, caller?.memberships),
      productUses.of(account_id),
      dailyBounds.isReached(INSTALLS_A_DAY, owner, now),
    ]);
    const judged = unknownAs(judgeAccess(target.value, access, true), unknownProduct());
    if (!judged.ok) return judged;
    const released =
      report.release_id === null ? undefined : (await releases.of([report.product_id])).get(report.product_id);
    const errors = installFaults(report, released ?? [], now);
    if (Object.keys(errors).length > 0) return refuse('validation_failed', { data: { errors } });
    if (isReached) return dailyBoundReached(INSTALLS_A_DAY, now);
    const install = installRecord(report, { id: ids.next(), account_id, key_id: key?.id ?? null }, now);
    return async ({ permit }: Clearance) => {
      const { account_id, key_id, ...view } = install;
      const use = { product_id: install.product_id, used_at: install.recorded_at };
      await Promise.all([
        installs.record(permit, install),
        productUses.note(permit, account_id, known, [use]),
        dailyBounds.count(permit, INSTALLS_A_DAY, owner, 1, now),
      ]);
      return ok({ install: view });
    };
  };

export type UsageInput = {
  account_id: number;
  scope: ProductScope;
  /** The key of the device that sends its usage. */
  key: Pick<ApiKey, 'id'>;
  caller?: Pick<AccountPrincipal, 'memberships'> | undefined;
  body: { consent: boolean; days: readonly UsageDay[] };
};

type UploadUsagePorts = Needs<'catalogs' | 'clock' | 'dailyBounds' | 'licenses' | 'productUses' | 'usage'>;

/**
 * Stores a device's daily usage, replacing its earlier rows of the same days. A launch counts as use of the product.
 * One invalid row refuses the whole report. Without consent, nothing is stored.
 */
export const uploadUsage = ({ catalogs, licenses, usage, productUses, dailyBounds, clock }: UploadUsagePorts) =>
  async function uploadUsage(input: UsageInput) {
    const { account_id, scope, key, caller, body } = input;
    const { consent, days } = body;
    if (!consent) return ok({ stored: 0, days: [] });
    for (const { product_id } of days) {
      const scoped = checkProductScope(scope, product_id);
      if (!scoped.ok) return scoped;
    }
    const owner = String(account_id);
    const now = clock.now();
    const [catalog, holdings, known, isReached] = await Promise.all([
      catalogs.current(),
      licenses.held(account_id, undefined, caller?.memberships),
      productUses.of(account_id),
      dailyBounds.isReached(USAGE_A_DAY, owner, now),
    ]);
    const couldUse = ({ product_id, usage_date }: UsageDay): boolean => {
      const product = catalog.products.get(product_id);
      return product !== undefined && couldUseOn(product, catalog, holdings, usage_date, now);
    };
    const errors = usageFaults(days, couldUse, now);
    if (Object.keys(errors).length > 0) return refuse('validation_failed', { data: { errors } });
    if (isReached) return dailyBoundReached(USAGE_A_DAY, now);
    const rows = lastOfEachDay(days);
    return async ({ permit }: Clearance) => {
      await Promise.all([
        usage.save(permit, account_id, key.id, rows),
        productUses.note(permit, account_id, known, usesIn(rows, now)),
        dailyBounds.count(permit, USAGE_A_DAY, owner, usageSize(rows), now),
      ]);
      return ok({ stored: rows.length, days: rows });
    };
  };

/** The number of an account's newest installs that are read. */
const READ = 200;

export type NewestInstall = Pick<InstallRecord, 'version' | 'installed_at'>;

/** The newest install of each product, among the account's latest reports. */
export const newestInstalls = async (
  installs: Installs,
  account_id: number,
): Promise<ReadonlyMap<number, NewestInstall>> => {
  const newest = new Map<number, NewestInstall>();
  let read = 0;
  for await (const { product_id, version, installed_at } of installs.list(account_id)) {
    if (!newest.has(product_id)) newest.set(product_id, { version, installed_at });
    if (++read === READ) break;
  }
  return newest;
};
