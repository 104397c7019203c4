import type { ProductScope } from '../../domain/access/principal.ts';
import {
  INSTALLS_A_DAY,
  type InstallReport,
  installFaults,
  installRecord,
} from '../../domain/devices/install-record.ts';
import { judgeAccess, targetProduct, unknownAs } from '../../domain/licensing/product-access.ts';
import { dailyBoundReached } from '../../domain/shared/daily-bound.ts';
import { ok, refuse } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { ReadAccess } from '../licensing/read-access.ts';
import type { Clearance } from '../shared/steps.ts';

export type Ports = Needs<'catalogs' | 'clock' | 'dailyBounds' | 'ids' | 'installs' | 'productUses' | 'releases'> & {
  readAccess: ReadAccess;
};

export type Input = {
  accountId: number;
  scope: ProductScope;
  /** The key of the reporting device; null for a caller who signed in without a key. */
  keyId: number | null;
  report: InstallReport;
};

const unknownProduct = () =>
  refuse('validation_failed', { data: { errors: { product_id: ['The selected product id is invalid.'] } } });

/** Records an install that a device reports, which is a use of the product. */
export const recordInstall =
  ({ catalogs, releases, installs, productUses, dailyBounds, readAccess, ids, clock }: Ports) =>
  async (input: Input) => {
    const { accountId, scope, keyId, report } = input;
    const owner = String(accountId);
    const now = clock.now();
    const catalog = await catalogs.current();
    const target = unknownAs(targetProduct(catalog.products, scope, report.product_id), unknownProduct());
    if (!target.ok) return target;
    const [access, known, isReached] = await Promise.all([
      readAccess(accountId, target.value, catalog),
      productUses.of(accountId),
      dailyBounds.isReached(INSTALLS_A_DAY, owner, now),
    ]);
    const judged = unknownAs(judgeAccess(target.value, access, true), unknownProduct());
    if (!judged.ok) return judged;
    const released =
      report.release_id === null ? undefined : (await releases.of([report.product_id])).get(report.product_id);
    const errors = installFaults(report, released ?? [], now);
    if (Object.keys(errors).length > 0) return refuse('validation_failed', { data: { errors } });
    if (isReached) return dailyBoundReached(INSTALLS_A_DAY, now);
    const install = installRecord(report, { id: ids.next(), account_id: accountId, key_id: keyId }, now);
    return async ({ permit }: Clearance) => {
      const use = { product_id: install.product_id, used_at: install.recorded_at };
      await Promise.all([
        installs.record(permit, install),
        productUses.note(permit, accountId, known, [use]),
        dailyBounds.count(permit, INSTALLS_A_DAY, owner, 1, now),
      ]);
      const { account_id, key_id, ...shown } = install;
      return ok({ install: shown });
    };
  };

export type RecordInstall = ReturnType<typeof recordInstall>;
