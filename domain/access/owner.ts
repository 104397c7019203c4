import type { Principal } from './principal.ts';
import { countedAddress } from './rate-limit.ts';

/** The party that a rate limit or an Idempotency-Key belongs to: an account, an agent, or a network address. */
export type Owner =
  | { readonly kind: 'account'; readonly id: number }
  | { readonly kind: 'agent'; readonly id: number }
  | { readonly kind: 'address'; readonly address: string };

/**
 * The owner of a request. All credentials of one account share an owner; a caller without a credential is counted by
 * address, which is asked for only then.
 */
export const ownerOf = (principal: Principal, address: () => string): Owner => {
  switch (principal.kind) {
    case 'account':
      return { kind: 'account', id: principal.account_id };
    case 'agent':
      return { kind: 'agent', id: principal.id };
    case 'anyone':
      return { kind: 'address', address: address() };
  }
};

/** A text that no two owners share. */
export const ownerName = (owner: Owner): string =>
  owner.kind === 'address' ? `ADDRESS#${countedAddress(owner.address)}` : `${owner.kind.toUpperCase()}#${owner.id}`;
