import { type Owner, ownerName } from '../../domain/access/principal.ts';
import { STREAMS_AT_ONCE, streamWindow } from '../../domain/access/stream-limit.ts';
import type { RateLimits } from '../../ports/outbound/requests.ts';
import type { Clock } from '../../ports/outbound/system.ts';

export type Ports = { readonly rateLimits: RateLimits; readonly clock: Clock };

/** Ends the count of a stream. It never rejects. */
export type EndStream = () => Promise<void>;

/**
 * Bounds the streams that one owner holds at once, where each of them keeps an instance of a function busy.
 *
 * Counts a stream that begins. Undefined refuses it. A stream whose end is not counted, because its instance died or
 * the store did not answer, counts until the quarter of an hour is over.
 */
export const limitStreams =
  ({ rateLimits, clock }: Ports) =>
  async (owner: Owner): Promise<EndStream | undefined> => {
    const { id, ends_at } = streamWindow(clock.now());
    const counter = [`streams#${ownerName(owner)}`, id, ends_at + 60] as const;
    const end: EndStream = () => rateLimits.takeBack(...counter).catch(() => {});
    const count = await rateLimits.hit(...counter);
    // A counter that takes no more is flooded by its owner, and has counted nothing to take back.
    if (count === null) return undefined;
    if (count <= STREAMS_AT_ONCE) return end;
    await end();
    return undefined;
  };

export type LimitStreams = ReturnType<typeof limitStreams>;
