import { isLive } from '../../domain/access/api-key.ts';
import { type AccountPrincipal, principalOfKey } from '../../domain/access/principal.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { ApiKeys, KeySecrets } from '../../ports/outbound/api-keys.ts';
import type { Clock } from '../../ports/outbound/clock.ts';

export type Ports = { apiKeys: ApiKeys; keySecrets: KeySecrets; clock: Clock };

/**
 * The principal of the live API key with this value. A value without the form of a key is refused without a look-up.
 */
export class Authenticate {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute(value: string): Promise<Outcome<AccountPrincipal, 'invalid_api_key'>> {
    const { apiKeys, keySecrets, clock } = this.#ports;
    const hash = keySecrets.hash(value);
    const key = hash && (await apiKeys.find(hash));
    return key && isLive(key, clock.now()) ? ok(principalOfKey(key)) : refuse('invalid_api_key');
  }
}
