import { admitKey } from '../../domain/access/key-quota.ts';
import type { Permit } from '../../domain/access/permit.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import { awaitsDecision, type DeviceSignIn, decided } from '../../domain/sign-in/device-sign-in.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { CONFLICT, rereading } from '../shared/contended.ts';
import type { FindDeviceSignIn } from './find-device-sign-in.ts';

export type Ports = Needs<'apiKeys' | 'clock' | 'deviceSignIns' | 'pauses'> & {
  keyQuota: number;
  findDeviceSignIn: FindDeviceSignIn;
};

export type Input = {
  account_id: number;
  address: string;
  user_code: string;
  decision: 'approve' | 'deny';
  /** The name that the person gives the device; null keeps the device's own. */
  device_name: string | null;
};

export type Refusal = 'unknown_user_code' | 'too_many_attempts' | 'key_limit_reached';

/**
 * Approves or denies a device that waits under a user code. An approval is refused where the account has no place for
 * the device's key, so that the person learns it here. The key itself is made when the device asks for it.
 */
export const decideDeviceSignIn =
  ({ deviceSignIns, apiKeys, keyQuota, clock, pauses, findDeviceSignIn }: Ports) =>
  async (permit: Permit, input: Input): Promise<Outcome<DeviceSignIn, Refusal>> => {
    const { account_id, decision, device_name } = input;
    const found = await findDeviceSignIn(input);
    if (!found.ok) return found;
    if (decision === 'approve') {
      const admitted = admitKey(await apiKeys.scope(account_id, null), keyQuota, clock.now(), found.value.client_id);
      if (!admitted.ok) return admitted;
    }
    const reread = () => deviceSignIns.find(found.value.hash);
    return rereading(pauses, found.value, reread, async (read) => {
      if (!read || !awaitsDecision(read, clock.now())) return refuse('unknown_user_code');
      const { version: _, ...waiting } = read;
      const next = decided(waiting, account_id, decision, device_name);
      return (await deviceSignIns.decide(permit, read, next)) ? ok(next) : CONFLICT;
    });
  };

export type DecideDeviceSignIn = ReturnType<typeof decideDeviceSignIn>;
