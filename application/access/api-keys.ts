import {
  type ApiKey,
  admitKey,
  childrenOf,
  judgeKeyInput,
  type KeyInput,
  newKey,
} from '../../domain/access/api-key.ts';
import type { Permit } from '../../domain/access/permit.ts';
import { messageAbout } from '../../domain/mail/message.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { ReadScopeKeys } from '../../ports/outbound/access.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { CONFLICT, rereading, untilWritten } from '../shared/contended.ts';

type Ports = Needs<'accounts' | 'apiKeys' | 'catalogs' | 'clock' | 'ids' | 'keySecrets' | 'pauses'> & {
  keyQuota: number;
  endApiKey: EndApiKey;
};

/** A new key with its value, which is stored nowhere, and the key that it replaced; null if a slot was free. */
export type CreatedKey = { readonly value: string; readonly key: ApiKey; readonly replaced: ApiKey | null };

type Refusal = 'key_limit_reached' | 'account_not_found' | 'product_not_found' | 'expiry_has_passed';

/** Creates a key within the quota of its scope. The quota is exact, however many calls run at once. */
export const createApiKey = ({
  accounts,
  apiKeys,
  catalogs,
  keySecrets,
  keyQuota,
  ids,
  clock,
  pauses,
  endApiKey,
}: Ports) =>
  async function createApiKey(permit: Permit, input: KeyInput): Promise<Outcome<CreatedKey, Refusal>> {
    const [account, { products }] = await Promise.all([accounts.get(input.account_id), catalogs.current()]);
    const judged = judgeKeyInput(input, account, products, clock.now());
    if (!judged.ok) return judged;
    const created = await untilWritten(pauses, async () => {
      const now = clock.now();
      const scope = await apiKeys.scope(input.account_id, input.product_id ?? null);
      const admitted = admitKey(scope, keyQuota, now, input.device?.client ?? null);
      if (!admitted.ok) return admitted;
      const { revoke } = admitted.value;
      const { value, ...stored } = keySecrets.mint();
      const key = newKey(input, { id: ids.next(), ...stored }, now);
      const messages = [messageAbout('key', key)];
      if (!(await apiKeys.change(permit, scope, { add: key, revoke, messages }, now))) return CONFLICT;
      return ok({ value, key, replaced: revoke[0] ?? null });
    });
    // `change` revoked only the replaced key; this also revokes the product keys of its bulk activation.
    if (created.ok && created.value.replaced) await endApiKey(permit, created.value.replaced);
    return created;
  };

export type CreateApiKey = ReturnType<typeof createApiKey>;

/** The keys of an account, oldest first, including keys that ended recently. */
export const listApiKeys = ({ accounts, apiKeys }: Needs<'accounts' | 'apiKeys'>) =>
  async function listApiKeys(account_id: number): Promise<Outcome<ApiKey[], 'account_not_found'>> {
    const [account, scopes] = await Promise.all([accounts.get(account_id), apiKeys.scopes(account_id)]);
    if (!account) return refuse('account_not_found', { message: `There is no account ${account_id}.` });
    return ok(scopes.flatMap((scope) => scope.keys).sort((a, b) => a.id - b.id));
  };

const UNKNOWN =
  'No live key of this store has this text: it was revoked or cut short, has ended, or is another store’s.';

type RevokeApiKeyPorts = Needs<'apiKeys' | 'keySecrets' | 'licenseKeySecrets'> & { endApiKey: EndApiKey };

/**
 * Revokes the key with this id, or this leaked value, and the product keys of its bulk activation (see EndApiKey).
 * Returns the key as it was before.
 */
export const revokeApiKey = ({ apiKeys, keySecrets, licenseKeySecrets, endApiKey }: RevokeApiKeyPorts) =>
  async function revokeApiKey(
    permit: Permit,
    named: number | { readonly text: string },
  ): Promise<Outcome<ApiKey, 'key_not_found'>> {
    const hash =
      typeof named === 'number' ? undefined : (keySecrets.hash(named.text) ?? licenseKeySecrets.hash(named.text));
    const key_id = typeof named === 'number' ? named : hash && (await apiKeys.find(hash))?.id;
    if (!key_id) return refuse('key_not_found', { message: UNKNOWN });
    const scope = await apiKeys.scopeOf(key_id);
    const key = scope?.keys.find((one) => one.id === key_id);
    if (!key) return refuse('key_not_found', { message: `There is no key ${key_id}.` });
    await endApiKey(permit, key);
    return ok(key);
  };

/**
 * Revokes a key and the product keys of its bulk activation, effective with the next request. The product keys are
 * revoked first, so that an interrupted call can be repeated, and again at the end, for those created in between. An
 * already revoked key stays unchanged.
 */
export const endApiKey = ({ apiKeys, clock, pauses }: Needs<'apiKeys' | 'clock' | 'pauses'>) => {
  const revokeChildren = async (permit: Permit, scopes: readonly ReadScopeKeys[], key: ApiKey): Promise<void> => {
    await Promise.all(scopes.map((scope) => revokeIn(permit, scope, childrenOf(scope.keys, key))));
  };

  const revokeIn = async (permit: Permit, first: ReadScopeKeys, keys: readonly ApiKey[]): Promise<void> => {
    if (keys.length === 0) return;
    const ids = new Set(keys.map(({ id }) => id));
    const read = () => apiKeys.scope(first.account_id, first.product_id);
    await rereading(pauses, first, read, async (scope) => {
      const revoke = scope.keys.filter((key) => ids.has(key.id) && key.revoked_at === null);
      const written = revoke.length === 0 || (await apiKeys.change(permit, scope, { revoke }, clock.now()));
      return written ? undefined : CONFLICT;
    });
  };

  return async function endApiKey(permit: Permit, key: ApiKey): Promise<void> {
    const scopes = await apiKeys.scopes(key.account_id);
    await revokeChildren(permit, scopes, key);
    const own = scopes.find((scope) => scope.product_id === key.product_id);
    if (own) await revokeIn(permit, own, [key]);
    await revokeChildren(permit, await apiKeys.scopes(key.account_id), key);
  };
};

export type EndApiKey = ReturnType<typeof endApiKey>;
