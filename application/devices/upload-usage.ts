import type { ApiKey } from '../../domain/access/api-key.ts';
import { isInScope } from '../../domain/access/gates.ts';
import { lastOfEachDay, type UsageDay, usageFaults } from '../../domain/devices/usage.ts';
import { accessTo } from '../../domain/licensing/access.ts';
import { ok, refuse } from '../../domain/shared/outcome.ts';
import type { Catalogs } from '../../ports/outbound/catalogs.ts';
import type { Clock } from '../../ports/outbound/clock.ts';
import type { Licenses } from '../../ports/outbound/licenses.ts';
import type { Usage } from '../../ports/outbound/usage.ts';
import type { Admission } from '../shared/admission.ts';

type Ports = { catalogs: Catalogs; licenses: Licenses; usage: Usage; clock: Clock };
type Input = { key: ApiKey; consent: boolean; days: readonly UsageDay[]; admitted: Admission };

/** Keeps a device's daily usage, replacing what it sent for the same days before; one bad row refuses the batch. */
export class UploadUsage {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute({ key, consent, days, admitted }: Input) {
    const { catalogs, licenses, usage, clock } = this.#ports;
    if (!consent) return ok({ stored: 0, days: [] });
    const [catalog, holdings] = await Promise.all([catalogs.current(), licenses.held(key.account_id)]);
    const now = clock.now();
    const mayUse = (productId: number): boolean => {
      const product = catalog.products.get(productId);
      return (
        product !== undefined && isInScope(key, productId) && accessTo(product, catalog.bundles, holdings, now).granted
      );
    };
    const errors = usageFaults(days, mayUse, now);
    if (Object.keys(errors).length > 0) return refuse('validation_failed', { data: { errors } });
    const rows = lastOfEachDay(days);
    await admitted;
    await usage.save(key.account_id, key.id, rows);
    return ok({ stored: rows.length, days: rows });
  }
}
