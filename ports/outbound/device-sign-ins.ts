import type { Permit } from '../../domain/access/permit.ts';
import type { DeviceSignIn } from '../../domain/sign-in/device-sign-in.ts';

/** A device sign-in as it was read. Writes succeed only on this version. */
export type ReadDeviceSignIn = DeviceSignIn & { readonly version: string };

/**
 * Devices that wait to be let in. What signs somebody in comes before every gate, so that it needs no permit; the
 * decision of the account's owner does.
 */
export interface DeviceSignIns {
  find(hash: string): Promise<ReadDeviceSignIn | undefined>;
  findByUserCode(userCodeHash: string): Promise<ReadDeviceSignIn | undefined>;
  /** Adds a device sign-in; false, with nothing written, where another one has the user code. */
  add(signIn: DeviceSignIn): Promise<boolean>;
  /** Replaces it; false, with nothing written, where it has changed since it was read. */
  replace(read: ReadDeviceSignIn, signIn: DeviceSignIn): Promise<boolean>;
  /** Keeps an owner's decision about it; false, with nothing written, where it has changed since it was read. */
  decide(permit: Permit, read: ReadDeviceSignIn, decided: DeviceSignIn): Promise<boolean>;
  /** Removes it; false where it has changed since it was read, so that exactly one call redeems it. */
  remove(read: ReadDeviceSignIn): Promise<boolean>;
}
