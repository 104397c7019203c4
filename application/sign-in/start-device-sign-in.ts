import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import { deviceSignInLimits } from '../../domain/sign-in/attempts.ts';
import { deviceClient } from '../../domain/sign-in/device-clients.ts';
import { DEVICE_SIGN_IN_MINUTES, newDeviceSignIn, POLL_SECONDS } from '../../domain/sign-in/device-sign-in.ts';
import { shownUserCode, USER_CODE_LENGTH, USER_CODE_LETTERS } from '../../domain/sign-in/user-code.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';
import type { CountAttempts } from './count-attempts.ts';

export type Ports = Needs<'catalogs' | 'clock' | 'deviceSignIns' | 'digest' | 'pauses' | 'secrets'> & {
  countAttempts: CountAttempts;
};

export type Input = {
  client_id: string;
  /** The client's own name for the device, at most 255 characters. */
  device_id: string;
  device_name: string | null;
  address: string;
};

/** The codes of a device sign-in, which are stored nowhere (RFC 8628, section 3.2). Times are in seconds. */
export type StartedDeviceSignIn = {
  readonly device_code: string;
  /** As people read it: `XXXX-XXXX`. */
  readonly user_code: string;
  readonly expires_in: number;
  readonly interval: number;
};

/** Begins the sign-in of a device. */
export const startDeviceSignIn =
  ({ catalogs, deviceSignIns, secrets, digest, clock, pauses, countAttempts }: Ports) =>
  async (input: Input): Promise<Outcome<StartedDeviceSignIn, 'unknown_client' | 'too_many_attempts'>> => {
    const client = deviceClient(input.client_id, (await catalogs.current()).productsByBundleId);
    if (!client) return refuse('unknown_client', { message: 'This client may not sign in devices.' });
    const counted = await countAttempts(deviceSignInLimits(input.address));
    if (!counted.ok) return counted;
    const device = { device_id: input.device_id, name: input.device_name };
    return untilWritten(pauses, async () => {
      const device_code = secrets.value();
      const user_code = secrets.letters(USER_CODE_LETTERS, USER_CODE_LENGTH);
      const hashes = { hash: digest.sha256(device_code), user_code_hash: digest.sha256(user_code) };
      // Another device may wait under the same user code.
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
