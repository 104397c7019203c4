import type { ApiKey } from '../../domain/access/api-key.ts';
import { licenseKeys } from '../../domain/access/api-key.ts';
import type { Permit } from '../../domain/access/permit.ts';
import { isWithoutPerson } from '../../domain/accounts/account.ts';
import {
  claimOf,
  isUnclaimed,
  MOST_LICENSE_KEYS,
  pastedKey,
  type UnclaimedKey,
} from '../../domain/licensing/key-batch.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { MergeAccounts } from '../accounts/accounts.ts';
import { CONFLICT, rereading } from '../shared/contended.ts';

type Claimed = Outcome<ApiKey, 'invalid_api_key' | 'key_limit_reached'>;

type ClaimPorts = Needs<'apiKeys' | 'clock' | 'ids' | 'keyBatches' | 'pauses'>;

/**
 * The first use of a key of a batch binds it to an account, and its days begin. Without an account, a new one that no
 * person has gets the key. Of concurrent first uses exactly one binds it; the others return the key as it is then. Refuses
 * a key that was revoked meanwhile, and an account with too many license keys.
 */
export const claimKey = ({ apiKeys, clock, ids, keyBatches, pauses }: ClaimPorts) =>
  function claimKey(permit: Permit, unclaimed: UnclaimedKey, account_id: number | null): Promise<Claimed> {
    const read = () => apiKeys.findEither(unclaimed.hash);
    return rereading<Awaited<ReturnType<typeof read>>, Claimed>(pauses, unclaimed, read, async (found) => {
      if (found && !isUnclaimed(found)) return ok(found);
      const batch = found && (await keyBatches.get(found.batch_id));
      if (!batch) return refuse('invalid_api_key');
      const of = { account_id: account_id ?? ids.next(), product_id: batch.product_id };
      const scope =
        account_id === null ? { ...of, keys: [], version: null } : await apiKeys.scope(of.account_id, of.product_id);
      const records = claimOf(found, batch, scope, account_id === null, clock.now());
      if (!records.ok) return records;
      return (await apiKeys.claim(permit, scope, records.value)) ? ok(records.value.key) : CONFLICT;
    });
  };

export type ClaimKey = ReturnType<typeof claimKey>;

const refusal = (message: string, ko: string) => refuse('license_key_not_redeemable', { message, ko });

const UNKNOWN = refusal(
  'This store has no such license key, or it was revoked; copy the whole key, which begins with lic_.',
  '이 스토어에 없거나 폐기된 라이선스 키입니다. lic_로 시작하는 키 전체를 복사해 주세요.',
);
const TAKEN = refusal(
  'This license key belongs to another account; sign in with that one, or ask the store.',
  '다른 계정에 등록된 라이선스 키입니다. 그 계정으로 로그인하거나 스토어에 문의해 주세요.',
);
const TOO_MANY = refusal(
  `This account already has ${MOST_LICENSE_KEYS} license keys for the product; revoke one first.`,
  `이 계정에는 이 제품의 라이선스 키가 이미 ${MOST_LICENSE_KEYS}개 있습니다. 먼저 하나를 폐기해 주세요.`,
);

export type RedeemedKey = { readonly product_id: number; readonly key_prefix: string };

type RedeemPorts = Needs<'accounts' | 'apiKeys' | 'clock' | 'licenseKeySecrets'> & {
  claimKey: ClaimKey;
  mergeAccounts: MergeAccounts;
};

/**
 * Binds the license key of a batch to a person's account. If an application used the key before, its account without a
 * person is merged into this one, so its devices and days stay. Repeating a call changes nothing, and completes an
 * interrupted one.
 */
export const redeemKey = ({ accounts, apiKeys, clock, licenseKeySecrets, claimKey, mergeAccounts }: RedeemPorts) =>
  async function redeemKey(
    permit: Permit,
    account_id: number,
    value: string,
  ): Promise<Outcome<RedeemedKey, 'license_key_not_redeemable'>> {
    const hash = licenseKeySecrets.hash(pastedKey(value));
    const found = hash ? await apiKeys.findEither(hash) : undefined;
    if (!found || ('kind' in found && found.kind !== 'license')) return UNKNOWN;
    const claimed = isUnclaimed(found) ? await claimKey(permit, found, account_id) : ok(found);
    if (!claimed.ok) return claimed.code === 'key_limit_reached' ? TOO_MANY : UNKNOWN;
    const { account_id: from, product_id, prefix: key_prefix } = claimed.value;
    const redeemed = ok({ product_id: product_id ?? 0, key_prefix });
    if (from === account_id) return redeemed;
    const [owner, mark, scope] = await Promise.all([
      accounts.get(from),
      accounts.erasure(from),
      apiKeys.scope(account_id, product_id),
    ]);
    if (owner ? !isWithoutPerson(owner) : mark?.merged_into !== account_id) return TAKEN;
    if (licenseKeys(scope, clock.now()).length >= MOST_LICENSE_KEYS) return TOO_MANY;
    const merged = await mergeAccounts(permit, { from, into: account_id, later: true });
    return merged.ok ? redeemed : TAKEN;
  };

export type RedeemKey = ReturnType<typeof redeemKey>;
