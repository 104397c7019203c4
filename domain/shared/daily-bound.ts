import { addDays, dayOf, type Instant, millis } from './instant.ts';
import { type Refused, refuse } from './outcome.ts';

/** The maximum amount of something that one owner may store in a day (UTC). */
export type DailyBound = {
  /** 1 to 40 characters of `a-z` and `-`. */
  readonly name: string;
  readonly most: number;
  /** The limited thing, as the end of a sentence: `new tickets of an account`. */
  readonly what: string;
};

/** Whole seconds until the next midnight in UTC, 1 to 86,400. */
export const secondsOfDayLeft = (now: Instant): number =>
  Math.ceil((millis(`${dayOf(addDays(now, 1))}T00:00:00.000Z`) - millis(now)) / 1000);

/** The refusal of a request beyond a daily limit. It names the limit, and Retry-After is the next day. */
export const dailyBoundReached = ({ most, what }: DailyBound, now: Instant): Refused<'rate_limited'> =>
  refuse('rate_limited', {
    message: `The limit of ${most} ${what} a day (UTC) is reached; wait the number of seconds in Retry-After.`,
    ko: `하루(UTC)에 받을 수 있는 한도 ${most.toLocaleString('en')}에 도달했습니다. Retry-After에 적힌 초가 지난 뒤 다시 시도해 주세요.`,
    retryAfter: secondsOfDayLeft(now),
  });
