import type { ProductScope } from '../../domain/access/principal.ts';
import { CHANGES_BY_KEYS } from '../../domain/audit/bounds.ts';
import { releaseView } from '../../domain/devices/seat.ts';
import { judgeSight, targetProduct } from '../../domain/licensing/access.ts';
import { dailyBoundReached } from '../../domain/shared/daily-bound.ts';
import type { Locale } from '../../domain/shared/locale.ts';
import { ok } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { ReadAccess } from '../licensing/access.ts';
import type { Clearance } from '../shared/steps.ts';
import { heldBy, type ReleaseSlots } from './slots.ts';

type Ports = Needs<'catalogs' | 'clock' | 'dailyBounds' | 'links'> & {
  readAccess: ReadAccess;
  releaseSlots: ReleaseSlots;
};

export type ReleaseLicenseDeviceInput = {
  account_id: number;
  scope: ProductScope;
  body: { product_id: number; device_id: string };
  locale: Locale;
};

/**
 * Releases a device of the account by a key that may manage devices. A device without a slot, or of another account,
 * gets the same answer. Releases count against the daily limit, because each leaves an audit entry and a device may
 * take a slot again any number of times.
 */
export const releaseLicenseDevice = ({ catalogs, clock, dailyBounds, links, readAccess, releaseSlots }: Ports) =>
  async function releaseLicenseDevice({ account_id, scope, body, locale }: ReleaseLicenseDeviceInput) {
    const { product_id, device_id } = body;
    const catalog = await catalogs.current();
    const target = targetProduct(catalog.products, scope, product_id);
    if (!target.ok) return target;
    const now = clock.now();
    const owner = String(account_id);
    const [access, isReached] = await Promise.all([
      readAccess(account_id, target.value, catalog),
      dailyBounds.isReached(CHANGES_BY_KEYS, owner, now),
    ]);
    const sight = judgeSight(target.value, access);
    if (!sight.ok) return sight;
    if (isReached) return dailyBoundReached(CHANGES_BY_KEYS, now);
    return async ({ permit }: Pick<Clearance, 'permit'>) => {
      const release = await releaseSlots.ofProduct(permit, account_id, product_id, device_id);
      const released = release !== 'not there';
      if (released) await dailyBounds.count(permit, CHANGES_BY_KEYS, owner, 1, now);
      const until = heldBy(release)?.offline_until ?? null;
      return ok(releaseView(body, released, until, links.manageDevices(product_id), locale));
    };
  };
