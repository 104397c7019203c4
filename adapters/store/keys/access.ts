import { hash } from 'node:crypto';
import type { ApiKey, ScopeKeys } from '../../../domain/access/api-key.ts';
import type { Member, SetupOffer } from '../../../domain/access/member.ts';
import type { AgentToken } from '../../../domain/access/principal.ts';
import { type Owner, ownerName } from '../../../domain/access/rate-limit.ts';
import type { Replay } from '../../../domain/access/replay.ts';
import type { KeyBatch, KeyClaim, UnclaimedKey } from '../../../domain/licensing/key-batch.ts';
import type { Instant } from '../../../domain/shared/instant.ts';
import type { CounterKey, KeyOf, Partition } from './families.ts';
import { allOfAccount, keyIn, ofAccount, padded } from './shared.ts';

/** The last use of a key, stored beside the item of its scope. */
export type KeyUse = { readonly key_id: number; readonly last_used_at: Instant };

export type KeyHashes = { readonly hashes: readonly string[] };

const scopePart = (product_id: number | null): string => (product_id === null ? 'account' : padded(product_id));

/** The partition of the list of agent tokens, which an operator keeps short. */
const AGENT_TOKENS = 'AGENTS';

/**
 * Keys of API keys, agent tokens, stored answers and request counters. API keys and tokens are found by their hashes
 * alone.
 */
export const accessKeys = {
  apiKey: (sha256: string): KeyOf<ApiKey | UnclaimedKey> => ({ pk: `KEY#${sha256}`, sk: 'KEY' }),
  apiKeyOwner: (key_id: number) => keyIn<Pick<ScopeKeys, 'account_id' | 'product_id'>>(`KEYID#${key_id}`, 'KEYID'),
  /** Names the scope of a key with this prefix, which is never a number. */
  apiKeyPrefix: (prefix: string) => keyIn<Pick<ScopeKeys, 'account_id' | 'product_id'>>(`KEYID#${prefix}`, 'KEYID'),
  keysOfAccount: (account_id: number) => allOfAccount<ScopeKeys | KeyUse>(account_id, 'KEYS#'),
  keysOfScope: (account_id: number, product_id: number | null) =>
    ofAccount<ScopeKeys>(account_id, `KEYS#RING#${scopePart(product_id)}`),
  use: (account_id: number, key_id: number) => ofAccount<KeyUse>(account_id, `KEYS#USE#${padded(key_id)}`),

  keyBatch: (id: number): KeyOf<KeyBatch> => ({ pk: 'KEYBATCHES', sk: padded(id) }),
  keyBatches: (before: number | null): Partition<KeyBatch> & { descending: true } => ({
    ...{ pk: 'KEYBATCHES', descending: true },
    to: padded((before ?? Number.MAX_SAFE_INTEGER) - 1),
  }),
  /** The hashes of the keys that a batch got together, from the n-th on. */
  keyHashes: (batch_id: number, n: number) => keyIn<KeyHashes>(`KEYBATCH#${batch_id}`, `KEYS#${padded(n)}`),
  allKeyHashes: (batch_id: number): Partition<KeyHashes> => ({ pk: `KEYBATCH#${batch_id}`, prefix: 'KEYS#' }),
  keyClaim: (batch_id: number, key_id: number) => keyIn<KeyClaim>(`KEYBATCH#${batch_id}`, `CLAIM#${padded(key_id)}`),
  keyClaims: (batch_id: number): Partition<KeyClaim> => ({ pk: `KEYBATCH#${batch_id}`, prefix: 'CLAIM#' }),

  /** The encrypted value of a license key that its owner may see again. */
  keyValue: (account_id: number, key_id: number) =>
    ofAccount<{ readonly sealed: string }>(account_id, `KEYVALUE#${padded(key_id)}`),

  agentToken: (sha256: string): KeyOf<AgentToken> => ({ pk: `AGENT#${sha256}`, sk: 'AGENT' }),
  agentTokens: { pk: AGENT_TOKENS, prefix: 'TOKEN#' } satisfies Partition<AgentToken> as Partition<AgentToken>,
  listedAgentToken: (id: number): KeyOf<AgentToken> => ({ pk: AGENT_TOKENS, sk: `TOKEN#${padded(id)}` }),

  /** The people who run the shop, in one item, which they bound to a few dozen. */
  members: keyIn<{ readonly members: readonly Member[] }>('MEMBERS', 'ALL'),
  setup: keyIn<SetupOffer>('MEMBERS', 'SETUP'),

  /** Each replay has its own partition, because no request reads two of them. */
  replay: (owner: Owner, endpoint: string, key: string) =>
    keyIn<Replay>(
      `REPLAY#${owner.kind === 'account' ? owner.id : ownerName(owner)}#${endpoint}#${hash('sha256', key, 'hex')}`,
      'REPLAY',
    ),

  /** An owner's count toward a daily bound. A `day` is `YYYY-MM-DD`. */
  dailyCount: (bound: string, owner: string, day: string): CounterKey => ({ pk: `DAILY#${bound}#${owner}`, sk: day }),
  reachedBound: (bound: string, owner: string, day: string) =>
    keyIn<{ readonly sum: number }>(`DAILY#${bound}#${owner}`, `REACHED#${day}`),

  requestCount: (subject: string, window: number): CounterKey => ({ pk: `RATE#${subject}`, sk: String(window) }),
};
