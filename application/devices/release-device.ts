import type { Permit } from '../../domain/access/permit.ts';
import type { ProductScope } from '../../domain/access/principal.ts';
import { CHANGES_BY_KEYS } from '../../domain/audit/bounds.ts';
import { releaseView } from '../../domain/devices/seat.ts';
import { judgeSight, targetProduct } from '../../domain/licensing/access.ts';
import { dailyBoundReached } from '../../domain/shared/daily-bound.ts';
import type { Locale } from '../../domain/shared/locale.ts';
import { ok } from '../../domain/shared/outcome.ts';
import type { Release } from '../../ports/outbound/devices.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { ReadAccess } from '../licensing/access.ts';
import type { Clearance } from '../shared/steps.ts';
import { heldBy, type ReleaseSlots } from './slots.ts';

export type OwnReleasePorts = Needs<'catalogs' | 'clock' | 'dailyBounds'> & { readAccess: ReadAccess };

/**
 * Releases a slot of a product that the account may know of; `release` does it and words the answer. Releases by keys
 * count against a daily limit, because each leaves an audit entry and a slot may be taken again any number of times.
 */
export const ownRelease = ({ catalogs, clock, dailyBounds, readAccess }: OwnReleasePorts) =>
  async function ownRelease<T>(
    { account_id, scope, product_id }: { account_id: number; scope: ProductScope; product_id: number },
    release: (permit: Permit) => Promise<[Release, T]>,
  ) {
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
      const [released, answer] = await release(permit);
      if (released !== 'not there') await dailyBounds.count(permit, CHANGES_BY_KEYS, owner, 1, now);
      return ok(answer);
    };
  };

export type ReleaseLicenseDeviceInput = {
  account_id: number;
  scope: ProductScope;
  body: { product_id: number; device_id: string };
  locale: Locale;
};

/**
 * Releases a device of the account by a key that may manage devices. A device without a slot, or of another account,
 * gets the same answer.
 */
export const releaseLicenseDevice = (ports: OwnReleasePorts & Needs<'links'> & { releaseSlots: ReleaseSlots }) =>
  async function releaseLicenseDevice({ account_id, scope, body, locale }: ReleaseLicenseDeviceInput) {
    const { product_id, device_id } = body;
    return ownRelease(ports)({ account_id, scope, product_id }, async (permit) => {
      const release = await ports.releaseSlots.ofProduct(permit, account_id, product_id, device_id);
      const until = heldBy(release)?.offline_until ?? null;
      return [
        release,
        releaseView(body, release !== 'not there', until, ports.links.manageDevices(product_id), locale),
      ];
    });
  };
