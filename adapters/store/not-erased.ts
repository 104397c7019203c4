import { accountKeys } from './keys/accounts.ts';
import type { Write } from './table.ts';

/**
 * The condition that an account was not erased. Each transaction that makes a way into an account, or keeps a text
 * of its owner, has it, so that none is written by a request that read the account before its erasure.
 */
export const notErased = (accountId: number): Write => ({
  check: accountKeys.erasure(accountId),
  condition: { absent: true },
});
