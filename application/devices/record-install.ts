import type { ApiKey } from '../../domain/access/api-key.ts';
import { checkProductScope } from '../../domain/access/gates.ts';
import type { InstallRecord } from '../../domain/devices/install-record.ts';
import { toInstant } from '../../domain/shared/instant.ts';
import { ok, refuse } from '../../domain/shared/outcome.ts';
import type { Catalogs } from '../../ports/outbound/catalogs.ts';
import type { Clock } from '../../ports/outbound/clock.ts';
import type { Ids } from '../../ports/outbound/ids.ts';
import type { Installs } from '../../ports/outbound/usage.ts';
import type { ReadAccess } from '../access/read-access.ts';
import type { Admission } from '../shared/admission.ts';

type Ports = { catalogs: Catalogs; installs: Installs; readAccess: ReadAccess; ids: Ids; clock: Clock };

export type InstallReport = {
  product_id: number;
  version: string;
  bundle_id?: string | null | undefined;
  installed_at?: string | null | undefined;
  release_id?: number | null | undefined;
  artifact_sha256?: string | null | undefined;
};

const unknownProduct = () =>
  refuse('validation_failed', { data: { errors: { product_id: ['The selected product id is invalid.'] } } });

/** Records what a device says it installed. */
export class RecordInstall {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute({ key, report, admitted }: { key: ApiKey; report: InstallReport; admitted: Admission }) {
    const { catalogs, installs, readAccess, ids, clock } = this.#ports;
    const scope = checkProductScope(key, report.product_id);
    if (!scope.ok) return scope;
    const catalog = await catalogs.current();
    const product = catalog.products.get(report.product_id);
    if (!product) return unknownProduct();
    const { granted } = await readAccess.execute(key.account_id, product, catalog);
    if (!granted) return product.published ? refuse('product_entitlement_required') : unknownProduct();
    const now = clock.now();
    const install: InstallRecord = {
      id: ids.next(),
      account_id: key.account_id,
      key_id: key.id,
      product_id: product.id,
      version: report.version,
      bundle_id: report.bundle_id ?? null,
      installed_at: report.installed_at ? toInstant(new Date(report.installed_at)) : now,
      release_id: report.release_id ?? null,
      artifact_sha256: report.artifact_sha256?.toLowerCase() ?? null,
      recorded_at: now,
    };
    await admitted;
    await installs.record(install);
    const { account_id, key_id, ...shown } = install;
    return ok({ install: shown });
  }
}
