import type { Devices } from '../../../ports/outbound/devices.ts';
import type { Licenses } from '../../../ports/outbound/licensing.ts';

/** An implementation of a port based on a correct one, and the title of a contract case that detects it. */
export type WrongPort<P> = {
  readonly name: string;
  /** The calls that it does wrongly. */
  readonly wrong: (right: P) => Partial<P>;
  readonly failing: string;
};

export const RIGHT_LICENSES = 'right licenses';
export const RIGHT_DEVICES = 'right devices';

/** The account to which the contract first grants rights. */
const FIRST_ACCOUNT = 7;

export const WRONG_LICENSES: readonly WrongPort<Licenses>[] = [
  {
    name: 'licenses that ignore the account',
    wrong: (right) => ({ held: (_, product_ids) => right.held(FIRST_ACCOUNT, product_ids) }),
    failing: 'each account has its own entitlements, and changing one account leaves the other unchanged',
  },
  {
    name: 'licenses that remember the rights of an account',
    wrong: (right) => {
      const kept = new Map<string, ReturnType<Licenses['held']>>();
      return {
        held: (account_id, product_ids) => {
          const asked = JSON.stringify([account_id, product_ids]);
          const held = kept.get(asked) ?? right.held(account_id, product_ids);
          kept.set(asked, held);
          return held;
        },
      };
    },
    failing: 'an entitlement takes effect from the next call on, even if the account was read before',
  },
  {
    name: 'licenses that drop the rights that have ended',
    wrong: (right) => ({
      held: async (account_id, product_ids) => {
        const { entitlements, subscriptions } = await right.held(account_id, product_ids);
        return {
          entitlements: entitlements.filter(({ access_expires_at }) => access_expires_at === null),
          subscriptions,
        };
      },
    }),
    failing: 'an ended entitlement is still returned, so its owner learns why access is gone',
  },
  {
    name: 'licenses that number the rights anew where there are more',
    wrong: (right) => ({
      held: async (account_id, product_ids) => {
        const { entitlements, subscriptions } = await right.held(account_id, product_ids);
        const first = 100 * entitlements.length;
        return { entitlements: entitlements.map((right, i) => ({ ...right, id: first + i })), subscriptions };
      },
    }),
    failing: 'an entitlement keeps its id when it ends and when others are added',
  },
];

export const WRONG_DEVICES: readonly WrongPort<Devices>[] = [
  {
    name: 'devices that take a slot whatever slots were read',
    wrong: (right) => ({
      activate: async (permit, account, product, device) =>
        right.activate(permit, account, product, device, (await right.find(account, product, null)).slots),
    }),
    failing: 'a device takes no slot if another has taken one since the slots were read',
  },
  {
    name: 'devices that compare the number of slots alone',
    wrong: (right) => ({
      activate: async (permit, account, product, device, read) => {
        const { slots } = await right.find(account, product, null);
        return slots.used === read.used && right.activate(permit, account, product, device, slots);
      },
    }),
    failing: 'a device takes no slot if slots changed since they were read, even if the number is the same',
  },
  {
    name: 'devices whose release forgets the count',
    wrong: (right) => {
      let released = 0;
      return {
        find: async (...asked) => {
          const { device, slots } = await right.find(...asked);
          return { device, slots: { ...slots, used: slots.used + released } };
        },
        release: async (...asked) => {
          const done = await right.release(...asked);
          if (done === 'released') released++;
          return done;
        },
      };
    },
    failing: 'a released device holds no slot, and can take one again',
  },
  {
    name: 'devices that leave those without a limit out of the count',
    wrong: (right) => {
      let unlimited = 0;
      return {
        find: async (...asked) => {
          const { device, slots } = await right.find(...asked);
          return { device, slots: { ...slots, used: slots.used - unlimited } };
        },
        activate: async (permit, account, product, device, slots, options) => {
          const done = await right.activate(permit, account, product, device, slots, options);
          if (done && options?.unlimited) unlimited++;
          return done;
        },
      };
    },
    failing: 'a limit counts the devices that were added without one',
  },
  {
    name: 'devices whose files end with their release',
    wrong: (right) => ({
      release: (permit, account, product, id, terms) =>
        right.release(permit, account, product, id, { ...terms, offlineToo: true }),
    }),
    failing: 'an offline file holds the slot of a released device, which is no longer listed',
  },
  {
    name: 'devices that a touch brings back',
    wrong: (right) => ({
      touch: async (permit, account, product, device, presented) => {
        const { device: found, slots } = await right.find(account, product, device.device_id);
        if (found) return right.touch(permit, account, product, device, presented);
        await right.activate(permit, account, product, device, slots);
        return undefined;
      },
    }),
    failing: 'a touch gives no slot to a released or unknown device',
  },
  {
    name: 'devices that answer a value which another touch took the place of',
    wrong: (right) => ({
      touch: async (permit, account, product, device, presented) =>
        (await right.touch(permit, account, product, device, presented)) ?? {
          device,
          continuation: device.continuation?.current ?? null,
        },
    }),
    failing: 'simultaneous touches return no unrecorded value',
  },
];
