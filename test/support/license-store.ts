import type { KeyDevice } from '../../domain/access/api-key.ts';
import type { Permit } from '../../domain/access/permit.ts';
import type { LicenseQuestion } from '../../domain/licensing/license-check.ts';
import { licensing } from '../../runtimes/composition/areas/licensing.ts';
import { anEntitlement, aProduct } from './builders.ts';
import type { Contents } from './contents.ts';
import { aStore } from './memory-store.ts';
import { PERMIT, passed } from './permits.ts';

type Caller = {
  readonly account_id?: number;
  /** The product of the caller's key. */
  readonly boundTo?: number;
  readonly device?: KeyDevice;
  /** True requests the file for a machine that is never online. */
  readonly offline?: boolean;
  readonly permit?: Promise<Permit>;
};

/** The product that account 1 owns with two device slots. */
export const NOTES = aProduct({ id: 1, bundle_id: 'com.example.notes', device_limit: 2 });

/** A store whose account 1 owns NOTES with two device slots, unless the contents say otherwise. */
export const aLicenseStore = async (contents: Contents = {}) => {
  const store = await aStore([licensing], { products: [NOTES], entitlements: [anEntitlement()], ...contents });
  return {
    store,
    /** Checks whether account 1 may run NOTES on its laptop, unless the caller or the question says otherwise. */
    check: (question: Partial<LicenseQuestion> = {}, caller: Caller = {}) => {
      const { account_id = 1, boundTo = null, device = null, offline = false, permit = PERMIT } = caller;
      const asked = { product_id: 1, bundle_id: null, device_id: 'laptop', app_version: null, ...question };
      return passed(
        store.get('checkLicense')({
          account_id,
          scope: { product_id: boundTo },
          key: { device },
          body: asked,
          offline,
          locale: 'en',
        }),
        permit,
      );
    },
    /** The devices that hold a slot of the product, ordered by activation. */
    seated: async (product_id = 1) => {
      const devices = await store.get('devices').list(1, product_id);
      return devices.map(({ device_id }) => device_id);
    },
  };
};
