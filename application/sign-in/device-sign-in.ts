import { admitKey } from '../../domain/access/api-key.ts';
import type { Permit } from '../../domain/access/permit.ts';
import { type Outcome, ok, type Refused, refuse } from '../../domain/shared/outcome.ts';
import { deviceSignInLimits, userCodeLimits } from '../../domain/sign-in/attempts.ts';
import {
  awaitsDecision,
  DEVICE_SIGN_IN_MINUTES,
  type DeviceSignIn,
  decided,
  deviceClient,
  judgePoll,
  keyInputOf,
  newDeviceSignIn,
  POLL_SECONDS,
  plainUserCode,
  shownUserCode,
  USER_CODE_LENGTH,
  USER_CODE_LETTERS,
} from '../../domain/sign-in/device-sign-in.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { ReadDeviceSignIn } from '../../ports/outbound/sign-in.ts';
import type { CreateApiKey, CreatedKey } from '../access/api-keys.ts';
import { CONFLICT, rereading, untilWritten } from '../shared/contended.ts';
import type { CountAttempts } from './count-attempts.ts';
import { isSecret } from './sessions.ts';

export type StartDeviceSignInInput = {
  client_id: string;
  /** The client's own name for the device, at most 255 characters. */
  device_id: string;
  device_name: string | null;
  address: string;
};

/** The codes of a device sign-in, which are stored nowhere (RFC 8628, section 3.2). Times are in seconds. */
export type StartedDeviceSignIn = {
  readonly device_code: string;
  /** In the form shown to people: `XXXX-XXXX`. */
  readonly user_code: string;
  readonly expires_in: number;
  readonly interval: number;
};

export const startDeviceSignIn = ({
  catalogs,
  deviceSignIns,
  secrets,
  digest,
  clock,
  pauses,
  countAttempts,
}: Needs<'catalogs' | 'clock' | 'deviceSignIns' | 'digest' | 'pauses' | 'secrets'> & {
  countAttempts: CountAttempts;
}) =>
  async function startDeviceSignIn(
    input: StartDeviceSignInInput,
  ): Promise<Outcome<StartedDeviceSignIn, 'unknown_client' | 'too_many_attempts'>> {
    const client = deviceClient(input.client_id, (await catalogs.current()).productsByBundleId);
    if (!client) return refuse('unknown_client', { message: 'This client may not sign in devices.' });
    const counted = await countAttempts(deviceSignInLimits(input.address));
    if (!counted.ok) return counted;
    const device = { device_id: input.device_id, name: input.device_name };
    return untilWritten(pauses, async () => {
      const device_code = secrets.value();
      const user_code = secrets.letters(USER_CODE_LETTERS, USER_CODE_LENGTH);
      const hashes = { hash: digest.sha256(device_code), user_code_hash: digest.sha256(user_code) };
      // Another device may be waiting under the same user code.
      if (!(await deviceSignIns.add(newDeviceSignIn(hashes, client, device, clock.now())))) return CONFLICT;
      return ok({
        device_code,
        user_code: shownUserCode(user_code),
        expires_in: DEVICE_SIGN_IN_MINUTES * 60,
        interval: POLL_SECONDS,
      });
    });
  };

export type StartDeviceSignIn = ReturnType<typeof startDeviceSignIn>;

export type FindDeviceSignInInput = {
  account_id: number;
  address: string;
  /** As the person typed it. */
  user_code: string;
};

type FindDeviceSignInPorts = Needs<'clock' | 'deviceSignIns' | 'digest'> & { countAttempts: CountAttempts };

/**
 * The device that waits for a decision under a user code. Wrong codes are counted by account and by address (RFC 8628,
 * section 5.1), so that nobody finds another person's device by guessing.
 */
export const findDeviceSignIn = ({ deviceSignIns, digest, clock, countAttempts }: FindDeviceSignInPorts) =>
  async function findDeviceSignIn(
    input: FindDeviceSignInInput,
  ): Promise<Outcome<ReadDeviceSignIn, 'unknown_user_code' | 'too_many_attempts'>> {
    const unknown = refuse('unknown_user_code', {
      message: 'No device is waiting with this code; it may have expired.',
    });
    const plain = plainUserCode(input.user_code);
    if (plain === undefined) return unknown;
    const counted = await countAttempts(userCodeLimits(input.account_id, input.address));
    if (!counted.ok) return counted;
    const signIn = await deviceSignIns.findByUserCode(digest.sha256(plain));
    if (!signIn || !awaitsDecision(signIn, clock.now())) return unknown;
    await counted.value.forgive();
    return ok(signIn);
  };

export type FindDeviceSignIn = ReturnType<typeof findDeviceSignIn>;

export type DecideDeviceSignInInput = {
  account_id: number;
  address: string;
  user_code: string;
  decision: 'approve' | 'deny';
  /** The name that the person gives the device; null keeps the device's own. */
  device_name: string | null;
};

/**
 * Approves or denies a device that waits under a user code. An approval is refused if the account has no room for the
 * device's key, so that the person learns it here. The key itself is created when the device polls for it.
 */
export const decideDeviceSignIn = ({
  deviceSignIns,
  apiKeys,
  keyQuota,
  clock,
  pauses,
  findDeviceSignIn,
}: Needs<'apiKeys' | 'clock' | 'deviceSignIns' | 'pauses'> & {
  keyQuota: number;
  findDeviceSignIn: FindDeviceSignIn;
}) =>
  async function decideDeviceSignIn(
    permit: Permit,
    input: DecideDeviceSignInInput,
  ): Promise<Outcome<DeviceSignIn, 'unknown_user_code' | 'too_many_attempts' | 'key_limit_reached'>> {
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

export type RedeemDeviceSignInInput = { device_code: string; client_id: string };

export type Waiting = 'authorization_pending' | 'slow_down' | 'access_denied' | 'expired_token';
export type RedeemRefusal = Waiting | 'key_limit_reached';

/** The sign-in that only this call may redeem, and the account that approved it. */
type Claim = { readonly ok: true; readonly signIn: DeviceSignIn; readonly account_id: number };

type RedeemDeviceSignInPorts = Needs<'clock' | 'deviceSignIns' | 'digest' | 'pauses'> & { createApiKey: CreateApiKey };

/**
 * Answers a device's poll (RFC 8628, section 3.5) with the device's key once it is approved, otherwise with the
 * standard's error. The key is created now, because its value is stored nowhere. Of concurrent polls, exactly one gets
 * it. An unknown code, or one of another client, is `expired_token`.
 */
export const redeemDeviceSignIn = ({ deviceSignIns, createApiKey, digest, clock, pauses }: RedeemDeviceSignInPorts) => {
  /** Deletes an approved sign-in, so no other poll redeems it. */
  const claimCode = ({ device_code, client_id }: RedeemDeviceSignInInput): Promise<Claim | Refused<Waiting>> => {
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

  return async function redeemDeviceSignIn(
    permit: Permit,
    input: RedeemDeviceSignInInput,
  ): Promise<Outcome<CreatedKey, RedeemRefusal>> {
    const claim = await claimCode(input);
    if (!claim.ok) return claim;
    const minting = createApiKey(permit, keyInputOf(claim.signIn, claim.account_id));
    const created = await minting.catch(async (fault: unknown) => {
      // The device received nothing, so it may ask again.
      await deviceSignIns.add(claim.signIn).catch(() => {});
      throw fault;
    });
    if (created.ok) return created;
    const { code, message, data } = created;
    return code === 'key_limit_reached' ? { ok: false, code, message, data } : refuse('access_denied');
  };
};

export type RedeemDeviceSignIn = ReturnType<typeof redeemDeviceSignIn>;

const withoutVersion = ({ version: _, ...signIn }: ReadDeviceSignIn): DeviceSignIn => signIn;
