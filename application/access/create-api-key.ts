import { type Ability, DEVICE_KEY_ABILITIES, PERSONAL_KEY_ABILITIES } from '../../domain/access/abilities.ts';
import type { ApiKey, KeyDevice } from '../../domain/access/api-key.ts';
import { admitKey } from '../../domain/access/key-quota.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { Accounts } from '../../ports/outbound/accounts.ts';
import type { ApiKeys, KeySecrets } from '../../ports/outbound/api-keys.ts';
import type { Catalogs } from '../../ports/outbound/catalogs.ts';
import type { Clock } from '../../ports/outbound/clock.ts';
import type { Ids } from '../../ports/outbound/ids.ts';
import type { Pauses } from '../../ports/outbound/pauses.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';
import type { RevokeApiKey } from './revoke-api-key.ts';

type Ports = {
  accounts: Accounts;
  apiKeys: ApiKeys;
  catalogs: Catalogs;
  keySecrets: KeySecrets;
  ids: Ids;
  clock: Clock;
  pauses: Pauses;
  revokeApiKey: RevokeApiKey;
};

export type KeyWish = {
  account_id: number;
  name: string;
  /** The kind's own abilities where left out. */
  abilities?: readonly Ability[];
  product_id?: number | null;
  expires_at?: Instant | null;
  /** Makes it a device sign-in key, which takes the slot of the least recently used one of its client if none is free. */
  device?: { client: string; device: KeyDevice };
};

/** A new key with its value, which is nowhere else. */
export type CreatedKey = { readonly value: string; readonly key: ApiKey };

type Refusal = 'key_limit_reached' | 'account_not_found' | 'product_not_found' | 'expiry_has_passed';

/** Creates a key within the quota of its scope, exact however many are created at once. */
export class CreateApiKey {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute(wish: KeyWish): Promise<Outcome<CreatedKey, Refusal>> {
    const { accounts, apiKeys, catalogs, clock, pauses, revokeApiKey } = this.#ports;
    const { product_id = null } = wish;
    const [account, catalog] = await Promise.all([accounts.get(wish.account_id), catalogs.current()]);
    if (!account) return refuse('account_not_found', { message: `There is no account ${wish.account_id}.` });
    if (product_id !== null && !catalog.products.has(product_id)) {
      return refuse('product_not_found', { message: `There is no product ${product_id}.` });
    }
    if (wish.expires_at != null && wish.expires_at <= clock.now()) {
      return refuse('expiry_has_passed', { message: `The expiry ${wish.expires_at} has passed; name a later one.` });
    }
    const replaced: ApiKey[] = [];
    const created = await untilWritten(pauses, async () => {
      const now = clock.now();
      const ring = await apiKeys.ring(wish.account_id, product_id);
      const admitted = admitKey(ring, now, wish.device?.client ?? null);
      if (!admitted.ok) return admitted;
      const { revoke } = admitted.value;
      const made = this.#make(wish, now);
      if (!(await apiKeys.change(ring, { add: made.key, revoke }, now))) return CONFLICT;
      replaced.push(...revoke);
      return ok(made);
    });
    // The key itself went in the same step; with it go the product keys that its bulk activation made.
    for (const { id } of replaced) await revokeApiKey.execute(id);
    return created;
  }

  #make(
    { account_id, name, abilities, product_id = null, expires_at = null, device }: KeyWish,
    now: Instant,
  ): CreatedKey {
    const { value, hash, prefix } = this.#ports.keySecrets.mint();
    const key: ApiKey = {
      id: this.#ports.ids.next(),
      account_id,
      hash,
      prefix,
      name,
      kind: device ? 'device' : 'personal',
      abilities: abilities ?? (device ? DEVICE_KEY_ABILITIES : PERSONAL_KEY_ABILITIES),
      product_id,
      client: device?.client ?? null,
      device: device?.device ?? null,
      parent_id: null,
      created_at: now,
      expires_at,
      last_used_at: null,
      revoked_at: null,
    };
    return { value, key };
  }
}
