import { type ApiKey, isLive } from '../../domain/access/api-key.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { ApiKeys, KeySecrets } from '../../ports/outbound/api-keys.ts';
import type { Clock } from '../../ports/outbound/clock.ts';

type Ports = { apiKeys: ApiKeys; keySecrets: KeySecrets; clock: Clock };

const BEARER = /^Bearer +([^\s]+) *$/i;

/** Finds the live key of an Authorization header. A value that can't be a key is refused without a look-up. */
export class Authenticate {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute(authorization: string | undefined): Promise<Outcome<ApiKey, 'missing_api_key' | 'invalid_api_key'>> {
    const { apiKeys, keySecrets, clock } = this.#ports;
    if (authorization === undefined || authorization === '') return refuse('missing_api_key');
    const value = BEARER.exec(authorization)?.[1];
    const hash = value && keySecrets.hash(value);
    const key = hash && (await apiKeys.find(hash));
    return key && isLive(key, clock.now()) ? ok(key) : refuse('invalid_api_key');
  }
}
