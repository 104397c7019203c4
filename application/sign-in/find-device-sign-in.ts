import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import { userCodeLimits } from '../../domain/sign-in/attempts.ts';
import { awaitsDecision } from '../../domain/sign-in/device-sign-in.ts';
import { plainUserCode } from '../../domain/sign-in/user-code.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { ReadDeviceSignIn } from '../../ports/outbound/sign-in.ts';
import type { CountAttempts } from './count-attempts.ts';

export type Ports = Needs<'clock' | 'deviceSignIns' | 'digest'> & { countAttempts: CountAttempts };

export type Input = {
  account_id: number;
  address: string;
  /** As the person typed it. */
  user_code: string;
};

/**
 * The device that waits for a decision under a user code. Wrong codes are counted by account and by address (RFC 8628,
 * section 5.1), so that nobody finds the device of somebody else by trying.
 */
export const findDeviceSignIn =
  ({ deviceSignIns, digest, clock, countAttempts }: Ports) =>
  async (input: Input): Promise<Outcome<ReadDeviceSignIn, 'unknown_user_code' | 'too_many_attempts'>> => {
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
