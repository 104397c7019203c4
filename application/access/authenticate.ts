import { isLive } from '../../domain/access/api-key.ts';
import { type AccountPrincipal, principalOfKey } from '../../domain/access/principal.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';

export type Ports = Needs<'apiKeys' | 'clock' | 'keySecrets' | 'licenseKeySecrets'>;

const SUSPENDED = 'This account is suspended; contact the store.';

/**
 * The principal of the live API key or license key with this value. A value without the form of a key is refused without a look-up,
 * and the key of a suspended account too, except to a caller that answers even suspended accounts.
 */
export const authenticate =
  ({ apiKeys, keySecrets, licenseKeySecrets, clock }: Ports) =>
  async (value: string, evenSuspended = false): Promise<Outcome<AccountPrincipal, 'invalid_api_key'>> => {
    const hash = keySecrets.hash(value) ?? licenseKeySecrets.hash(value);
    const key = hash && (await apiKeys.find(hash));
    if (!key || !isLive(key, clock.now())) return refuse('invalid_api_key');
    return key.suspended && !evenSuspended
      ? refuse('invalid_api_key', { message: SUSPENDED })
      : ok(principalOfKey(key));
  };

export type Authenticate = ReturnType<typeof authenticate>;
