import {
  type ApiKey,
  admitKey,
  childrenOf,
  judgeKeyInput,
  type KeyInput,
  newKey,
  newLicenseKey,
} from '../../domain/access/api-key.ts';
import type { Permit } from '../../domain/access/permit.ts';
import { isUnclaimed, pastedKey } from '../../domain/licensing/key-batch.ts';
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
  async function listApiKeys({ account_id }: { account_id: number }): Promise<Outcome<ApiKey[], 'account_not_found'>> {
    const [account, scopes] = await Promise.all([accounts.get(account_id), apiKeys.scopes(account_id)]);
    if (!account) return refuse('account_not_found', { message: `There is no account ${account_id}.` });
    return ok(scopes.flatMap((scope) => scope.keys).sort((a, b) => a.id - b.id));
  };

const UNKNOWN =
  'No live key of this store has this text: it was revoked or cut short, has ended, or is another store’s.';

type RevokeLeakedKeyPorts = Needs<'apiKeys' | 'clock' | 'keyBatches' | 'keySecrets' | 'licenseKeySecrets'> & {
  revokeApiKey: ReturnType<typeof revokeApiKey>;
};

/** A key as it was before its revocation; `account_id` is null for one of a batch that nobody used. */
export type RevokedKey = Omit<ApiKey, 'account_id'> & { readonly account_id: number | null };

/** Revokes a key and the product keys of its bulk activation (see EndApiKey). Returns the key as it was before. */
export const revokeApiKey = ({ apiKeys, endApiKey }: Needs<'apiKeys'> & { endApiKey: EndApiKey }) =>
  async function revokeApiKey(
    permit: Permit,
    { key_id }: { readonly key_id: number },
  ): Promise<Outcome<ApiKey, 'key_not_found'>> {
    const scope = await apiKeys.scopeOf(key_id);
    const key = scope?.keys.find((one) => one.id === key_id);
    if (!key) return refuse('key_not_found', { message: `There is no key ${key_id}.` });
    await endApiKey(permit, key);
    return ok(key);
  };

/** Revokes the key with this text, as `revokeApiKey` does, or one of a batch that nobody used. */
export const revokeLeakedKey = (ports: RevokeLeakedKeyPorts) => {
  const { apiKeys, clock, keyBatches, keySecrets, licenseKeySecrets, revokeApiKey } = ports;

  return async function revokeLeakedKey(
    permit: Permit,
    { key: pasted }: { readonly key: string },
  ): Promise<Outcome<RevokedKey, 'key_not_found'>> {
    const text = pastedKey(pasted);
    const hash = keySecrets.hash(text) ?? licenseKeySecrets.hash(text);
    const found = hash && (await apiKeys.findEither(hash));
    if (found && isUnclaimed(found) && (await keyBatches.revokeUnclaimed(permit, found, clock.now()))) {
      const { product_id = null, created_at = clock.now() } = (await keyBatches.get(found.batch_id)) ?? {};
      const { id, prefix } = found;
      const key = newLicenseKey({ account_id: 0, product_id }, { id, hash, prefix, name: 'License key' }, created_at);
      return ok({ ...key, account_id: null });
    }
    return found ? revokeApiKey(permit, { key_id: found.id }) : refuse('key_not_found', { message: UNKNOWN });
  };
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
