import type { Permit } from '../../domain/access/permit.ts';
import { auditEvent } from '../../domain/audit/event.ts';
import { productNamed } from '../../domain/catalog/product-named.ts';
import { amendPolicy, type Revocation } from '../../domain/policy/client-policy.ts';
import { withoutWithdrawn } from '../../domain/policy/withdrawn-device.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';
import { productMissing } from './find-product.ts';

export type Ports = Needs<'catalogs' | 'clock' | 'pauses' | 'policies'>;

export type RestoredDevice = Revocation & { readonly slug: string; readonly policy_version: number };

/** Takes a device off the client policy's list, so that it may run the product again and takes a free slot. */
export const restoreDevice =
  ({ catalogs, policies, clock, pauses }: Ports) =>
  async (
    permit: Permit,
    { product: named, device_id }: { readonly product: string; readonly device_id: string },
  ): Promise<Outcome<RestoredDevice, 'product_not_found' | 'device_not_withdrawn'>> => {
    const product = productNamed(await catalogs.current(), named);
    if (!product) return productMissing(named);
    const device: Revocation = { product_id: product.id, device_id };
    return untilWritten(pauses, async () => {
      const read = await policies.read();
      const wish = withoutWithdrawn(read.policy, device);
      if (wish === read.policy) {
        return refuse('device_not_withdrawn', {
          message: `The client policy does not withdraw device ${device_id} for ${product.slug}; "policy show --json" lists the devices that it withdraws.`,
        });
      }
      const policy = amendPolicy(read.policy, wish, clock.now());
      const event = auditEvent({ kind: 'device', id: device_id, product_id: product.id }, 'restored');
      const saved = await policies.save(permit, policy, read, [event]);
      return saved ? ok({ ...device, slug: product.slug, policy_version: policy.version }) : CONFLICT;
    });
  };

export type RestoreDevice = ReturnType<typeof restoreDevice>;
