import type { Permit } from '../../domain/access/permit.ts';
import { auditEvent } from '../../domain/audit/event.ts';
import type { Product } from '../../domain/catalog/product.ts';
import { productNamed } from '../../domain/catalog/product-named.ts';
import { amendPolicy, type Revocation } from '../../domain/policy/client-policy.ts';
import { withWithdrawn } from '../../domain/policy/withdrawn-device.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { ReleaseSlots } from '../devices/release-slots.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';
import { tooLarge } from './document-files.ts';
import { accountMissing } from './find-account.ts';
import { productMissing } from './find-product.ts';

export type Ports = Needs<'accounts' | 'catalogs' | 'clock' | 'devices' | 'pauses' | 'policies'> & {
  releaseSlots: ReleaseSlots;
};

export type Input = {
  /** The account whose slot is given back at once; null where the operator does not know it. */
  readonly account_id: number | null;
  /** The product's id or slug. */
  readonly product: string;
  readonly device_id: string;
  /** A sentence for the audit log alone. */
  readonly reason: string | null;
  /** True decides and writes nothing. */
  readonly trial?: boolean;
};

export type WithdrawnDevice = Revocation & {
  readonly slug: string;
  /** `unchanged`: the policy withdrew the device already. */
  readonly result: 'withdrawn' | 'unchanged';
  /** The version of the policy that withdraws the device; in a trial, the version before. */
  readonly policy_version: number;
  /** True where a slot of the account was given back, or would be. */
  readonly released: boolean;
};

export type Refusal = 'account_not_found' | 'product_not_found' | 'device_not_found' | 'policy_is_full';

/**
 * Puts a device on the client policy's list, so that it may not run a product, whatever account it belongs to. Its slot
 * is free for another device: that of `account_id` at once, any other with the next license check that needs it.
 */
export const withdrawDevice = ({ releaseSlots, accounts, catalogs, devices, policies, clock, pauses }: Ports) => {
  const find = async ({ account_id, product: named, device_id }: Input) => {
    const product = productNamed(await catalogs.current(), named);
    if (!product) return productMissing(named);
    if (account_id === null) return ok({ product, holdsSlot: false });
    if (!(await accounts.get(account_id))) return accountMissing(account_id);
    const { device } = await devices.find(account_id, product.id, device_id);
    return device ? ok({ product, holdsSlot: true }) : missing(product, device_id, account_id);
  };

  /** A device that holds no slot is refused, unless it is withdrawn: then a call that broke off is repeated. */
  const missing = async (product: Product, device_id: string, account_id: number) => {
    const { policy } = await policies.read();
    const known = withWithdrawn(policy, { product_id: product.id, device_id });
    if (known.ok && known.value === policy) return ok({ product, holdsSlot: false });
    return refuse('device_not_found', {
      message: `Device ${device_id} of account ${account_id} holds no slot of ${product.slug}; leave out --account to withdraw it all the same.`,
    });
  };

  const withdraw = (permit: Permit, device: Revocation, { account_id, reason, trial }: Input) =>
    untilWritten(pauses, async () => {
      const read = await policies.read();
      const wish = withWithdrawn(read.policy, device);
      if (!wish.ok) return wish;
      const [fault] = tooLarge('The client policy', wish.value);
      if (fault) return refuse('policy_is_full', { message: `${fault.path} ${fault.message}.` });
      const result = wish.value === read.policy ? ('unchanged' as const) : ('withdrawn' as const);
      if (trial || result === 'unchanged') return ok({ result, policy_version: read.policy.version });
      const policy = amendPolicy(read.policy, wish.value, clock.now());
      const subject = { kind: 'device', id: device.device_id, account_id, product_id: device.product_id } as const;
      const event = auditEvent(subject, 'withdrawn', undefined, reason === null ? undefined : { reason });
      return (await policies.save(permit, policy, read, [event]))
        ? ok({ result, policy_version: policy.version })
        : CONFLICT;
    });

  return async (permit: Permit, input: Input): Promise<Outcome<WithdrawnDevice, Refusal>> => {
    const found = await find(input);
    if (!found.ok) return found;
    const { product, holdsSlot } = found.value;
    const device: Revocation = { product_id: product.id, device_id: input.device_id };
    const set = await withdraw(permit, device, input);
    if (!set.ok) return set;
    const released =
      input.trial || input.account_id === null
        ? holdsSlot
        : await releaseSlots.ofProduct(permit, input.account_id, product.id, input.device_id);
    return ok({ ...device, slug: product.slug, ...set.value, released });
  };
};

export type WithdrawDevice = ReturnType<typeof withdrawDevice>;
