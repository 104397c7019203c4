import type { ApiKey } from '../../domain/access/api-key.ts';
import { checkProductScope } from '../../domain/access/gates.ts';
import type { Catalog } from '../../domain/catalog/catalog.ts';
import type { Product } from '../../domain/catalog/product.ts';
import { admitDevice, type Device, isUnseenToday } from '../../domain/devices/device.ts';
import type { GrantedAccess } from '../../domain/licensing/access.ts';
import { decideLicense, isDeviceRevoked, isVersionCovered } from '../../domain/licensing/license-decision.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import { inLocale } from '../../domain/shared/locale.ts';
import { ok, refuse } from '../../domain/shared/outcome.ts';
import type { Catalogs } from '../../ports/outbound/catalogs.ts';
import type { Clock } from '../../ports/outbound/clock.ts';
import type { Devices } from '../../ports/outbound/devices.ts';
import type { Links } from '../../ports/outbound/links.ts';
import type { Pauses } from '../../ports/outbound/pauses.ts';
import type { Releases, Versions } from '../../ports/outbound/releases.ts';
import type { ReadAccess } from '../access/read-access.ts';
import type { Admission } from '../shared/admission.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';
import { deviceView } from './device-view.ts';
import type { LicenseTokens } from './license-tokens.ts';

type Ports = {
  catalogs: Catalogs;
  devices: Devices;
  releases: Releases;
  versions: Versions;
  links: Links;
  clock: Clock;
  pauses: Pauses;
  readAccess: ReadAccess;
  licenseTokens: LicenseTokens;
};

export type LicenseQuestion = {
  product_id?: number | null | undefined;
  bundle_id?: string | null | undefined;
  device_id?: string | null | undefined;
  app_version?: string | null | undefined;
};

/** The same for a product that is hidden from the account, so that nobody learns of it. */
const unknownProduct = () => refuse('not_found', { message: 'There is no such product.' });

type Slot = { device: Device; used: number };

/**
 * Decides whether an account may run a product on a device, and gives a new device a slot. A device that holds one
 * always passes; of any number of new ones at once, exactly as many get in as there are slots.
 */
export class CheckLicense {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute({ key, question, admitted }: { key: ApiKey; question: LicenseQuestion; admitted: Admission }) {
    const { catalogs, devices, releases, readAccess, versions, clock } = this.#ports;
    const catalog = await catalogs.current();
    const named = this.#productAsked(catalog, question, key);
    if (!named.ok) return named;
    const product = named.value;
    const deviceId = question.device_id || key.device?.device_id || null;
    const [access, found, released] = await Promise.all([
      readAccess.execute(key.account_id, product, catalog),
      devices.find(key.account_id, product.id, deviceId),
      releases.of([product.id]),
    ]);
    if (!product.published && !access.granted) return unknownProduct();
    if (question.product_id != null && question.bundle_id && question.bundle_id !== product.bundle_id) {
      return refuse('validation_failed', {
        data: { errors: { bundle_id: ['The bundle id field names another product than the product id field.'] } },
      });
    }
    const now = clock.now();
    const revoked = isDeviceRevoked(product.id, deviceId, found.device, catalog.policy.revoked);
    const decision = decideLicense(access, revoked);
    let slot: Slot | null = found.device ? { device: found.device, used: found.slots.used } : null;
    if (decision.valid && access.granted && deviceId !== null) {
      const taken = await this.#seat(key, product, access, deviceId, found, now, admitted);
      if (!taken.ok) return taken;
      slot = taken.value;
    }
    const order = versions.order(product.version_scheme);
    const view = {
      ...decision,
      product: { id: product.id, name: inLocale(product.name, 'en') ?? '', bundle_id: product.bundle_id },
      version_covered: access.granted
        ? isVersionCovered(
            question.app_version || null,
            released.get(product.id) ?? [],
            access.updates_supported_until,
            order,
          )
        : null,
      device: slot && decision.valid ? deviceView(slot.device) : null,
      devices: {
        used: slot?.used ?? found.slots.used,
        limit: access.granted ? access.device_limit : product.device_limit,
      },
      checked_at: now,
    };
    return ok({ ...view, ...this.#ports.licenseTokens.issue(view, key.account_id, catalog.policy) });
  }

  /** The product that the question names. A bound key learns nothing of other products, not even whether they exist. */
  #productAsked(catalog: Catalog, { product_id, bundle_id }: LicenseQuestion, key: ApiKey) {
    if (product_id == null && !bundle_id) {
      return refuse('validation_failed', {
        data: { errors: { product_id: ['The product id field is required when bundle id is not present.'] } },
      });
    }
    const product =
      product_id != null ? catalog.products.get(product_id) : catalog.productsByBundleId.get(bundle_id as string);
    const scope = checkProductScope(key, product?.id ?? product_id ?? 0);
    if (!scope.ok) return scope;
    if (!product) return unknownProduct();
    return ok(product);
  }

  /** The slot of a device: the one it holds, or a new one. */
  async #seat(
    key: ApiKey,
    product: Product,
    access: GrantedAccess,
    deviceId: string,
    found: Awaited<ReturnType<Devices['find']>>,
    now: Instant,
    admitted: Admission,
  ) {
    const { devices, pauses, links } = this.#ports;
    const account = key.account_id;
    await admitted;
    let read: typeof found | undefined = found;
    return untilWritten(pauses, async () => {
      const { device, slots } = read ?? (await devices.find(account, product.id, deviceId));
      read = undefined;
      if (device) {
        if (!isUnseenToday(device, now)) return ok({ device, used: slots.used });
        const seen = { ...device, last_seen_at: now };
        await devices.touch(account, product.id, seen);
        return ok({ device: seen, used: slots.used });
      }
      const place = admitDevice(slots.used, access.device_limit);
      if (!place.ok) {
        const inUse = await devices.list(account, product.id);
        // The device and the count are read together but need not be of one moment: it may have got its slot in between.
        if (inUse.some((one) => one.device_id === deviceId)) return CONFLICT;
        return refuse('device_limit_reached', {
          message: place.message as string,
          data: {
            code: 'device_limit_reached',
            device_limit: access.device_limit,
            devices: inUse.map(deviceView),
            manage_url: links.manageDevices(product.id),
          },
        });
      }
      const name = key.device?.device_id === deviceId ? key.device.name : null;
      const added = { device_id: deviceId, name, activated_at: now, last_seen_at: now, revoked_at: null };
      const written = await devices.activate(account, product.id, added, slots);
      return written ? ok({ device: added, used: slots.used + 1 }) : CONFLICT;
    });
  }
}
