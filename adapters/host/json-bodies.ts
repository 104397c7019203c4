import { ownerName } from '../../domain/access/owner.ts';
import { type Outcome, type Refused, refuse } from '../../domain/shared/outcome.ts';
import type { RefusalCode } from '../../ports/inbound/refusals.ts';
import { type Caller, ownerIn } from '../pipeline/caller.ts';
import { BODY_PACE, type Pace } from './body-pace.ts';
import { readJson } from './json-body.ts';
import type { HostRequest } from './request.ts';

/**
 * A longer body, or one of unknown length, is read only after the rate limit has let the request pass. A shorter body
 * is read while the limiter works, which saves a round trip to the store and costs at most a millisecond.
 */
const CHEAP_BYTES = 16 * 1024;

const isPacked = ({ headers }: HostRequest): boolean => headers['content-encoding'] !== undefined;

/** True for a body that is worth the rate limit's verdict before it is read. */
export const isCostly = (request: HostRequest): boolean =>
  request.length === undefined || request.length > CHEAP_BYTES || isPacked(request);

export type JsonBodyLimits = {
  /** Bytes of costly bodies that the process reads at once. */
  readonly bytes: number;
  /** Bytes of costly bodies that are read at once of one account, or of one address without a credential. */
  readonly bytesPerCaller: number;
  /** The pace at which a costly body has to arrive. */
  readonly pace: Pace;
};

const MIB = 1024 * 1024;

const LIMITS: JsonBodyLimits = { bytes: 64 * MIB, bytesPerCaller: 8 * MIB, pace: { ...BODY_PACE, mostMs: 30_000 } };

const tooMany = (whose: string): Refused<RefusalCode> =>
  refuse('unavailable', { message: `Too many large requests right now${whose}; try again shortly.` });

/**
 * The JSON bodies that a process reads. Costly bodies share a bounded room in memory from their first byte to their
 * last, so that senders who stall can't use up the memory. A cheap body holds less than its connection does, and takes
 * no room; connections are bounded (`adapters/http/connection-limits.ts`).
 */
export class JsonBodies {
  readonly #limits: JsonBodyLimits;
  readonly #byOwner = new Map<string, number>();
  #taken = 0;

  constructor(limits: JsonBodyLimits = LIMITS) {
    this.#limits = limits;
  }

  /**
   * Reads the JSON of a request, of at most `limit` bytes, like `readJson`. A costly body is refused with `unavailable`
   * if there is no room for it, and with `body_too_slow` if it does not arrive in time.
   */
  read(request: HostRequest, limit: number, taken: string, caller: Caller): Promise<Outcome<unknown, RefusalCode>> {
    const { length } = request;
    const isTooLarge = length !== undefined && length > limit;
    return isTooLarge || !isCostly(request)
      ? readJson(request, limit, taken)
      : this.#readCostly(request, limit, taken, caller);
  }

  /** The bytes that are reserved just now for costly bodies on their way. */
  get bytesTaken(): number {
    return this.#taken;
  }

  async #readCostly(
    request: HostRequest,
    limit: number,
    type: string,
    caller: Caller,
  ): Promise<Outcome<unknown, RefusalCode>> {
    const { bytes, bytesPerCaller, pace } = this.#limits;
    const needed = isPacked(request) ? limit : (request.length ?? limit);
    const owner = ownerName(ownerIn(caller));
    const before = this.#byOwner.get(owner) ?? 0;
    if (before + needed > bytesPerCaller) return tooMany(' from you');
    if (this.#taken + needed > bytes) return tooMany('');
    this.#take(owner, needed);
    try {
      return await readJson(request, limit, type, pace);
    } finally {
      this.#take(owner, -needed);
    }
  }

  #take(owner: string, bytes: number): void {
    const now = (this.#byOwner.get(owner) ?? 0) + bytes;
    this.#taken += bytes;
    if (now === 0) this.#byOwner.delete(owner);
    else this.#byOwner.set(owner, now);
  }
}
