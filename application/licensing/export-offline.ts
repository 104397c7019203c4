import type { Permit } from '../../domain/access/permit.ts';
import { auditEvent } from '../../domain/audit/event.ts';
import type { Catalog } from '../../domain/catalog/catalog.ts';
import type { Product } from '../../domain/catalog/product.ts';
import type { Device } from '../../domain/devices/seat.ts';
import { accessTo, type GrantedAccess } from '../../domain/licensing/access.ts';
import {
  decideLicense,
  FOR_EVER,
  isDeviceRevoked,
  isSharedDeviceRefused,
} from '../../domain/licensing/license-check.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { everyDevice } from '../devices/own-devices.ts';
import { type Progress, unseen } from '../shared/progress.ts';
import type { AnswerLicense } from './license-answer.ts';

/**
 * Signs a node-locked file that never expires for each active device of each license without an end, so that buyers go
 * on after the shop is gone. It takes no slots and changes nothing. Suspended accounts, blocked devices and licenses
 * with an end get none. `to` names the folder for the audit log. Yields an account with the files of its devices, as
 * applications read them, and the slugs of the products that it has on no device.
 */
export const exportOffline = ({
  accounts,
  auditLog,
  catalogs,
  clock,
  devices,
  licenses,
  releases: stored,
  answerLicense,
}: Needs<'accounts' | 'auditLog' | 'catalogs' | 'clock' | 'devices' | 'licenses' | 'releases'> & {
  answerLicense: AnswerLicense;
}) => {
  const fileOf = async (
    account_id: number,
    { product, access, device }: { product: Product; access: GrantedAccess; device: Device },
    { policy }: Catalog,
  ) => {
    const { device_id, name: device_name, app_version = null } = device;
    const revoked = isDeviceRevoked(product.id, device_id, device, policy.revoked);
    const { token, checked_at } = await answerLicense({
      account_id,
      question: { app_version, perpetual: true },
      decision: decideLicense(access, revoked, 'en', isSharedDeviceRefused(product, device)),
      product: { ...product, ttl_days: null },
      access,
      seat: { device, used: 1 },
      releases: (await stored.of([product.id])).get(product.id) ?? [],
      policy,
      offline: true,
      locale: 'en',
      now: clock.now(),
    });
    return token === null ? [] : [{ product: product.slug, device_id, device_name, file: { token, checked_at } }];
  };

  return async function* exportOffline(permit: Permit, { to, progress = unseen }: { to: string; progress?: Progress }) {
    await auditLog.add(permit, auditEvent({ kind: 'store', id: to }, 'offline_export_begun'));
    const catalog = await catalogs.current();
    let read = 0;
    for await (const { id: account_id, email, suspended_at } of accounts.list()) {
      progress('Reading records', ++read, read);
      if (suspended_at) continue;
      const holdings = await licenses.held(account_id);
      const files: Awaited<ReturnType<typeof fileOf>> = [];
      const without_device: string[] = [];
      for (const product of catalog.products.values()) {
        // A file that never ends tells, and runs, only what never ends.
        const [present, access] = [clock.now(), FOR_EVER].map((at) => accessTo(product, catalog.bundles, holdings, at));
        if (!present?.granted || !access?.granted || access.device_limit === 0) continue;
        if (catalog.bundles.some((bundle) => bundle.product_id === product.id)) continue;
        const limit = access.device_limit ?? Number.POSITIVE_INFINITY;
        const most = limit < (present.device_limit ?? Number.POSITIVE_INFINITY) ? limit : Number.POSITIVE_INFINITY;
        const before = files.length;
        for await (const device of everyDevice({ devices }, account_id, product.id)) {
          if (files.length - before >= most) break;
          files.push(...(await fileOf(account_id, { product, access, device }, catalog)));
        }
        if (files.length === before) without_device.push(product.slug);
      }
      if (files.length + without_device.length > 0) yield { account_id, email, files, without_device };
    }
  };
};

export type ExportOffline = ReturnType<typeof exportOffline>;
