import type { Permit } from '../../domain/access/permit.ts';
import { type Outcome, type Refused, refuse } from '../../domain/shared/outcome.ts';
import { type DeviceSignIn, judgePoll, keyWishOf } from '../../domain/sign-in/device-sign-in.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { ReadDeviceSignIn } from '../../ports/outbound/sign-in.ts';
import type { CreateApiKey, CreatedKey } from '../access/create-api-key.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';
import { settled } from '../shared/settled.ts';
import { isSecret } from './is-secret.ts';

export type Ports = Needs<'clock' | 'deviceSignIns' | 'digest' | 'pauses'> & { createApiKey: CreateApiKey };

export type Input = { device_code: string; client_id: string };

export type Waiting = 'authorization_pending' | 'slow_down' | 'access_denied' | 'expired_token';
export type RedeemRefusal = Waiting | 'key_limit_reached';

/** The sign-in that this call alone may redeem, and the account that approved it. */
type Claim = { readonly ok: true; readonly signIn: DeviceSignIn; readonly account_id: number };

/**
 * Answers the question of a device that waits (RFC 8628, section 3.5): with the device's key once it is approved, else
 * with the standard's error. The key is made now, so that its value is stored nowhere. Of many questions at once
 * exactly one gets it. An unknown code, and that of another client, is `expired_token`.
 */
export const redeemDeviceSignIn = ({ deviceSignIns, createApiKey, digest, clock, pauses }: Ports) => {
  /** Removes an approved sign-in, so that no other question redeems it. */
  const claimCode = ({ device_code, client_id }: Input): Promise<Claim | Refused<Waiting>> => {
    if (!isSecret(device_code)) return Promise.resolve(refuse('expired_token'));
    const hash = digest.sha256(device_code);
    return untilWritten(pauses, async () => {
      const read = await deviceSignIns.find(hash);
      const judged = judgePoll(read && withoutVersion(read), client_id, clock.now());
      if (!read || judged.verdict === 'expired') return refuse('expired_token');
      switch (judged.verdict) {
        case 'denied':
          return refuse('access_denied');
        case 'approved':
          if (!(await deviceSignIns.remove(read))) return CONFLICT;
          return { ok: true, signIn: withoutVersion(read), account_id: judged.account_id };
        case 'pending':
          return (await deviceSignIns.replace(read, judged.next)) ? refuse('authorization_pending') : CONFLICT;
        case 'slow_down':
          return (await deviceSignIns.replace(read, judged.next))
            ? refuse('slow_down', { data: { interval: judged.next.interval } })
            : CONFLICT;
      }
    });
  };

  return async (permit: Permit, input: Input): Promise<Outcome<CreatedKey, RedeemRefusal>> => {
    const claim = await claimCode(input);
    if (!claim.ok) return claim;
    const minted = await settled(createApiKey(permit, keyWishOf(claim.signIn, claim.account_id)));
    if ('fault' in minted) {
      // The device got nothing, so that it may ask again.
      await settled(deviceSignIns.add(claim.signIn));
      throw minted.fault;
    }
    const created = minted.value;
    if (created.ok) return created;
    const { code, message, data } = created;
    return code === 'key_limit_reached' ? { ok: false, code, message, data } : refuse('access_denied');
  };
};

export type RedeemDeviceSignIn = ReturnType<typeof redeemDeviceSignIn>;

const withoutVersion = ({ version: _, ...signIn }: ReadDeviceSignIn): DeviceSignIn => signIn;
