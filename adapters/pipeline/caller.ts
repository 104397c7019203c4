import type { Settled } from '../../application/shared/settled.ts';
import type { Principal } from '../../domain/access/principal.ts';
import { type Owner, ownerOf } from '../../domain/access/principal.ts';
import type { RateVerdict } from '../../domain/access/rate-limit.ts';

/** A message that was counted against its sender before the call that it makes was known. */
export type MessageCount = { readonly owner: Owner; readonly verdict: Promise<Settled<RateVerdict>> };

/** An identified caller, and the address that counts for the rate limit of a caller without a credential. */
export type Caller = {
  readonly principal: Principal;
  readonly address: () => string;
  /** The count of the message that makes the call, which the call is not counted beside; absent from plain requests. */
  readonly counted?: MessageCount;
};

/** The party whose limits the call counts against. The sender of a counted message is known to public endpoints too. */
export const ownerIn = ({ principal, address, counted }: Caller): Owner =>
  counted?.owner ?? ownerOf(principal, address);
